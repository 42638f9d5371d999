/** The result of `touchstone diff`: changes, witnesses and affected consumers, as the data that every report format prints. */

import type { SourceLocation } from '../errors.ts';
import type { Json } from '../json.ts';

/**
 * Severity of a change, for the data of the API and for clients of the old contract.
 *
 * - `security`: somebody may see or do more than the old contract allowed.
 * - `breaking`: a promise of the old contract no longer holds.
 * - `risky`: no promise is broken, but clients that relied on more than was promised may fail.
 * - `compatible`: clients that kept to the old contract work as before.
 * - `documentation`: only descriptions changed.
 */
export type ChangeLevel = 'security' | 'breaking' | 'risky' | 'compatible' | 'documentation';

/** All levels, most severe first. */
export const changeLevels: readonly ChangeLevel[] = ['security', 'breaking', 'risky', 'compatible', 'documentation'];

/** The part of an exchange that a change affects; `undefined` for changes of the whole operation or file. */
export type HalfOfExchange = 'request' | 'response';

/**
 * Outcome of the search for a witness; `undefined` for changes that concern neither schemas nor annotations.
 *
 * - `witnessed`: an exchange that one contract allows and the other rejects, or a list for which they return different records. A validator confirmed it.
 * - `proved`: one contract allows every value that the other allows. This is a proof, not a search.
 * - `unwitnessed`: a rule reports the change, but the search found no exchange that shows it.
 */
export type ChangeVerdict = 'witnessed' | 'proved' | 'unwitnessed';

/** Parties affected by a change: deployed clients, code generated from the contract, or the server. */
export type AffectedParty = 'clients' | 'generated code' | 'server';

/** The old or the new state of a changed value. */
export interface ChangeSide {
  /** The value; `undefined` if absent. */
  readonly value: Json | undefined;
  /** Place of the value, or of the nearest enclosing value if it is absent. */
  readonly place: SourceLocation;
}

/** An exchange, or the part of one that the witness needs. */
export interface WitnessExchange {
  /** The request, or the part of it that matters. */
  readonly request?: {
    /** The method in capitals. */
    readonly method: string;
    /** Path and query, percent-encoded. */
    readonly target: string;
    /** Request headers by name. */
    readonly headers: Readonly<Record<string, string>>;
    /** The body as JSON; absent if there is none. */
    readonly body?: Json;
    /** Environment variables whose `$NAME` in target and headers stands for a key. */
    readonly variables?: readonly string[];
  };
  /** The response, or the part of it that matters. */
  readonly response?: { readonly status: string; readonly headers: Readonly<Record<string, string>>; readonly body?: Json };
}

/** Response of a mock to the request of a witness. */
export interface WitnessResponse {
  /** The status code. */
  readonly status: number;
  /** The error code in the body; `undefined` if there is none. */
  readonly code: string | undefined;
  /** For a mock that holds the records of the witness: the keys of the records that it returns, or the total that it states. */
  readonly returned?: Json;
}

/** Example that shows a change: an exchange, and which contract rejects it. */
export interface ChangeWitness {
  /** The exchange that shows the change. */
  readonly exchange: WitnessExchange;
  /** The parameter or header with the rejected value, such as `query parameter limit`; absent for bodies. */
  readonly part?: string;
  /** JSON Pointer of the rejected value in that part or in the body; empty for the whole of it. */
  readonly pointer: string;
  /** The rejected value. */
  readonly value: Json | undefined;
  /** The contract that rejects the exchange; the other one allows it. `undefined` if both allow it, but return different records. */
  readonly refusedBy: 'old' | 'new' | undefined;
  /** The JSON Schema keyword or the annotation that rejects the value. */
  readonly keyword: string;
  /** Reason for the rejection, in one sentence. */
  readonly message: string;
  /** Place of that keyword. */
  readonly place: SourceLocation | undefined;
  /** For annotations: the records given to both contracts, and the keys of the records that each one returns. */
  readonly records?: { readonly given: readonly Json[]; readonly before: Json; readonly after: Json };
  /** Responses of a mock of each contract to the request; only `touchstone diff` asks for them. */
  readonly mockResponses?: { readonly old: WitnessResponse; readonly new: WitnessResponse };
}

/** A further difference that follows from a change, such as a removed filter of a removed parameter. It is not counted. */
export interface ChangeConsequence {
  /** Rule that reports the difference. */
  readonly id: string;
  /** Severity of the difference. */
  readonly level: ChangeLevel;
  /** Operations with the difference. */
  readonly operations: readonly string[];
  /** Location in the exchange. */
  readonly location: string;
  /** The difference in one sentence. */
  readonly text: string;
}

/** A consumer with a pact, and the interactions that the new contract breaks although the old one guaranteed them. */
export interface AffectedConsumer {
  /** Name of the consumer. */
  readonly consumer: string;
  /** Number of interactions in its pacts. */
  readonly interactions: number;
  /** Descriptions of the broken interactions, in the order of the pacts. */
  readonly broken: readonly string[];
}

