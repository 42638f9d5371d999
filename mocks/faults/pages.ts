/** Faults of lists with numbered pages. */

import type { Contract } from '../../core/contract.ts';
import type { Edit } from '../../core/edit.ts';
import { isObject } from '../../core/json.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { PageStart } from '../../core/query.ts';
import type { NumberedPage } from '../../core/rules.ts';
import { type FaultDraft, type ListOperation, numberedListsOf } from './fault.ts';
import { parameterPointer } from './place.ts';
import { at, bodyOf, failure, mapBody, queryValue, withoutQuery, withQueryValue } from './request-edit.ts';
import { type Paging, withPaging, withQuery } from './rival.ts';

/** Faults of each list. */
export function pageFaults(contract: Contract): readonly FaultDraft[] {
  return numberedListsOf(contract).flatMap((list) => {
    const { page } = list.collection;
    return [
      ...cuttingFaults(list),
      ...echoFaults(list, page),
      ...totalFaults(list, page),
      ...numberFaults(list, page),
      ...orderFaults(list),
    ];
  });
}

function draft(list: ListOperation, kind: string, law: string, title: string, paging: Paging): FaultDraft {
  return { kind, place: list.id, law, title, serve: (api) => withPaging(api, list.id, paging) };
}

/** Where pages begin and end. */
function cuttingFaults(list: ListOperation): readonly FaultDraft[] {
  const skipOf = (start: PageStart): number => ('skip' in start ? start.skip : 0);
  return [
    draft(
      list,
      'page-too-large',
      'pages/limit-size',
      'A page has one record more than was asked for.',
      (query, sorted, values, start, limit) => query.page(sorted, values, start, limit + 1),
    ),
    draft(
      list,
      'page-overlap',
      'pages/partition',
      'A page begins with the last record of the page before.',
      (query, sorted, values, start, limit) => query.page(sorted, values, { skip: Math.max(0, skipOf(start) - 1) }, limit),
    ),
    draft(list, 'page-gap', 'pages/partition', 'Between two pages one record is lost.', (query, sorted, values, start, limit) =>
      query.page(sorted, values, { skip: skipOf(start) + (skipOf(start) === 0 ? 0 : 1) }, limit),
    ),
    draft(
      list,
      'page-last-short',
      'pages/partition',
      'The last record of the last page never comes.',
      (query, sorted, values, start, limit) => {
        const slice = query.page(sorted, values, start, limit);
        return slice.more || skipOf(start) === 0 ? slice : { ...slice, records: slice.records.slice(0, -1) };
      },
    ),
    draft(
      list,
      'pages-from-zero',
      'pages/partition',
      'Pages are counted from 0, so that page 1 is the second one.',
      (query, sorted, values, start, limit) => query.page(sorted, values, { skip: skipOf(start) + limit }, limit),
    ),
    draft(
      list,
      'large-page-gaps',
      'pages/page-sizes',
      'Large pages leave out records in the middle.',
      (query, sorted, values, start, limit) => {
        const slice = query.page(sorted, values, start, limit);
        return limit < 60
          ? slice
          : { ...slice, records: slice.records.filter((_, index) => index < 50 || index === slice.records.length - 1) };
      },
    ),
    draft(list, 'beyond-first-page', 'pages/beyond', 'A page past the end is the first one again.', (query, sorted, values, start, limit) =>
      query.page(sorted, values, { skip: skipOf(start) >= query.count(sorted, values) ? 0 : skipOf(start) }, limit),
    ),
  ];
}

/** What an answer says about its page. */
function echoFaults(list: ListOperation, { limit, page, echo }: NumberedPage): readonly FaultDraft[] {
  const fallbackOf = (name: string): number => Number(list.parameters.find((parameter) => parameter.key === name)?.fallback ?? 1);
  const smaller: readonly Edit[] = [
    { op: 'replace', at: `${parameterPointer(list, limit)}/schema/default`, value: Math.ceil(fallbackOf(limit) * 0.4) },
  ];
  const later: readonly Edit[] = [{ op: 'replace', at: `${parameterPointer(list, page)}/schema/default`, value: 2 }];
  const wrong = (kind: string, name: string, pointer: string): FaultDraft => ({
    kind,
    place: list.id,
    law: 'pages/echo',
    title: `${pointer} always says the default of ${name}, whatever was asked for.`,
    around: (api) =>
      at(api, list.id, async (request, next) => {
        const response = await next(request);
        return response.status === 200 ? mapBody(response, (body) => withValueAt(body, pointer, fallbackOf(name))) : response;
      }),
  });
  return [
    ...(echo?.limit === undefined ? [] : [wrong('limit-echo-constant', limit, echo.limit)]),
    ...(echo?.page === undefined ? [] : [wrong('page-echo-constant', page, echo.page)]),
    {
      kind: 'default-limit-smaller',
      place: list.id,
      law: 'pages/defaults',
      title: `Without ${limit} a page has fewer records than the default.`,
      edits: smaller,
    },
    { kind: 'default-page-later', place: list.id, law: 'pages/defaults', title: `Without ${page} the second page comes.`, edits: later },
  ];
}

