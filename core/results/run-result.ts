/** What a run of the checks concludes: verdicts, evidence and counterexamples, as plain values that reports print. */

import type { SourceLocation } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Json } from '../json.ts';

/**
 * The verdict on one check at one operation.
 *
 * - `holds`: what was seen agrees with the check, and at least one observation could have killed a mutant reading of it.
 * - `violated`: a counterexample was seen, and seen again.
 * - `not-exercised`: the data lacked what would show it; the message names it.
 * - `not-testable`: a key or a setting was lacking; the message names it.
 * - `inconclusive`: the data moved; the message says what moved.
 * - `blocked`: the operation was not available (503, too many requests, unreachable).
 */
export type Verdict = 'holds' | 'violated' | 'not-exercised' | 'not-testable' | 'inconclusive' | 'blocked';

/** Every verdict, the gravest first. */
export const verdicts: readonly Verdict[] = ['violated', 'blocked', 'inconclusive', 'not-testable', 'not-exercised', 'holds'];

/** Why a check binds: the API's documents state it, an RFC requires it, or it follows from what is stated. */
export type Strength = 'stated' | 'required' | 'implied';

/** A mutant reading of a check: how a server behaves that gets it wrong in one way. */
export interface Mutant {
  readonly id: string;
  /** A clause that stands after "it behaves as if". */
  readonly title: string;
}

/** A mutant that nothing in the run could tell from the truth. */
export interface OpenMutant extends Mutant {
  /** What the data lacks: `two records of the same day`. */
  readonly missing: string;
}

/** The fewest requests that show a violation. Keys stand as `$NAME`, personal fields are hidden unless they were asked for. */
export interface Counterexample {
  readonly exchanges: readonly Exchange[];
  readonly expected: string;
  readonly actual: string;
  /** The records that it is about. */
  readonly records: readonly Json[];
  /** Where the contract states what is violated. */
  readonly clause: SourceLocation;
  /** The same requests as command lines that run as printed, with the keys as variables of the environment. */
  readonly curl: readonly string[];
}

/** Why a violation is known and fails nothing for the time being. */
export interface Waiver {
  readonly reason: string;
  /** The last day on which it holds, as `YYYY-MM-DD`. */
  readonly expires?: string;
}

/** One thing that is wrong. */
export interface CheckViolation {
  /** A name that stays from run to run, whatever the data is: a hash of the check, the operation and what exactly is wrong. Waivers know it by that. */
  readonly fingerprint: string;
  /** What was expected, and what came, as one sentence. */
  readonly message: string;
  /** The mutant that explains everything that was seen of it. */
  readonly diagnosis?: string;
  readonly counterexample: Counterexample;
  /** Present when it is waived. */
  readonly waiver?: Waiver;
}

/** What became of one check at one operation. A violated one is told by the gravest of what is wrong. */
export interface CheckResult extends Partial<CheckViolation> {
  /** `group/name`. */
  readonly rule: string;
  /** The operation's identifier in the contract. */
  readonly operation: string;
  readonly title: string;
  /** The clause that the check comes from: a section of an RFC, or a place of the contract. */
  readonly source: string;
  readonly strength: Strength;
  readonly verdict: Verdict;
  /** How many observations agreed with it. */
  readonly instances: number;
  /** The mutants that some observation contradicted. */
  readonly killed: readonly Mutant[];
  readonly alive: readonly OpenMutant[];
  /** One sentence; empty for a check that holds. */
  readonly message: string;
  /** Present when everything that is wrong is waived. */
  readonly waiver?: Waiver;
  /** What else is wrong, when several things are. */
  readonly further?: readonly CheckViolation[];
  /** Present when a mistake of Touchstone ended the check, which is then `blocked`: the run ends with 3 at least. */
  readonly failed?: true;
}

/** What was seen of an open question. It never fails a run. */
export interface Observation {
  /** The question's identifier in the contract. */
  readonly id: string;
  readonly question: string;
  /** The section of the API's documents that leaves it open. */
  readonly source: string;
  /** The choices that nothing contradicted, if something contradicted the others; empty when the question stays open. */
  readonly answers: readonly string[];
  /** What was seen, or what would have to be seen. */
  readonly evidence: string;
}

/** Which part of a run that was parted: the first of four is `{ index: 1, of: 4 }`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The result of a run. */
export interface RunResult {
  /** The gravest verdict that decides the exit code. */
  readonly verdict: Verdict;
  /** 0 nothing found, 1 violations, 3 the target could not be judged, 4 too little evidence, 130 interrupted. */
  readonly exitCode: 0 | 1 | 3 | 4 | 130;
  /** Name, title and version of the contract. */
  readonly contract: { readonly name: string; readonly title: string; readonly version: string };
  readonly target: string;
  /** How many requests were sent, and how many could have been. */
  readonly requests: number;
  readonly budget: number;
  readonly durationMs: number;
  readonly seed: number;
  /** One paragraph on why the target could not be judged, when it could not. */
  readonly unavailable?: string;
  /** What ended the run before everything was looked at: the user, the target that was gone in the middle, or the ceiling of requests. */
  readonly cutShort?: 'interrupted' | 'lost' | 'budget';
  /** Which part of the whole this is, when it is not the whole. */
  readonly shard?: Shard;
  readonly checks: readonly CheckResult[];
  readonly observations: readonly Observation[];
  /** What else a reader should know, a sentence each: a waiver that has expired or is of no use, a verdict that was required and is lacking. */
  readonly notes?: readonly string[];
}

/** What happens during a run, in the order that it happens. */
export type RunEvent =
  | { readonly kind: 'started'; readonly target: string; readonly budget: number; readonly checks: number }
  | {
      readonly kind: 'request';
      readonly number: number;
      readonly method: string;
      readonly target: string;
      readonly status: number | undefined;
    }
  | { readonly kind: 'waiting'; readonly seconds: number; readonly because: string }
  | { readonly kind: 'phase'; readonly title: string; readonly done: number; readonly of: number }
  | { readonly kind: 'check'; readonly result: CheckResult }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'finished'; readonly result: RunResult };
