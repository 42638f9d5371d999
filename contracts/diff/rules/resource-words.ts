/** What operations list and read, by which names they belong together, and single reads (`x-resource`): where the record stands, and what names it. */

import type { Contract } from '../../../core/contract.ts';
import type { Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import { searchLookup } from './list-witness.ts';
import { nameOf, type Pair } from './pair.ts';
import { compareTable, compareWord, type Entry, type Finding, namesAt, type Verdict, type Verdicts } from './word.ts';

/** Whether an operation is annotated in both contracts, or in one of them only, which is a change by itself. */
export function compareWholes(pair: Pair): readonly Finding[] {
  return wholes.flatMap(({ key, ...whole }) => {
    const [before, after] = [pair.old.holder[key], pair.next.holder[key]];
    if ((before === undefined) === (after === undefined)) return [];
    const { group, noun, promise } = whole;
    const judge: Verdicts = {
      gone: ['breaking', `The contract promises no longer that ${promise}.`],
      added: ['compatible', 'The contract promises more than before.'],
      changed: ['risky', 'The annotation is another one.'],
    };
    return compareWord(pair, { group, key: '', keys: [key], noun, print: () => key, judge });
  });
}

const wholes = [
  { key: 'x-collection', group: 'list', noun: 'what the operation lists', promise: 'the list is complete, sorted, filtered and paged' },
  { key: 'x-resource', group: 'read', noun: 'what the operation reads', promise: 'this reads one thing' },
];

/** Compares the names by which operations belong together; a name that changes everywhere is one change. */
export function compareNames(pairs: readonly Pair[]): readonly Finding[] {
  return pairs.flatMap((pair) =>
    wholes.flatMap(({ key }) => (pair.old.holder[key] === undefined || pair.next.holder[key] === undefined ? [] : compareName(pair, key))),
  );
}

/** Names carry nothing but which list and which single read belong together. */
function compareName(pair: Pair, key: string): readonly Finding[] {
  const [before, after] = [pair.old, pair.next].map(({ contract, operation }) => companions(contract, operation).join());
  const isKept = before === after;
  const changed: Verdict = isKept
    ? ['documentation', 'The same operations belong together as before, under another name.']
    : ['risky', 'Other operations belong together than before: what holds between a list and its single read holds between others.'];
  const findings = compareWord(pair, {
    group: 'list',
    key: 'name',
    keys: [key, 'name'],
    noun: 'the name of the collection',
    judge: { changed },
  });
  // One name in several operations is one thing, wherever it is written.
  return findings.map((finding) => ({
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

/** Compares what a single read reads: where the record stands in the body, and by which parameters it is named. */
export function compareResource(pair: Pair): readonly Finding[] {
  if (pair.old.operation.resource === undefined || pair.next.operation.resource === undefined) return [];
  const names = namesAt(pair, ['x-resource', 'by']);
  const words = [...resourceWords, ...names.map((name) => byWord(pair, name))];
  return compareTable(pair, { group: 'read', keys: ['x-resource'], words, others: ['name', 'by'] });
}

const resourceWords: readonly Entry[] = [
  {
    key: 'at',
    noun: 'the place of what is read in the body',
    direction: 'response',
    isPlace: true,
    judge: { changed: ['breaking', 'Clients look for it at the old place, and do not find it.'] },
  },
  {
    key: 'view',
    noun: 'which view of the thing this is',
    judge: {
      gone: ['risky', 'It is not promised any more that this is there whenever the other views of it are.'],
      changed: ['risky', 'It may be a view of another thing, or only have another name.'],
    },
  },
];

function byWord(pair: Pair, name: string): Entry {
  const toField = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    key: 'by',
    keys: ['by', name],
    noun: `the field that ${name} names the record by`,
    direction: 'request',
    isPlace: true,
    judge: {
      gone: ['breaking', `Clients that name the record by ${name} do not find it.`],
      added: ['compatible', 'It is one way more of naming the record.'],
      changed: ['breaking', 'The same value names another record, or none.'],
    },
    search: (before, after) => searchLookup(pair, name, toField(before), toField(after)),
  };
}
