/**
 * Mutants of keys and other secrets: invalid keys that are accepted, valid requests that are refused, and responses that reveal a secret. They are built for a
 * mock that serves mutants, and act at each request.
 */

import { type HttpRequest, headerOf } from '../../core/http/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { KeyHolder } from '../key-ring.ts';
import { errorResponse, keyOf, mapBody, withHeader, withKeyOf } from './change-exchange.ts';
import {
  apiMutants,
  type Behaviours,
  type Deviation,
  isFailure,
  type ListedMutant,
  type MutantExchange,
  onBody,
  onRequest,
  onResponse,
  operationMutants,
  respondToFirstTenant,
  respondWith,
} from './mock-mutant.ts';

/** Lists the mutants of keys; for an operation without keys, the mutant that requires one. */
export function keyMutants(contract: Contract): readonly ListedMutant[] {
  const guardedOperations = contract.operations.filter((operation) => operation.security.length > 0);
  const openOperations = contract.operations.filter((operation) => operation.security.length === 0);
  const isScoped = guardedOperations.some((operation) => operation.security.flat().some(({ scopes }) => scopes.length > 0));
  return [
    ...(guardedOperations.length === 0 ? [] : [...holderMutants(contract), ...echoMutants(contract)]),
    ...(isScoped ? apiMutants({ operation: contract.name }, missingScopeBehaviours) : []),
    ...guardedOperations.flatMap((operation) => [...conditionalMutants(operation), ...credentialMutants(operation)]),
    ...openOperations.flatMap(({ id }) => operationMutants({ operation: id }, { 'key-demanded': demandKey })),
  ];
}

/** Finds the holder of a key in a wrong way. */
type HolderOf = (keys: ServedApi['keys'], key: string) => KeyHolder | undefined;

/** Mutants that accept keys which they should refuse. */
function holderMutants({ name, operations }: Contract): readonly ListedMutant[] {
  // With Basic, a key is a part of base64 text, and nobody sends it nearly right.
  const carriers = operations.flatMap(({ security }) => security.flat().map(({ carrier }) => carrier));
  const isSentPlainly = carriers.some((carrier) => carrier.in !== 'authorization' || carrier.word !== 'Basic');
  return apiMutants(
    { operation: name },
    {
      'unknown-key-accepted': withHolders(otherwiseBy((keys, key) => (key === '' ? undefined : anyHolder(keys)))),
      'empty-key-accepted': withHolders(otherwiseBy((keys, key) => (key === '' ? anyHolder(keys) : undefined))),
      'key-case-ignored':
        isSentPlainly &&
        withHolders(otherwiseBy((keys, key) => holderOfKey(keys, (issuedKey) => issuedKey.toLowerCase() === key.toLowerCase()))),
      'key-beginning-accepted':
        isSentPlainly &&
        withHolders(otherwiseBy((keys, key) => holderOfKey(keys, (issuedKey) => key.length >= 8 && issuedKey.startsWith(key)))),
      'expired-key-accepted': withHolders((keys, key) => {
        const holder = keys.holderOf(key);
        return holder === undefined ? undefined : { ...holder, expired: false };
      }),
    },
  );
}

function withHolders(holderOf: HolderOf): Deviation {
  return { serve: (api) => ({ ...api, keys: { ...api.keys, holderOf: (key) => holderOf(api.keys, key) } }) };
}

/** Asks another way for the holders of keys that nobody has. */
function otherwiseBy(other: HolderOf): HolderOf {
  return (keys, key) => keys.holderOf(key) ?? other(keys, key);
}

function anyHolder(keys: ServedApi['keys']): KeyHolder | undefined {
  return [...keys.byRole.values()].map(keys.holderOf).find((holder) => holder?.expired === false);
}

function holderOfKey(keys: ServedApi['keys'], isMeant: (issuedKey: string) => boolean): KeyHolder | undefined {
  const key = [...keys.byRole.values()].find(isMeant);
  return key === undefined ? undefined : keys.holderOf(key);
}

/** A missing scope is refused with another status. */
const missingScopeBehaviours: Behaviours = {
  'scope-lacking-unauthenticated': onResponse(403, respondWith(401, 'This is not for this key.')),
  'scope-lacking-absent': onResponse(403, respondWith(404, 'This is not for this key.')),
};

function conditionalMutants({ id, responses }: Operation): readonly ListedMutant[] {
  if (!responses.has('304')) return [];
  const hasTag = ({ headers }: HttpRequest): boolean => headerOf(headers, 'if-none-match') !== undefined;
  const isRefused = ({ response }: MutantExchange): boolean => response.status === 401 || response.status === 403;
  return operationMutants(
    { operation: id, words: { key: 'any key, or none' } },
    {
      'unchanged-before-key': onResponse(isRefused, async (exchange) => {
        if (!hasTag(exchange.request)) return exchange.response;
        const responseWithKey = await respondToFirstTenant(exchange);
        return responseWithKey.status === 304 ? responseWithKey : exchange.response;
      }),
      'unchanged-skips-key': onRequest((request, api) =>
        hasTag(request) && keyOf(api, request) === undefined ? withKeyOf(api, request, api.dataset.tenants[0] ?? '') : request,
      ),
    },
  );
}

/** Requires a key for an operation without keys. */
const demandKey: Deviation = {
  around: (api) => async (request, next) =>
    headerOf(request.headers, 'authorization') === undefined
      ? errorResponse(api, request, 401, 'Please sign in first.')
      : next(withHeader(request, 'authorization', undefined)),
};

/** Mutants that repeat the key in a response, in several encodings. */
function echoMutants({ name, error }: Contract): readonly ListedMutant[] {
  const message = error?.message;
  if (message === undefined) return [];
  const echo = (write: (key: string) => string): Deviation =>
    onResponse(isFailure, ({ api, request, response }) => {
      const key = keyOf(api, request);
      return key === undefined ? response : mapBody(response, (body) => withValueAt(body, message, `Refused for ${write(key)}.`));
    });
  const byte = (text: string): string => text.charCodeAt(0).toString(16).padStart(2, '0');
  return apiMutants(
    { operation: name },
    {
      'key-echoed': echo((key) => key),
      'key-echoed-in-base64': echo((key) => Buffer.from(`user:${key}`).toString('base64')),
      'key-echoed-percent-encoded': echo((key) => key.replaceAll(/[^a-z]/gi, (text) => `%${byte(text)}`)),
      'key-echoed-in-header': onResponse(
        () => true,
        ({ api, request, response }) => {
          const key = keyOf(api, request);
          return key === undefined ? response : withHeader(response, 'x-authenticated-as', key);
        },
      ),
    },
  );
}

/** Mutants that add a field with a reference or a secret of a payment provider. */
function credentialMutants({ id, collection, resource }: Operation): readonly ListedMutant[] {
  if (collection !== undefined) return [];
  const isRecord = (resource?.by.size ?? 0) > 0;
  // Assembled here, so that secret scanners do not report them.
  const secret = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
  const reference = ['pi', '3MtwBwLkdIwHu7ix28a3tqPa'].join('_');
  const withMember = (member: JsonObject): Deviation => onBody((body) => addMember(body, resource?.at ?? '', member));
  return operationMutants(
    { operation: id },
    {
      'provider-reference-shown': isRecord && withMember({ provider_reference: reference }),
      'provider-secret-shown': !isRecord && withMember({ provider_secret: secret }),
    },
  );
}

function addMember(body: Json, pointer: string, member: JsonObject): Json {
  const holder = valueAt(body, pointer);
  return isObject(holder) ? withValueAt(body, pointer, { ...holder, ...member }) : body;
}
