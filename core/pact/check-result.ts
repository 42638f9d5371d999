/** The result of `checkPacts`: plain data for reports and programs. */

import type { SourceLocation } from '../errors.ts';
import type { Json } from '../json.ts';

/** `impossible`: no answer that the contract allows meets the expectation. `not-guaranteed`: some allowed answers do not meet it. */
export type PactGrade = 'impossible' | 'not-guaranteed';

/** One request or expectation that does not fit the contract. */
export interface PactFinding {
  /** The check, such as `response/body`; for findings of PactFlow's comparator `comparator/` and its code. */
  readonly id: string;
  /** Severity of the finding. */
  readonly grade: PactGrade;
  /** The problem and the advice, in one sentence. */
  readonly message: string;
  /** JSON Pointer in the pact file. */
  readonly pointer: string;
  /** Place in the pact file. */
  readonly place: SourceLocation;
  /** The line of the contract. */
  readonly clause: SourceLocation | undefined;
  /** A body that the contract allows and the pact rejects, and the failing pointer in it. */
  readonly witness: { readonly value: Json; readonly pointer: string } | undefined;
  /** The unspecified point of the contract that the finding rests on. */
  readonly question: OpenQuestion | undefined;
}

/** A point that a contract leaves unspecified. */
export interface OpenQuestion {
  /** The id of the question in the contract. */
  readonly id: string;
  /** The question as a sentence. */
  readonly question: string;
  /** The section of the API document that leaves it open. */
  readonly source: string;
  /** Place of the question in the contract. */
  readonly place: SourceLocation;
}

/** A part of a pact that could not be checked; it is no finding. */
export interface PactRemark {
  /** The unchecked part and the reason, in one sentence. */
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
  /** Findings of pending interactions are reported, but not counted. */
  readonly isPending: boolean;
  /** JSON Pointer in the pact file. */
  readonly pointer: string;
  /** Place in the pact file. */
  readonly place: SourceLocation;
  /** Id of the operation; `undefined` if the contract has none for the request. */
  readonly operation: string | undefined;
  /** Findings in the order of the file; empty if the interaction fits the contract. */
  readonly findings: readonly PactFinding[];
  /** Parts that could not be checked. */
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
  /** The contract of the provider. */
  readonly contract: { readonly name: string; readonly title: string; readonly version: string; readonly file: string };
  /** HTTP interactions in the order of the file. */
  readonly interactions: readonly CheckedInteraction[];
  /** Interactions that are not HTTP, such as messages. They are not checked. */
  readonly others: readonly { readonly description: string; readonly type: string; readonly place: SourceLocation }[];
}

/** The result of a check. */
export interface PactCheck {
  /** Checked pacts. */
  readonly pacts: readonly CheckedPact[];
  /** Files that were not checked, each with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** Totals over all pacts. */
  readonly count: {
    /** Checked interactions, pending ones included. */
    readonly interactions: number;
    /** Interactions with findings, without pending ones. */
    readonly wrong: number;
    /** Findings of the grade `impossible`, without pending interactions. */
    readonly impossible: number;
    /** Findings of the grade `not-guaranteed`, without pending interactions. */
    readonly notGuaranteed: number;
    /** Findings in pending interactions, which no other number includes. */
    readonly pending: number;
  };
}
