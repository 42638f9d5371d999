/**
 * Divides the checks of a run into parts that run in parallel. `verify-options.ts` reads `--shard` by it at its start, and `verify.ts` chooses the checks of a
 * shard before a run. Rules that check every reply are in every shard that requests their operation. `merge-shards.ts` joins the results.
 */

import { UsageError } from '../../core/errors.ts';
import { getOrCompute } from '../../core/memo.ts';
import { groupOf, type RuleGroup } from '../../core/results/rule-id.ts';
import type { Shard } from '../../core/results/run-result-and-events.ts';
import type { Check } from './choose-checks.ts';
import { isPassive } from './rules/rule-and-findings.ts';

/** Rules of one group at one operation, which share most of their requests. */
interface CheckGroup {
  readonly checks: readonly Check[];
  readonly weight: number;
}

/** Measured cost of a rule by group, in half requests that it adds to those of other rules. */
const costs: Readonly<Partial<Record<RuleGroup, number>>> = {
  response: 1,
  availability: 1,
  keys: 3,
  conditional: 4,
  ranges: 4,
  sync: 4,
  tenancy: 8,
  order: 8,
};
const usualCost = 6;

/**
 * Reads `2/4`.
 * @throws {UsageError} when it is no shard.
 */
export function readShard(text: string): Shard {
  const [, index = '', of = ''] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  checkShard(shard, text);
  return shard;
}

/**
 * Returns the checks of one shard, in their order. The same checks are always divided in the same way.
 * @throws {UsageError} for a shard that does not exist, or more shards than there are parts.
 */
export function chooseShard(checks: readonly Check[], shard: Shard): readonly Check[] {
  checkShard(shard, `${shard.index}/${shard.of}`);
  const groups = groupChecks(checks);
  if (shard.of > groups.length)
    throw new UsageError(`there are ${shard.of} shards, but the checks have only ${groups.length} parts; use fewer shards`);
  const shardChecks = new Set((divide(groups, shard.of)[shard.index - 1] ?? []).flatMap((group) => group.checks));
  const requested = new Set([...shardChecks].map(({ operation }) => operation.id));
  return checks.filter((check) => shardChecks.has(check) || (isPassive(check.rule.id) && requested.has(check.operation.id)));
}

function checkShard({ index, of }: Shard, text: string): void {
  if (Number.isInteger(index) && Number.isInteger(of) && index >= 1 && index <= of) return;
  throw new UsageError(`${text} is no shard; write which of how many, from 1/4 to 4/4`);
}

/**
 * Groups checks by operation and group of rules, so that neighbours request the same lists. Passive rules are left out if another rule requests the operation.
 */
function groupChecks(checks: readonly Check[]): readonly CheckGroup[] {
  const groups = new Map<string, Check[]>();
  const operations = [...new Set(checks.map(({ operation }) => operation.id))];
  for (const operation of operations) {
    const operationChecks = checks.filter((each) => each.operation.id === operation);
    const active = operationChecks.filter(({ rule }) => !isPassive(rule.id));
    for (const check of active.length > 0 ? active : operationChecks) {
      getOrCompute(groups, `${operation} ${groupOf(check.rule.id)}`, () => []).push(check);
    }
  }
  return [...groups.values()].map((each) => ({ checks: each, weight: each.reduce((sum, check) => sum + costOf(check), 0) }));
}

function costOf({ rule }: Check): number {
  const group = groupOf(rule.id);
  return (group && costs[group]) ?? usualCost;
}

/** Divides groups into `count` consecutive parts with the smallest possible maximum weight. No part is empty. */
function divide(groups: readonly CheckGroup[], count: number): readonly (readonly CheckGroup[])[] {
  const total = groups.reduce((sum, { weight }) => sum + weight, 0);
  let [low, high] = [Math.max(...groups.map(({ weight }) => weight)), total];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fillParts(groups, middle, count).length <= count) high = middle;
    else low = middle + 1;
  }
  return fillParts(groups, low, count);
}

/** Fills parts up to a weight, one after the other. The last groups get parts of their own if there would be too few. */
function fillParts(groups: readonly CheckGroup[], most: number, count: number): readonly (readonly CheckGroup[])[] {
  const parts: CheckGroup[][] = [[]];
  let weight = 0;
  for (const [index, each] of groups.entries()) {
    const last = parts.at(-1) ?? [];
    const isFull = last.length > 0 && (weight + each.weight > most || groups.length - index <= count - parts.length);
    if (isFull) parts.push([each]);
    else last.push(each);
    weight = isFull ? each.weight : weight + each.weight;
  }
  return parts;
}
