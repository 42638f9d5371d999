/** The parts into which the listed values of a filter cut a list: one request for each. */

import { listedValues, predictableFilters } from './filter-values.ts';
import type { Lab } from './lab.ts';
import type { Reply } from './reply.ts';
import { withinBase } from './selection.ts';
import { largestPage } from './universe.ts';
import { callFor, type ListOperation, type Values } from './walk.ts';

/** How many parts are asked for. */
const asked = { quick: 1, full: 8 } as const;

/** The first page of each part. */
export async function firstOfEach(lab: Lab, operation: ListOperation): Promise<readonly Reply[]> {
  const universe = await lab.universe(operation);
  const all = predictableFilters(lab.contract, operation).flatMap((name) =>
    listedValues(operation, name).map(
      (value): Values => ({ [name]: operation.collection.filters.get(name)?.operator === 'any-of' ? [value] : value }),
    ),
  );
  const parts = all.map((values) => withinBase(universe, values)).filter((values) => values !== undefined);
  const replies: Reply[] = [];
  for (const values of parts.slice(0, lab.quick ? asked.quick : asked.full))
    replies.push(await lab.ask(callFor({ operation, values, limit: largestPage(operation) }, {})));
  return replies;
}
