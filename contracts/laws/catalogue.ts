/** Every rule, in the order in which a run looks at them: what needs few requests and explains much comes first. */

import { ruleIds } from '../../core/rule-id.ts';
import type { Law } from '../law.ts';
import { conditional } from './conditional.ts';
import { cursors } from './cursors.ts';
import { details } from './details.ts';
import { filters } from './filters.ts';
import { keys } from './keys.ts';
import { names } from './names.ts';
import { oddities } from './oddities.ts';
import { order } from './order.ts';
import { pageSequences } from './page-sequences.ts';
import { pages } from './pages.ts';
import { paging } from './paging.ts';
import { ranges } from './ranges.ts';
import { response } from './response.ts';
import { search } from './search.ts';
import { sync } from './sync.ts';
import { tenancy } from './tenancy.ts';
import { trouble } from './trouble.ts';
import { visible } from './visible.ts';

const all: readonly Law[] = [
  ...[...keys, ...tenancy, ...conditional, ...filters, ...ranges, ...sync, ...cursors, ...paging],
  ...[...order, ...details, ...names, ...oddities, ...response, ...trouble, ...pages, ...pageSequences, ...visible, ...search],
];

/** The rules. */
export const laws: readonly Law[] = all.toSorted((left, right) => ruleIds.indexOf(left.id) - ruleIds.indexOf(right.id));
