/**
 * Mutants of the query parameters of lists: filters that are refused or lost, days that roll over, and invalid values that fail or are ignored.
 * `find-mutants.ts` lists them for each contract, when mutants are listed or a mock with mutants starts or reloads. `serve-mutants.ts` applies the chosen ones
 * at each start and reload. Order and pages are in `order-and-page-mutants.ts`, what filters match in `core/mutants/`.
 */

import { type HttpRequest, type HttpResponse, splitTarget } from '../../core/http/exchange.ts';
import { isObject } from '../../core/json.ts';
import type { MutantPlace } from '../../core/mutants/mutant.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type CursorList, type ListOperation, listsOf, type NumberedList } from '../../core/openapi/list-operation.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { bodyOf, errorResponse, mapBody, operationOf, queryValue, withoutQuery, withQueryValue } from './change-exchange.ts';
import { isReactionStated } from './has-stated-rule.ts';
import { atOperation, createMutant, createOperationMutant, createResponseMutant, type ServedMutant } from './mock-mutant.ts';
import { cursorListsOf, numberedListsOf } from './select-operations.ts';

/** Lists the mutants of the parameters of all lists, and those of malformed queries. */
export function listParameterMutants(contract: Contract): readonly ServedMutant[] {
  return [
    ...listsOf(contract).flatMap((list) => [refusedNoMatchMutant(list), ...rangeMutants(list), ...rolledOverMutants(contract, list)]),
    ...cursorListsOf(contract).flatMap(cursorMutants),
    ...numberedListsOf(contract).flatMap(numberMutants),
    ...ignoredValueMutants(contract),
    ...(contract.operations.some(takesOnlyQuery) ? brokenQueryMutants(contract) : []),
  ];
}

function isEmpty({ collection }: ListOperation, response: HttpResponse): boolean {
  const items = response.status === 200 ? valueAt(bodyOf(response), collection.items) : undefined;
  return Array.isArray(items) && items.length === 0;
}

function hasAnyParameter(request: HttpRequest, names: readonly string[]): boolean {
  return names.some((name) => queryValue(request, name) !== undefined);
}

