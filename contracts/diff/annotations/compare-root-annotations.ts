/** Compares the annotations of the whole file: `x-api`, and the open questions (`x-unspecified`). */

import type { Question } from '../../../core/annotations/open-questions.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import { followOnce, rawOf } from '../../../core/openapi/raw-document.ts';
import type { Difference } from '../difference.ts';
import {
  type AnnotatedOperation,
  type AnnotatedOperationPair,
  type AnnotationContext,
  namesAt,
  objectAt,
} from './annotated-operation-pair.ts';
import {
  compareKeyword,
  compareKeywordRows,
  isAmong,
  type KeywordRow,
  type LevelAndReason,
  type RatedChange,
  rateValue,
  toList,
  toRating,
} from './compare-annotation-keyword.ts';
import { printAnnotation } from './located-value.ts';

/** Compares `x-api`. It affects all operations that both contracts have; a scope affects those that require it. */
export function compareApi(context: AnnotationContext, pairs: readonly AnnotatedOperationPair[]): readonly Difference[] {
  return [...compareKeywordRows(context, { group: 'api', keys: ['x-api'], keywords: apiKeywords }), ...compareScopes(context, pairs)];
}

const notFoundInError: LevelAndReason = ['breaking', 'Clients look for it at the old place of an error body, and do not find it.'];

function errorPlaceRow(key: string, what: string): KeywordRow {
  const rate = rateValue(key, { removed: notFoundInError, changed: notFoundInError });
  return { key: `error-${key}`, keys: ['error', key], noun: `the place of ${what}`, direction: 'response', isPlace: true, rate };
}

/** Errors that the file does not rank follow the ranked ones in this order, so complete orders are compared. */
const defaultPrecedence: readonly Json[] = ['unauthenticated', 'throttled', 'forbidden', 'unavailable', 'invalid', 'absent', 'unchanged'];

const apiKeywords: readonly KeywordRow[] = [
  errorPlaceRow('code', 'the error code'),
  errorPlaceRow('message', 'the error message'),
  errorPlaceRow('request', 'the request id in errors'),
  {
    key: 'error-schema',
    keys: ['error', 'schema'],
    noun: 'the schema of errors outside operations',
    direction: 'response',
    rate: rateValue('schema', {
      removed: ['breaking', 'Errors outside operations, such as for an unknown path, no longer have a promised shape.'],
      changed: ['risky', 'Errors outside operations, such as for an unknown path, follow another schema.'],
    }),
  },
  {
    key: 'tenancy',
    noun: 'the tenancy of keys',
    print: (value) => (value === undefined ? 'none' : printAnnotation(value)),
    texts: { removed: 'keys may now see the records of other tenants', added: 'keys no longer see the records of other tenants' },
    rate: {
      removed: ['security', 'The contract no longer says that a key opens the records of one tenant only.'],
      added: ['breaking', 'Keys no longer see records of other tenants.'],
      changed: ['breaking', 'Tenants are separated in another way, so keys see other records.'],
    },
  },
  {
    key: 'precedence',
    noun: 'the precedence of errors',
    direction: 'response',
    fallback: defaultPrecedence,
    rate: (before, after) => ratePrecedence(completePrecedence(before), completePrecedence(after)),
  },
];

function completePrecedence(value: Json | undefined): readonly Json[] {
  return [...new Set([...toList(value), ...defaultPrecedence])];
}

function ratePrecedence(before: readonly Json[], after: readonly Json[]): RatedChange {
  if (isSameValue(before, after))
    return toRating('precedence-made-explicit', ['documentation', 'The file now states the default order explicitly.']);
  const index = before.findIndex((condition, at) => condition !== after[at]);
  const reason = `Where both apply, clients that expect ${printAnnotation(before[index])} now receive ${printAnnotation(after[index])}.`;
  return toRating('precedence-changed', ['breaking', reason]);
}

/** Compares scopes. A scope of both contracts is compared member by member; an added or removed scope is one difference. */
function compareScopes(context: AnnotationContext, pairs: readonly AnnotatedOperationPair[]): readonly Difference[] {
  const keys = ['x-api', 'scopes'];
  return namesAt(context, keys).flatMap((role) => {
    const requiring = pairs.filter(({ old, new: next }) => requiresScope(old, role) || requiresScope(next, role));
    const affected = { ...context, operations: requiring.map(({ name }) => name) };
    const isInBoth = [context.old, context.new].every(({ holder }) => objectAt(holder, keys)[role] !== undefined);
    return isInBoth
      ? compareKeywordRows(affected, { group: 'api', keys: [...keys, role], keywords: [scopeNameRow(role)] })
      : compareKeywordRows(affected, { group: 'api', keys, keywords: [scopeRow(requiring, role)] });
  });
}

function scopeNameRow(role: string): KeywordRow {
  return {
    key: 'scope-name',
    keys: ['name'],
    noun: `the name of the scope ${role}`,
    direction: 'request',
    // The role is the default name.
    fallback: role,
    rate: { changed: ['breaking', 'Keys that have the scope under its old name do not have it under the new one.'] },
  };
}

