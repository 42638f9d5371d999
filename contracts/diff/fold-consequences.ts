/**
 * Before witnesses are searched, makes a difference that follows from another one its consequence, so that one edit of a file is reported once. The change
 * takes the most severe level of both.
 */

import { isObject, type Json } from '../../core/json.ts';
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
  readonly consequences: readonly Finding[];
}

/** Folds findings into those that explain them. Expects and keeps the most severe ones first. */
export function foldConsequences(findings: readonly Finding[]): readonly Finding[] {
  const heads = findings.filter(({ shown }) => explanations.some(({ head }) => head.test(shown.id)));
  const headOf = new Map<Finding, Finding>();
  const firstOfEdit = new Map<string, Finding>();
  for (const finding of findings) {
    const key = editKeyOf(finding.shown);
    const first = firstOfEdit.get(key);
    if (first === undefined) firstOfEdit.set(key, finding);
    const head = first ?? heads.find((each) => each !== finding && explains(each, finding));
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
    explains: (head, { id, location }) => location === head.location && id.endsWith('/extension-x-unspecified-removed'),
  },
  { head: /^page\/style-changed$/, explains: (head, other) => isAmongNames(other, head.names ?? []) },
  {
    head: /^filter\/operator-changed$/,
    explains: (head, other) =>
      head.names?.includes(parameterNameOf(other) ?? '') === true && !/\/(?:added|removed|renamed)$/.test(other.id),
  },
  { head: /\/(?:format|type|pattern)-(?:added|removed|changed)$/, explains: followsFromSchema },
];

function isPartOfConditionalRead({ id, location }: Difference): boolean {
  return (
    /\/(?:status-|required-)?(?:removed|added)$/.test(id) &&
    /^(?:response 304$|response \S+, header ETag$|header parameter If-None-Match$)/i.test(location)
  );
}

/** Name of the parameter at the location of a difference. */
function parameterNameOf({ location }: Difference): string | undefined {
  return /^\w+ parameter ([^,[]+)/.exec(location)?.[1];
}

/** True for the filter of an added or removed parameter, and for lists of parameters that differ by it only. */
function followsFromParameter(head: Difference, other: Difference): boolean {
  const name = parameterNameOf(head);
  if (name === undefined || !/^(?:filter|page|parameter-rule|read)\//.test(other.id)) return false;
  if (/^filter\/(?:added|removed)$/.test(other.id)) return other.location.endsWith(`, filters.${name}`);
  return differOnlyBy(name, other.before.value, other.after.value) || other.location.endsWith(`, by.${name}`);
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
  return old !== undefined && next !== undefined && JSON.stringify(old) === JSON.stringify(next);
}

/** True if the difference disappears once the old name is replaced by the new one. */
function followsFromRename({ names = [] }: Difference, { id, location, before, after }: Difference): boolean {
  const [from = '', to = ''] = names;
  if (/^filter\/(?:added|removed)$/.test(id)) return [from, to].some((name) => location.endsWith(`, filters.${name}`));
  if (before.value === undefined || after.value === undefined) return [from, to].some((name) => location.endsWith(`, by.${name}`));
  return JSON.stringify(replaceName(before.value, from, to)) === JSON.stringify(after.value);
}

function replaceName(value: Json, from: string, to: string): Json {
  if (value === from) return to;
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => replaceName(each, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key === from ? to : key, replaceName(each, from, to)]));
}

/** True if the difference is at one of the parameters or places in a body. */
function isAmongNames(other: Difference, names: readonly string[]): boolean {
  const parameter = parameterNameOf(other);
  if (parameter !== undefined) return names.includes(parameter);
  const [, path = ''] = /^response [^,]*, ([^ ]+)/.exec(other.location) ?? [];
  return path !== '' && names.some((name) => isInside(path.split('.'), fromPointerOrNone(name)));
}

function fromPointerOrNone(name: string): readonly string[] {
  return name.startsWith('/') ? fromPointer(name) : [];
}

/** True if a pointer leads to the path, or to a value in it. */
function isInside(path: readonly string[], pointer: readonly string[]): boolean {
  return pointer.length > 0 && path.length > 1 && path.every((key, index) => pointer[index] === key);
}

/** True if an annotation kept its text, but means something else because the schema of its field changed. */
function followsFromSchema(head: Difference, { before, after, text }: Difference): boolean {
  const field = head.location.split(/[.\s[\]]+/).findLast((part) => part !== '') ?? '';
  return before.value !== undefined && JSON.stringify(before.value) === JSON.stringify(after.value) && text.includes(`/${field}\``);
}
