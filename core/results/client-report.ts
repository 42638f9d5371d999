/** Types of the report on a client of the mock: its mistakes, and the rules that its requests exercised. Built by mocks/client/, printed by reports/. */

import { formatLocation, type SourceLocation } from '../errors.ts';

/**
 * Severity of a client's mistake.
 *
 * - `error`: the contract forbids it, or records are lost.
 * - `warning`: it works against the mock, but probably not against every server of this contract.
 * - `advice`: it is allowed, but costs more than necessary.
 */
export type ClientLevel = 'error' | 'warning' | 'advice';

/** All levels, most severe first. */
export const clientLevels: readonly ClientLevel[] = ['error', 'warning', 'advice'];

/** The id of a client rule. */
export type ClientRuleId =
  | 'client/checkpoint-after-last-page'
  | 'client/filters-kept'
  | 'client/cursor-given'
  | 'client/cursor-owner'
  | 'client/retry-after'
  | 'client/key-in-header'
  | 'client/key-on-server'
  | 'client/parameter-rules'
  | 'client/checkpoint-served'
  | 'client/offset-given'
  | 'client/offset-encoded'
  | 'client/last-page'
  | 'client/refusal-repeated'
  | 'client/pause-after-503'
  | 'client/tag-quoted'
  | 'client/tag-owner'
  | 'client/tag-sent'
  | 'client/one-key'
  | 'client/declared-parameters'
  | 'client/polling'
  | 'client/pages-finished'
  | 'client/conditional-reads'
  | 'client/page-size'
  | 'client/detail-reads';

/** The levels of the rules, in the order of a report. */
const levels: Readonly<Record<ClientRuleId, ClientLevel>> = {
  'client/checkpoint-after-last-page': 'error',
  'client/filters-kept': 'error',
  'client/cursor-given': 'error',
  'client/cursor-owner': 'error',
  'client/retry-after': 'error',
  'client/key-in-header': 'error',
  'client/key-on-server': 'error',
  'client/parameter-rules': 'error',
  'client/checkpoint-served': 'warning',
  'client/offset-given': 'warning',
  'client/offset-encoded': 'warning',
  'client/last-page': 'warning',
  'client/refusal-repeated': 'warning',
  'client/pause-after-503': 'warning',
  'client/tag-quoted': 'warning',
  'client/tag-owner': 'warning',
  'client/tag-sent': 'warning',
  'client/one-key': 'warning',
  'client/declared-parameters': 'warning',
  'client/polling': 'warning',
  'client/pages-finished': 'advice',
  'client/conditional-reads': 'advice',
  'client/page-size': 'advice',
  'client/detail-reads': 'advice',
};

/** The ids of all client rules, in the order of a report. */
export const clientRuleIds: readonly ClientRuleId[] = Object.keys(levels) as readonly ClientRuleId[];

/** Returns the level of a client rule. */
export function clientRuleLevel(rule: ClientRuleId): ClientLevel {
  return levels[rule];
}

/** A broken rule: all requests of one key role at one operation that broke it. */
export interface ClientFinding {
  /** The broken rule. */
  readonly rule: ClientRuleId;
  /** Severity of the mistake. */
  readonly level: ClientLevel;
  /** The name of the contract. */
  readonly contract: string;
  /** The id of the operation; `null` for an unknown path. */
  readonly operation: string | null;
  /** Role of the key, such as `full`; `anybody` if the operation needs no key, `stranger` for a missing or wrong key. */
  readonly role: string;
  /** Number of requests that broke the rule. */
  readonly count: number;
  /** The first of these mistakes, in one sentence or two. */
  readonly message: string;
  /** Loss of the client, such as records; `null` if none is known. */
  readonly consequence: string | null;
  /** Correction, in one sentence. */
  readonly advice: string;
  /** Place of the rule in the contract. */
  readonly source: SourceLocation;
  /** Numbers of the journal entries that show the mistake, at most ten. */
  readonly exchanges: readonly number[];
  /** The last request of the first mistake as a curl command; `$KEY` stands for the key. */
  readonly curl: string;
}

/** A rule that no request of the client could break. */
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
  /** Number of requests that were judged. */
  readonly requests: number;
  /** Mistakes: most severe first, then in the order of the rules. */
  readonly findings: readonly ClientFinding[];
  /** Rules that at least one request could have broken. */
  readonly exercised: readonly ClientRuleId[];
  /** Rules that no request could break. */
  readonly notExercised: readonly ClientGap[];
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
