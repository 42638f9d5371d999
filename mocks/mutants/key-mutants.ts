/**
 * Mutants of keys: invalid keys that are accepted, valid requests that are refused, and responses that reveal a key. `find-mutants.ts` lists them for each
 * contract, when mutants are listed or a mock with mutants starts or reloads. `serve-mutants.ts` applies the chosen ones at each start and reload. Records of
 * other tenants are in `tenant-mutants.ts`.
 */

import { headerOf } from '../../core/http/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { KeyHolder } from '../key-ring.ts';
import { bodyOf, errorResponse, keyOf, mapBody, withHeader, withKeyOf } from './change-exchange.ts';
import { createApiMutant, createMutant, createOperationMutant, createResponseMutant, type ServedMutant } from './mock-mutant.ts';

/** Lists the mutants of keys; for an operation without keys, the mutant that requires one. */
export function keyMutants(contract: Contract): readonly ServedMutant[] {
  const guardedOperations = contract.operations.filter((operation) => operation.security.length > 0);
  const openOperations = contract.operations.filter((operation) => operation.security.length === 0);
  const isScoped = guardedOperations.some((operation) => operation.security.flat().some(({ scopes }) => scopes.length > 0));
  return [
    ...(guardedOperations.length === 0 ? [] : [...holderMutants(contract), ...echoMutants(contract)]),
    ...(isScoped
      ? [missingScopeMutant(contract, 401, 'scope-lacking-unauthenticated'), missingScopeMutant(contract, 404, 'scope-lacking-absent')]
      : []),
    ...guardedOperations.flatMap((operation) => [...conditionalMutants(operation), ...credentialMutants(operation)]),
    ...openOperations.map(demandedKeyMutant),
  ];
}

/** Finds the holder of a key in a wrong way. */
type HolderOf = (keys: ServedApi['keys'], key: string) => KeyHolder | undefined;

/** Mutants that accept keys which they should refuse. */
function holderMutants({ name: operation }: Contract): readonly ServedMutant[] {
  const holderMutant = (kind: MutantKind, holderOf: HolderOf): ServedMutant =>
    createMutant(kind, { operation }, { serve: (api) => ({ ...api, keys: { ...api.keys, holderOf: (key) => holderOf(api.keys, key) } }) });
  const otherwiseBy =
    (other: HolderOf): HolderOf =>
    (keys, key) =>
      keys.holderOf(key) ?? other(keys, key);
  const anyHolder = (keys: ServedApi['keys']): KeyHolder | undefined =>
    [...keys.byRole.values()].map(keys.holderOf).find((holder) => holder?.expired === false);
  const holderOfKey = (keys: ServedApi['keys'], isMeant: (issuedKey: string) => boolean): KeyHolder | undefined => {
    const key = [...keys.byRole.values()].find(isMeant);
    return key === undefined ? undefined : keys.holderOf(key);
  };
  return [
    holderMutant(
      'unknown-key-accepted',
      otherwiseBy((keys, key) => (key === '' ? undefined : anyHolder(keys))),
    ),
    holderMutant(
      'empty-key-accepted',
      otherwiseBy((keys, key) => (key === '' ? anyHolder(keys) : undefined)),
    ),
    holderMutant(
      'key-case-ignored',
      otherwiseBy((keys, key) => holderOfKey(keys, (issuedKey) => issuedKey.toLowerCase() === key.toLowerCase())),
    ),
    holderMutant(
      'key-beginning-accepted',
      otherwiseBy((keys, key) => holderOfKey(keys, (issuedKey) => key.length >= 8 && issuedKey.startsWith(key))),
    ),
    holderMutant('expired-key-accepted', (keys, key) => {
      const holder = keys.holderOf(key);
      return holder === undefined ? undefined : { ...holder, expired: false };
    }),
  ];
}

/** Mutant that refuses a missing scope with another status. */
function missingScopeMutant({ name }: Contract, status: 401 | 404, kind: MutantKind): ServedMutant {
  return createApiMutant(kind, { operation: name }, ({ api, request, response }) =>
    response.status === 403 ? errorResponse(api, request, status, 'This is not for this key.') : response,
  );
}

