/** All rules of a single run. The rules of a watch are not among them. */

import { ruleIds } from '../../../core/results/rule-id.ts';
import { apiKeyRules } from './api-key-rules.ts';
import { checkpointRules } from './checkpoint-rules.ts';
import { conditionalRequestRules } from './conditional-request-rules.ts';
import { cursorAllPagesRules } from './cursor-all-pages-rules.ts';
import { cursorSinglePageRules } from './cursor-single-page-rules.ts';
import { entityTagRules } from './entity-tag-rules.ts';
import { filterRules } from './filter-rules.ts';
import { hiddenRecordRules } from './hidden-record-rules.ts';
import { identifierLookupRules } from './identifier-lookup-rules.ts';
import { malformedParameterRules } from './malformed-parameter-rules.ts';
import { numberedAllPagesRules } from './numbered-all-pages-rules.ts';
import { numberedSinglePageRules } from './numbered-single-page-rules.ts';
import { plainOperationRules } from './plain-operation-rules.ts';
import { rangeFilterRules } from './range-filter-rules.ts';
import { readAgainRules } from './read-again-rules.ts';
import { responseRules } from './response-rules.ts';
import type { Rule } from './rule.ts';
import { searchRules } from './search-rules.ts';
import { secretRules } from './secret-rules.ts';
import { singleReadRules } from './single-read-rules.ts';
import { sortOrderRules } from './sort-order-rules.ts';
import { tenancyIdentifierRules } from './tenancy-reference-rules.ts';
import { tenancyRules } from './tenancy-rules.ts';

const rulesByGroup: readonly Rule[] = [
  apiKeyRules,
  tenancyRules,
  tenancyIdentifierRules,
  conditionalRequestRules,
  entityTagRules,
  filterRules,
  rangeFilterRules,
  checkpointRules,
  cursorSinglePageRules,
  cursorAllPagesRules,
  sortOrderRules,
  singleReadRules,
  identifierLookupRules,
  malformedParameterRules,
  plainOperationRules,
  readAgainRules,
  responseRules,
  secretRules,
  numberedSinglePageRules,
  numberedAllPagesRules,
  hiddenRecordRules,
  searchRules,
].flat();

/** The rules, in the order of a run. */
export const rules: readonly Rule[] = rulesByGroup.toSorted((left, right) => ruleIds.indexOf(left.id) - ruleIds.indexOf(right.id));
