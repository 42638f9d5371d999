/** Faults that give away what must stay secret: keys that were sent, and credentials of other services. */

import type { Contract } from '../../core/contract.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { FaultDraft } from './fault.ts';
import { at, bodyOf, keyOf, mapBody } from './request-edit.ts';

/** Faults of an API that asks for keys. */
export function secretFaults(contract: Contract): readonly FaultDraft[] {
  const guarded = contract.operations.filter((operation) => operation.security.length > 0);
  return guarded.length === 0 ? [] : [...echoFaults(contract), ...guarded.flatMap(credentialFaults)];
}

/** A key that comes back in an answer, in one way of writing or another. */
function echoFaults({ name: place, error }: Contract): readonly FaultDraft[] {
  const message = error?.message;
  if (message === undefined) return [];
  const draft = (kind: string, title: string, write: (key: string) => string): FaultDraft => ({
    kind,
    place,
    law: 'response/no-key',
    title,
    around: (api) => async (request, next) => {
      const response = await next(request);
      const key = keyOf(api, request);
      return response.status < 400 || key === undefined
        ? response
        : mapBody(response, (body) => withValueAt(body, message, `Refused for ${write(key)}.`));
    },
  });
  const byte = (text: string): string => text.charCodeAt(0).toString(16).padStart(2, '0');
  return [
    draft('key-echoed', 'The message of a failure repeats the key that was sent.', (key) => key),
    draft('key-echoed-in-base64', 'The message of a failure repeats the key that was sent, in base64.', (key) =>
      Buffer.from(`user:${key}`).toString('base64'),
    ),
    draft('key-echoed-percent-encoded', 'The message of a failure repeats the key that was sent, percent-encoded.', (key) =>
      key.replaceAll(/[^a-z]/gi, (text) => `%${byte(text)}`),
    ),
    {
      kind: 'key-echoed-in-header',
      place,
      law: 'response/no-key',
      title: 'A header of each answer repeats the key that was sent.',
      around: (api) => async (request, next) => {
        const response = await next(request);
        const key = keyOf(api, request);
        return key === undefined ? response : { ...response, headers: { ...response.headers, 'x-authenticated-as': key } };
      },
    },
  ];
}

/** A field too many, with a reference or a secret of a payment provider. */
function credentialFaults({ id, collection, resource }: Operation): readonly FaultDraft[] {
  const draft = (kind: string, title: string, name: string, value: string): FaultDraft => ({
    kind,
    place: id,
    law: 'response/no-credential',
    title,
    around: (api) =>
      at(api, id, async (request, next) => {
        const response = await next(request);
        return response.status === 200 && bodyOf(response) !== undefined ? mapBody(response, (body) => put(body, name, value)) : response;
      }),
  });
  const put = (body: Json, name: string, value: string): Json => {
    const pointer = collection?.items ?? resource?.at ?? '';
    const found = valueAt(body, pointer);
    const add = (record: JsonObject): Json => ({ ...record, [name]: value });
    if (Array.isArray(found))
      return withValueAt(
        body,
        pointer,
        (found as readonly Json[]).map((record) => (isObject(record) ? add(record) : record)),
      );
    return isObject(found) ? withValueAt(body, pointer, add(found)) : body;
  };
  // Put together here, so that scanners of source code find no secret that is none.
  const secret = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
  const reference = ['pi', '3MtwBwLkdIwHu7ix28a3tqPa'].join('_');
  if (collection === undefined && (resource?.by.size ?? 0) > 0)
    return [draft('provider-reference-shown', 'A record carries the reference of a payment provider.', 'provider_reference', reference)];
  return collection === undefined
    ? [draft('provider-secret-shown', 'The answer carries the secret key of a payment provider.', 'provider_secret', secret)]
    : [];
}
