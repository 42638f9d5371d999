/**
 * Before witnesses are searched, makes a difference that follows from another one its consequence, so that one edit of a file is reported once. The change
 * takes the most severe level of both.
 */

import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, printJson } from '../../core/json.ts';
import { isSameValue } from '../../core/json-equality.ts';
import { fromPointer } from '../../core/pointer.ts';
import { type ChangeLevel, changeLevels } from '../../core/results/diff-result.ts';
import { type Difference, editKeyOf } from './difference.ts';

/** Differences of one rule at one place, over all operations. */
export interface Finding {
  readonly level: ChangeLevel;
  /** The difference that reports show. */
  readonly shown: Difference;
  readonly differences: readonly Difference[];
  readonly operations: readonly string[];
  /** Names of what the finding is about, if it folds several differences of one kind; empty for a single one. */
  readonly members: readonly string[];
  readonly consequences: readonly Finding[];
}

/** Folds findings into those that explain them. Expects and keeps the most severe ones first. */
export function foldConsequences(findings: readonly Finding[]): readonly Finding[] {
  const heads = findings.filter(({ shown }) => explanations.some(({ head }) => head.test(shown.id)));
  const headOf = new Map<Finding, Finding>();
  const firstOfEdit = new Map<string, Finding>();
  for (const finding of findings) {
    const keys = finding.differences.map(editKeyOf);
    const [first, ...others] = new Set(keys.map((key) => firstOfEdit.get(key)));
    for (const key of keys) if (!firstOfEdit.has(key)) firstOfEdit.set(key, finding);
    const head = (others.length === 0 ? first : undefined) ?? heads.find((each) => each !== finding && explains(each, finding));
    if (head !== undefined && rootOf(head, headOf) !== finding) headOf.set(finding, head);
  }
  return findings.flatMap((finding) => {
    if (headOf.has(finding)) return [];
    const consequences = findings.filter((each) => headOf.has(each) && rootOf(each, headOf) === finding);
    const level = changeLevels.find((each) => finding.level === each || consequences.some((other) => other.level === each));
    return [{ ...finding, level: level ?? finding.level, consequences }];
  });
}

function rootOf(finding: Finding, headOf: ReadonlyMap<Finding, Finding>): Finding {
  let root = finding;
  for (let head = headOf.get(root); head !== undefined; head = headOf.get(root)) root = head;
  return root;
}

/** Findings that explain others of the same operation. */
interface Explanation {
  readonly head: RegExp;
  readonly explains: (head: Difference, other: Difference) => boolean;
}

function explains(head: Finding, other: Finding): boolean {
  const isShared = other.operations.length === 0 || other.operations.some((operation) => head.operations.includes(operation));
  return isShared && explanations.some((each) => each.head.test(head.shown.id) && each.explains(head.shown, other.shown));
}

const explanations: readonly Explanation[] = [
  { head: /^read\/conditional-/, explains: (_, other) => isPartOfConditionalRead(other) },
  { head: /^operation\/security-/, explains: (_, { id }) => /^api\/scope-(?:added|removed)$/.test(id) },
  { head: /-parameter\/renamed$/, explains: followsFromRename },
  { head: /-parameter\/(?:removed|added|required-added)$/, explains: followsFromParameter },
  { head: /^page\/total-(?:added|removed)$/, explains: (_, { id }) => /^page\/counts-/.test(id) },
  {
    head: /\/(?:format|type|pattern|enum-value|const)-(?:removed|changed)$/,
    explains: (head, { id, at }) => isDeepStrictEqual(at, head.at) && id.endsWith('/extension-x-unspecified-removed'),
  },
  { head: /^page\/style-changed$/, explains: (head, other) => isAmongNames(other, head.names ?? []) },
  {
    head: /^filter\/operator-changed$/,
    explains: (head, other) =>
      head.names?.includes(parameterNameOf(other) ?? '') === true && !/\/(?:added|removed|renamed)$/.test(other.id),
  },
  { head: /\/(?:format|type|pattern)-(?:added|removed|changed)$/, explains: followsFromSchema },
];

