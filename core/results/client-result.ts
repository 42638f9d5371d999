/**
 * The report on the clients of a mock or proxy, and the comparison of their records with those of the mock. It shows the state so far: a later request can take
 * a finding back.
 */

import { formatLocation, type SourceLocation } from '../errors.ts';
import type { Json } from '../json.ts';
import type { ClientLevel, ClientRuleId } from './client-rule.ts';

/** A mistake: all requests of one key role that broke a rule in the same way. */
export interface ClientFinding {
  /** The broken rule. */
  readonly rule: ClientRuleId;
  /** Severity of the mistake. */
  readonly level: ClientLevel;
  /** The name of the contract. */
  readonly contract: string;
  /** The id of the operation; `null` for an unknown path. */
  readonly operation: string | null;
  /** The ids of further operations with the same mistake. */
  readonly alsoAt: readonly string[];
  /** Role of the key, such as `full`; `anybody` if the operation needs no key, `stranger` for a missing or wrong key. */
  readonly role: string;
  /** Number of requests that broke the rule. */
  readonly count: number;
  /** The first of these mistakes, in one sentence or two. */
  readonly message: string;
  /** Harm to the client, such as lost records; `null` if nothing is known. */
  readonly consequence: string | null;
  /** How to correct the mistake, in one sentence. */
  readonly advice: string;
  /** Place of the rule in the contract. */
  readonly source: SourceLocation;
  /** Numbers of the journal entries that show the mistake, at most ten. */
  readonly exchanges: readonly number[];
  /** The last request of the first mistake as a curl command; `$KEY` stands for the key. */
  readonly curl: string;
}

/** A rule that no request from the client could break. */
export interface ClientGap {
  /** The rule. */
  readonly rule: ClientRuleId;
  /** The situation that did not occur, in one sentence. */
  readonly reason: string;
}

/** Result for a client: the most severe level among its findings, `clean` without findings, `not-exercised` without requests. */
export type ClientVerdict = ClientLevel | 'clean' | 'not-exercised';

/** The report on a client. */
export interface ClientReport {
  /** Version of the format. */
  readonly schema: 'touchstone-client/1';
  /** The result. */
  readonly verdict: ClientVerdict;
  /** Number of requests that were checked. */
  readonly requests: number;
  /** Mistakes: most severe first, then in the order of the rules. */
  readonly findings: readonly ClientFinding[];
  /** Rules that at least one request could have broken. */
  readonly exercised: readonly ClientRuleId[];
  /** Rules that were not exercised: no request had a chance to break them. */
  readonly notExercised: readonly ClientGap[];
}

/** The records that a client has stored, for a comparison with those of the mock. */
export interface ClientRecords {
  /** The collection, such as `orders`; may be absent if the client reads only one. */
  readonly collection?: string | undefined;
  /** The role of the key; by default, that of the last read of the collection. */
  readonly role?: string | undefined;
  /** The records: objects with the key and any other fields as in the responses, or keys alone. */
  readonly records: readonly Json[];
}

/**
 * Kind of difference.
 *
 * - `missing`: the client does not have a record.
 * - `stale`: it has an older version that a response delivered.
 * - `invented`: it has a record that does not exist, or is not visible.
 * - `ghost`: it has an older version of a record that has left the filter of its reads.
 * - `duplicate`: it has a record more than once.
 * - `wrong-day`: a value is another day.
 * - `altered`: the client changed another value.
 */
export type ClientDifferenceKind = 'missing' | 'stale' | 'invented' | 'ghost' | 'duplicate' | 'wrong-day' | 'altered';

/** A difference between the records of a client and those of the mock. */
export interface ClientDifference {
  /** The kind. */
  readonly kind: ClientDifferenceKind;
  /** The broken rule. */
  readonly rule: ClientRuleId;
  /** Number of records. */
  readonly count: number;
  /** The keys of the first of these records, at most 100. */
  readonly keys: readonly Json[];
  /** The difference, and the requests that caused it. */
  readonly message: string;
  /** Numbers of the journal entries that caused it, at most ten. */
  readonly exchanges: readonly number[];
}

/** The comparison of the records of a client with those of the mock. */
export interface ClientComparison {
  /** Version of the format. */
  readonly schema: 'touchstone-client-comparison/1';
  /** The result. */
  readonly verdict: 'equal' | 'different';
  /** The name of the contract. */
  readonly contract: string;
  /** The name of the collection. */
  readonly collection: string;
  /** The role of the key. */
  readonly role: string;
  /** The time as of which the mock's records were compared: that of the client's last read. */
  readonly instant: string;
  /** `posted` for records that the client sent to the mock, `delivered` for those in the responses that it got. */
  readonly source: 'posted' | 'delivered';
  /** Number of the client's records. */
  readonly stored: number;
  /** Number of the records that the client's reads cover. */
  readonly expected: number;
  /** Number of the expected records that the client has in their newest version, with the right values. */
  readonly correct: number;
  /** Differences, by kind. */
  readonly differences: readonly ClientDifference[];
}

/** Describes a finding in lines: the mistake, its consequence, the correction, and where the contract states the rule. */
export function describeClientFinding({
  rule,
  level,
  count,
  role,
  message,
  consequence,
  advice,
  source,
  exchanges,
}: ClientFinding): readonly string[] {
  const times = count === 1 ? '' : ` (${count} times)`;
  return [
    `${level} ${rule}: ${message}${times}`,
    ...(consequence === null ? [] : [consequence]),
    advice,
    `key ${role}, exchanges ${exchanges.join(', ')}, ${formatLocation(source)}`,
  ];
}
