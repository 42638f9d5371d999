/** Faults of the page size of lists that are walked by cursor. */

import type { Edit } from '../../core/edit.ts';
import type { Json } from '../../core/json.ts';
import type { CursorPage } from '../../core/rules.ts';
import type { FaultDraft, ListOperation } from './fault.ts';
import { hasPlace, parameterPointer } from './place.ts';

/** Faults of the parameter that says how large a page is. */
export function limitFaults(list: ListOperation, page: CursorPage): readonly FaultDraft[] {
  const parameter = list.parameters.find((each) => each.key === page.limit);
  const schema = parameter?.schema;
  if (parameter === undefined || typeof schema !== 'object') return [];
  const has = (key: string): boolean => hasPlace(list.document, `${parameterPointer(list, page.limit)}/schema/${key}`);
  const pointer = parameterPointer(list, page.limit);
  const { maximum, default: usual } = schema;
  const common = { place: list.id, law: 'paging/limit-bounds' };
  const replace = (key: string, value: Json): readonly Edit[] => [{ op: 'replace', at: `${pointer}/schema/${key}`, value }];
  const answer = (value: string): readonly Edit[] => [{ op: 'add', at: `${pointer}/x-invalid`, value: { 'out-of-range': value } }];
  return [
    ...(typeof usual !== 'number' || !has('default')
      ? []
      : [
          {
            kind: 'default-limit-smaller',
            place: list.id,
            law: 'paging/limit-default',
            title: `Without ${page.limit} a page has fewer records than the default.`,
            edits: replace('default', Math.ceil(usual * 0.4)),
          },
        ]),
    ...(typeof maximum !== 'number' || !has('maximum')
      ? []
      : [
          {
            ...common,
            kind: 'limit-maximum-lower',
            title: `${page.limit}=${maximum} is refused, although it is the maximum.`,
            edits: replace('maximum', Math.floor(maximum / 2)),
          },
          {
            ...common,
            kind: 'limit-maximum-higher',
            title: `A ${page.limit} above the maximum of ${maximum} is accepted.`,
            edits: replace('maximum', maximum * 10),
          },
          {
            ...common,
            kind: 'limit-clamped',
            title: `A ${page.limit} out of range is moved into it instead of refused.`,
            edits: answer('clamped'),
          },
          {
            ...common,
            kind: 'limit-empty',
            title: `A ${page.limit} out of range gives an empty list instead of a refusal.`,
            edits: answer('empty'),
          },
        ]),
  ];
}