/** One change between two contracts. */
export interface Change {
  /** Rule that reports the change, as `location/rule`: `response-body/enum-value-added`. Public and stable. */
  readonly id: string;
  /** Sixteen hexadecimal digits that identify this change and no other, stable when other parts of the files change. */
  readonly fingerprint: string;
  /** Severity of the change. */
  readonly level: ChangeLevel;
  /** The affected operation with the shortest location, such as `GET /things/{id}`; `undefined` for changes of the whole file. */
  readonly operation: string | undefined;
  /** All affected operations in file order; several for a shared component. */
  readonly operations: readonly string[];
  /** The affected part of the exchange; `undefined` for the whole operation or file. */
  readonly direction: HalfOfExchange | undefined;
  /** Location in the exchange: `response 200, items[].state`. Empty for the operation itself. */
  readonly location: string;
  /** The component that states the changed value, such as `schemas/Email`; absent if an operation or the root of the file states it. */
  readonly component?: string | undefined;
  /** Names of the properties, branches or values that changed in the same way; absent for a single one. */
  readonly members?: readonly string[];
  /** The value in the old contract. */
  readonly before: ChangeSide;
  /** The value in the new contract. */
  readonly after: ChangeSide;
  /** The change in one sentence. */
  readonly text: string;
  /** One sentence on who is affected and how, or why nobody is. */
  readonly reason: string;
  /** Affected parties. */
  readonly affects: readonly AffectedParty[];
  /** Outcome of the search for a witness; `undefined` if nothing was searched. */
  readonly verdict: ChangeVerdict | undefined;
  /** The example that shows the change; `undefined` unless the verdict is `witnessed`. */
  readonly witness: ChangeWitness | undefined;
  /** Further differences with the same cause. The change takes the most severe of its own level and theirs. */
  readonly consequences: readonly ChangeConsequence[];
  /** Known consumers that the change breaks; absent if no pacts were given. */
  readonly consumers?: readonly AffectedConsumer[];
}

/** A change that is accepted in the acceptance file. */
export interface AcceptedChange {
  /** The accepted change. */
  readonly change: Change;
  /** The reason in the acceptance file. */
  readonly reason: string;
  /** Last day of the acceptance (`2026-12-31`). */
  readonly expires: string | undefined;
}

/** The part of a semantic version to increment (semver.org 2.0.0), or the next pre-release. */
export type VersionStep = 'major' | 'minor' | 'patch' | 'pre-release' | 'none';

/** The version bump (major, minor, patch or pre-release) that the changes require, and the one that `info.version` made. */
export interface VersionAdvice {
  /** The version bump that the changes require. */
  readonly suggested: VersionStep;
  /** The version after that bump; `undefined` if the version of the old contract is not a semantic version. */
  readonly next: string | undefined;
  /** The version of the old contract. */
  readonly from: string;
  /** The version of the new contract. */
  readonly to: string;
  /** Bump from the old to the new `info.version`; `undefined` if one of them is not a semantic version. */
  readonly taken: VersionStep | undefined;
  /** True if the bump that was made is at least the suggested one. */
  readonly isEnough: boolean;
}

/** One of the two compared contracts. */
export interface ComparedContract {
  /** Path of the file. */
  readonly file: string;
  /** The title of the API. */
  readonly title: string;
  /** The version of the API. */
  readonly version: string;
}

/** Changed schemas that no rule about keywords decides, and for which a search of the complete schemas gave no result. */
export interface FullSchemaSearches {
  /** Schemas that changed, such as `GET /things, response 200`, without a value that only one version allows and without a proof that none exists. */
  readonly undecided: readonly string[];
  /** Operations that were not searched completely, since the budget of the comparison was used up. */
  readonly leftOut: readonly string[];
}

/** A place in one contract that cannot be read. Whatever is there was not compared, and may have changed. */
export interface NotCompared {
  /** The contract that has it. */
  readonly side: 'old' | 'new';
  /** The place in its file. */
  readonly place: SourceLocation;
  /** The mistake there. */
  readonly message: string;
  /** The operations that it concerns; empty for none, or for the file as a whole. */
  readonly operations: readonly string[];
}

/** All changes between two contracts. */
export interface ContractComparison {
  /** The old contract. */
  readonly old: ComparedContract;
  /** The new contract. */
  readonly new: ComparedContract;
  /** Changes that are not accepted: most severe first, then in file order. */
  readonly changes: readonly Change[];
  /** Accepted changes. */
  readonly accepted: readonly AcceptedChange[];
  /** Number of changes that are not accepted, by level. */
  readonly count: Readonly<Record<ChangeLevel, number>>;
  /** The advice on the version number. */
  readonly version: VersionAdvice;
  /** Schemas for which a search had no result. */
  readonly searched: FullSchemaSearches;
  /** Places that were skipped in one of the contracts, since they cannot be read. */
  readonly notCompared: readonly NotCompared[];
  /** All consumers with a pact, including those that no change breaks; absent if no pacts were given. */
  readonly consumers?: readonly AffectedConsumer[];
  /** Remarks in addition to the changes: expired or unused acceptances, and parts that could not be compared. */
  readonly notes: readonly string[];
}

/** Changes at a level that are not accepted. */
export function unacceptedChanges({ changes, accepted }: ContractComparison, level: ChangeLevel): readonly Change[] {
  const settled = new Set(accepted.map(({ change }) => change));
  return changes.filter((change) => change.level === level && !settled.has(change));
}

/** An entry for the acceptance file that accepts one change. */
export function printAcceptance({ id, fingerprint }: Pick<Change, 'id' | 'fingerprint'>, reason = ''): string {
  return `- { id: ${id}, fingerprint: '${fingerprint}', reason: '${reason.replaceAll("'", "''")}' }`;
}