/** The row of a scope that only one contract has. `requiring` are the operations of both contracts that require it. */
function scopeRow(requiring: readonly AnnotatedOperationPair[], role: string): KeywordRow {
  return {
    key: 'scope',
    keys: [role],
    noun: `the scope \`${role}\``,
    texts: { removed: `the scope \`${role}\` was removed`, added: `the scope \`${role}\` was added` },
    direction: 'request',
    rate: {
      removed: ['compatible', 'No operation requires it any more.'],
      added: requiring.some(({ new: next }) => requiresScope(next, role))
        ? ['breaking', 'Operations that clients use now require it, and existing keys do not have it.']
        : ['compatible', 'No operation of the old contract requires it.'],
      changed: ['risky', 'The description of the scope changed.'],
    },
  };
}

function requiresScope({ operation }: AnnotatedOperation, role: string): boolean {
  return operation.security.flat().some(({ scopes }) => scopes.includes(role));
}

const unspecifiedKey = 'x-unspecified';

/** Compares the open questions. Adding or removing a question that the contract uses is reported by the keyword that uses it. */
export function compareQuestions(context: AnnotationContext, pairs: readonly AnnotatedOperationPair[]): readonly Difference[] {
  const { old, new: next } = context;
  const ids = new Set([...old.contract.questions.keys(), ...next.contract.questions.keys()]);
  return [...ids].flatMap((id) => {
    const [before, after] = [old.contract.questions.get(id), next.contract.questions.get(id)];
    if (isSameValue(objectAt(old.holder, [unspecifiedKey])[id], objectAt(next.holder, [unspecifiedKey])[id])) return [];
    if (before !== undefined && after !== undefined) {
      const affected = { ...context, operations: pairs.filter(({ new: side }) => hasQuestion(side, id)).map(({ name }) => name) };
      return compareKeywordRows(affected, { group: 'question', keys: [unspecifiedKey, id], keywords: questionRows(before, after) });
    }
    const unused: LevelAndReason = ['documentation', 'No part of the contract depends on it.'];
    const rate = { removed: unused, added: unused, changed: unused };
    const pointRow = { group: 'question', key: '', keys: [unspecifiedKey, id], noun: `the unspecified point ${id}`, rate };
    return (before ?? after)?.pointers.length === 0 ? compareKeyword({ ...context, operations: [] }, pointRow) : [];
  });
}

/** True if the root or an operation refers to an unspecified point, directly or by reference. */
function hasQuestion({ contract: { document }, holder, parameters }: AnnotatedOperation, id: string): boolean {
  const rootAnnotations = Object.entries(rawOf(document).root).flatMap(([key, value]) =>
    key.startsWith('x-') && key !== unspecifiedKey ? [value] : [],
  );
  const reached = new Set<Json | undefined>([...rootAnnotations, holder, ...[...parameters.values()].map(({ entry }) => entry)]);
  for (const value of reached) {
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value) && (value['unspecified'] === id || value[unspecifiedKey] === id)) return true;
    for (const part of [...Object.values(value), isObject(value) ? followOnce(document, value) : undefined]) reached.add(part as Json);
  }
  return false;
}

/** Rows for the description of an unspecified point. The values that use the point have their own rows. */
function questionRows(before: Question, after: Question): readonly KeywordRow[] {
  const { id, choices } = after;
  const rewordedOnly: LevelAndReason = ['documentation', 'The answers are the same; only the description changed.'];
  const rate = { changed: rewordedOnly, removed: rewordedOnly, added: rewordedOnly };
  const changed: LevelAndReason =
    choices.size === 0
      ? ['documentation', 'It only describes the mock; the contract promises nothing.']
      : ['risky', 'The mock behaves differently unless a profile sets the answer, so programs tested only with the mock may fail.'];
  return [
    { key: 'question', noun: `the question of ${id}`, rate },
    { key: 'source', noun: `the source of ${id}`, rate },
    { key: 'mock', noun: `the mock’s answer to ${id}`, rate: { changed } },
    {
      key: 'choices',
      noun: `the choices of ${id}`,
      rate: () => rateChoices([...before.choices.values()], [...choices.values()]),
    },
  ];
}

function rateChoices(old: readonly Json[], next: readonly Json[]): RatedChange {
  if (old.length === 0)
    return toRating('choices-listed', ['compatible', 'The possible answers are now listed; before, any answer was possible.']);
  if (next.length === 0) return toRating('choices-unlisted', ['risky', 'Any answer is now possible; before, the answers were listed.']);
  const added = next.filter((value) => !isAmong(value, old));
  if (added.length > 0) {
    const reason = `Clients that are prepared for the old answers may now also meet ${added.map(printAnnotation).join(', ')}.`;
    return toRating('choices-added', [added.every(isPointer) ? 'breaking' : 'risky', reason]);
  }
  if (!old.every((value) => isAmong(value, next)))
    return toRating('choices-removed', [
      'compatible',
      'Clients that are prepared for all old answers are prepared for the remaining ones.',
    ]);
  return toRating('choices-renamed', ['risky', 'The answers are the same, but profiles with their old names are rejected.']);
}

/** True for JSON Pointers, the places that a client must know to find a value. */
function isPointer(value: Json): boolean {
  return typeof value === 'string' && (value === '' || value.startsWith('/'));
}
