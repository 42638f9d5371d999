/** Mutants of the query parameters of lists: filters that are refused or lost, days that roll over, and invalid values that fail or are ignored. */

import { splitTarget } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import type { MutantPlace } from '../../core/mutants/mutant.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type CursorList, type ListOperation, listsOf, type NumberedList } from '../../core/openapi/list-operation.ts';
import { type Operation, statusOf } from '../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { bodyOf, mapBody, operationOf, queryValue, withoutQuery, withQueryValue } from './change-exchange.ts';
import {
  apiMutants,
  type Behaviours,
  type Deviation,
  type ListedMutant,
  type MutantExchange,
  onRequest,
  onResponse,
  operationMutants,
  respondWith,
} from './mock-mutant.ts';
import { cursorListsOf, numberedListsOf } from './select-operations.ts';
import { isReactionStated } from './stated-rules.ts';

/** Lists the mutants of the parameters of all lists, and those of malformed queries. */
export function listParameterMutants(contract: Contract): readonly ListedMutant[] {
  return [
    ...listsOf(contract).flatMap((list) => [...noMatchMutants(list), ...rangeMutants(list), ...rolledOverMutants(contract, list)]),
    ...cursorListsOf(contract).flatMap(cursorMutants),
    ...numberedListsOf(contract).flatMap(numberMutants),
    ...ignoredValueMutants(contract),
    ...(contract.operations.some(takesOnlyQuery) ? apiMutants({ operation: contract.name }, brokenQueryBehaviours) : []),
  ];
}

function noMatchMutants(list: ListOperation): readonly ListedMutant[] {
  return operationMutants({ operation: list.id }, { 'no-match-refused': refuseEmpty(list, [...list.collection.filters.keys()]) });
}

/** Refuses requests with some parameters that no record matches. */
function refuseEmpty({ collection }: ListOperation, names: readonly string[]): Deviation {
  return onResponse(
    ({ request, response }) =>
      response.status === 200 &&
      isEmpty(valueAt(bodyOf(response), collection.items)) &&
      names.some((name) => queryValue(request, name) !== undefined),
    respondWith(404, 'Nothing was found.'),
  );
}

function isEmpty(items: Json | undefined): boolean {
  return Array.isArray(items) && items.length === 0;
}

/** Finds two filters for the lower and upper bound of one field. The field with the time of the last change does not count. */
function rangeOf({ collection }: ListOperation): readonly [lower: string, upper: string] | undefined {
  const bounds = [...collection.filters].flatMap(([name, filter]) =>
    filter.operator === 'matches' || filter.field === collection.version ? [] : [{ name, ...filter }],
  );
  const lower = bounds.find(({ operator }) => operator === 'from');
  const upper = bounds.find(({ operator, field }) => operator === 'to' && field === lower?.field);
  return lower === undefined || upper === undefined ? undefined : [lower.name, upper.name];
}

function rangeMutants(list: ListOperation): readonly ListedMutant[] {
  const range = rangeOf(list);
  if (range === undefined) return [];
  const [lower, upper] = range;
  const isSingleDay = ({ request, response }: MutantExchange): boolean => {
    const day = queryValue(request, lower);
    return response.status === 200 && day !== undefined && day === queryValue(request, upper);
  };
  return operationMutants(
    { operation: list.id, part: lower, words: { parameter: lower, other: upper } },
    {
      'single-day-refused': onResponse(isSingleDay, respondWith(statusOf(list, 'invalid'), `${lower} and ${upper} must differ.`)),
      'empty-range-refused': refuseEmpty(list, range),
    },
  );
}

/** Reads a value of a query parameter as another one; `undefined` leaves it as it is. */
function readAs(name: string, otherFor: (value: string) => string | undefined): Deviation {
  return onRequest((request) => {
    const other = otherFor(queryValue(request, name) ?? '');
    return other === undefined ? request : withQueryValue(request, name, other);
  });
}

