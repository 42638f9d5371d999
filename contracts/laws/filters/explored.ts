/** The law about combinations that nobody thought of. */

import { explanationOf, isAsPredicted, isBetterNamed, lawOf } from '../../explanation.ts';
import { drawFilters } from '../../explore.ts';
import { listedValues, predictableFilters } from '../../filter-values.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { enumFilters } from '../../parts.ts';

import type { FilterRival } from '../../rival.ts';
import { contradict, type Selection, select, withinBase } from '../../selection.ts';
import { stableIn } from '../../sightings.ts';
import { checkpointOf, largestPage, type Universe } from '../../universe.ts';
import { isList, keyOf, type ListOperation, requireList, toArguments, type Values } from '../../walk.ts';

/** The law. */
export const explored: Law = {
  id: 'filters/explored',
  title: 'Any combination of filters gives what the replica predicts',
  why: 'What works alone and in pairs may fail in company: the third filter, the fourth value of a list.',
  strength: 'implied',
  slow: true,
  clause: (operation, contract) =>
    isList(operation) && predictableFilters(contract, operation).length > 1 ? collectionPlace(operation, 'filters') : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const rivals = companyRivals(lab, list);
    const made: Selection[] = [];
    for (const values of chosen(lab, universe, rivals)) {
      const selection = await select(lab, universe, values);
      made.push(selection, ...(isAsPredicted(universe, selection.walk) ? [] : await shrink(lab, selection)));
    }
    return { rivals, judge: () => made.flatMap((selection) => judge(lab, selection, rivals)) };
  },
};

/** Filters that fail only in company: in a combination of three or more, or in a list of four values or more. */
function companyRivals(lab: Lab, list: ListOperation): readonly FilterRival[] {
  const { query } = list.collection;
  const names = predictableFilters(lab.contract, list);
  const without = names.map(
    (name): FilterRival => ({
      id: `lost-in-company:${name}`,
      kind: 'lost-in-company',
      title: `${name} is ignored beside two others or more`,
      missing: 'records that three filters tell apart',
      parameters: [name],
      accepts: (record, values) => query.matches(record, values.size < 3 ? values : new Map([...values].filter(([each]) => each !== name))),
    }),
  );
  const many = enumFilters(lab.contract, list).filter((name) => listedValues(list, name).length > 3);
  const capped = many.map(
    (name): FilterRival => ({
      id: `capped:${name}`,
      kind: 'capped',
      title: `only the first three values of ${name} count`,
      missing: `records with four values of ${name}`,
      parameters: [name],
      accepts: (record, values) => {
        const given = values.get(name);
        return query.matches(record, Array.isArray(given) ? new Map([...values, [name, given.slice(0, 3)]]) : values);
      },
    }),
  );
  return [...(names.length > 2 ? without : []), ...capped];
}

/** Up to two combinations, which tell most of the rivals: the longest of those that tell as many. */
function chosen(lab: Lab, universe: Universe, rivals: readonly FilterRival[]): readonly Values[] {
  if (!universe.isComplete) return [];
  const { operation, records } = universe;
  const drawn = drawFilters(lab, universe, 1).flatMap((candidate) => {
    const values = withinBase(universe, candidate);
    if (values === undefined) return [];
    const given = toArguments(values);
    const size = records.filter((record) => operation.collection.query.matches(record, given)).length;
    const tells = rivals.filter((rival) =>
      records.some((record) => rival.accepts(record, given) !== operation.collection.query.matches(record, given)),
    );
    return size > largestPage(operation) ? [] : [{ values, tells: tells.map(({ id }) => id), length: JSON.stringify(values).length }];
  });
  const picked: Values[] = [];
  let open = rivals.map(({ id }) => id);
  while (picked.length < 2 && open.length > 0) {
    const worth = (each: (typeof drawn)[number]): number => each.tells.filter((id) => open.includes(id)).length * 1000 + each.length;
    const best = drawn.filter((each) => !picked.includes(each.values)).toSorted((left, right) => worth(right) - worth(left))[0];
    if (best === undefined) break;
    picked.push(best.values);
    open = open.filter((id) => !best.tells.includes(id));
  }
  return picked;
}

/** Leaves out one filter after the other as long as the answer stays wrong: few requests, since the replica says what would be right. */
async function shrink(lab: Lab, selection: Selection): Promise<readonly Selection[]> {
  const made: Selection[] = [];
  let smallest = selection;
  for (const name of Object.keys(selection.values)) {
    const values = Object.fromEntries(Object.entries(smallest.values).filter(([each]) => each !== name));
    if (name in selection.universe.base || Object.keys(values).length === 0) continue;
    const next = await select(lab, selection.universe, values);
    if (isAsPredicted(selection.universe, next.walk)) continue;
    made.push(next);
    smallest = next;
  }
  return made;
}

function judge(lab: Lab, { universe, values, walk }: Selection, rivals: readonly FilterRival[]): readonly Finding[] {
  if (walk.end !== 'complete') return [{ kind: 'obscured', by: 'response/status' }];
  const { operation } = universe;
  const given = toArguments(values);
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  const witnesses = stableIn(lab, universe, walk);
  const truth = (record: Values): boolean => operation.collection.query.matches(record, given);
  const wrong = witnesses.filter((each) => seen.has(each.key) !== truth(each.record));
  const telling = rivals.filter((rival) => witnesses.some((each) => rival.accepts(each.record, given) !== truth(each.record)));
  if (wrong.length === 0) return telling.length === 0 ? [] : [{ kind: 'agrees', refutes: telling.map(({ id }) => id) }];
  const explaining = telling.filter((rival) => witnesses.every((each) => rival.accepts(each.record, given) === seen.has(each.key)));
  const named = explanationOf(lab, universe, walk);
  if (isBetterNamed(lab, universe, named, explaining[0]))
    return [{ kind: 'obscured', by: named === undefined ? 'filters/complete' : lawOf(named, checkpointOf(operation)) }];
  return [
    { ...contradict(operation, values, walk, wrong, seen, explaining[0]), rivals: explaining.map(({ id, title }) => ({ id, title })) },
  ];
}
