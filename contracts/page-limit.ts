/** The page size that a request asks for. */

import { isObject } from '../core/json.ts';
import type { Reply } from './reply.ts';
import type { ListOperation } from './walk.ts';

/** The limit of an answered request: the one that was sent, or the default; `undefined` for one that was sent wrong on purpose. */
export function limitOf(operation: ListOperation, { call }: Reply): number | undefined {
  const name = operation.collection.page.limit;
  if ((call.raw ?? []).some((piece) => piece.startsWith(`${name}=`))) return undefined;
  const sent = call.values?.[name] ?? defaultLimit(operation);
  return typeof sent === 'number' ? sent : undefined;
}

/** The limit that counts when none is sent. */
export function defaultLimit(operation: ListOperation): number | undefined {
  const fallback = limitParameter(operation)?.fallback;
  return typeof fallback === 'number' ? fallback : undefined;
}

/** The smallest and the largest limit that the contract allows. */
export function limitRange(operation: ListOperation): { readonly least: number | undefined; readonly most: number | undefined } {
  const schema = limitParameter(operation)?.schema;
  const [minimum, maximum] = isObject(schema) ? [schema['minimum'], schema['maximum']] : [];
  return { least: typeof minimum === 'number' ? minimum : undefined, most: typeof maximum === 'number' ? maximum : undefined };
}

function limitParameter(operation: ListOperation): ListOperation['parameters'][number] | undefined {
  return operation.parameters.find((each) => each.key === operation.collection.page.limit);
}