/** Mutants that accept an impossible day as a day of the next month. */
function rolledOverMutants(contract: Contract, list: ListOperation): readonly ListedMutant[] {
  const { filters, version } = list.collection;
  return [...filters].flatMap(([name, filter]) => {
    const isBound = (filter.operator === 'from' || filter.operator === 'to') && filter.field !== version;
    if (!isBound || !isReactionStated(contract, list, name, 'malformed')) return [];
    const place = { operation: list.id, part: name, words: { parameter: name } };
    return operationMutants(place, { 'impossible-rolled-over': readAs(name, rollOver) });
  });
}

/** The day of the next month that an impossible day runs into: `2026-03-02` for `2026-02-30`. */
function rollOver(value: string): string | undefined {
  const [, month, day] = /^(\d{4}-\d\d)-(29|30|31)$/.exec(value) ?? [];
  if (month === undefined || Number.isNaN(Date.parse(`${month}-01`))) return undefined;
  return new Date(Date.parse(`${month}-01T00:00:00Z`) + (Number(day) - 1) * 86_400_000).toISOString().slice(0, 10);
}

function cursorMutants(list: CursorList): readonly ListedMutant[] {
  const { cursor, fixed } = list.collection.page;
  const isRefused = ({ request, response }: MutantExchange): boolean =>
    (response.status === 422 || response.status === 400) && queryValue(request, cursor) !== undefined;
  return [
    ...fixed.flatMap((name) => filterLostMutants(list, name)),
    ...operationMutants(
      { operation: list.id },
      {
        'damaged-cursor-error': onResponse(isRefused, async (exchange) => {
          const firstPage = await exchange.next(withoutQuery(exchange.request, cursor));
          return firstPage.status === 200 ? respondWith(500, 'Unexpected end of input.')(exchange) : exchange.response;
        }),
      },
    ),
  ];
}

/** Mutants whose filter holds on the first page only. The edit of the contract allows later pages without the filter. */
function filterLostMutants(list: CursorList, name: string): readonly ListedMutant[] {
  const { page, filters, version } = list.collection;
  const filter = filters.get(name);
  const isCheckpoint = filter !== undefined && filter.operator !== 'matches' && filter.field === version;
  const otherFixed = page.fixed.filter((each) => each !== name);
  const losesFilter: Deviation = {
    ...onRequest((request) => (queryValue(request, page.cursor) === undefined ? request : withoutQuery(request, name))),
    edits: [{ op: 'replace', at: `${list.pointer}/x-collection/page/fixed`, value: otherFixed }],
  };
  return operationMutants(
    { operation: list.id, part: name, words: { parameter: name } },
    { 'checkpoint-lost': isCheckpoint && losesFilter, 'filter-lost': !isCheckpoint && losesFilter },
  );
}

/** Mutants of page numbers and page sizes: odd texts cause a server error, the page number is ignored, or the page size is doubled. */
function numberMutants(list: NumberedList): readonly ListedMutant[] {
  const { limit, page, echo } = list.collection.page;
  const placeOf = (name: string): MutantPlace => ({ operation: list.id, part: name, words: { parameter: name } });
  const failFor = (name: string, pattern: RegExp): Deviation =>
    onResponse(
      ({ request }) => pattern.test(queryValue(request, name) ?? ''),
      respondWith(500, 'Division by zero or invalid input syntax for type integer.'),
    );
  return [
    ...operationMutants(placeOf(page), {
      'number-malformed-error': failFor(page, /[^\d+-]/),
      'number-negative-error': failFor(page, /^-/),
      'page-number-ignored': ignorePageNumber(page, echo?.page),
    }),
    ...operationMutants(placeOf(limit), {
      'number-malformed-error': failFor(limit, /[^\d+-]/),
      'number-zero-error': failFor(limit, /^0+$/),
      'limit-doubled': readAs(limit, (value) => (/^[1-9]\d{0,3}$/.test(value) ? String(Number(value) * 2) : undefined)),
    }),
  ];
}