function totalFaults(list: ListOperation, { total }: NumberedPage): readonly FaultDraft[] {
  if (total === undefined) return [];
  return [
    {
      kind: 'total-of-page',
      place: list.id,
      law: 'pages/total',
      title: 'The total is the number of records on the page.',
      around: (api) =>
        at(api, list.id, async (request, next) => {
          const response = await next(request);
          const items = valueAt(bodyOf(response), list.collection.items);
          return Array.isArray(items) ? mapBody(response, (body) => withValueAt(body, total, items.length)) : response;
        }),
    },
    {
      kind: 'total-off-by-one',
      place: list.id,
      law: 'pages/total',
      title: 'The total is one too high.',
      serve: (api) => withQuery(api, list.id, (query) => ({ count: (records, values) => query.count(records, values) + 1 })),
    },
  ];
}

/** Numbers that make no sense. */
function numberFaults(list: ListOperation, { limit, page }: NumberedPage): readonly FaultDraft[] {
  const crashing = (kind: string, name: string, title: string, pattern: RegExp): FaultDraft => ({
    kind,
    place: `${list.id}.${name}`,
    law: 'pages/numbers',
    title,
    around: (api) =>
      at(api, list.id, (request, next) => {
        const isBad = pattern.test(queryValue(request, name) ?? '');
        return isBad
          ? Promise.resolve(failure(api, request, 500, 'Division by zero or invalid input syntax for type integer.'))
          : next(request);
      }),
  });
  return [
    crashing('number-malformed-error', page, `A ${page} that is no number leads to a server error.`, /[^\d+-]/),
    crashing('number-malformed-error', limit, `A ${limit} that is no number leads to a server error.`, /[^\d+-]/),
    crashing('number-negative-error', page, `A negative ${page} leads to a server error.`, /^-/),
    crashing('number-zero-error', limit, `A ${limit} of 0 leads to a server error.`, /^0+$/),
    {
      kind: 'page-number-ignored',
      place: `${list.id}.${page}`,
      law: 'pages/partition',
      title: `${page} is ignored, and the first page comes each time.`,
      around: (api) =>
        at(api, list.id, async (request, next) => {
          const asked = queryValue(request, page);
          const response = await next(asked === undefined ? request : withoutQuery(request, page));
          const pointer = list.collection.page.style === 'page' ? list.collection.page.echo?.page : undefined;
          const isNumber = asked !== undefined && /^[1-9]\d{0,8}$/.test(asked);
          return isNumber && pointer !== undefined && isObject(bodyOf(response)) && response.status === 200
            ? mapBody(response, (body) => withValueAt(body, pointer, Number(asked)))
            : response;
        }),
    },
    {
      kind: 'limit-doubled',
      place: `${list.id}.${limit}`,
      law: 'pages/limit-size',
      title: `A page has twice as many records as ${limit} says.`,
      around: (api) =>
        at(api, list.id, (request, next) => {
          const asked = queryValue(request, limit);
          return next(
            asked !== undefined && /^[1-9]\d{0,3}$/.test(asked) ? withQueryValue(request, limit, String(Number(asked) * 2)) : request,
          );
        }),
    },
  ];
}

/** The order differs from one reading to the next. */
function orderFaults(list: ListOperation): readonly FaultDraft[] {
  return [
    {
      kind: 'order-alternates',
      place: list.id,
      law: 'pages/order',
      title: 'Every other answer has the records in reverse.',
      serve: (api) => {
        let answers = 0;
        return withPaging(api, list.id, (query, sorted, values, start, limit) => {
          answers += 1;
          return query.page(answers % 2 === 1 ? sorted : sorted.toReversed(), values, start, limit);
        });
      },
    },
  ];
}
