/** The law about ranges that nothing lies in. */

import { isCalendarDate } from '../../../core/instant.ts';
import type { Json } from '../../../core/json.ts';
import type { Entry } from '../../../core/query.ts';
import { valuesOf } from '../../bound-values.ts';
import { type Range, rangesOf } from '../../bounds.ts';
import type { Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { withinBase } from '../../selection.ts';
import { examineSuccesses } from '../../success.ts';
import type { Universe } from '../../universe.ts';
import { isList, requireList, toArguments, type Values } from '../../walk.ts';
import { describeValues } from '../../words.ts';

/** The law. */
export const empty: Law = {
  id: 'ranges/empty',
  title: 'A range that nothing lies in gives an empty list',
  why: 'A quiet week is no error, and a client must be able to tell the two apart.',
  strength: 'stated',
  slow: true,
  clause: (operation, contract) =>
    isList(operation) && rangesOf(contract, operation).length > 0 ? collectionPlace(operation, 'filters') : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const values = rangesOf(lab.contract, list).flatMap((range) => beyond(universe, range));
    const legals = values.map((each) => ({
      call: { operation: list, values: each },
      what: describeValues(each),
      belongs: (record: Entry) => list.collection.query.matches(record, toArguments(each)),
    }));
    const examination = await examineSuccesses(lab, list, legals);
    const unknown = {
      id: 'refused:nothing',
      title: 'an empty range were an error',
      missing: 'a record with a value whose successor is known, such as a day or a whole number',
    };
    return examination.rivals.length > 0 ? examination : { ...examination, rivals: [unknown] };
  },
};

/** A range far beyond all that was seen. */
function beyond(universe: Universe, { lower, upper }: Range): readonly Values[] {
  const values = valuesOf(universe, lower.parameter);
  const far = farBeyond(values);
  const given = far === undefined ? undefined : withinBase(universe, { [lower.parameter]: far, [upper.parameter]: far });
  return given === undefined ? [] : [given];
}

function farBeyond(values: readonly Json[]): Json | undefined {
  if (values.length > 0 && values.every((value) => typeof value === 'string' && isCalendarDate(value))) return '2199-12-31';
  if (values.length > 0 && values.every((value) => typeof value === 'number' && Number.isInteger(value))) return 2_000_000_000;
  return undefined;
}
