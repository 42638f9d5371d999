/**
 * Mutants of keys: invalid keys that are accepted, valid requests that are refused, and responses that reveal a key. `find-mutants.ts` lists them for each
 * contract, when mutants are listed or a mock with mutants starts or reloads. `serve-mutants.ts` applies them.
 */

import { headerOf } from '../../core/http/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { MutantKindOf, MutatedRule } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { KeyHolder } from '../key-ring.ts';
import { bodyOf, errorResponse, keyOf, mapBody, withHeader, withKeyOf } from './change-exchange.ts';
import { answering, aroundOperation, createMutant, type ServedMutant } from './mock-mutant.ts';

/** Lists the mutants of keys; for an operation without keys, the mutant that requires one. */
export function keyMutants(contract: Contract): readonly ServedMutant[] {
  const guarded = contract.operations.filter((operation) => operation.security.length > 0);
  const open = contract.operations.filter((operation) => operation.security.length === 0);
  const isScoped = guarded.some((operation) => operation.security.flat().some(({ scopes }) => scopes.length > 0));
  return [
    ...(guarded.length === 0 ? [] : [...holderMutants(contract), ...echoMutants(contract)]),
    ...(isScoped
      ? [lackingScope(contract, 401, 'scope-lacking-unauthenticated'), lackingScope(contract, 404, 'scope-lacking-absent')]
      : []),
    ...guarded.flatMap((operation) => [...conditionalMutants(operation), ...credentialMutants(operation)]),
    ...open.map(keyDemanded),
  ];
}

/** Finds the holder of a key in a wrong way. */
type HolderOf = (keys: ServedApi['keys'], key: string) => KeyHolder | undefined;

/** Mutants that accept keys which they should refuse. */
function holderMutants({ name: operation }: Contract): readonly ServedMutant[] {
  const knowing = <Rule extends MutatedRule>(rule: Rule, kind: MutantKindOf<Rule>, holderOf: HolderOf): ServedMutant =>
    createMutant(
      rule,
      kind,
      { operation },
      { serve: (api) => ({ ...api, keys: { ...api.keys, holderOf: (key) => holderOf(api.keys, key) } }) },
    );
  const orElse =
    (other: HolderOf): HolderOf =>
    (keys, key) =>
      keys.holderOf(key) ?? other(keys, key);
  const anybody = (keys: ServedApi['keys']): KeyHolder | undefined =>
    [...keys.byRole.values()].map(keys.holderOf).find((holder) => holder?.expired === false);
  const holding = (keys: ServedApi['keys'], isMeant: (known: string) => boolean): KeyHolder | undefined => {
    const known = [...keys.byRole.values()].find(isMeant);
    return known === undefined ? undefined : keys.holderOf(known);
  };
  return [
    knowing(
      'keys/unknown',
      'unknown-key-accepted',
      orElse((keys, key) => (key === '' ? undefined : anybody(keys))),
    ),
    knowing(
      'keys/missing',
      'empty-key-accepted',
      orElse((keys, key) => (key === '' ? anybody(keys) : undefined)),
    ),
    knowing(
      'keys/unknown',
      'key-case-ignored',
      orElse((keys, key) => holding(keys, (known) => known.toLowerCase() === key.toLowerCase())),
    ),
    knowing(
      'keys/unknown',
      'key-beginning-accepted',
      orElse((keys, key) => holding(keys, (known) => key.length >= 8 && known.startsWith(key))),
    ),
    knowing('keys/expired', 'expired-key-accepted', (keys, key) => {
      const holder = keys.holderOf(key);
      return holder === undefined ? undefined : { ...holder, expired: false };
    }),
  ];
}

/** Mutant that answers a missing scope with another status. */
function lackingScope({ name }: Contract, status: 401 | 404, kind: MutantKindOf<'keys/scopes'>): ServedMutant {
  return createMutant(
    'keys/scopes',
    kind,
    { operation: name },
    {
      around: (api) => async (request, next) => {
        const response = await next(request);
        return response.status === 403 ? errorResponse(api, request, status, 'This is not for this key.') : response;
      },
    },
  );
}

