/** The ids of all rules of `verify`, by group, in the order of a run. In code, a rule is referred to by its `RuleId`, so that an unknown id does not compile. */

/** The names of the rules of each group. */
const ruleNames = {
  keys: ['missing', 'unknown', 'expired', 'carriers', 'scopes', 'conditional', 'none-needed'],
  tenancy: ['single', 'lists', 'named', 'cursor'],
  conditional: ['tag', 'unchanged', 'bare', 'changed', 'per-content', 'stable', 'failures'],
  filters: ['sound', 'complete', 'union', 'conjunction', 'values', 'unknown-value', 'partition', 'no-match', 'explored'],
  ranges: ['inclusive', 'one-sided', 'single-day', 'empty', 'inverted', 'impossible', 'own-field'],
  sync: ['inclusive', 'sound', 'offsets', 'within-day', 'fractions', 'later-pages', 'closure', 'malformed', 'future'],
  paging: [
    'limit-size',
    'limit-default',
    'next-cursor',
    'complete',
    'once',
    'ties',
    'page-sizes',
    'limit-bounds',
    'exact-multiple',
    'filters-kept',
    'damaged-cursor',
    'progress',
  ],
  order: ['within', 'across'],
  details: [
    'agree',
    'reachable',
    'same-place',
    'alternatives',
    'absent',
    'identifier',
    'exactly-one',
    'whole-key',
    'encoded',
    'hostile',
    'views',
  ],
  requests: ['malformed', 'parameters', 'identifier', 'head', 'repeated'],
  response: [
    'schema',
    'undeclared',
    'status',
    'no-server-error',
    'headers',
    'content-type',
    'error-envelope',
    'error-code',
    'request-id',
    'no-key',
    'no-credential',
    'write-only',
  ],
  availability: ['retry-after', 'not-ready'],
  pages: ['defaults', 'echo', 'limit-size', 'numbers', 'partition', 'page-sizes', 'beyond', 'total'],
  visible: ['lists', 'count', 'single', 'search'],
  search: ['narrows', 'finds'],
  watch: ['tags', 'changed-at', 'late-arrivals', 'converges'],
} as const;

/** A group of rules. */
export type RuleGroup = keyof typeof ruleNames;

/** The id of a rule: `group/name`. */
export type RuleId = { [Group in RuleGroup]: `${Group}/${(typeof ruleNames)[Group][number]}` }[RuleGroup];

/** The ids of all rules, in the order of a run. */
export const ruleIds: readonly RuleId[] = Object.entries(ruleNames).flatMap(([group, names]) =>
  names.map((name) => `${group}/${name}` as RuleId),
);

const groups = Object.keys(ruleNames) as readonly RuleGroup[];

/** Returns the group of a rule id; `undefined` if there is no such group. */
export function groupOf(id: string): RuleGroup | undefined {
  return groups.find((group) => id.startsWith(`${group}/`));
}
