/** A till for tests: it sends the key of the tests, and its pauses take no time. */

import { openConnection } from './connection.ts';
import { testKey } from './promised.ts';
import { createService, type Service } from './service.ts';
import { createStore, type Store } from './store.ts';
import { createSynchroniser, type Synchroniser, type SynchroniserOptions } from './synchroniser.ts';

/** A till and what it did. */
export interface Till extends Synchroniser {
  readonly service: Service;
  readonly store: Store;
  /** Every pause, in milliseconds. */
  readonly pauses: readonly number[];
}

/** Settings of a till for a test. */
export interface TillOptions extends Partial<Omit<SynchroniserOptions, 'service'>> {
  readonly key?: string;
  readonly attempts?: number;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
}

/** A till that asks the service at an address. */
export function createTill(baseUrl: string, options: TillOptions = {}): Till {
  const { key = testKey, attempts = 3, now = () => 0, store = createStore(), fetch, ...wishes } = options;
  const pauses: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds);
  };
  const connection = openConnection({ baseUrl, key, sleep, now, attempts, ...(fetch === undefined ? {} : { fetch }) });
  const service = createService(connection);
  return { ...createSynchroniser({ service, store, ...wishes }), service, store, pauses };
}
