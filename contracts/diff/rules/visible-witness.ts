/** Witnesses of changed visibility: a record that one contract shows and the other hides. */

import type { Visibility } from '../../../core/rules.ts';
import { searchList } from './list-trial.ts';
import type { ListPair } from './pair.ts';
import { putAt } from './pool.ts';
import type { Search } from './rule-change.ts';

/** Looks for a record that is shown by one visibility and not by the other. Without a visibility, all are shown. */
export function searchVisible(pair: ListPair, before: Visibility | undefined, after: Visibility | undefined): Search {
  const fields = [...new Set([before, after].flatMap((visible) => visible?.field ?? []))];
  return searchList(pair, {
    trials: (pool) =>
      fields.flatMap((field) => pool.valuesAt(field).map((value) => ({ values: {}, records: [putAt(pool.base, field, value)] }))),
    edit: ({ visible: _visible, ...rules }) => (after === undefined ? rules : { ...rules, visible: after }),
    keyword: 'visible',
  });
}
