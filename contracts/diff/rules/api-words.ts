/**
 * What holds for the whole API: the shape of failures, tenants, scopes, and which failure comes first (`x-api`); the open questions themselves
 * (`x-unspecified`); and extensions that nothing is known of.
 */

import type { Contract } from '../../../core/contract.ts';
import type { Json } from '../../../core/json.ts';
import type { Question } from '../../../core/profile.ts';
import { listMarks } from './mark-words.ts';
import { nameOf, type Pair } from './pair.ts';
import { isSame, show } from './spot.ts';
import {
  compareTable,
  compareUnknown,
  compareUnknownKeys,
  compareWord,
  compareWords,
  type Entry,
  type Finding,
  type Ground,
  isAmong,
  judgeValue,
  namesAt,
  objectAt,
  type Ruling,
  rule,
  toList,
  type Verdict,
} from './word.ts';

/** Compares `x-api`. What it says reaches every operation that both contracts have, or those that name the scope. */
export function compareApi(ground: Ground): readonly Finding[] {
  return [
    ...compareWords(ground, { group: 'api', keys: ['x-api'], words: apiWords }),
    ...compareScopes(ground),
    ...compareUnknownKeys(ground, ['x-api'], ['error', 'tenancy', 'scopes', 'precedence']),
    ...compareUnknownKeys(ground, ['x-api', 'error'], ['schema', 'code', 'message', 'request']),
  ];
}

const unread: Verdict = ['breaking', 'Clients look for it at the old place in a failure, and do not find it.'];

function placeOfFailure(key: string, what: string): Entry {
  const judge = judgeValue(key, { gone: unread, changed: unread });
  return { key: `error-${key}`, keys: ['error', key], noun: `the place of ${what}`, direction: 'response', isPlace: true, judge };
}

/** What the file does not rank comes after what it ranks, in the customary order, so what counts is the whole order. */
const customary: readonly Json[] = ['unauthenticated', 'throttled', 'forbidden', 'unavailable', 'invalid', 'absent', 'unchanged'];

const apiWords: readonly Entry[] = [
  placeOfFailure('code', 'the code of a failure'),
  placeOfFailure('message', 'the message of a failure'),
  placeOfFailure('request', 'the identifier of a failed request'),
  {
    key: 'error-schema',
    keys: ['error', 'schema'],
    noun: 'the schema of failures outside every operation',
    direction: 'response',
    judge: judgeValue('schema', {
      gone: ['breaking', 'Failures outside every operation, such as of an unknown path, have no promised shape any more.'],
      changed: ['risky', 'Failures outside every operation, such as of an unknown path, follow another schema.'],
    }),
  },
  {
    key: 'tenancy',
    noun: 'whether each key belongs to one tenant',
    judge: {
      gone: ['breaking', 'Records of other tenants are not promised to be absent any more: keys may see what is not theirs.'],
      added: ['breaking', 'Records of other tenants become absent: keys that saw all of them see only a part.'],
      changed: ['breaking', 'Tenants are told apart in another way, so keys see other records.'],
    },
  },
  {
    key: 'precedence',
    noun: 'which failure is told when several apply',
    direction: 'response',
    fallback: customary,
    judge: (before, after) => judgePrecedence(rank(before), rank(after)),
  },
];

function rank(value: Json | undefined): readonly Json[] {
  return [...new Set([...toList(value), ...customary])];
}

function judgePrecedence(before: readonly Json[], after: readonly Json[]): Ruling {
  if (isSame(before, after)) return rule('precedence-written', ['documentation', 'The order is the one that was meant before.']);
  const index = before.findIndex((condition, at) => condition !== after[at]);
  const reason = `Clients that tell ${show(before[index])} by its status meet ${show(after[index])} where both apply.`;
  return rule('precedence-changed', ['breaking', reason]);
}

/** A scope that both contracts have is compared by what is said of it, and another as a whole. */
function compareScopes(ground: Ground): readonly Finding[] {
  const keys = ['x-api', 'scopes'];
  return namesAt(ground, keys).flatMap((role) => {
    const users = [...usersOf(ground.old.contract, role), ...usersOf(ground.next.contract, role)];
    const reached = { ...ground, operations: ground.operations.filter((operation) => users.includes(operation)) };
    const isInBoth = [ground.old, ground.next].every(({ holder }) => objectAt(holder, keys)[role] !== undefined);
    return isInBoth
      ? compareTable(reached, { group: 'api', keys: [...keys, role], words: [nameWord(role)] })
      : compareWords(reached, { group: 'api', keys, words: [scopeWord(ground, role)] });
  });
}

function nameWord(role: string): Entry {
  return {
    key: 'scope-name',
    keys: ['name'],
    noun: `the name of the scope ${role}`,
    direction: 'request',
    // A scope without a name goes by its role.
    fallback: role,
    judge: { changed: ['breaking', 'Keys that were given the scope under its old name do not have it under the new one.'] },
  };
}

