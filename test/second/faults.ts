/** Knows every deviation that the second server can be started with. */

import type { Fault } from './fault.ts';
import { listFaults } from './faults-lists.ts';
import { readFaults } from './faults-reads.ts';
import { wikiFaults } from './faults-wiki.ts';

/** The id of a deviation of either API. */
export type FaultId = (typeof listFaults)[number]['id'] | (typeof readFaults)[number]['id'] | (typeof wikiFaults)[number]['id'];

/** All deviations of both APIs. */
export const faults: readonly Fault[] = [...listFaults, ...readFaults, ...wikiFaults];

/** Says of each deviation whether a server started with these ids has it. */
export function deviations(api: 'business' | 'wiki', ids: readonly string[]): (id: FaultId) => boolean {
  const known = new Set(faults.filter((fault) => fault.api === api).map((fault) => fault.id));
  for (const id of ids) {
    if (!known.has(id)) throw new Error(`The ${api} API has no fault '${id}'; test/second/faults.ts lists them`);
  }
  const present: ReadonlySet<string> = new Set(ids);
  return (id) => present.has(id);
}
