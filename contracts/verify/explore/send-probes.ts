/**
 * After the rules have sent their own requests, sends the drawn ones, and makes a wrong selection smaller. Judges nothing but whether a selection is still
 * wrong.
 */

import fc from 'fast-check';
import { printJson } from '../../../core/json.ts';
import { isList } from '../../../core/openapi/list-operation.ts';
import { Blocked } from '../evidence/blocked-operations.ts';
import { type Call, Unwritable } from '../evidence/call.ts';
import { foreignTag, usableTag, withTag } from '../evidence/entity-tag.ts';
import { isAsPredicted } from '../evidence/pagination/compare-with-snapshot.ts';
import type { Pagination, PaginationPlan } from '../evidence/pagination/pagination.ts';
import { BudgetSpent } from '../evidence/request-session.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { type Probe, probeOf, walkArbitrary } from './draw-probes.ts';

/** Sends probes while requests are left for them. */
export async function sendProbes(context: RoundContext, probes: readonly Probe[], mayAsk: () => boolean): Promise<void> {
  for (const probe of probes) if (mayAsk()) await unlessBlocked(() => sendProbe(context, probe));
}

/** An operation that stops answering ends nothing but its own requests. */
export async function unlessBlocked(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Blocked || error instanceof Unwritable || error instanceof BudgetSpent)) throw error;
  }
}

async function sendProbe(context: RoundContext, probe: Probe): Promise<void> {
  if (probe.kind === 'walk') await context.pagination(probe.plan);
  else if (probe.kind === 'together') await Promise.all(probe.calls.map((call) => context.askAgain(call)));
  else if (probe.kind === 'conditional') await askWithTags(context, probe.call);
  else for (const call of probe.calls) await context.ask(call);
}

async function askWithTags(context: RoundContext, call: Call): Promise<void> {
  const tag = usableTag(await context.ask(call));
  if (tag !== undefined) for (const each of [tag, foreignTag]) await context.ask(withTag(call, each));
}

/** Maximum number of smaller walks that are read. */
const maxSmaller = 12;

/** Reads smaller walks than one that the snapshot does not predict, as long as they are as wrong. */
export async function shrinkWalk(context: RoundContext, { operation, values, limit = 0, as = 'full' }: PaginationPlan): Promise<void> {
  const snapshot = isList(operation) && as === 'full' ? context.takenSnapshot(operation, as) : undefined;
  if (snapshot === undefined || !snapshot.isComplete || operation.collection.page.style !== 'cursor') return;
  let left = maxSmaller;
  const property = fc.asyncProperty(walkArbitrary(context, snapshot), async (walk) => {
    const probe = probeOf(snapshot, walk);
    if (probe?.kind !== 'walk' || left === 0) return;
    left -= 1;
    const pagination = await context.pagination(probe.plan);
    if (isWrong(pagination) || !isAsPredicted(snapshot, pagination)) throw new Error('wrong');
  });
  await fc.check(property, { examples: [[{ values, limit, page: 0 }]], numRuns: 1 });
}

/** True for a walk that is wrong whatever the list holds. */
function isWrong({ end, records }: Pagination): boolean {
  return end === 'broken' || end === 'stuck' || new Set(records.map((record) => printJson(record))).size < records.length;
}
