/** Walks that show whether later pages forget a filter. */

import type { Arguments } from '../core/query.ts';
import { drawFilters } from './explore/filters.ts';
import { predictableFilters, singleFilterValues } from './filter-values.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Examination, Finding } from './law.ts';
import { withinBase } from './selection.ts';
import type { Universe } from './universe.ts';
import { keyOf, type ListOperation, toArguments, type Values, type Walk } from './walk.ts';
import { describeRecords, describeValues } from './words.ts';

/** Walks that show for each filter whether a later page forgets it; the laws about them share the walks. */
export async function examineLaterPages(lab: Lab, universe: Universe, isConcerned: (name: string) => boolean): Promise<Examination> {
  const { operation } = universe;
  const names = predictableFilters(lab.contract, operation);
  let open = names;
  const walks: Walk[] = [];
  const candidates = laterPages(lab, universe, names);
  while (open.length > 0) {
    const best = candidates
      .map((each) => ({ ...each, shows: each.telling.filter((name) => open.includes(name)) }))
      .toSorted((left, right) => right.shows.length - left.shows.length)[0];
    if (best === undefined || best.shows.length === 0) break;
    const limit = Math.max(1, Math.ceil(best.size / 2));
    walks.push(await lab.walk({ operation, values: best.values, limit, as: universe.as, most: 3 }));
    open = open.filter((name) => !best.shows.includes(name));
  }
  const rivals = names.filter(isConcerned).map(
    (name): Candidate => ({
      id: `forgets:${name}`,
      title: `later pages forgot ${name}`,
      missing: `a value of ${name} that several records pass and others do not`,
    }),
  );
  return { rivals, judge: () => walks.flatMap((walk) => judge(universe, walk, names).filter((finding) => isAbout(finding, isConcerned))) };
}

/** A contradiction is about the filter that was forgotten. */
function isAbout(finding: Finding, isConcerned: (name: string) => boolean): boolean {
  const forgotten = finding.kind === 'contradicts' ? finding.rival?.id.replace('forgets:', '') : undefined;
  return forgotten === undefined || isConcerned(forgotten);
}

/** Selections of two to some records, and the filters without which more would follow. */
function laterPages(
  lab: Lab,
  universe: Universe,
  names: readonly string[],
): readonly { readonly values: Values; readonly size: number; readonly telling: readonly string[] }[] {
  const { operation, records } = universe;
  const { query } = operation.collection;
  // The evaluator reads its arguments once, as long as they are the same object.
  const sizeOf = (given: Arguments): number => records.filter((record) => query.matches(record, given)).length;
  return [...drawFilters(lab, universe, 2), ...singleFilterValues(lab, universe)].flatMap((candidate) => {
    const values = withinBase(universe, candidate);
    if (values === undefined) return [];
    const size = sizeOf(toArguments(values));
    const telling = names.filter((name) => name in candidate && sizeOf(without(values, name)) > size + 1);
    return size >= 2 && size <= 60 && telling.length > 0 ? [{ values, size, telling }] : [];
  });
}

function without(values: Values, name: string): Arguments {
  return toArguments(Object.fromEntries(Object.entries(values).filter(([each]) => each !== name)));
}

/** A record and the filters of its request stand in one exchange, so nothing can have moved between them. */
function judge({ operation, records }: Universe, walk: Walk, names: readonly string[]): readonly Finding[] {
  const given = toArguments(walk.values);
  const later = walk.pages.slice(1);
  const isRead = later.some((page) => page.length > 0) || (walk.end === 'complete' && walk.replies.length > 1);
  if (!isRead) return walk.end === 'broken' ? [{ kind: 'obscured', by: 'response/status' }] : [];
  const wrong = later.flatMap((page, index) =>
    page
      .filter((record) => !operation.collection.query.matches(record, given))
      .map((record) => ({ record, reply: walk.replies[index + 1] })),
  );
  const used = names.filter((name) => name in walk.values);
  const [first] = wrong;
  if (first?.reply === undefined) {
    const shown = used.filter((name) =>
      records.some((record) => !operation.collection.query.matches(record, toArguments({ [name]: walk.values[name] ?? null }))),
    );
    return [{ kind: 'agrees', refutes: shown.map((name) => `forgets:${name}`) }];
  }
  const isFirstPageWrong = (walk.pages[0] ?? []).some((record) => !operation.collection.query.matches(record, given));
  if (isFirstPageWrong) return [{ kind: 'obscured', by: 'filters/sound' }];
  return [
    forgets(
      operation,
      walk,
      wrong.map(({ record }) => keyOf(operation, record)),
      first,
      used,
    ),
  ];
}

function forgets(
  operation: ListOperation,
  walk: Walk,
  keys: readonly string[],
  first: { readonly record: Values; readonly reply: Walk['replies'][number] | undefined },
  used: readonly string[],
): Finding {
  const forgotten =
    used.find((name) => !operation.collection.query.matches(first.record, toArguments({ [name]: walk.values[name] ?? null }))) ?? '';
  return {
    kind: 'contradicts',
    replies: [...walk.replies.slice(0, 1), ...(first.reply === undefined ? [] : [first.reply])],
    expected: `every page of ${operation.id} with ${describeValues(walk.values)} gives only records that satisfy it`,
    actual: `a later page gives ${describeRecords(operation, keys)}`,
    records: [first.record],
    rival: { id: `forgets:${forgotten}`, title: `later pages forgot ${forgotten}` },
    witnesses: keys,
  };
}
