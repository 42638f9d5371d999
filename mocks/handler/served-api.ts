/**
 * API with everything that its responses depend on: contract, data, clock and keys. `build-mock-content.ts` makes it at the start, at each reload and for
 * `touchstone diff`; `start-proxy.ts` makes one without data. Handlers, chaos, client judge, journal, pacts and mutants read it for each request. Mutants and
 * `build-mock-content.ts` also ask for its current records, `start-mock.ts` for the hidden ones; it computes no response.
 */

import type { Json, JsonObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { valueAt } from '../../core/pointer.ts';
import type { MockClock } from '../clock.ts';
import type { ChangingDataset, Dataset } from '../data/dataset.ts';
import type { KeyRing } from '../key-ring.ts';
import type { CursorCodec } from './cursor.ts';

/** By operation, the values of the members that the envelope of its responses requires and the mock does not fill, such as `links`, by pointer. */
export type EnvelopeMembers = ReadonlyMap<string, readonly (readonly [pointer: string, value: Json])[]>;

/** An API with its data. Equal values give equal responses, except for the request ids. */
export interface ServedApi {
  /** The contract, without open questions: a profile has answered them. */
  readonly contract: Contract;
  readonly dataset: ChangingDataset;
  /** The clock for requests without a header Mock-Clock. */
  readonly clock: MockClock;
  readonly keys: KeyRing;
  readonly cursors: CursorCodec;
  readonly envelopeMembers: EnvelopeMembers;
  /** Returns a new request id, the only random part of a response. */
  readonly nextRequestId: () => string;
}

/** Lists the records of a collection that the tenants of an API have now, tenant by tenant. */
export function recordsOfTenants(api: ServedApi, collection: string): readonly JsonObject[] {
  return api.dataset.tenants.flatMap((tenant) => datasetNow(api).records(tenant, collection));
}

/** The data of an API at the current instant of its clock. */
export function datasetNow(api: ServedApi): Dataset {
  return api.dataset.at(api.clock.now());
}

/** Maximum number of listed records. Checks that records stay hidden need some of them, not all. */
const maxHidden = 1000;

/** Lists the keys of hidden records, such as slugs. */
export function listHidden(api: ServedApi): readonly string[] {
  const dataset = datasetNow(api);
  return api.contract.operations.flatMap(({ collection }) => {
    if (collection?.visible === undefined) return [];
    const hiddenKeys: string[] = [];
    for (const tenant of dataset.tenants)
      for (const record of outlinesOf(dataset, tenant, collection.name)) {
        if (hiddenKeys.length === maxHidden) return hiddenKeys;
        if (!collection.query.isVisible(record)) hiddenKeys.push(String(valueAt(record, collection.key)));
      }
    return hiddenKeys;
  });
}

/** Yields the records of a collection: only outlines if it has a history, which are faster to make. */
function* outlinesOf(dataset: Dataset, tenant: string, collection: string): Generator<JsonObject> {
  const { nowMs } = dataset;
  const history = nowMs === undefined ? undefined : dataset.history?.(tenant, collection);
  if (history === undefined || nowMs === undefined) {
    yield* dataset.records(tenant, collection);
    return;
  }
  const count = history.countUntil(nowMs);
  for (let index = 0; index < count; index += 1) {
    const { instants, outline } = history.recordHistory(index);
    const changes = instants.findLastIndex((instant) => instant <= nowMs);
    if (changes >= 0) yield outline(changes);
  }
}
