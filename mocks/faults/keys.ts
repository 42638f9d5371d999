/** Faults of keys: who is let in that should not be, and who is kept out that should be let in. */

import type { Contract } from '../../core/contract.ts';
import { headerOf } from '../../core/exchange.ts';
import type { Operation } from '../../core/operation.ts';
import type { KeyHolder } from '../keys.ts';
import type { ServedApi } from '../served-api.ts';
import type { FaultDraft } from './fault.ts';
import { requirementsOf, requiring } from './place.ts';
import { at, failure, keyOf, withHeader, withKeyOf } from './request-edit.ts';

/** Faults of keys; of an API without keys, that it asks for one. */
export function keyFaults(contract: Contract): readonly FaultDraft[] {
  const guarded = contract.operations.filter((operation) => operation.security.length > 0);
  const open = contract.operations.filter((operation) => operation.security.length === 0);
  return [
    ...(guarded.length === 0 ? [] : [...holderFaults(contract), ...carrierFaults(contract, guarded)]),
    ...guarded.flatMap(operationFaults),
    ...open.flatMap(openFaults),
  ];
}

/** The key ring knows keys that it should not. */
function holderFaults(contract: Contract): readonly FaultDraft[] {
  const draft = (
    kind: string,
    law: string,
    title: string,
    holderOf: (api: ServedApi, key: string) => KeyHolder | undefined,
  ): FaultDraft => ({
    kind,
    place: contract.name,
    law,
    title,
    serve: (api) => ({ ...api, keys: { ...api.keys, holderOf: (key) => api.keys.holderOf(key) ?? holderOf(api, key) } }),
  });
  const everything = (api: ServedApi): KeyHolder | undefined =>
    [...api.keys.byRole.values()].map(api.keys.holderOf).find((holder) => holder?.expired === false);
  return [
    draft('unknown-key-accepted', 'keys/unknown', 'A key that was never given out opens everything.', (api, key) =>
      key === '' ? undefined : everything(api),
    ),
    draft('empty-key-accepted', 'keys/missing', 'A header with an empty key opens everything.', (api, key) =>
      key === '' ? everything(api) : undefined,
    ),
    draft('key-case-ignored', 'keys/unknown', 'Keys are compared without regard to upper and lower case.', (api, key) => {
      const known = [...api.keys.byRole.values()].find((each) => each.toLowerCase() === key.toLowerCase());
      return known === undefined ? undefined : api.keys.holderOf(known);
    }),
    draft('key-beginning-accepted', 'keys/unknown', 'The beginning of a key is as good as the whole key.', (api, key) => {
      const known = [...api.keys.byRole.values()].find((each) => key.length >= 8 && each.startsWith(key));
      return known === undefined ? undefined : api.keys.holderOf(known);
    }),
    {
      kind: 'expired-key-accepted',
      place: contract.name,
      law: 'keys/expired',
      title: 'A key goes on working after it has expired.',
      serve: (api) => ({
        ...api,
        keys: {
          ...api.keys,
          holderOf: (key) => {
            const holder = api.keys.holderOf(key);
            return holder === undefined ? undefined : { ...holder, expired: false };
          },
        },
      }),
    },
  ];
}

/** One of several carriers is not read. */
function carrierFaults(contract: Contract, guarded: readonly Operation[]): readonly FaultDraft[] {
  const [first] = guarded;
  const schemes = (first?.security ?? []).map((alternative) => alternative.map(({ scheme }) => scheme).join('+'));
  if (schemes.length < 2) return [];
  return schemes.map(
    (scheme, index): FaultDraft => ({
      kind: 'carrier-ignored',
      place: `${contract.name}.${scheme}`,
      law: 'keys/carriers',
      title: `A key that comes as ${scheme} is not read.`,
      edits: guarded
        .filter((operation) => operation.security.length > index)
        .map((operation) => requiring(operation, requirementsOf(operation).toSpliced(index, 1))),
    }),
  );
}

function operationFaults(operation: Operation): readonly FaultDraft[] {
  const { id } = operation;
  const conditional: readonly FaultDraft[] = [
    {
      kind: 'unchanged-before-key',
      place: id,
      law: 'keys/conditional',
      title: 'A current tag is answered with 304 before anybody looks at the key.',
      around: (api) =>
        at(api, id, async (request, next) => {
          const response = await next(request);
          if ((response.status !== 401 && response.status !== 403) || headerOf(request.headers, 'if-none-match') === undefined)
            return response;
          const opened = await next(withKeyOf(api, request, api.world.tenants[0] ?? ''));
          return opened.status === 304 ? opened : response;
        }),
    },
    {
      kind: 'unchanged-skips-key',
      place: id,
      law: 'keys/conditional',
      title: 'With If-None-Match no key is asked for.',
      around: (api) =>
        at(api, id, (request, next) => {
          const isBare = keyOf(api, request) === undefined && headerOf(request.headers, 'if-none-match') !== undefined;
          return next(isBare ? withKeyOf(api, request, api.world.tenants[0] ?? '') : request);
        }),
    },
  ];
  return [
    {
      kind: 'missing-key-accepted',
      place: id,
      law: 'keys/missing',
      title: 'Without a key the answer is the same as with one.',
      edits: [requiring(operation, [...requirementsOf(operation), {}])],
    },
    ...(operation.responses.has('304') ? conditional : []),
  ];
}

/** Operations that everybody may use. */
function openFaults({ id }: Operation): readonly FaultDraft[] {
  return [
    {
      kind: 'key-demanded',
      place: id,
      law: 'keys/none-needed',
      title: 'A key is asked for, although none is needed.',
      around: (api) =>
        at(api, id, async (request, next) =>
          headerOf(request.headers, 'authorization') === undefined
            ? failure(api, request, 401, 'Please sign in first.')
            : next(withHeader(request, 'authorization', undefined)),
        ),
    },
  ];
}
