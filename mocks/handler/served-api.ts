import type { Json, JsonObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { MockClock } from '../clock.ts';
import type { ChangingDataset, Dataset } from '../data/dataset.ts';
import type { KeyRing } from '../key-ring.ts';
import type { ServedWorld } from '../world/world-answers.ts';
import type { CursorCodec } from './cursor.ts';

/** By operation, the values of the members that the envelope of its responses requires and the mock does not fill, such as `links`, by pointer. */
export type EnvelopeMembers = ReadonlyMap<string, readonly (readonly [pointer: string, value: Json])[]>;

/** Settings of the responses without annotations, by their names in Prism. */
export interface PlainSettings {
  /** True for varied bodies instead of examples. */
  readonly dynamic?: boolean | undefined;
  /** True to answer 500 where a documented response breaks its own contract. */
  readonly errors?: boolean | undefined;
}

/** An API with its data. Equal values give equal responses, except for the request ids. */
export interface ServedApi {
  /** The contract, without open questions: a profile has answered them. */
  readonly contract: Contract;
  readonly dataset: ChangingDataset;
  /** The records under other answers to the open questions; absent if they are the same. */
  readonly datasetUnder?: (contract: Contract) => ChangingDataset;
  /** The clock for requests without a header Mock-Clock. */
  readonly clock: MockClock;
  readonly keys: KeyRing;
  readonly cursors: CursorCodec;
  readonly envelopeMembers: EnvelopeMembers;
  /** Settings of the responses without annotations. */
  readonly plain?: PlainSettings | undefined;
  /** The records of inferred collections, which clients change; `undefined` for a mock without state. */
  readonly world?: ServedWorld | undefined;
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
