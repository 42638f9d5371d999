/** Builds what a mock serves from its files (contracts, data, keys and mutants) at the start, and again on each reload. Opens no port. */

import type { Profile } from '../core/annotations/apply-profile.ts';
import type { HttpRequest, HttpResponse } from '../core/http/exchange.ts';
import type { JsonObject } from '../core/json.ts';
import { type Contract, resolveContract } from '../core/openapi/contract.ts';
import type { ChaosDecider } from './chaos/chaos-decision.ts';
import { createClock, defaultInstant, type MockClock } from './clock.ts';
import { createDataset, hasGenerator } from './data/create-dataset.ts';
import type { ChangingDataset } from './data/dataset.ts';
import { addOwnData, contentOfRecords } from './data/own-data/add-own-data.ts';
import { readOwnData } from './data/own-data/read-own-data.ts';
import type { MountedApi } from './handler/api-handler.ts';
import { createCursorCodec } from './handler/cursor.ts';
import { findEnvelopeMembers } from './handler/envelope.ts';
import type { Mock } from './handler/mock.ts';
import { preparedToHttpResponse } from './handler/prepare-response.ts';
import { datasetNow, type PlainSettings, type ServedApi } from './handler/served-api.ts';
import { createKeys } from './key-ring.ts';
import { listContractFiles, listProfileFiles, loadContractsByName, type MockContract } from './load-contracts.ts';
import type { ServedMutant } from './mutants/mock-mutant.ts';
import { type ChangeStore, World } from './world/world.ts';
import { createWorldAnswers, withChanges } from './world/world-answers.ts';

/** The files of a mock, and its mutants by their ids. */
interface ContentOptions {
  readonly contracts?: readonly string[];
  readonly strict?: boolean;
  readonly profile?: Profile | string;
  readonly data?: readonly string[];
  readonly mutants?: readonly string[];
}

/** State that survives a reload. */
export interface StateAcrossReloads {
  readonly seed: number;
  readonly clock: MockClock;
  readonly chaos?: ChaosDecider;
  readonly datasetOf: (contract: Contract) => ChangingDataset;
  /** Puts other data over the dataset and the own data of a contract. */
  readonly datasetOver?: (dataset: ChangingDataset, contract: Contract) => ChangingDataset;
  readonly nextRequestId: () => string;
  readonly fixedKeys?: boolean;
  readonly plain?: PlainSettings;
  /** False for a mock that only shows documented responses of operations without annotations. */
  readonly stateful?: boolean;
  readonly sizes?: Readonly<Record<string, number>>;
  readonly store?: ChangeStore;
  readonly onError: (error: unknown) => void;
}

/** Content of a mock, built from its files and rebuilt on each reload. */
export interface MockContent {
  readonly mock: Mock;
  readonly apis: readonly ServedApi[];
  readonly mutants: readonly ServedMutant[];
  /** The user's own files: contracts, profile and data. */
  readonly files: readonly string[];
}

/**
 * Reads all files and builds the content of a mock.
 * @throws {UsageError} for an unknown contract, an unreadable file, an invalid profile, or an unknown mutant.
 * @throws {SpecError} for a mistake in a file.
 */
export async function buildContent(options: ContentOptions, state: StateAcrossReloads): Promise<MockContent> {
  const contracts = await loadContractsByName(options.contracts, options.profile, { strict: options.strict === true });
  const apis = await createApis(contracts, options.data ?? [], state);
  const mutantIds = options.mutants ?? [];
  const { mutants, mountedApis } =
    mutantIds.length === 0 ? { mutants: [], mountedApis: apis.map((api) => ({ api })) } : await addMutants(apis, mutantIds);
  // Prism takes about 70 ms to load, so it is loaded only when a mock starts.
  const { createMock, preparePlainOperations } = await import('./handler/mock.ts');
  preparePlainOperations(apis);
  return {
    mock: createMock(mountedApis, state.onError, state.chaos),
    apis,
    mutants,
    files: [...listContractFiles(contracts), ...listProfileFiles(options.profile), ...(options.data ?? [])],
  };
}

