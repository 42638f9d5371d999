/** The ids and levels of the rules for the clients of a mock or proxy. What breaks a rule is not defined here. */

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
  | 'client/records-complete'
  | 'client/records-current'
  | 'client/records-real'
  | 'client/values-kept'
  | 'client/checkpoint-served'
  | 'client/unfiltered-changes'
  | 'client/offset-given'
  | 'client/offset-encoded'
  | 'client/last-page'
  | 'client/valid-requests'
  | 'client/refusal-repeated'
  | 'client/pause-after-503'
  | 'client/tag-quoted'
  | 'client/tag-owner'
  | 'client/tag-sent'
  | 'client/one-key'
  | 'client/declared-parameters'
  | 'client/read-only'
  | 'client/polling'
  | 'client/pages-finished'
  | 'client/conditional-reads'
  | 'client/page-size'
  | 'client/detail-reads'
  | 'client/clock';

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
  'client/records-complete': 'error',
  'client/records-current': 'error',
  'client/records-real': 'error',
  'client/values-kept': 'error',
  'client/checkpoint-served': 'warning',
  'client/unfiltered-changes': 'warning',
  'client/offset-given': 'warning',
  'client/offset-encoded': 'warning',
  'client/last-page': 'warning',
  'client/valid-requests': 'warning',
  'client/refusal-repeated': 'warning',
  'client/pause-after-503': 'warning',
  'client/tag-quoted': 'warning',
  'client/tag-owner': 'warning',
  'client/tag-sent': 'warning',
  'client/one-key': 'warning',
  'client/declared-parameters': 'warning',
  'client/read-only': 'warning',
  'client/polling': 'warning',
  'client/pages-finished': 'advice',
  'client/conditional-reads': 'advice',
  'client/page-size': 'advice',
  'client/detail-reads': 'advice',
  'client/clock': 'advice',
};

/** The ids of all client rules, in the order of a report. */
export const clientRuleIds: readonly ClientRuleId[] = Object.keys(levels) as readonly ClientRuleId[];

/** Returns the level of a client rule. */
export function clientRuleLevel(rule: ClientRuleId): ClientLevel {
  return levels[rule];
}
