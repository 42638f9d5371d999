/** Worlds judged: live, once, to write down their exchanges, and then from what was written down. */

import { basename } from 'node:path';
import type { Clock } from '../../../contracts/clock.ts';
import type { Keyring } from '../../../contracts/keyring.ts';
import { Lab } from '../../../contracts/lab.ts';
import { laws } from '../../../contracts/laws/catalogue.ts';
import { findObstacle } from '../../../contracts/preflight.ts';
import { playRun, type RunSettings } from '../../../contracts/run.ts';
import { Session } from '../../../contracts/session.ts';
import type { Target } from '../../../contracts/target.ts';
import { budgets } from '../../../contracts/verify.ts';
import { type Contract, editContract } from '../../../core/contract.ts';
import type { Edit } from '../../../core/edit.ts';
import type { LawResult } from '../../../core/verdict.ts';
import { type Recording, replayTarget } from './recording.ts';

/** Who is judged, and by what. */
export interface Terms {
  /** The laws that judge; none for all of them. */
  readonly only: readonly string[];
  /** Whether few requests matter more than much evidence. */
  readonly quick: boolean;
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
  /** What the contract says otherwise than the server does. */
  readonly edits: readonly Edit[];
}

/** What a run concluded, as text: the number of its requests, and of each law the verdict and all of its evidence. */
export type Summary = string;

/** Judges by what was written down. */
export function judgeAgain(contract: Contract, terms: Terms, recording: Recording): Promise<Summary> {
  return judge(contract, terms, replayTarget(terms.url, recording));
}

/**
 * Judges a target as `verify` does, without what takes time there and tells nothing about the laws: keys and personal fields are not looked for in the
 * evidence, and open questions are not observed.
 */
export async function judge(original: Contract, terms: Terms, target: Target): Promise<Summary> {
  const contract = withEdits(original, terms.edits);
  const settings = settingsFor(contract, terms, target);
  const { session } = settings;
  const lab = new Lab(settings);
  const obstacle = await findObstacle(lab);
  if (obstacle !== undefined) return JSON.stringify([session.requests, obstacle]);
  // A part is kept for looking again at what was contradicted, as `verify` does.
  session.reserve(Math.floor(session.left * 0.35));
  const { results } = await playRun(settings, lab, subjectsOf(contract, terms));
  return JSON.stringify([session.requests, ...results.map(summarise)]);
}

/** Contracts that were edited, by their original and what was edited. */
const edited = new WeakMap<Contract, Map<string, Contract>>();

function withEdits(contract: Contract, edits: readonly Edit[]): Contract {
  if (edits.length === 0) return contract;
  const known = edited.get(contract) ?? new Map<string, Contract>();
  edited.set(contract, known);
  const key = JSON.stringify(edits);
  const made = known.get(key) ?? editContract(contract, edits);
  known.set(key, made);
  return made;
}

function settingsFor(contract: Contract, { quick, url, keys, hidden }: Terms, target: Target): RunSettings {
  const tell = (): void => undefined;
  const budget = quick ? budgets.quick : budgets.full;
  const interrupted = new Promise<void>(() => undefined);
  const session = new Session({ target, keys: toKeyring(keys), budget, rate: undefined, clock: stillClock(), tell, interrupted });
  const printing: RunSettings['printing'] = {
    clean: (text) => text,
    mask: (exchange) => exchange,
    maskRecord: (_, record) => record,
    url,
    names: [],
    headers: [],
  };
  return { contract, session, hidden, quick, seed: 1, again: undefined, printing, tell };
}

function toKeyring(keys: Readonly<Record<string, string>>): Keyring {
  return new Map(
    Object.entries(keys).map(([role, value]) => [role, { variable: `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`, value }]),
  );
}

/** Laws that do not judge are not even asked what they are about: what a mutant changes in one is met by the worlds of that law alone. */
function subjectsOf(contract: Contract, { only }: Terms): Parameters<typeof playRun>[2] {
  return laws
    .filter(({ id }) => only.length === 0 || only.includes(id))
    .flatMap((law) =>
      contract.operations
        .filter((operation) => operation.method === 'GET' && law.clause(operation, contract) !== undefined)
        .map((operation) => ({ law, operation })),
    );
}

function summarise({ counterexample, title: _title, source: _source, ...result }: LawResult): unknown {
  if (counterexample === undefined) return result;
  const { exchanges, expected, actual, records, clause } = counterexample;
  const place = [basename(clause.file), clause.line, clause.column];
  return { ...result, exchanges: exchanges.map(({ request, response }) => [request, response.status]), expected, actual, records, place };
}

/** A clock that only goes on while somebody sleeps. */
function stillClock(): Clock {
  let now = 0;
  return {
    nowMs: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  };
}
