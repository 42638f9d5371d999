/** Names of collections: they carry nothing but which list and which single read belong together. */

import type { Contract } from '../../../core/contract.ts';
import type { Operation } from '../../../core/operation.ts';
import { judgeValue } from './judge.ts';
import { groundOf } from './list-words.ts';
import { nameOf, type Pair } from './pair.ts';
import type { Finding } from './rule-change.ts';
import { compareWord } from './word.ts';

/** Compares the names by which operations belong together; a name that changes everywhere is one change. */
export function compareNames(pairs: readonly Pair[]): readonly Finding[] {
  return pairs.flatMap((pair) =>
    (['x-collection', 'x-resource'] as const).flatMap((key) =>
      pair.old.written[key] === undefined || pair.next.written[key] === undefined ? [] : compareName(pair, key),
    ),
  );
}

function compareName(pair: Pair, key: 'x-collection' | 'x-resource'): readonly Finding[] {
  const isKept = companions(pair.old.contract, pair.old.operation).join() === companions(pair.next.contract, pair.next.operation).join();
  const judge = judgeValue('name', {
    changed: isKept
      ? ['documentation', 'The same operations belong together as before, under another name.']
      : ['risky', 'Other operations belong together than before: what holds between a list and its single read holds between others.'],
  });
  const word = { group: 'list', key: 'name', keys: [key, 'name'], noun: 'the name of the collection', direction: undefined, judge };
  // One name in several operations is one thing, wherever it is written.
  return compareWord(groundOf(pair), word).map((finding) => ({
    ...finding,
    cause: JSON.stringify([finding.id, finding.before.value ?? null, finding.after.value ?? null, isKept]),
  }));
}

/** The operations of the same name. */
function companions({ operations }: Contract, operation: Operation): readonly string[] {
  const names = namesOf(operation);
  return operations.filter((each) => namesOf(each).some((name) => names.includes(name))).map(nameOf);
}

function namesOf({ collection, resource }: Operation): readonly string[] {
  return [collection?.name, resource?.name].flatMap((name) => name ?? []);
}
