/** Divides the checks of a run into shards. Rules that only judge the replies to other rules are in every shard that requests their operation. */

import { UsageError } from '../../core/errors.ts';
import { groupOf } from '../../core/results/rule-id.ts';
import type { Shard } from '../../core/results/run-result.ts';
import type { Check } from './choose-checks.ts';
import { isPassive } from './rules/rule.ts';

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
  // Passive rules send nothing, so they make no part where another rule requests their operation.
  const requested = new Set(checks.filter(({ rule }) => !isPassive(rule.id)).map(({ operation }) => operation));
  const divided = checks.filter(({ rule, operation }) => !isPassive(rule.id) || !requested.has(operation));
  const operations = [...new Set(divided.map(({ operation }) => operation))];
  const parts = operations.flatMap((operation) => [...new Set(divided.filter((each) => each.operation === operation).map(partOf))]);
  if (shard.of > parts.length)
    throw new UsageError(`there are ${shard.of} shards, but the checks have only ${parts.length} parts; use fewer shards`);
  const ownParts = new Set(parts.filter((_, index) => Math.floor((index * shard.of) / parts.length) === shard.index - 1));
  const ownOperations = new Set(divided.filter((check) => ownParts.has(partOf(check))).map(({ operation }) => operation));
  return checks.filter((check) => ownParts.has(partOf(check)) || (isPassive(check.rule.id) && ownOperations.has(check.operation)));
}

/** The part of a check: rules of one group at one operation share most of their requests, and neighbours request the same lists. */
function partOf({ rule, operation }: Check): string {
  return `${operation.id} ${groupOf(rule.id)}`;
}

function checkShard({ index, of }: Shard, text: string): void {
  if (Number.isInteger(index) && Number.isInteger(of) && index >= 1 && index <= of) return;
  throw new UsageError(`${text} is no shard; write which of how many, from 1/4 to 4/4`);
}
