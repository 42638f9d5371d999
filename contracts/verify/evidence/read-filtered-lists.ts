/** Reads the parts of a list that filters select, while a rule sends its requests. Judges nothing. */

import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { allWithinBase, listedValues, predictableFilters } from './filter-values.ts';
import { firstPageCall, largestLimit, type Pagination } from './pagination/pagination.ts';
import { filterBy, matchingRecords, type ParameterValues } from './record-keys-and-filters.ts';
import type { RoundContext } from './round-context.ts';
import type { Snapshot } from './snapshot.ts';

/** Reads a list with filters. */
export function readSelection(
  context: RoundContext,
  { operation, as, pagination }: Snapshot,
  values: ParameterValues,
): Promise<Pagination> {
  return context.pagination({ operation, values, limit: largestLimit(operation), as, maxPages: pagination.replies.length + 3 });
}

/** Reads what each listed value of a filter selects; of more than a page, only the first page. */
export async function readByListedValue(context: RoundContext, snapshot: Snapshot, name: string): Promise<readonly Pagination[]> {
  const { operation, as } = snapshot;
  const paginations: Pagination[] = [];
  for (const values of snapshot.isComplete ? allWithinBase(snapshot, listedFilters(operation, name)) : []) {
    // One page is enough to show that the server knows the value.
    const isLarge = matchingRecords(operation, snapshot.records, values).length > largestLimit(operation);
    paginations.push(
      isLarge
        ? await context.pagination({ operation, values, limit: largestLimit(operation), as, maxPages: 1 })
        : await readSelection(context, snapshot, values),
    );
  }
  return paginations;
}

function listedFilters(operation: ListOperation, name: string): readonly ParameterValues[] {
  return listedValues(operation, name).map((value) => filterBy(operation, name, value));
}

/** Maximum number of parts whose first page is read. */
const maxParts = { quick: 1, full: 8 } as const;

/** Reads the first page of the parts that listed filter values select. */
export async function readFirstPageOfParts(context: RoundContext, operation: ListOperation): Promise<void> {
  const snapshot = await context.snapshot(operation);
  const selections = predictableFilters(context.contract, operation).flatMap((name) => listedFilters(operation, name));
  for (const values of allWithinBase(snapshot, selections).slice(0, context.quick ? maxParts.quick : maxParts.full))
    await context.ask(firstPageCall(operation, values));
}

/** Every pagination of a list by one caller in this round. */
export function paginationsOf(context: RoundContext, { operation, as }: Snapshot): readonly Pagination[] {
  return context.paginations.filter((pagination) => pagination.operation === operation && pagination.as === as);
}
