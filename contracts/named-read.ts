/** Reading a record by a name that is written as it is to be sent: hostile names, names in percent-encoding, pieces of names. */

import type { Parameter } from '../core/parameter.ts';
import { valueAt } from '../core/pointer.ts';
import type { Call } from './call.ts';
import type { RecordRead } from './detail.ts';
import type { Lab } from './lab.ts';
import { locate } from './place.ts';
import { isSuccess, type Reply } from './reply.ts';

/** The parameters whose text names a record. */
export function textNames(operation: RecordRead): readonly Parameter[] {
  return operation.parameters.filter(
    (parameter) => operation.resource.by.has(parameter.key) && parameter.kinds.every((kind) => kind === 'string'),
  );
}

/** The call that reads by a name, written as it is to be sent. */
export function callByText(operation: RecordRead, parameter: Parameter, raw: string): Call {
  if (parameter.in === 'path') return { operation, segments: { [parameter.name]: raw } };
  return { operation, raw: [`${encodeURIComponent(parameter.name)}=${raw}`] };
}

/** Every byte of a text in percent-encoding. */
export function encodeEveryByte(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
}

/** A text as it is sent, all but letters, digits and `-._~` in percent-encoding (RFC 3986 §2.3). */
export function encodeName(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The name of the record that an answer gives; `undefined` when it gives none, `null` when it is a success without a record. */
export function nameIn({ contract }: Lab, parameter: Parameter, reply: Reply): string | null | undefined {
  if (!isSuccess(reply)) return undefined;
  const located = locate(contract, reply);
  const field = reply.call.operation.resource?.by.get(parameter.key);
  return located === undefined || field === undefined ? null : String(valueAt(located.record, field));
}
