/**
 * The catalogue of all rules. `choose-checks.ts` reads it before a run, `merge-shards.ts` to sort joined checks, and `touchstone rules` and `explain` list it.
 * The order is that of `ruleIds`; the rules of `watch` are in `watch-rules.ts`.
 */

import { ruleIds } from '../../../core/results/rule-id.ts';
import { availabilityRules } from './availability-rules.ts';
import { conditionalRules } from './conditional-rules.ts';
import { cursorPageRules } from './cursor-page-rules.ts';
import { cursorSequenceRules } from './cursor-sequence-rules.ts';
import { detailRules } from './detail-rules.ts';
import { filterRules } from './filter-rules.ts';
import { identifierLookupRules } from './identifier-lookup-rules.ts';
import { keyRules } from './key-rules.ts';
import { malformedValueRules } from './malformed-value-rules.ts';
import { numberedPageRules } from './numbered-page-rules.ts';
import { numberedSequenceRules } from './numbered-sequence-rules.ts';
import { orderRules } from './order-rules.ts';
import { rangeRules } from './range-rules.ts';
import { responseRules } from './response-rules.ts';
import type { Rule } from './rule.ts';
import { searchRules } from './search-rules.ts';
import { syncRules } from './sync-rules.ts';
import { tenancyRules } from './tenancy-rules.ts';
import { visibilityRules } from './visibility-rules.ts';

const rulesByGroup: readonly Rule[] = [
  keyRules,
  tenancyRules,
  conditionalRules,
  filterRules,
  rangeRules,
  syncRules,
  cursorPageRules,
  cursorSequenceRules,
  orderRules,
  detailRules,
  identifierLookupRules,
  malformedValueRules,
  responseRules,
  availabilityRules,
  numberedPageRules,
  numberedSequenceRules,
  visibilityRules,
  searchRules,
].flat();

/** The rules, in the order of a run. */
export const rules: readonly Rule[] = rulesByGroup.toSorted((left, right) => ruleIds.indexOf(left.id) - ruleIds.indexOf(right.id));
