/** The result of `pact check`, which compares pacts with contracts. Nothing is sent, so it contains no responses. */

import type { SourceLocation } from '../errors.ts';
import type { Json } from '../json.ts';
import type { UnrecognisedState } from '../pact/interpret-state.ts';
import type { Waiver } from './run-result.ts';

/**
 * Certainty that an expectation of a pact fails.
 *
 * - `impossible`: no response that the contract allows meets it.
 * - `not-guaranteed`: some responses that the contract allows do not meet it.
 */
export type PactGrade = 'impossible' | 'not-guaranteed';

/** One request or expectation of a pact that does not fit the contract. */
export interface PactFinding {
  /** The kind of finding, such as `response/body`. */
  readonly id: string;
  /** A short name that stays the same between runs: `1c9a07-e3b0c4`. Its first half stands for the interaction. */
  readonly fingerprint: string;
  /** The certainty of the failure. */
  readonly grade: PactGrade;
  /** The problem and the advice, in one sentence. */
  readonly message: string;
  /** JSON Pointer in the pact file. */
  readonly pointer: string;
  /** Place in the pact file. */
  readonly place: SourceLocation;
  /** Place in the contract that contradicts the pact; `undefined` if there is none. */
  readonly clause: SourceLocation | undefined;
  /** Example of a body that the contract allows and the pact rejects, and the JSON Pointer of the rejected value. */
  readonly witness: { readonly value: Json; readonly pointer: string } | undefined;
  /** The open question that the finding depends on; `undefined` if it depends on none. */
  readonly question: OpenQuestion | undefined;
  /** The earlier contract, if it guaranteed the expectation: the change to the contract breaks the consumer. */
  readonly promised?: { readonly version: string; readonly file: string };
  /** The waiver; absent if the finding is not waived. */
  readonly waiver?: Waiver;
}

/** A fact that a contract leaves open (`x-unspecified`). */
export interface OpenQuestion {
  /** The id of the question in the contract. */
  readonly id: string;
  /** The question as a sentence. */
  readonly question: string;
  /** The section of the API documentation that leaves it open. */
  readonly source: string;
  /** Place of the question in the contract. */
  readonly place: SourceLocation;
}

/** A note. It is not a finding and does not count as a failure. */
export interface PactRemark {
  /** `not-compared`: an expectation that was not compared, or only in part. `open-question`: the contract leaves open what was assumed. */
  readonly kind: 'not-compared' | 'open-question';
  /** The part of the response, such as `$.id` or `the header ETag`. */
  readonly subject: string;
  /** The part and the reason, in one sentence. */
  readonly message: string;
  /** JSON Pointer in the pact file. */
  readonly pointer: string;
  /** Place in the pact file. */
  readonly place: SourceLocation;
}

/** One interaction with its findings. */
export interface CheckedInteraction {
  /** The description in the pact. */
  readonly description: string;
  /** Names of the provider states. */
  readonly states: readonly string[];
  /** Method and path, such as `GET /things`. */
  readonly request: string;
  /** The expected status. */
  readonly status: number;
  /** True for a pending interaction. Its findings are reported, but only `count.pending` counts them. */
  readonly pending: boolean;
  /** JSON Pointer in the pact file. */
  readonly pointer: string;
  /** Place in the pact file. */
  readonly place: SourceLocation;
  /** Id of the operation; `undefined` if the contract has none for the request. */
  readonly operation: string | undefined;
  /** Number of expectations: the request, the status, each header, each value of the body. */
  readonly expectations: number;
  /** Findings in the order of the file; empty if the interaction fits the contract. */
  readonly findings: readonly PactFinding[];
  /** Expectations that were not compared, and open questions. */
  readonly remarks: readonly PactRemark[];
}

/** One pact with its interactions. */
export interface CheckedPact {
  /** Path of the pact file. */
  readonly file: string;
  /** Name of the consumer. */
  readonly consumer: string;
  /** Name of the provider. */
  readonly provider: string;
  /** The provider's contract. */
  readonly contract: { readonly name: string; readonly title: string; readonly version: string; readonly file: string };
  /** HTTP interactions in the order of the file. */
  readonly interactions: readonly CheckedInteraction[];
  /** Interactions that are not HTTP, such as messages. They are not checked. */
  readonly others: readonly { readonly description: string; readonly type: string; readonly place: SourceLocation }[];
}

/** The result of `checkPacts`. */
export interface PactCheck {
  /** Checked pacts. */
  readonly pacts: readonly CheckedPact[];
  /** Provider states with a guessed or an unknown meaning. */
  readonly states: readonly UnrecognisedState[];
  /** Files that were not checked, each with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** Expired and unused waivers, a sentence each. */
  readonly notes: readonly string[];
  /** Expectations over all pacts: for each interaction the request, the status, each header and each value of the body. */
  readonly expectations: {
    /** Number of expectations. */
    readonly total: number;
    /** Number of expectations that the contract guarantees. */
    readonly guaranteed: number;
    /** Number of expectations that were not compared, or not completely, each with a remark. */
    readonly notCompared: number;
  };
  /** Totals over all pacts. */
  readonly count: {
    /** Number of checked interactions, including pending ones. */
    readonly interactions: number;
    /** Number of interactions with findings that are not waived, without pending ones. */
    readonly wrong: number;
    /** Number of findings graded `impossible`, without pending interactions and waived findings. */
    readonly impossible: number;
    /** Number of findings graded `not-guaranteed`, without pending interactions and waived findings. */
    readonly notGuaranteed: number;
    /** Number of findings in pending interactions. */
    readonly pending: number;
    /** Number of waived findings, without pending interactions. */
    readonly waived: number;
  };
}
