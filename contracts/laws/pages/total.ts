/** The law about the number of records that a list says it has. */

import { placeBelow } from '../../../core/document.ts';
import { listedValues, predictableFilters } from '../../filter-values.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Contradiction, Finding, Law } from '../../law.ts';
import {
  askSecondPage,
  isNumbered,
  losesRecords,
  type NumberedOperation,
  numbered,
  readingsOf,
  type Told,
  totalsTold,
} from '../../numbered.ts';
import { firstOfEach } from '../../parts.ts';

import { recordsIn } from '../../reply.ts';
import { isQuiet } from '../../sightings.ts';
import type { Universe } from '../../universe.ts';
import { describeValues } from '../../words.ts';

/** The law. */
export const total: Law = {
  id: 'pages/total',
  title: 'The total is the number of records: of those that the filters select, or of all, and always in the same way',
  why: 'Clients size their pages and stop reading by the total.',
  strength: 'stated',
  clause: (operation) =>
    isNumbered(operation) && operation.collection.page.total !== undefined
      ? placeBelow(operation.document, operation.value, ['x-collection', 'page', 'total'])
      : undefined,
  examine: async (lab, operation) => {
    const list = numbered(operation);
    const universe = await lab.universe(list);
    await askSecondPage(lab, list);
    await firstOfEach(lab, list);
    return { rivals: rivalsFor(lab, universe), judge: () => judgeAll(lab, list, universe) };
  },
};

const missing = 'a list that can be read whole, of more than one page';

function rivalsFor(lab: Lab, { operation }: Universe): readonly Candidate[] {
  const hasFilter = predictableFilters(lab.contract, operation).some((name) => listedValues(operation, name).length > 0);
  return [
    { id: 'of-page', title: 'the total were the number of records on the page', missing },
    { id: 'off', title: 'the total counted something that the list does not show', missing },
    ...(hasFilter
      ? [
          {
            id: 'off-filtered',
            title: 'the total of a filtered list were yet another number',
            missing: 'records of two kinds that a filter tells apart',
          },
        ]
      : []),
  ];
}

function judgeAll(lab: Lab, operation: NumberedOperation, universe: Universe): readonly Finding[] {
  if (!universe.isComplete) return [];
  if (!isQuiet(universe)) return [{ kind: 'moved', what: `${operation.id} changed while it was read` }];
  const told = totalsTold(lab, universe);
  const readings = readingsOf(lab, operation);
  const wrongs = readings.map((reading) =>
    told.filter((each) => each.total !== (reading === 'filtered' ? each.filtered : (each.overall ?? each.total))),
  );
  const [least = []] = wrongs.toSorted((left, right) => left.length - right.length);
  const [wrong] = least;
  if (wrong === undefined) return told.map(agree);
  const contradiction = contradict(operation, wrong, least, readings);
  // More than what was read may count what paging loses; less ends the reading of the list itself.
  const isLost = wrong.total > wrong.filtered && losesRecords(lab, universe);
  return [isLost ? { kind: 'obscured', by: 'pages/partition' } : contradiction];
}

/** A total of a page that has not all of them is not the number of its records; one of a narrowed list is not just any constant. */
function agree({ reply, total: said, filtered, overall }: Told): Finding {
  const isPart = (recordsIn(reply)?.length ?? 0) < said;
  const isNarrowed = overall !== undefined && filtered !== overall;
  return { kind: 'agrees', refutes: ['off', ...(isPart ? ['of-page'] : []), ...(isNarrowed ? ['off-filtered'] : [])] };
}

function contradict(
  operation: NumberedOperation,
  { reply, total: said, filtered, overall }: Told,
  all: readonly Told[],
  readings: readonly string[],
): Contradiction {
  const values = Object.fromEntries(Object.entries(reply.call.values ?? {}).filter(([name]) => operation.collection.filters.has(name)));
  const isOfPage = all.every((each) => each.total === recordsIn(each.reply)?.length);
  const wanted = readings.map((reading) => (reading === 'filtered' ? filtered : (overall ?? filtered)));
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${operation.id} with ${describeValues(values)} says a total of ${[...new Set(wanted)].join(' or ')}, the number of records that it has before and after`,
    actual: `it says ${said}`,
    rival: isOfPage
      ? { id: 'of-page', title: 'the total were the number of records on the page' }
      : { id: 'off', title: `the total were ${said > filtered ? 'more' : 'less'} than what there is` },
    witnesses: [],
  };
}
