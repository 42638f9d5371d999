/** One API as a mock serves it: its closed contract, the content it has, and the keys that open it. */

import type { Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { MockClock } from '../clock.ts';
import type { ChangingDataset, Dataset } from '../data/dataset.ts';
import type { KeyRing } from '../key-ring.ts';
import type { CursorCodec } from './cursor.ts';

/** By operation, the members that its answers must have beside what the mock gives, each with its pointer: `links`, `url` and the like. */
export type Siblings = ReadonlyMap<string, readonly (readonly [pointer: string, value: Json])[]>;

/** An API with its content. Everything that an answer depends on is here, so that equal values give equal answers. */
export interface ServedApi {
  /** Closed by a profile: no question is open. */
  readonly contract: Contract;
  readonly dataset: ChangingDataset;
  /** Tells the instant of a request that does not name one itself. */
  readonly clock: MockClock;
  readonly keys: KeyRing;
  readonly cursors: CursorCodec;
  readonly siblings: Siblings;
  /** Names a request; the only part of an answer that differs each time. */
  readonly nextRequestId: () => string;
}

/** The content of an API as its clock shows it. */
export function datasetNow(api: ServedApi): Dataset {
  return api.dataset.at(api.clock.now());
}