function refusedNoMatchMutant(list: ListOperation): ServedMutant {
  const names = [...list.collection.filters.keys()];
  return createResponseMutant('no-match-refused', { operation: list.id }, ({ api, request, response }) =>
    isEmpty(list, response) && hasAnyParameter(request, names) ? errorResponse(api, request, 404, 'Nothing was found.') : response,
  );
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

function rangeMutants(list: ListOperation): readonly ServedMutant[] {
  const range = rangeOf(list);
  if (range === undefined) return [];
  const [lower, upper] = range;
  const place = { operation: list.id, part: lower, words: { parameter: lower, other: upper } };
  const invalid = list.responses.has('422') ? 422 : 400;
  return [
    createResponseMutant('single-day-refused', place, ({ api, request, response }) => {
      const day = queryValue(request, lower);
      const isRefused = response.status === 200 && day !== undefined && day === queryValue(request, upper);
      return isRefused ? errorResponse(api, request, invalid, `${lower} and ${upper} must differ.`) : response;
    }),
    createResponseMutant('empty-range-refused', place, ({ api, request, response }) =>
      isEmpty(list, response) && hasAnyParameter(request, range) ? errorResponse(api, request, 404, 'Nothing was found.') : response,
    ),
  ];
}

/** Mutants that accept an impossible day as a day of the next month. */
function rolledOverMutants(contract: Contract, list: ListOperation): readonly ServedMutant[] {
  const { filters, version } = list.collection;
  return [...filters].flatMap(([name, filter]) => {
    const isBound = (filter.operator === 'from' || filter.operator === 'to') && filter.field !== version;
    if (!isBound || !isReactionStated(contract, list, name, 'malformed')) return [];
    const place = { operation: list.id, part: name, words: { parameter: name } };
    return [
      createOperationMutant('impossible-rolled-over', place, () => (request, next) => {
        const [, month, day] = /^(\d{4}-\d\d)-(29|30|31)$/.exec(queryValue(request, name) ?? '') ?? [];
        if (month === undefined || Number.isNaN(Date.parse(`${month}-01`))) return next(request);
        const nextMonthDay = new Date(Date.parse(`${month}-01T00:00:00Z`) + (Number(day) - 1) * 86_400_000).toISOString().slice(0, 10);
        return next(withQueryValue(request, name, nextMonthDay));
      }),
    ];
  });
}

function cursorMutants(list: CursorList): readonly ServedMutant[] {
  const { page } = list.collection;
  const place = { operation: list.id };
  const damagedCursorMutant = createResponseMutant('damaged-cursor-error', place, async ({ api, request, response, next }) => {
    const isRefused = response.status === 422 || response.status === 400;
    if (!isRefused || queryValue(request, page.cursor) === undefined) return response;
    const firstPage = await next(withoutQuery(request, page.cursor));
    return firstPage.status === 200 ? errorResponse(api, request, 500, 'Unexpected end of input.') : response;
  });
  const forgettingMutants = page.fixed.map((name) => filterLostMutant(list, name));
  return [...forgettingMutants, damagedCursorMutant];
}

/** Mutant whose filter holds on the first page only. The edit of the contract allows later pages without the filter. */
function filterLostMutant(list: CursorList, name: string): ServedMutant {
  const { page, filters, version } = list.collection;
  const filter = filters.get(name);
  const isCheckpoint = filter !== undefined && filter.operator !== 'matches' && filter.field === version;
  const place = { operation: list.id, part: name, words: { parameter: name } };
  const around: ServedMutant['around'] = (api) =>
    atOperation(api, list.id, (request, next) =>
      next(queryValue(request, page.cursor) === undefined ? request : withoutQuery(request, name)),
    );
  const otherFixed = page.fixed.filter((each) => each !== name);
  const mutant = isCheckpoint ? createMutant('checkpoint-lost', place, { around }) : createMutant('filter-lost', place, { around });
  return { ...mutant, edits: [{ op: 'replace', at: `${list.pointer}/x-collection/page/fixed`, value: otherFixed }] };
}

/** Numbers that make no sense, are ignored or doubled. */
function numberMutants(list: NumberedList): readonly ServedMutant[] {
  const { limit, page, echo } = list.collection.page;
  const placeOf = (name: string): MutantPlace => ({ operation: list.id, part: name, words: { parameter: name } });
  const crashMutant = (kind: MutantKind, name: string, pattern: RegExp): ServedMutant =>
    createResponseMutant(kind, placeOf(name), ({ api, request, response }) =>
      pattern.test(queryValue(request, name) ?? '')
        ? errorResponse(api, request, 500, 'Division by zero or invalid input syntax for type integer.')
        : response,
    );
  return [
    crashMutant('number-malformed-error', page, /[^\d+-]/),
    crashMutant('number-malformed-error', limit, /[^\d+-]/),
    crashMutant('number-negative-error', page, /^-/),
    crashMutant('number-zero-error', limit, /^0+$/),
    createOperationMutant('page-number-ignored', placeOf(page), () => async (request, next) => {
      const sentNumber = queryValue(request, page);
      const response = await next(sentNumber === undefined ? request : withoutQuery(request, page));
      const pointer = echo?.page;
      const isNumber = sentNumber !== undefined && /^[1-9]\d{0,8}$/.test(sentNumber);
      return isNumber && pointer !== undefined && isObject(bodyOf(response)) && response.status === 200
        ? mapBody(response, (body) => withValueAt(body, pointer, Number(sentNumber)))
        : response;
    }),
    createOperationMutant('limit-doubled', placeOf(limit), () => (request, next) => {
      const sentNumber = queryValue(request, limit) ?? '';
      return next(/^[1-9]\d{0,3}$/.test(sentNumber) ? withQueryValue(request, limit, String(Number(sentNumber) * 2)) : request);
    }),
  ];
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

function ignoredValueMutants(contract: Contract): readonly ServedMutant[] {
  const inspectedParameters = listsOf(contract).flatMap((list) =>
    list.parameters.flatMap(({ key, name }) => {
      const role = isReactionStated(contract, list, key, 'malformed') ? overlookedParameterOf(list, key) : undefined;
      return role === undefined ? [] : [{ list: list.id, name, role }];
    }),
  );
  return overlookedKinds.flatMap(({ kind, of, matches }) => {
    const concernedParameters = inspectedParameters.filter((each) => each.role === of);
    if (concernedParameters.length === 0) return [];
    const parameter = [...new Set(concernedParameters.map(({ name }) => name))].join(' and ');
    return [
      createMutant(
        kind,
        { operation: contract.name, words: { parameter } },
        {
          around: (api) => (request, next) => {
            const ignoredParameter = concernedParameters.find(
              ({ list, name }) => operationOf(api, request)?.id === list && matches.test(queryValue(request, name) ?? ''),
            );
            return next(ignoredParameter === undefined ? request : withoutQuery(request, ignoredParameter.name));
          },
        },
      ),
    ];
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

/** Mutants with a server error for malformed queries. */
function brokenQueryMutants({ name: operation }: Contract): readonly ServedMutant[] {
  const queryErrorMutant = (kind: MutantKind, matches: RegExp): ServedMutant =>
    createMutant(
      kind,
      { operation },
      {
        around: (api) => async (request, next) =>
          matches.test(splitTarget(request.target).query)
            ? errorResponse(api, request, 500, 'Warning: Array to string conversion in /srv/app/query.php on line 31')
            : next(request),
      },
    );
  return [queryErrorMutant('array-parameter-error', /(\[|%5B)\w*(\]|%5D)=/i), queryErrorMutant('cut-encoding-error', /%(?![0-9a-f]{2})/i)];
}
