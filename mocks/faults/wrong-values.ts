/** Mutants that overlook one kind of wrong value in a query, and mutants that break on a malformed one. */

import type { Contract } from '../../core/contract.ts';
import { splitTarget } from '../../core/exchange.ts';
import type { Operation } from '../../core/operation.ts';
import { type FaultDraft, type ListOperation, listsOf } from './fault.ts';
import { isStated } from './place.ts';
import { failure, operationOf, queryValue, withoutQuery } from './request-edit.ts';

/** Mutants of what reads queries in one service: the same code for all operations. */
export function wrongValueFaults(contract: Contract): readonly FaultDraft[] {
  return [...overlooking(contract), ...(contract.operations.some(isAskedByQuery) ? breaking(contract) : [])];
}

interface Overlooked {
  readonly kind: string;
  readonly what: string;
  readonly matches: RegExp;
}

/** Wrong values by the rule that speaks of them. */
const kinds: Readonly<Record<'paging/limit-bounds' | 'ranges/impossible' | 'sync/malformed', readonly Overlooked[]>> = {
  'paging/limit-bounds': [
    { kind: 'limit-text-ignored', what: 'without a digit', matches: /^\D+$/ },
    { kind: 'limit-negative-ignored', what: 'below zero', matches: /^-\d/ },
    { kind: 'limit-fraction-ignored', what: 'with a fraction', matches: /^\d+\.\d/ },
    { kind: 'limit-huge-ignored', what: 'of more than five digits', matches: /^\d{6,}$/ },
  ],
  'ranges/impossible': [
    { kind: 'day-month-ignored', what: 'of a thirteenth month', matches: /^\d{4}-1[3-9]/ },
    { kind: 'day-compact-ignored', what: 'without dashes', matches: /^\d{8}$/ },
  ],
  'sync/malformed': [
    { kind: 'checkpoint-hour-ignored', what: 'of a twenty-fifth hour', matches: /T(2[4-9]|[3-9]\d):/ },
    { kind: 'checkpoint-seconds-ignored', what: 'in seconds since 1970', matches: /^\d+$/ },
  ],
};

function overlooking(contract: Contract): readonly FaultDraft[] {
  const read = listsOf(contract).flatMap((list) =>
    list.parameters.flatMap(({ key, name }) => {
      const law = isStated(contract, list, key, 'malformed') ? ruleAbout(list, key) : undefined;
      return law === undefined ? [] : [{ list: list.id, name, law }];
    }),
  );
  return Object.entries(kinds).flatMap(([law, overlooked]) => {
    const concerned = read.filter((each) => each.law === law);
    const names = [...new Set(concerned.map(({ name }) => name))].join(' and ');
    return concerned.length === 0 ? [] : overlooked.map((each) => draft(contract, law, concerned, names, each));
  });
}

function draft(
  { name: place }: Contract,
  law: string,
  concerned: readonly { readonly list: string; readonly name: string }[],
  names: string,
  { kind, what, matches }: Overlooked,
): FaultDraft {
  return {
    kind,
    place,
    law,
    title: `A value of ${names} ${what} counts as none.`,
    around: (api) => (request, next) => {
      const found = concerned.find(
        ({ list, name }) => operationOf(api, request)?.id === list && matches.test(queryValue(request, name) ?? ''),
      );
      return next(found === undefined ? request : withoutQuery(request, found.name));
    },
  };
}

function ruleAbout({ collection, parameters }: ListOperation, key: string): keyof typeof kinds | undefined {
  const { page, filters, version } = collection;
  if (page.style === 'cursor' && key === page.limit) return 'paging/limit-bounds';
  const filter = filters.get(key);
  if (filter === undefined || !['from', 'to', 'after', 'before'].includes(filter.operator)) return undefined;
  if (filter.operator === 'from' && filter.field === version) return 'sync/malformed';
  return parameters.some((each) => each.key === key && each.validate('2026-02-30').length > 0) ? 'ranges/impossible' : undefined;
}

/** Whether all that an operation needs stands in its query. */
function isAskedByQuery({ method, parameters }: Operation): boolean {
  return method === 'GET' && parameters.some((each) => each.in === 'query') && parameters.every((each) => each.in !== 'path');
}

function breaking({ name: place }: Contract): readonly FaultDraft[] {
  const failing = (kind: string, what: string, matches: RegExp): FaultDraft => ({
    kind,
    place,
    law: 'requests/malformed',
    title: `A query with ${what} leads to a server error.`,
    around: (api) => (request, next) =>
      matches.test(splitTarget(request.target).query)
        ? Promise.resolve(failure(api, request, 500, 'Warning: Array to string conversion in /srv/app/query.php on line 31'))
        : next(request),
  });
  return [
    failing('array-parameter-error', 'an array, such as id[]=1,', /(\[|%5B)\w*(\]|%5D)=/i),
    failing('cut-encoding-error', 'cut-off percent-encoding', /%(?![0-9a-f]{2})/i),
  ];
}
