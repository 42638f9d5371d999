/** Knows what a probe is: a reading that tells deviating servers from a correct one. */

import type { Client } from './client.ts';
import type { SecondOptions } from './server.ts';

/** One reading and the deviations that it must show. */
export interface Probe {
  readonly faults: readonly string[];
  /** What the server needs besides, deviating or not. */
  readonly options?: Omit<SecondOptions, 'api' | 'faults'>;
  readonly observe: (client: Client) => Promise<unknown>;
}

/** The statuses and bodies of several reads, each a path alone or with its manner. */
export function answers(...reads: readonly Read[]): Probe['observe'] {
  return async (client) => {
    const seen = [];
    for (const [path, manner] of reads) {
      const answer = await client.get(path, manner);
      seen.push([answer.status, answer.headers, answer.text]);
    }
    return seen;
  };
}

/** A path, and how it is read. */
export type Read = readonly [path: string, manner?: Parameters<Client['get']>[1]];