/** Returns the first page for every page number, and states the requested number in the response. */
function ignorePageNumber(page: string, echo: string | undefined): Deviation {
  return {
    around: () => async (request, next) => {
      const sentNumber = queryValue(request, page);
      const response = await next(sentNumber === undefined ? request : withoutQuery(request, page));
      const isNumber = sentNumber !== undefined && /^[1-9]\d{0,8}$/.test(sentNumber);
      return isNumber && echo !== undefined && response.status === 200
        ? mapBody(response, (body) => withValueAt(body, echo, Number(sentNumber)))
        : response;
    },
  };
}

/** Kinds of wrong values that one service overlooks in all its lists. */
const overlookedKinds: readonly { readonly kind: MutantKind; readonly of: OverlookedParameter; readonly matches: RegExp }[] = [
  { kind: 'limit-text-ignored', of: 'limit', matches: /^\D+$/ },
  { kind: 'limit-negative-ignored', of: 'limit', matches: /^-\d/ },
  { kind: 'limit-fraction-ignored', of: 'limit', matches: /^\d+\.\d/ },
  { kind: 'limit-huge-ignored', of: 'limit', matches: /^\d{6,}$/ },
  { kind: 'day-month-ignored', of: 'day', matches: /^\d{4}-1[3-9]/ },
  { kind: 'day-compact-ignored', of: 'day', matches: /^\d{8}$/ },
  { kind: 'checkpoint-hour-ignored', of: 'checkpoint', matches: /T(2[4-9]|[3-9]\d):/ },
  { kind: 'checkpoint-seconds-ignored', of: 'checkpoint', matches: /^\d+$/ },
];

type OverlookedParameter = 'limit' | 'day' | 'checkpoint';

function ignoredValueMutants(contract: Contract): readonly ListedMutant[] {
  const inspectedParameters = listsOf(contract).flatMap((list) =>
    list.parameters.flatMap(({ key, name }) => {
      const role = isReactionStated(contract, list, key, 'malformed') ? overlookedParameterOf(list, key) : undefined;
      return role === undefined ? [] : [{ list: list.id, name, role }];
    }),
  );
  return overlookedKinds.flatMap(({ kind, of, matches }) => {
    const concernedParameters = inspectedParameters.filter((each) => each.role === of);
    if (concernedParameters.length === 0) return [];
    const ignoreValue = onRequest((request, api) => {
      const ignoredParameter = concernedParameters.find(
        ({ list, name }) => operationOf(api, request)?.id === list && matches.test(queryValue(request, name) ?? ''),
      );
      return ignoredParameter === undefined ? request : withoutQuery(request, ignoredParameter.name);
    });
    const parameter = [...new Set(concernedParameters.map(({ name }) => name))].join(' and ');
    return apiMutants({ operation: contract.name, words: { parameter } }, { [kind]: ignoreValue });
  });
}

function overlookedParameterOf({ collection, parameters }: ListOperation, key: string): OverlookedParameter | undefined {
  const { page, filters, version } = collection;
  if (page.style === 'cursor' && key === page.limit) return 'limit';
  const filter = filters.get(key);
  if (filter === undefined || !['from', 'to', 'after', 'before'].includes(filter.operator)) return undefined;
  if (filter.operator === 'from' && filter.field === version) return 'checkpoint';
  return parameters.some((each) => each.key === key && each.validate('2026-02-30').length > 0) ? 'day' : undefined;
}

/** True if an operation takes its parameters in the query only. */
function takesOnlyQuery({ method, parameters }: Operation): boolean {
  return method === 'GET' && parameters.some((each) => each.in === 'query') && parameters.every((each) => each.in !== 'path');
}

/** A server error for malformed queries. */
const brokenQueryBehaviours: Behaviours = {
  'array-parameter-error': failForQuery(/(\[|%5B)\w*(\]|%5D)=/i),
  'cut-encoding-error': failForQuery(/%(?![0-9a-f]{2})/i),
};

function failForQuery(pattern: RegExp): Deviation {
  return onResponse(
    ({ request }) => pattern.test(splitTarget(request.target).query),
    respondWith(500, 'Warning: Array to string conversion in /srv/app/query.php on line 31'),
  );
}
