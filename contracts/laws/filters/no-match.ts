/** The law about filters that nothing passes. */

import type { Entry } from '../../../core/query.ts';
import { drawFilters } from '../../explore.ts';
import { predictableFilters } from '../../filter-values.ts';
import type { Lab } from '../../lab.ts';
import type { Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { examineSuccesses } from '../../refusal.ts';
import { withinBase } from '../../selection.ts';
import { meaninglessTexts, searchCall, searchParameter } from '../../text-search.ts';
import { largestPage, type Universe } from '../../universe.ts';
import { isList, requireList, toArguments, type Values } from '../../walk.ts';
import { describeValues } from '../../words.ts';

/** The law. */
export const noMatch: Law = {
  id: 'filters/no-match',
  title: 'Filters that nothing passes give an empty list',
  why: 'A client that asks on a quiet day must be told that there is nothing, not that something went wrong.',
  strength: 'stated',
  slow: true,
  clause: (operation, contract) =>
    isList(operation) && (predictableFilters(contract, operation).length > 1 || searchParameter(operation) !== undefined)
      ? collectionPlace(operation, 'filters')
      : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const empty = emptySelections(lab, universe).slice(0, 1);
    const limit = { [list.collection.page.limit]: largestPage(list) };
    const filtered = empty.map((values) => ({
      call: { operation: list, values: { ...values, ...limit } },
      what: describeValues(values),
      belongs: (record: Entry) => list.collection.query.matches(record, toArguments(values)),
    }));
    const name = searchParameter(list);
    // What a text without meaning finds is another law's; that it may be searched for is this one's.
    const texts = name === undefined ? [] : meaninglessTexts(lab, universe).slice(0, 1);
    const legals = [...filtered, ...texts.map((text) => ({ call: searchCall(lab, list, text), what: `${name}=${text}` }))];
    const examination = await examineSuccesses(lab, list, legals);
    const unknown = {
      id: 'refused:nothing',
      title: 'a list without records were an error',
      missing: 'records whose values make filters that none of them passes',
    };
    return examination.rivals.length > 0 ? examination : { ...examination, rivals: [unknown] };
  },
};

/** Filters that no known record passes. */
function emptySelections(lab: Lab, universe: Universe): readonly Values[] {
  const { operation, records } = universe;
  const candidates = drawFilters(lab, universe, 1).flatMap((values) => {
    const given = withinBase(universe, values);
    return given === undefined ? [] : [given];
  });
  return candidates.filter((values) => !records.some((record) => operation.collection.query.matches(record, toArguments(values))));
}