function isPartOfConditionalRead({ id, at: { part, path, annotation } }: Difference): boolean {
  if (!/\/(?:status-|required-)?(?:removed|added)$/.test(id) || path !== undefined || annotation !== undefined) return false;
  if (part?.kind === 'response') return part.header === undefined ? part.status === '304' : part.header.toLowerCase() === 'etag';
  return part?.kind === 'parameter' && part.in === 'header' && part.name.toLowerCase() === 'if-none-match';
}

/** Name of the parameter that has a difference. */
function parameterNameOf({ at: { part } }: Difference): string | undefined {
  return part?.kind === 'parameter' ? part.name : undefined;
}

/** True if a difference is in the entry that an annotation has for a parameter. */
function isAnnotationOf({ at: { annotation = [] } }: Difference, key: 'filters' | 'by', names: readonly string[]): boolean {
  return annotation.at(-2) === key && names.includes(annotation.at(-1) ?? '');
}

/** True for the filter of an added or removed parameter, and for lists of parameters that differ by it only. */
function followsFromParameter(head: Difference, other: Difference): boolean {
  const name = parameterNameOf(head);
  if (name === undefined || !/^(?:filter|page|parameter-rule|read)\//.test(other.id)) return false;
  if (/^filter\/(?:added|removed)$/.test(other.id)) return isAnnotationOf(other, 'filters', [name]);
  return differOnlyBy(name, other.before.value, other.after.value) || isAnnotationOf(other, 'by', [name]);
}

/** True if one of two values only has a name, or a rule on this name, that the other lacks. */
function differOnlyBy(name: string, before: Json | undefined, after: Json | undefined): boolean {
  const without = (value: Json | undefined): readonly Json[] | undefined => {
    if (Array.isArray(value)) return (value as readonly Json[]).filter((each) => each !== name);
    if (value === undefined) return [];
    const [rule] = isObject(value) ? Object.values(value) : [];
    return Array.isArray(rule) && (rule as readonly Json[]).includes(name) ? [] : undefined;
  };
  const [old, next] = [without(before), without(after)];
  return old !== undefined && next !== undefined && printJson(old) === printJson(next);
}

/** True if the difference disappears once the old name is replaced by the new one. */
function followsFromRename({ names = [] }: Difference, other: Difference): boolean {
  const { id, before, after } = other;
  if (/^filter\/(?:added|removed)$/.test(id)) return isAnnotationOf(other, 'filters', names);
  if (before.value === undefined || after.value === undefined) return isAnnotationOf(other, 'by', names);
  const [from = '', to = ''] = names;
  return printJson(replaceName(before.value, from, to)) === printJson(after.value);
}

function replaceName(value: Json, from: string, to: string): Json {
  if (value === from) return to;
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => replaceName(each, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key === from ? to : key, replaceName(each, from, to)]));
}

/** True if the difference is at one of the parameters, or on the way to one of the places in a body. */
function isAmongNames(other: Difference, names: readonly string[]): boolean {
  const parameter = parameterNameOf(other);
  if (parameter !== undefined) return names.includes(parameter);
  const { part, path = [] } = other.at;
  if (part?.kind !== 'response' || part.header !== undefined) return false;
  const keys = path.map((step) => (step.kind === 'property' ? step.name : ''));
  return keys.length > 1 && names.some((name) => name.startsWith('/') && isInside(keys, fromPointer(name)));
}

/** True if a pointer leads to the path, or to a value in it. */
function isInside(path: readonly string[], pointer: readonly string[]): boolean {
  return path.every((key, index) => pointer[index] === key);
}

/** True if an annotation kept its text, but means something else because the schema of its field changed. */
function followsFromSchema({ at: { path = [] } }: Difference, { at, before, after }: Difference): boolean {
  const field = path.findLast((step) => step.kind === 'property');
  return (
    field !== undefined && at.annotation !== undefined && isSameValue(before.value, after.value) && namesField(before.value, field.name)
  );
}

/** True if a value holds a JSON Pointer to a field of this name. */
function namesField(value: Json | undefined, name: string): boolean {
  if (typeof value === 'string') return value.startsWith('/') && fromPointer(value).at(-1) === name;
  return typeof value === 'object' && value !== null && Object.values(value).some((member: Json) => namesField(member, name));
}