function conditionalMutants({ id, responses }: Operation): readonly ServedMutant[] {
  if (!responses.has('304')) return [];
  return [
    answering(
      'keys/conditional',
      'unchanged-before-key',
      { operation: id, words: { key: 'any key, or none' } },
      async ({ api, request, response, next }) => {
        const isRefused = response.status === 401 || response.status === 403;
        if (!isRefused || headerOf(request.headers, 'if-none-match') === undefined) return response;
        const opened = await next(withKeyOf(api, request, api.dataset.tenants[0] ?? ''));
        return opened.status === 304 ? opened : response;
      },
    ),
    aroundOperation('keys/conditional', 'unchanged-skips-key', { operation: id }, (api) => (request, next) => {
      const isBare = keyOf(api, request) === undefined && headerOf(request.headers, 'if-none-match') !== undefined;
      return next(isBare ? withKeyOf(api, request, api.dataset.tenants[0] ?? '') : request);
    }),
  ];
}

/** Mutant that requires a key for an operation without keys. */
function keyDemanded({ id }: Operation): ServedMutant {
  return aroundOperation(
    'keys/none-needed',
    'key-demanded',
    { operation: id },
    (api) => async (request, next) =>
      headerOf(request.headers, 'authorization') === undefined
        ? errorResponse(api, request, 401, 'Please sign in first.')
        : next(withHeader(request, 'authorization', undefined)),
  );
}

/** A key that comes back in an answer, in one way of writing or another. */
function echoMutants({ name: operation, error }: Contract): readonly ServedMutant[] {
  const message = error?.message;
  if (message === undefined) return [];
  const echoing = (kind: MutantKindOf<'response/no-key'>, write: (key: string) => string): ServedMutant =>
    createMutant(
      'response/no-key',
      kind,
      { operation },
      {
        around: (api) => async (request, next) => {
          const response = await next(request);
          const key = keyOf(api, request);
          if (response.status < 400 || key === undefined) return response;
          return mapBody(response, (body) => withValueAt(body, message, `Refused for ${write(key)}.`));
        },
      },
    );
  const byte = (text: string): string => text.charCodeAt(0).toString(16).padStart(2, '0');
  return [
    echoing('key-echoed', (key) => key),
    echoing('key-echoed-in-base64', (key) => Buffer.from(`user:${key}`).toString('base64')),
    echoing('key-echoed-percent-encoded', (key) => key.replaceAll(/[^a-z]/gi, (text) => `%${byte(text)}`)),
    createMutant(
      'response/no-key',
      'key-echoed-in-header',
      { operation },
      {
        around: (api) => async (request, next) => {
          const response = await next(request);
          const key = keyOf(api, request);
          return key === undefined ? response : { ...response, headers: { ...response.headers, 'x-authenticated-as': key } };
        },
      },
    ),
  ];
}

/** A field too many, with a reference or a secret of a payment provider. */
function credentialMutants({ id, collection, resource }: Operation): readonly ServedMutant[] {
  if (collection !== undefined) return [];
  const showing = (kind: MutantKindOf<'response/no-credential'>, name: string, value: string): ServedMutant =>
    answering('response/no-credential', kind, { operation: id }, ({ response }) => {
      const isShown = response.status === 200 && bodyOf(response) !== undefined;
      return isShown ? mapBody(response, (body) => addMember(body, resource?.at ?? '', { [name]: value })) : response;
    });
  // Put together here, so that scanners of source code find no secret that is none.
  const secret = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
  const reference = ['pi', '3MtwBwLkdIwHu7ix28a3tqPa'].join('_');
  return (resource?.by.size ?? 0) > 0
    ? [showing('provider-reference-shown', 'provider_reference', reference)]
    : [showing('provider-secret-shown', 'provider_secret', secret)];
}

function addMember(body: Json, pointer: string, member: JsonObject): Json {
  const found = valueAt(body, pointer);
  return isObject(found) ? withValueAt(body, pointer, { ...found, ...member }) : body;
}
