/** Every law, in the order in which a run looks at them: what needs few requests and explains much comes first. */

import type { Law } from '../law.ts';
import { bare as conditionalBare } from './conditional/bare.ts';
import { changed as conditionalChanged } from './conditional/changed.ts';
import { failures as conditionalFailures } from './conditional/failures.ts';
import { perContent as conditionalPerContent } from './conditional/per-content.ts';
import { stable as conditionalStable } from './conditional/stable.ts';
import { tag as conditionalTag } from './conditional/tag.ts';
import { unchanged as conditionalUnchanged } from './conditional/unchanged.ts';
import { absent as detailsAbsent } from './details/absent.ts';
import { agree as detailsAgree } from './details/agree.ts';
import { alternatives as detailsAlternatives } from './details/alternatives.ts';
import { encoded as detailsEncoded } from './details/encoded.ts';
import { exactlyOne as detailsExactlyOne } from './details/exactly-one.ts';
import { hostile as detailsHostile } from './details/hostile.ts';
import { identifier as detailsIdentifier } from './details/identifier.ts';
import { reachable as detailsReachable } from './details/reachable.ts';
import { samePlace as detailsSamePlace } from './details/same-place.ts';
import { views as detailsViews } from './details/views.ts';
import { wholeKey as detailsWholeKey } from './details/whole-key.ts';
import { complete as filtersComplete } from './filters/complete.ts';
import { conjunction as filtersConjunction } from './filters/conjunction.ts';
import { explored as filtersExplored } from './filters/explored.ts';
import { noMatch as filtersNoMatch } from './filters/no-match.ts';
import { partition as filtersPartition } from './filters/partition.ts';
import { sound as filtersSound } from './filters/sound.ts';
import { union as filtersUnion } from './filters/union.ts';
import { unknownValue as filtersUnknownValue } from './filters/unknown-value.ts';
import { values as filtersValues } from './filters/values.ts';
import { keys } from './keys.ts';
import { order } from './order.ts';
import { beyond as pagesBeyond } from './pages/beyond.ts';
import { defaults as pagesDefaults } from './pages/defaults.ts';
import { echo as pagesEcho } from './pages/echo.ts';
import { limitSize as pagesLimitSize } from './pages/limit-size.ts';
import { numbers as pagesNumbers } from './pages/numbers.ts';
import { order as pagesOrder } from './pages/order.ts';
import { pageSizes as pagesPageSizes } from './pages/page-sizes.ts';
import { partition as pagesPartition } from './pages/partition.ts';
import { total as pagesTotal } from './pages/total.ts';
import { complete as pagingComplete } from './paging/complete.ts';
import { damagedCursor as pagingDamagedCursor } from './paging/damaged-cursor.ts';
import { exactMultiple as pagingExactMultiple } from './paging/exact-multiple.ts';
import { filtersKept as pagingFiltersKept } from './paging/filters-kept.ts';
import { limitBounds as pagingLimitBounds } from './paging/limit-bounds.ts';
import { limitDefault as pagingLimitDefault } from './paging/limit-default.ts';
import { limitSize as pagingLimitSize } from './paging/limit-size.ts';
import { nextCursor as pagingNextCursor } from './paging/next-cursor.ts';
import { once as pagingOnce } from './paging/once.ts';
import { pageSizes as pagingPageSizes } from './paging/page-sizes.ts';
import { progress as pagingProgress } from './paging/progress.ts';
import { ties as pagingTies } from './paging/ties.ts';
import { ranges } from './ranges.ts';
import { malformed as requestsMalformed } from './requests/malformed.ts';
import { response } from './response.ts';
import { search } from './search.ts';
import { sync } from './sync.ts';
import { tenancy } from './tenancy.ts';
import { trouble } from './trouble.ts';
import { visible } from './visible.ts';

/** The laws. */
export const laws: readonly Law[] = [
  ...keys,
  ...tenancy,
  conditionalTag,
  conditionalUnchanged,
  conditionalBare,
  conditionalChanged,
  conditionalPerContent,
  conditionalStable,
  conditionalFailures,
  filtersSound,
  filtersComplete,
  filtersUnion,
  filtersConjunction,
  filtersValues,
  filtersUnknownValue,
  filtersPartition,
  filtersNoMatch,
  filtersExplored,
  ...ranges,
  ...sync,
  pagingLimitSize,
  pagingLimitDefault,
  pagingNextCursor,
  pagingComplete,
  pagingOnce,
  pagingTies,
  pagingPageSizes,
  pagingLimitBounds,
  pagingExactMultiple,
  pagingFiltersKept,
  pagingDamagedCursor,
  pagingProgress,
  ...order,
  detailsAgree,
  detailsReachable,
  detailsSamePlace,
  detailsAlternatives,
  detailsAbsent,
  detailsIdentifier,
  detailsExactlyOne,
  detailsWholeKey,
  detailsEncoded,
  detailsHostile,
  detailsViews,
  requestsMalformed,
  ...response,
  ...trouble,
  pagesDefaults,
  pagesEcho,
  pagesLimitSize,
  pagesNumbers,
  pagesPartition,
  pagesPageSizes,
  pagesOrder,
  pagesBeyond,
  pagesTotal,
  ...visible,
  ...search,
];
