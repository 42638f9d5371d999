/** Faults of cursors: what they carry, and what becomes of damaged ones. */

import type { Contract } from '../../core/contract.ts';
import type { Edit } from '../../core/edit.ts';
import { parseInstant } from '../../core/instant.ts';
import type { Json } from '../../core/json.ts';
import type { CursorPage } from '../../core/rules.ts';
import { cursorListsOf, type FaultDraft, type ListOperation } from './fault.ts';
import { isStated } from './place.ts';
import { at, failure, queryValue, withoutQuery } from './request-edit.ts';
import { withCursors } from './rival.ts';

/** Faults of the cursors of one list. */
export function cursorFaults(contract: Contract, list: ListOperation, page: CursorPage): readonly FaultDraft[] {
  const settle = (value: string): readonly Edit[] => [{ op: 'replace', at: '/x-invalid/damaged-cursor', value }];
  const damaged: readonly FaultDraft[] = [
    {
      kind: 'damaged-cursor-restarts',
      place: contract.name,
      law: 'paging/damaged-cursor',
      title: 'A damaged cursor gives the first page.',
      edits: settle('ignored'),
    },
    {
      kind: 'damaged-cursor-empty',
      place: contract.name,
      law: 'paging/damaged-cursor',
      title: 'A damaged cursor gives an empty page.',
      edits: settle('empty'),
    },
  ];
  const isFirst = cursorListsOf(contract)[0] === list;
  return [
    ...lostFilters(list, page),
    {
      kind: 'cursor-truncated',
      place: list.id,
      law: 'paging/ties',
      title: 'A cursor keeps its instant without the seconds, so that the next page begins elsewhere.',
      serve: (api) =>
        withCursors(api, list.id, (codec, content) =>
          codec.encode({ ...content, position: content.position?.map(withoutSeconds) ?? null }),
        ),
    },
    ...(isFirst && isStated(contract, list, '', 'damaged-cursor') ? damaged : []),
    {
      kind: 'damaged-cursor-error',
      place: list.id,
      law: 'response/no-server-error',
      title: 'A damaged cursor leads to a server error.',
      around: (api) =>
        at(api, list.id, async (request, next) => {
          const response = await next(request);
          const isRefused = response.status === 422 || response.status === 400;
          if (!isRefused || queryValue(request, page.cursor) === undefined) return response;
          const plain = await next(withoutQuery(request, page.cursor));
          return plain.status === 200 ? failure(api, request, 500, 'Unexpected end of input.') : response;
        }),
    },
  ];
}

/** Filters that hold on the first page only. */
function lostFilters(list: ListOperation, page: CursorPage): readonly FaultDraft[] {
  return page.fixed.map((name) => {
    const isVersion = isVersionFilter(list, name);
    return {
      kind: isVersion ? 'checkpoint-lost' : 'filter-lost',
      place: `${list.id}.${name}`,
      law: isVersion ? 'sync/later-pages' : 'paging/filters-kept',
      title: `${name} holds on the first page only.`,
      edits: [{ op: 'replace', at: `${list.pointer}/x-collection/page/fixed`, value: page.fixed.filter((each) => each !== name) }],
      around: (api) =>
        at(api, list.id, (request, next) => next(queryValue(request, page.cursor) === undefined ? request : withoutQuery(request, name))),
    };
  });
}

function isVersionFilter(list: ListOperation, name: string): boolean {
  const filter = list.collection.filters.get(name);
  return filter !== undefined && filter.operator !== 'matches' && filter.field === list.collection.version;
}

function withoutSeconds(value: Json): Json {
  return typeof value === 'string' && parseInstant(value) !== undefined ? value.replace(/(T\d\d:\d\d):\d\d/, '$1:00') : value;
}
