/** What differs between two contracts, as plain values that reports print: each change with its level, its places and its witness. */

import type { Place } from './errors.ts';
import type { Json } from './json.ts';

/**
 * How grave a change is for those who rely on the old contract.
 *
 * - `breaking`: something that the old contract promised no longer holds.
 * - `risky`: nothing that was promised is lost, but clients that relied on more than that, or on a hint, may stumble.
 * - `compatible`: whoever kept to the old contract is served by the new one.
 * - `documentation`: words, not behaviour.
 */
export type Level = 'breaking' | 'risky' | 'compatible' | 'documentation';

/** Every level, the gravest first. */
export const levels: readonly Level[] = ['breaking', 'risky', 'compatible', 'documentation'];

/** Which half of an exchange a change is about; `undefined` for what is about both, such as an operation. */
export type HalfOfExchange = 'request' | 'response';

/**
 * What the search for a witness came to. A change that is no matter of schemas or rules has none.
 *
 * - `witnessed`: there is an exchange that one contract allows and the other refuses, or records that they answer differently; a validator confirmed it.
 * - `proved`: every value that the one side may send is allowed by the other; sound reasoning, not search.
 * - `unwitnessed`: a rule speaks of the change, and no exchange was found that shows it.
 */
export type ChangeVerdict = 'witnessed' | 'proved' | 'unwitnessed';

/** Who is hit by a change: clients that are deployed, code that is generated from the contract, or the server itself. */
export type Affected = 'clients' | 'generated code' | 'server';

/** One side of a change. */
export interface Side {
  /** What stands there; `undefined` where nothing does. */
  readonly value: Json | undefined;
  /** Where it stands, or where the nearest thing around it stands. */
  readonly place: Place;
}

/** An exchange, or a part of one, as far as the witness needs it. */
export interface WitnessExchange {
  readonly request?: {
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Json;
  };
  readonly response?: { readonly status: string; readonly headers: Readonly<Record<string, string>>; readonly body?: Json };
}

/** What shows that a change breaks. */
export interface Witness {
  readonly exchange: WitnessExchange;
  /** JSON Pointer of what is refused, in the body; empty for the body itself and for what is no body. */
  readonly pointer: string;
  /** What is refused. */
  readonly value: Json | undefined;
  /** Which contract refuses it; the other allows it. `undefined` when both answer, and differently. */
  readonly refusedBy: 'old' | 'new' | undefined;
  /** The keyword or the rule that refuses. */
  readonly keyword: string;
  /** Why, in a sentence. */
  readonly message: string;
  /** Where the contract that refuses says so. */
  readonly place: Place | undefined;
  /** For rules: the records that both contracts were asked about, and the keys of those that each answers with. */
  readonly records?: { readonly given: readonly Json[]; readonly before: Json; readonly after: Json };
}

/** One difference between two contracts. */
export interface Change {
  /** Which rule speaks: `location/rule`, such as `response-body/enum-value-added`. Public and stable. */
  readonly id: string;
  /** Twelve hexadecimal digits that stay the same as long as the change does, whatever else moves in the files. */
  readonly fingerprint: string;
  readonly level: Level;
  /** The first operation that it reaches, such as `GET /things/{id}`; `undefined` for what belongs to no operation. */
  readonly operation: string | undefined;
  /** All operations that it reaches, in the order of the file; several for what is shared. */
  readonly operations: readonly string[];
  readonly direction: HalfOfExchange | undefined;
  /** Where in the exchange, in the reader's words: `response 200, items[].state`. Empty for the operation itself. */
  readonly location: string;
  readonly before: Side;
  readonly after: Side;
  /** One sentence: what changed. */
  readonly text: string;
  /** One sentence: who breaks and how, or why nobody does. */
  readonly reason: string;
  readonly affects: readonly Affected[];
  readonly verdict: ChangeVerdict | undefined;
  /** How many valid candidates were tried in vain, where the verdict is `unwitnessed`. */
  readonly tried?: number;
  readonly witness: Witness | undefined;
}

/** A change that somebody accepted, with the reason. */
export interface AcceptedChange {
  readonly change: Change;
  readonly reason: string;
  /** The last day on which it is accepted (`2026-12-31`). */
  readonly expires: string | undefined;
}

/** A step of semantic versioning (semver.org 2.0.0). */
export type Step = 'major' | 'minor' | 'patch' | 'none';

/** What the changes ask of the version, and whether `info.version` took it. */
export interface VersionAdvice {
  readonly suggested: Step;
  readonly from: string;
  readonly to: string;
  /** What was done to `info.version`; `undefined` when one of the two is no version of semver. */
  readonly taken: Step | undefined;
  readonly isEnough: boolean;
}

/** A contract that was compared. */
export interface Compared {
  readonly file: string;
  readonly title: string;
  readonly version: string;
}

/** What came of comparing schemas as wholes, where the rules of keywords said nothing, or not enough. */
export interface SearchedWholes {
  /** How many pairs of schemas were searched, those in requests and in answers apart. */
  readonly schemas: number;
  /** Searches, of one direction each, that found a value which one side allows and the other refuses; each is a change. */
  readonly witnessed: number;
  /** Searches that proved that there is none. */
  readonly proved: number;
  /** Searches that found none, and proved nothing. */
  readonly unwitnessed: number;
  /** How many values the latter tried. */
  readonly tried: number;
  /** What differs and was too large to be searched: bodies such as `GET /things, response 200`, and whole operations. */
  readonly leftOut: readonly string[];
}

/** All differences between two contracts. */
export interface ContractComparison {
  readonly old: Compared;
  readonly new: Compared;
  /** The gravest first; then in the order of the file. */
  readonly changes: readonly Change[];
  readonly accepted: readonly AcceptedChange[];
  /** How many changes, of those not accepted, have each level. */
  readonly count: Readonly<Record<Level, number>>;
  readonly version: VersionAdvice;
  readonly searched: SearchedWholes;
  /** What is worth knowing beside the changes: an acceptance that has expired or fits nothing, what could not be compared. */
  readonly notes: readonly string[];
}
