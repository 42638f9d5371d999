/** The catalogue of all rules. A run, `explain` and the docs read it. The order is that of `ruleIds`: rules with few requests and many explanations come first. */

import { ruleIds } from '../../../core/results/rule-id.ts';
import { availability } from './availability-rules.ts';
import { conditional } from './conditional-rules.ts';
import { cursors } from './cursor-rules.ts';
import { details } from './detail-rules.ts';
import { filters } from './filter-rules.ts';
import { names } from './identifier-rules.ts';
import { keys } from './key-rules.ts';
import { malformedValues } from './malformed-value-rules.ts';
import { pages } from './numbered-page-rules.ts';
import { order } from './order-rules.ts';
import { pageSequences } from './page-sequence-rules.ts';
import { paging } from './paging-rules.ts';
import { ranges } from './range-rules.ts';
import { response } from './response-rules.ts';
import type { Rule } from './rule.ts';
import { search } from './search-rules.ts';
import { sync } from './sync-rules.ts';
import { tenancy } from './tenancy-rules.ts';
import { visible } from './visibility-rules.ts';

const all: readonly Rule[] = [
  ...[...keys, ...tenancy, ...conditional, ...filters, ...ranges, ...sync, ...cursors, ...paging],
  ...[...order, ...details, ...names, ...malformedValues, ...response, ...availability, ...pages, ...pageSequences, ...visible, ...search],
];

/** The rules, in the order of a run. */
export const rules: readonly Rule[] = all.toSorted((left, right) => ruleIds.indexOf(left.id) - ruleIds.indexOf(right.id));
