/**
 * Before consequences are folded, makes one finding of those that read the same: the same edit at several members of a value, or at several operations that
 * each state it.
 */

import { printJson } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { EditedSide } from './component-places.ts';
import { listNames } from './describe-value-change.ts';
import { digestOf, statedAt } from './difference.ts';
import { type ExchangePlace, printPlace } from './exchange-place.ts';
import type { Finding } from './fold-consequences.ts';

/** Folds findings, in the order of the first one of each. */
export function foldSiblings(findings: readonly Finding[]): readonly Finding[] {
  return foldBy(foldBy(findings, memberKeyOf, joinMembers), operationKeyOf, joined);
}

function foldBy(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string | undefined,
  join: (findings: readonly Finding[], first: Finding) => Finding,
): readonly Finding[] {
  const groups = new Map<unknown, Finding[]>();
  for (const finding of findings) getOrCompute(groups, keyOf(finding) ?? finding, () => []).push(finding);
  return [...groups.values()].flatMap((group) => {
    const [first, second] = group;
    return first === undefined || second === undefined ? group : [join(group, first)];
  });
}

/** Equal for edits of one kind at the members of one value. */
function memberKeyOf({ level, shown }: Finding): string | undefined {
  const { id, direction, reason, member, operation } = shown;
  if (member === undefined) return undefined;
  const group = member.group ?? [operation, printPlace(holderOf(shown))];
  return printJson([id, level, direction, reason, group, member.sentence('', false)]);
}

/** The place of the value whose members several edits are about. */
function holderOf({ at, member }: Pick<Finding['shown'], 'at' | 'member'>): ExchangePlace {
  return member?.isAtValue === true ? at : { ...at, path: at.path?.slice(0, -1) ?? [] };
}

function joinMembers(findings: readonly Finding[], first: Finding): Finding {
  const { shown } = first;
  const listed = [...new Set(findings.map((finding) => finding.shown.member?.shown ?? ''))];
  if (listed.length < 2) return joined(findings, first);
  const members = [...new Set(findings.map((finding) => finding.shown.member?.name ?? ''))];
  const text = shown.member?.sentence(listNames(listed, 'and'), true) ?? shown.text;
  const [before, after] = (['before', 'after'] as const).map((side) => joinSides(findings, shown, side)) as [EditedSide, EditedSide];
  return { ...joined(findings, first), members, shown: { ...shown, before, after, at: holderOf(shown), text } };
}

/** The value of each member on one side, by its name; a single value if several values changed alike. */
function joinSides(findings: readonly Finding[], shown: Finding['shown'], side: 'before' | 'after'): EditedSide {
  const sides = findings.map((finding) => ({ name: finding.shown.member?.name ?? '', ...finding.shown[side] }));
  const [first] = sides;
  const isStated = sides.some(({ value }) => value !== undefined);
  const isSamePlace = sides.every(({ place }) => place.line === first?.place.line && place.column === first.place.column);
  const isShared = (isSamePlace || shown.member?.isAtValue !== true) && new Set(sides.map(({ value }) => digestOf(value))).size < 2;
  if (first === undefined || !isStated || isShared) return shown[side];
  return {
    place: first.place,
    value: Object.fromEntries(sides.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
  };
}

/** Equal for an edit that each of several operations states for itself. Of those that may break clients, the values must be equal too. */
function operationKeyOf({ level, shown }: Finding): string | undefined {
  const { id, direction, reason, text, at, before, after, operation } = shown;
  if (operation === undefined || statedAt(shown).component !== undefined) return undefined;
  const values = level === 'compatible' || level === 'documentation' ? [] : [digestOf(before.value), digestOf(after.value)];
  return printJson([id, level, direction, reason, text, printPlace(at), ...values]);
}

function joined(findings: readonly Finding[], first: Finding): Finding {
  return {
    ...first,
    differences: findings.flatMap(({ differences }) => differences),
    operations: [...new Set(findings.flatMap(({ operations }) => operations))],
  };
}