async function createApis(
  contracts: readonly MockContract[],
  dataFiles: readonly string[],
  state: StateAcrossReloads,
): Promise<readonly ServedApi[]> {
  const datasets = contracts.map(({ contract }) => ({ contract, dataset: state.datasetOf(contract) }));
  const ownData = await readOwnData(
    dataFiles,
    datasets.map(({ contract, dataset }) => ({ contract, tenants: dataset.tenants })),
  );
  const { datasetOver = (dataset: ChangingDataset) => dataset } = state;
  return await Promise.all(
    datasets.map(async ({ contract, dataset }) => {
      const complete = (base: ChangingDataset, answered: Contract): ChangingDataset =>
        datasetOver(addOwnData(base, answered, ownData.get(contract) ?? []), answered);
      const api = await createApi(contract, complete(dataset, contract), state);
      // What clients changed is the same under all answers.
      return api.world === undefined ? { ...api, datasetUnder: (answered) => complete(state.datasetOf(answered), answered) } : api;
    }),
  );
}

async function createApi(
  contract: Contract,
  dataset: ChangingDataset,
  { seed, clock, nextRequestId, fixedKeys, plain, stateful, sizes = {}, store }: StateAcrossReloads,
): Promise<ServedApi> {
  const keys = createKeys(contract, dataset, seed, fixedKeys);
  const cursors = createCursorCodec(seed, contract.title);
  const api = { contract, dataset, clock, keys, cursors, envelopeMembers: await findEnvelopeMembers(contract), plain, nextRequestId };
  if (stateful !== true || hasGenerator(contract)) return api;
  const nowMs = clock.now();
  const world = new World(contract, { seed, nowMs, sizes, store, recordsOf: (tenant, name) => dataset.at(nowMs).records(tenant, name) });
  await world.openAnnotated(dataset.tenants);
  return { ...api, dataset: withChanges(dataset, world), world: { world, answer: createWorldAnswers(contract, world, cursors) } };
}

/** Adds mutants to the APIs. Few mocks have any, so their code is loaded on demand. */
async function addMutants(
  apis: readonly ServedApi[],
  ids: readonly string[],
): Promise<{ readonly mutants: readonly ServedMutant[]; readonly mountedApis: readonly MountedApi[] }> {
  const [{ findMutants }, { serveMutants }] = await Promise.all([import('./mutants/find-mutants.ts'), import('./mutants/add-mutants.ts')]);
  const mutants = findMutants(
    apis.map(({ contract }) => contract),
    ids,
  );
  const mountedApis = apis.map((api) => {
    const ownMutants = mutants.filter((mutant) => mutant.contract === api.contract.name);
    if (ownMutants.length === 0) return { api };
    const { api: mutatedApi, around } = serveMutants(api, ownMutants);
    return { api: mutatedApi, isCacheable: false, ...(around === undefined ? {} : { around }) };
  });
  return { mutants, mountedApis };
}

/** A mock of one contract, without a server. */
export interface ContractMock {
  /** A key that may read everything; empty if the contract has no keys. */
  readonly key: string;
  /** The records of a collection that the key may read, hidden ones included. */
  readonly recordsOf: (collection: string) => readonly JsonObject[];
  readonly respond: (request: HttpRequest) => Promise<HttpResponse>;
}

/**
 * Creates a mock of a contract as written, with the default seed and instant. With `data`, a collection holds only the given records, for every tenant.
 */
export async function mockContract(
  written: Contract,
  onError: (error: unknown) => void,
  data?: { readonly collection: string; readonly records: readonly JsonObject[] },
): Promise<ContractMock> {
  const contract = resolveContract(written);
  const seed = 1;
  const clock = createClock({ from: undefined, pace: 0 }, defaultInstant, () => defaultInstant);
  const datasetOf = (served: Contract): ChangingDataset => {
    const base = createDataset(served, seed);
    return data === undefined ? base : addOwnData(base, served, [contentOfRecords(base.tenants, data.collection, data.records)]);
  };
  const api = await createApi(contract, datasetOf(contract), { seed, clock, datasetOf, nextRequestId: () => 'req_1', onError });
  const { createMock } = await import('./handler/mock.ts');
  const mock = createMock([{ api }], onError);
  const dataset = datasetNow(api);
  return {
    key: [...api.keys.byRole.values()][0] ?? '',
    recordsOf: (collection) => dataset.records(dataset.tenants[0] ?? '', collection),
    respond: async (request) => preparedToHttpResponse(await mock.respond(mock.receive(request))),
  };
}
