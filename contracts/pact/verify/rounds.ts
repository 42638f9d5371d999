/** The rounds of a verification, and what is left of their outcomes. */

import type { Contract } from '../../../core/contract.ts';
import type { RunEvent } from '../../../core/verdict.ts';
import { Lab } from '../../lab.ts';
import { findObstacle } from '../../preflight.ts';
import type { Session } from '../../session.ts';
import { judgeOutcome } from './result.ts';
import { type Item, type Outcome, playRound, type RoundSettings } from './round.ts';

/** What came of all rounds. */
export interface Played {
  readonly outcomes: ReadonlyMap<number, Outcome>;
  /** Why a target could not be judged by a contract. */
  readonly unavailable: ReadonlyMap<Contract, string>;
  /** The interactions that failed at first, and not at the second look. */
  readonly healed: ReadonlySet<number>;
}

type Settings = Omit<RoundSettings, 'labOf' | 'done'>;

/** One round over everything, and one more over what failed: data may move between looking for a fact and asking by it. */
export async function playRounds(items: readonly Item[], settings: Settings, tell: (event: RunEvent) => void): Promise<Played> {
  const labOf = labs(settings.session);
  const unavailable = new Map<Contract, string>();
  for (const contract of new Set(items.map((item) => item.contract))) {
    const obstacle = await findObstacle(labOf(contract));
    if (obstacle !== undefined) unavailable.set(contract, obstacle);
  }
  const open = items.filter(({ contract }) => !unavailable.has(contract));
  const outcomes = new Map(await play('interactions', open, { ...settings, labOf }, tell));
  const failed = open.filter((item) => isFailed(item, outcomes.get(item.number)));
  const again = { ...settings, labOf: labs(settings.session) };
  const second = failed.length === 0 ? new Map<number, Outcome>() : await play('a second look', failed, again, tell);
  const healed = new Set<number>();
  for (const item of failed) {
    const outcome = second.get(item.number);
    // What could not be asked again leaves what was seen before.
    if (outcome?.kind !== 'answered') continue;
    outcomes.set(item.number, outcome);
    if (!isFailed(item, outcome)) healed.add(item.number);
  }
  return { outcomes, unavailable, healed };
}

function play(
  title: string,
  items: readonly Item[],
  settings: Omit<RoundSettings, 'done'>,
  tell: (event: RunEvent) => void,
): Promise<ReadonlyMap<number, Outcome>> {
  let number = 0;
  const done = (): void => {
    number += 1;
    tell({ kind: 'phase', title, done: number, of: items.length });
  };
  tell({ kind: 'phase', title, done: 0, of: items.length });
  return playRound(items, { ...settings, done });
}

/** What was read in one round counts in that round alone. */
function labs(session: Session): (contract: Contract) => Lab {
  return remembering((contract) => new Lab({ contract, session, hidden: [], quick: true, seed: 1 }));
}

function isFailed(item: Item, outcome: Outcome | undefined): boolean {
  return outcome?.kind === 'answered' && judgeOutcome(item, outcome, false, undefined).verdict === 'failed';
}

/** A function that makes each thing once. */
export function remembering<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