function scopeWord({ old, next }: Ground, role: string): Entry {
  const known = old.contract.operations.map(nameOf);
  const isWanted = usersOf(next.contract, role).some((operation) => known.includes(operation));
  return {
    key: 'scope',
    keys: [role],
    noun: 'the scopes',
    print: () => role,
    direction: 'request',
    judge: {
      gone: ['compatible', 'Nothing asks for it any more; keys that have it lose nothing.'],
      added: isWanted
        ? ['breaking', 'Operations that clients use ask for it, and keys that are in use do not have it.']
        : ['compatible', 'No operation that clients knew asks for it.'],
      changed: ['risky', 'What is known about the scope is another thing.'],
    },
  };
}

function usersOf({ operations }: Contract, role: string): readonly string[] {
  return operations.filter(({ security }) => security.flat().some(({ scopes }) => scopes.includes(role))).map(nameOf);
}

const word = 'x-unspecified';

/** Compares the questions. One that stands somewhere comes or goes there; one that is only asked comes or goes here. */
export function compareQuestions(ground: Ground, pairs: readonly Pair[]): readonly Finding[] {
  const { old, next } = ground;
  const ids = new Set([...old.contract.questions.keys(), ...next.contract.questions.keys()]);
  return [...ids].flatMap((id) => {
    const [before, after] = [old.contract.questions.get(id), next.contract.questions.get(id)];
    if (isSame(objectAt(old.holder, [word])[id], objectAt(next.holder, [word])[id])) return [];
    if (before !== undefined && after !== undefined) {
      const reached = { ...ground, operations: operationsOf(after, pairs) };
      return compareTable(reached, { group: 'question', keys: [word, id], words: questionWords(before, after) });
    }
    const verdict: Verdict = ['documentation', 'It is only asked; nothing that is promised depends on it.'];
    const judge = { gone: verdict, added: verdict, changed: verdict };
    const asked = { group: 'question', key: '', keys: [word, id], noun: `the question ${id}`, judge };
    return (before ?? after)?.pointers.length === 0 ? compareWord({ ...ground, operations: [] }, asked) : [];
  });
}

/** The operations that a question is about: those where it stands, by way of shared schemas too, or all of them. */
function operationsOf({ id, pointers }: Question, pairs: readonly Pair[]): readonly string[] {
  const isRoot = pointers.some((pointer) => pointer.startsWith('/x-'));
  const isAbout = ({ next }: Pair): boolean =>
    isRoot ||
    pointers.some((pointer) => pointer.startsWith(`${next.operation.pointer}/`)) ||
    listMarks(next).some(({ word: mark, value }) => mark === word && value === id);
  return pairs.filter(isAbout).map(({ name }) => name);
}

/** What they stand for is compared where they stand. */
function questionWords(before: Question, after: Question): readonly Entry[] {
  const { id, choices } = after;
  const unread: Verdict = ['documentation', 'The answers are the same; only the words are others.'];
  const judge = { changed: unread, gone: unread, added: unread };
  const changed: Verdict =
    choices.size === 0
      ? ['documentation', 'It only tells what the mock does; nothing is promised.']
      : ['risky', 'The mock answers otherwise unless a profile says so: programs that were only tried with the mock may stumble.'];
  return [
    { key: 'question', noun: `the words of the question ${id}`, judge },
    { key: 'source', noun: `the source of the question ${id}`, judge },
    { key: 'mock', noun: `what the mock takes for ${id}`, judge: { changed } },
    {
      key: 'choices',
      noun: `the choices of ${id}`,
      judge: () => judgeChoices([...before.choices.values()], [...choices.values()]),
    },
  ];
}

function judgeChoices(old: readonly Json[], next: readonly Json[]): Ruling {
  if (old.length === 0) return rule('choices-listed', ['compatible', 'The answers are listed now; before, any was possible.']);
  if (next.length === 0) return rule('choices-gone', ['risky', 'Any answer is possible now; before, they were listed.']);
  const added = next.filter((value) => !isAmong(value, old));
  if (added.length > 0) {
    const reason = `Clients that are prepared for the listed answers may meet ${added.map(show).join(', ')} as well.`;
    return rule('choices-more', [added.every(isPlace) ? 'breaking' : 'risky', reason]);
  }
  if (!old.every((value) => isAmong(value, next)))
    return rule('choices-fewer', ['compatible', 'Clients that are prepared for all the answers are prepared for those that are left.']);
  return rule('choices-renamed', ['risky', 'The answers are the same, but profiles that name them by their old names are refused.']);
}

/** A place where something may stand: whoever does not know it does not look there. */
function isPlace(value: Json): boolean {
  return typeof value === 'string' && (value === '' || value.startsWith('/'));
}

/** The words of the annotations that stand at the root; each has rules of its own. */
const known: ReadonlySet<string> = new Set([
  'x-api',
  'x-invalid',
  'x-unspecified',
  'x-collection',
  'x-resource',
  'x-parameter-rules',
  'x-personal',
]);

/** Compares the extensions at the root that no rule knows. Those of operations are compared with the operations, by whoever compares these. */
export function compareOthers(ground: Ground): readonly Finding[] {
  return namesAt(ground, [])
    .filter((key) => key.startsWith('x-') && !known.has(key))
    .flatMap((key) => compareUnknown(ground, [key]));
}