function conditionalMutants({ id, responses }: Operation): readonly ServedMutant[] {
  if (!responses.has('304')) return [];
  return [
    createResponseMutant(
      'unchanged-before-key',
      { operation: id, words: { key: 'any key, or none' } },
      async ({ api, request, response, next }) => {
        const isRefused = response.status === 401 || response.status === 403;
        if (!isRefused || headerOf(request.headers, 'if-none-match') === undefined) return response;
        const responseWithKey = await next(withKeyOf(api, request, api.dataset.tenants[0] ?? ''));
        return responseWithKey.status === 304 ? responseWithKey : response;
      },
    ),
    createOperationMutant('unchanged-skips-key', { operation: id }, (api) => (request, next) => {
      const isWithoutKey = keyOf(api, request) === undefined && headerOf(request.headers, 'if-none-match') !== undefined;
      return next(isWithoutKey ? withKeyOf(api, request, api.dataset.tenants[0] ?? '') : request);
    }),
  ];
}

/** Mutant that requires a key for an operation without keys. */
function demandedKeyMutant({ id }: Operation): ServedMutant {
  return createOperationMutant(
    'key-demanded',
    { operation: id },
    (api) => async (request, next) =>
      headerOf(request.headers, 'authorization') === undefined
        ? errorResponse(api, request, 401, 'Please sign in first.')
        : next(withHeader(request, 'authorization', undefined)),
  );
}

/** Mutants that repeat the key in a response, in several encodings. */
function echoMutants({ name: operation, error }: Contract): readonly ServedMutant[] {
  const message = error?.message;
  if (message === undefined) return [];
  const echoMutant = (kind: MutantKind, write: (key: string) => string): ServedMutant =>
    createApiMutant(kind, { operation }, ({ api, request, response }) => {
      const key = keyOf(api, request);
      if (response.status < 400 || key === undefined) return response;
      return mapBody(response, (body) => withValueAt(body, message, `Refused for ${write(key)}.`));
    });
  const byte = (text: string): string => text.charCodeAt(0).toString(16).padStart(2, '0');
  return [
    echoMutant('key-echoed', (key) => key),
    echoMutant('key-echoed-in-base64', (key) => Buffer.from(`user:${key}`).toString('base64')),
    echoMutant('key-echoed-percent-encoded', (key) => key.replaceAll(/[^a-z]/gi, (text) => `%${byte(text)}`)),
    createApiMutant('key-echoed-in-header', { operation }, ({ api, request, response }) => {
      const key = keyOf(api, request);
      return key === undefined ? response : { ...response, headers: { ...response.headers, 'x-authenticated-as': key } };
    }),
  ];
}

/** Mutants that add a field with a reference or a secret of a payment provider. */
function credentialMutants({ id, collection, resource }: Operation): readonly ServedMutant[] {
  if (collection !== undefined) return [];
  const fieldMutant = (kind: MutantKind, name: string, value: string): ServedMutant =>
    createResponseMutant(kind, { operation: id }, ({ response }) => {
      const isShown = response.status === 200 && bodyOf(response) !== undefined;
      return isShown ? mapBody(response, (body) => addMember(body, resource?.at ?? '', { [name]: value })) : response;
    });
  // Put together here, so that scanners of source code find no secret that is none.
  const secret = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
  const reference = ['pi', '3MtwBwLkdIwHu7ix28a3tqPa'].join('_');
  return (resource?.by.size ?? 0) > 0
    ? [fieldMutant('provider-reference-shown', 'provider_reference', reference)]
    : [fieldMutant('provider-secret-shown', 'provider_secret', secret)];
}

function addMember(body: Json, pointer: string, member: JsonObject): Json {
  const holder = valueAt(body, pointer);
  return isObject(holder) ? withValueAt(body, pointer, { ...holder, ...member }) : body;
}
