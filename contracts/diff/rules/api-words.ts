/** What holds for the whole API: the shape of failures, tenants, scopes, and which failure comes first. */

import type { Contract } from '../../../core/contract.ts';
import type { Json } from '../../../core/json.ts';
import { judgeValue, rule, toList, type Verdict } from './judge.ts';
import { compareUnknownKeys, objectAt } from './list-words.ts';
import { nameOf } from './pair.ts';
import type { Finding } from './rule-change.ts';
import { isSame, show } from './spot.ts';
import { compareWord, type Ground, type Ruling, type Word } from './word.ts';

/** Compares `x-api`. What it says reaches every operation that both contracts have, or those that name the scope. */
export function compareApi(ground: Ground): readonly Finding[] {
  return [
    ...[...errorWords, tenancyWord, precedenceWord].flatMap((word) => compareWord(ground, word)),
    ...compareScopes(ground),
    ...compareUnknownKeys(ground, ['x-api'], ['error', 'tenancy', 'scopes', 'precedence']),
    ...compareUnknownKeys(ground, ['x-api', 'error'], ['schema', 'code', 'message', 'request']),
  ];
}

const unread = 'Clients look for it at the old place in a failure, and do not find it.';

const errorWords: readonly Word[] = [
  { ...failure('code', 'the place of the code of a failure'), judge: judgeValue('code', moved(unread)) },
  { ...failure('message', 'the place of the message of a failure'), judge: judgeValue('message', moved(unread)) },
  { ...failure('request', 'the place of the identifier of a failed request'), judge: judgeValue('request', moved(unread)) },
  {
    ...failure('schema', 'the schema of failures outside every operation'),
    isPlace: false,
    judge: judgeValue('schema', {
      gone: ['breaking', 'Failures outside every operation, such as of an unknown path, have no promised shape any more.'],
      changed: ['risky', 'Failures outside every operation, such as of an unknown path, follow another schema.'],
    }),
  },
];

const tenancyWord: Word = {
  group: 'api',
  key: 'tenancy',
  keys: ['x-api', 'tenancy'],
  noun: 'whether each key belongs to one tenant',
  direction: undefined,
  judge: judgeValue('tenancy', {
    gone: ['breaking', 'Records of other tenants are not promised to be absent any more: keys may see what is not theirs.'],
    added: ['breaking', 'Records of other tenants become absent: keys that saw all of them see only a part.'],
    changed: ['breaking', 'Tenants are told apart in another way, so keys see other records.'],
  }),
};

/** What the file does not rank comes after what it ranks, in the customary order, so what counts is the whole order. */
const customary: readonly Json[] = ['unauthenticated', 'throttled', 'forbidden', 'unavailable', 'invalid', 'absent', 'unchanged'];

const precedenceWord: Word = {
  group: 'api',
  key: 'precedence',
  keys: ['x-api', 'precedence'],
  noun: 'which failure is told when several apply',
  direction: 'response',
  fallback: customary,
  judge: (before, after) => judgePrecedence(rank(before), rank(after)),
};

function rank(value: Json | undefined): readonly Json[] {
  return [...new Set([...toList(value), ...customary])];
}

function judgePrecedence(before: readonly Json[], after: readonly Json[]): Ruling {
  if (isSame(before, after)) return rule('precedence-written', ['documentation', 'The order is the one that was meant before.']);
  const index = before.findIndex((condition, at) => condition !== after[at]);
  const reason = `Clients that tell ${show(before[index])} by its status meet ${show(after[index])} where both apply.`;
  return rule('precedence-changed', ['breaking', reason]);
}

function compareScopes(ground: Ground): readonly Finding[] {
  const keys = ['x-api', 'scopes'];
  const roles = new Set([...Object.keys(objectAt(ground.old.holder, keys)), ...Object.keys(objectAt(ground.next.holder, keys))]);
  return [...roles].flatMap((role) => {
    const users = [...usersOf(ground.old.contract, role), ...usersOf(ground.next.contract, role)];
    const operations = ground.operations.filter((operation) => users.includes(operation));
    const isInBoth = [ground.old, ground.next].every(({ holder }) => objectAt(holder, keys)[role] !== undefined);
    return isInBoth ? compareScope({ ...ground, operations }, role) : compareWord({ ...ground, operations }, scopeWord(ground, role));
  });
}

function compareScope(ground: Ground, role: string): readonly Finding[] {
  const keys = ['x-api', 'scopes', role];
  const reason = 'Keys that were given the scope under its old name do not have it under the new one.';
  const name: Word = {
    group: 'api',
    key: 'scope-name',
    keys: [...keys, 'name'],
    noun: `the name of the scope ${role}`,
    direction: 'request',
    // A scope without a name goes by its role.
    fallback: role,
    judge: judgeValue('scope-name', { changed: ['breaking', reason] }),
  };
  return [...compareWord(ground, name), ...compareUnknownKeys(ground, keys, ['name'])];
}

function scopeWord({ old, next }: Ground, role: string): Word {
  const known = old.contract.operations.map(nameOf);
  const isWanted = usersOf(next.contract, role).some((operation) => known.includes(operation));
  const wanted: Verdict = ['breaking', 'Operations that clients use ask for it, and keys that are in use do not have it.'];
  return {
    group: 'api',
    key: 'scope',
    keys: ['x-api', 'scopes', role],
    noun: 'the scopes',
    print: () => role,
    direction: 'request',
    judge: judgeValue('scope', {
      gone: ['compatible', 'Nothing asks for it any more; keys that have it lose nothing.'],
      added: isWanted ? wanted : ['compatible', 'No operation that clients knew asks for it.'],
      changed: ['risky', 'What is known about the scope is another thing.'],
    }),
  };
}

function usersOf({ operations }: Contract, role: string): readonly string[] {
  return operations.filter(({ security }) => security.flat().some(({ scopes }) => scopes.includes(role))).map(nameOf);
}

function failure(key: string, noun: string): Omit<Word, 'judge'> {
  return { group: 'api', key: `error-${key}`, keys: ['x-api', 'error', key], noun, direction: 'response', isPlace: true };
}

function moved(reason: string): Parameters<typeof judgeValue>[1] {
  return { gone: ['breaking', reason], changed: ['breaking', reason] };
}
