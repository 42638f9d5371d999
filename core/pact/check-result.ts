/** What a check of pacts against contracts came to, without a server: a pure value, for reports and programs. */

import type { Place } from '../errors.ts';
import type { Json } from '../json.ts';

/**
 * How wrong an expectation is. `impossible`: no answer that the contract allows meets it. `not-guaranteed`: some that it allows do not, so the consumer
 * relies on more than it was promised.
 */
export type PactGrade = 'impossible' | 'not-guaranteed';

/** One thing that a pact asks or expects and that its contract does not hold. */
export interface PactFinding {
  /** What was looked at, such as `response/body`; of the second opinion `comparator/` and its own code. */
  readonly id: string;
  readonly grade: PactGrade;
  /** What is wrong and the way out, in one sentence. */
  readonly message: string;
  /** JSON Pointer of it in the pact file. */
  readonly pointer: string;
  readonly place: Place;
  /** Where the contract says otherwise, or where it would say it. */
  readonly clause: Place | undefined;
  /** A body that the contract allows and the pact refuses, and where in it. */
  readonly witness: { readonly value: Json; readonly pointer: string } | undefined;
  /** The open question that leaves it unpromised. */
  readonly question: OpenQuestion | undefined;
}

/** A question that a contract leaves open. */
export interface OpenQuestion {
  readonly id: string;
  readonly question: string;
  readonly source: string;
  readonly place: Place;
}

/** Something that could not be judged; it counts neither for nor against a pact. */
export interface PactRemark {
  readonly message: string;
  readonly pointer: string;
  readonly place: Place;
}

/** One interaction and what was found. */
export interface CheckedInteraction {
  readonly description: string;
  /** The names of its provider states. */
  readonly states: readonly string[];
  /** Its request in short, such as `GET /things`. */
  readonly request: string;
  readonly status: number;
  /** Not yet expected to hold: what is found is told and counts for nothing. */
  readonly isPending: boolean;
  readonly pointer: string;
  readonly place: Place;
  /** The operation of the contract that it is for, when there is one. */
  readonly operation: string | undefined;
  readonly findings: readonly PactFinding[];
  readonly remarks: readonly PactRemark[];
}

/** One pact and what was found. */
export interface CheckedPact {
  readonly file: string;
  readonly consumer: string;
  readonly provider: string;
  readonly contract: { readonly name: string; readonly title: string; readonly version: string; readonly file: string };
  readonly interactions: readonly CheckedInteraction[];
  /** Interactions that are no HTTP exchanges, which nothing is said of. */
  readonly others: readonly { readonly description: string; readonly type: string; readonly place: Place }[];
}

/** What a check came to. */
export interface PactCheck {
  readonly pacts: readonly CheckedPact[];
  /** Files that hold nothing to judge, each with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  readonly count: {
    readonly interactions: number;
    /** Interactions with a finding, but for pending ones. */
    readonly wrong: number;
    readonly impossible: number;
    readonly notGuaranteed: number;
    /** Findings in interactions that are pending, which are none of the others. */
    readonly pending: number;
  };
}
