/** The law that the values of a filter divide the list. */

import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { parameterPlace } from '../../list-clause.ts';
import { isNumbered } from '../../numbered.ts';
import { enumFilters, hiddenFromWhole, isByValue, readParts } from '../../parts.ts';
import { stableIn } from '../../sightings.ts';
import type { Universe } from '../../universe.ts';
import { isList, requireList, type Walk } from '../../walk.ts';
import { describeRecords, describeValues } from '../../words.ts';

/** The law. */
export const partition: Law = {
  id: 'filters/partition',
  title: 'All listed values of a filter together give the unfiltered list',
  why: 'A client that walks through the states one by one must end up with everything; and a list without filters must not hide a state.',
  strength: 'implied',
  slow: true,
  clause: (operation, contract) => {
    const [name] = isList(operation) ? enumFilters(contract, operation) : [];
    return name === undefined ? undefined : parameterPlace(operation, name);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const names = enumFilters(lab.contract, list);
    const parts = new Map<string, readonly Walk[]>();
    for (const name of names) parts.set(name, await readParts(lab, universe, name));
    const rivals = names.map(
      (name): Candidate => ({
        id: `hides:${name}`,
        title: `the list hid some values of ${name} unless they are asked for`,
        missing: 'a list of some records that can be read whole',
      }),
    );
    return { rivals, judge: () => [...parts].flatMap(([name, walks]) => judgeParts(lab, universe, name, walks)) };
  },
};

/** A record that some value gives, and that the unfiltered list does not show, neither before nor after. */
function judgeParts(lab: Lab, universe: Universe, name: string, walks: readonly Walk[]): readonly Finding[] {
  const { operation } = universe;
  const hidden = hiddenFromWhole(lab, universe).filter(({ walk }) => walks.includes(walk));
  const [first] = hidden;
  if (first === undefined) {
    const isSeen = walks.some((walk) => walk.records.length > 0 && stableIn(lab, universe, walk).length > 0);
    return isSeen ? [{ kind: 'agrees', refutes: [`hides:${name}`] }] : [];
  }
  if (isByValue(lab.contract, universe, hidden) === undefined)
    return [{ kind: 'obscured', by: isNumbered(universe.operation) ? 'pages/partition' : 'paging/complete' }];
  const keys = hidden.map(({ key }) => key);
  return [
    {
      kind: 'contradicts',
      replies: [...first.walk.replies.slice(0, 1), ...(universe.closing?.replies ?? []).slice(-1)],
      expected: `${operation.id} without a filter gives ${describeRecords(operation, keys)}, which ${describeValues(first.walk.values)} gives`,
      actual: 'neither reading of the whole list has it',
      records: [first.record],
      rival: { id: `hides:${name}`, title: `the list hid some values of ${name} unless they are asked for` },
      witnesses: keys,
    },
  ];
}
