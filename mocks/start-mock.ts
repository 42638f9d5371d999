/** Starts a mock: its content, clock, chaos, observers and controls, and its server. Errors in the listeners of users never disturb the mock. */

import { randomUUID } from 'node:crypto';
import type { Profile } from '../core/annotations/apply-profile.ts';
import { UsageError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Contract } from '../core/openapi/contract.ts';
import { valueAt } from '../core/pointer.ts';
import type { ClientFinding } from '../core/results/client-result.ts';
import { buildContent, type MockContent, type StateAcrossReloads } from './build-mock-content.ts';
import { type ChaosOptions, startChaos } from './chaos/decide-chaos.ts';
import type { ClientJudge } from './client/client-judge.ts';
import { createClock, defaultInstant, parseClock } from './clock.ts';
import { type ControlHandles, type ControlOptions, createObserversAndControls } from './control/create-observers-and-controls.ts';
import { checkSizes, createDataset } from './data/create-dataset.ts';
import type { ChangingDataset, Dataset } from './data/dataset.ts';
import { datasetNow, type ServedApi } from './handler/served-api.ts';
import { loadContractsByName } from './load-contracts.ts';
import type { MockMutant } from './mutants/mock-mutant.ts';
import { type FinishedExchange, type ServedExchange, toExchange } from './served-exchange.ts';
import { type Listeners, type ListeningServer, type PortChoice, serve } from './server/server.ts';
import type { ChangeStore } from './world/world.ts';

/** Options of a mock. Everything has a default. */
export interface MockOptions extends ChaosOptions, ControlOptions {
  /** Names of contracts of this package, or files; all contracts of the package by default. */
  readonly contracts?: readonly string[];
  /** True to reject a contract file with any mistake. By default, parts that cannot be read are skipped. */
  readonly strict?: boolean;
  /** The port to listen on; any free one by default. */
  readonly port?: PortChoice;
  /** The host to listen on; `127.0.0.1` by default. */
  readonly host?: string;
  /** The seed of the dataset and the keys; 1 by default. */
  readonly seed?: number;
  /**
   * `live`, a pace such as `x60`, or an instant such as `2026-03-29T02:30:00+01:00`. By default, the clock stands still at the mock's default instant,
   * `2026-03-29T16:00:00Z`.
   */
  readonly clock?: string;
  /** Time for a request to arrive, in milliseconds. A slower one gets 408 and loses its connection. 60,000 by default. */
  readonly requestTimeoutMs?: number;
  /** Size of the largest request body in bytes; a larger one gets 413. 10,000,000 by default. */
  readonly maxBodyBytes?: number;
  /** Varied bodies instead of examples, for operations without annotations; as if each request had `Prefer: dynamic=true`. False by default. */
  readonly dynamic?: boolean;
  /** 500 instead of a documented response that breaks its own contract, such as an example that its schema rejects. False by default. */
  readonly errors?: boolean;
  /**
   * Only the keys of the mock are accepted. By default, an API without annotations accepts every credential of the documented form.
   * False by default.
   */
  readonly fixedKeys?: boolean;
  /** Number of records of each collection at the mock's default instant, from 0 to 1,000,000. With several tenants, the first one has them. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Answers to open questions in place of the mock's own: a profile, the name of a profile of the package, or a file. */
  readonly profile?: Profile | string;
  /**
   * False to serve operations without annotations from their documented responses alone. By default, collections are inferred from the file, and the mock
   * keeps their records: lists and reads agree, and writes change them.
   */
  readonly stateful?: boolean;
  /** Keeps what clients write across a restart. By default, it is lost. */
  readonly store?: ChangeStore;
  /** Files with your own data (YAML or JSON), which replace or extend the dataset. The last file wins. */
  readonly data?: readonly string[];
  /** Ids of mutants from `listMockMutants`: deliberate deviations from the contracts. None by default. */
  readonly mutants?: readonly string[];
  /** Called after each exchange. */
  readonly onExchange?: (exchange: ServedExchange) => void;
  /** Called with a client's first mistake against each rule. The `client` method of the mock returns all mistakes. */
  readonly onFinding?: (finding: ClientFinding) => void;
  /** Called with each internal error of the mock; the client got a 500. By default, it is printed to standard error. */
  readonly onError?: (error: unknown) => void;
}

/** A running mock. */
export interface RunningMock extends ControlHandles, AsyncDisposable {
  /** URL of the mock, without a slash at the end. */
  readonly url: string;
  /** The port of the mock. */
  readonly port: number;
  /** URLs by the name of the contract. */
  readonly urls: Readonly<Record<string, string>>;
  /** Keys by role. They are valid for mocks of this seed only. */
  readonly keys: Readonly<Record<string, string>>;
  /** Identities of the records that no caller may see, such as their ids. */
  readonly hiddenRecords: readonly string[];
  /** Served contracts, with the open questions answered. They describe what a mock with mutants should do. */
  readonly contracts: readonly Contract[];
  /** Deliberate deviations from the contracts. */
  readonly mutants: readonly MockMutant[];
  /** Your own files that the mock was made from: contracts, profile and data. */
  readonly files: readonly string[];
  /** By contract, the names of the collections whose records clients can change. Empty with `stateful: false`, and for contracts of the package. */
  readonly collections: Readonly<Record<string, readonly string[]>>;
  /** Stops the mock once the responses under way are sent. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a mock.
 * @throws {UsageError} for an unknown contract or mutant, a port in use, two contracts with the same path, and an invalid value of any other option.
 * @throws {SpecError} for a mistake in a contract file or a file of own data.
 * @example
 * ```ts
 * import { startMock } from 'touchstone/mock';
 *
 * const mock = await startMock({ contracts: ['wiki'] });
 * const response = await fetch(`${mock.url}/api/v1/wiki`);
 * await mock.close();
 * ```
 */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  const { mock } = await startMockWith(options, {});
  return mock;
}

/** Hooks that change a mock from within the process, such as its data in an exam. */
interface MockHooks {
  /** Sizes of the collections of a contract. */
  readonly sizesOf?: (contract: Contract) => Readonly<Record<string, number>>;
  /** Puts other data over that of a contract. `startMs` is the instant of the clock at the start. */
  readonly datasetOver?: (dataset: ChangingDataset, contract: Contract, startMs: number) => ChangingDataset;
  /** Called with each exchange, before the judge of clients observes it. */
  readonly onServed?: (exchange: FinishedExchange) => void;
}

/** Starts a mock with some changes. Returns it with the judge of its clients and the served APIs. */
export async function startMockWith(
  options: MockOptions,
  { sizesOf, datasetOver = (dataset) => dataset, onServed }: MockHooks,
): Promise<{ readonly mock: RunningMock; readonly judge: ClientJudge; readonly apis: () => readonly ServedApi[] }> {
  const seed = options.seed ?? 1;
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new UsageError(`the seed ${seed} is not a whole number from 0 up; write one such as 1`);
  const clock = createClock(
    options.clock === undefined ? { from: undefined, pace: 0 } : parseClock(options.clock),
    defaultInstant,
    Date.now,
  );
  const userListeners = guardUserListeners(options);
  const startMs = clock.now();
  const reloadable = await serveFiles(options, {
    seed,
    clock,
    chaos: { decide: (context) => startedChaos.decider.decide(context) },
    datasetOf: (contract) => createDataset(contract, seed, options.sizes ?? sizesOf?.(contract)),
    datasetOver: (dataset, contract) => datasetOver(dataset, contract, startMs),
    nextRequestId: () => `req_${randomUUID()}`,
    fixedKeys: options.fixedKeys === true,
    plain: { dynamic: options.dynamic, errors: options.errors },
    stateful: options.stateful !== false,
    sizes: options.sizes ?? {},
    ...(options.store === undefined ? {} : { store: options.store }),
    onError: userListeners.onError,
  });
  const startedChaos = startChaos(options, seed, () => reloadable.current().apis, Date.now);
  const [host, port] = [options.host ?? '127.0.0.1', options.port ?? 0];
  const {
    handles,
    listeners: observers,
    controlAdapter,
    judge,
  } = createObserversAndControls(options, {
    clock,
    chaos: startedChaos.chaos,
    apis: () => reloadable.current().apis,
    served: () => ({ url: mock.url, seed, contracts: mock.contracts, mutants: mock.mutants, keys: mock.keys }),
    reload: reloadable.reload,
    listeners: {
      onError: userListeners.onError,
      onExchange: (exchange) => {
        onServed?.(exchange);
        userListeners.onExchange(exchange);
      },
    },
    onFinding: userListeners.onFinding,
    host,
    wall: Date.now,
  });
  const server = await serve(() => reloadable.current().mock, host, port, observers, options, controlAdapter);
  const mock = toRunningMock(reloadable, handles, server);
  return { mock, judge, apis: () => reloadable.current().apis };
}

/** Listeners of a user that never throw. */
interface GuardedListeners extends Listeners {
  readonly onFinding: (finding: ClientFinding) => void;
}

/** Wraps the listeners of a user, so that their errors do not disturb the mock: they go to `onError`, and an error in `onError` to standard error. */
function guardUserListeners({ onExchange, onFinding, onError = printError }: MockOptions): GuardedListeners {
  const reportError = (error: unknown): void => {
    try {
      onError(error);
    } catch (failure) {
      printError(failure);
    }
  };
  const guard = (call: () => void): void => {
    try {
      call();
    } catch (failure) {
      reportError(failure);
    }
  };
  return {
    onError: reportError,
    onExchange: (exchange) => guard(() => onExchange?.(toExchange(exchange))),
    onFinding: (finding) => guard(() => onFinding?.(finding)),
  };
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

/** The content of a mock, which a reload replaces. On an error the reload rejects, and the old content stays. */
interface ReloadableContent {
  readonly current: () => MockContent;
  readonly reload: () => Promise<void>;
}

/** Builds the content of the files now, and again on each reload. */
async function serveFiles(options: MockOptions, state: StateAcrossReloads): Promise<ReloadableContent> {
  const build = async (): Promise<MockContent> => {
    const content = await buildContent(options, state);
    const contracts = content.apis.map(({ contract }) => contract);
    checkSizes(options.sizes ?? {}, contracts);
    return content;
  };
  let current = await build();
  const replace = async (): Promise<void> => {
    current = await build();
  };
  let lastReload: Promise<void> = Promise.resolve();
  return {
    current: () => current,
    // Reloads run one after another, so that the last one reads the newest files and wins.
    reload: () => {
      lastReload = lastReload.then(replace, replace);
      return lastReload;
    },
  };
}

/**
 * Lists the mutants that a mock of some contracts can be started with.
 * @throws {UsageError} for an unknown contract or an invalid profile.
 * @throws {SpecError} for a mistake in a contract file.
 * @example
 * ```ts
 * import { listMockMutants, startMock } from 'touchstone/mock';
 *
 * const [mutant] = await listMockMutants({ contracts: ['wiki'] });
 * const mock = await startMock({ contracts: ['wiki'], mutants: mutant === undefined ? [] : [mutant.id] });
 * ```
 */
export async function listMockMutants(options: Pick<MockOptions, 'contracts' | 'profile' | 'strict'> = {}): Promise<readonly MockMutant[]> {
  const { mutantsOf } = await import('./mutants/find-mutants.ts');
  return (await loadContractsByName(options.contracts, options.profile, { strict: options.strict === true })).flatMap(({ contract }) =>
    mutantsOf(contract),
  );
}

function toRunningMock({ current }: ReloadableContent, handles: ControlHandles, { url, port, close }: ListeningServer): RunningMock {
  return {
    ...handles,
    url,
    port,
    close,
    get urls() {
      return Object.fromEntries(current().apis.map((api) => [api.contract.name, url]));
    },
    get keys() {
      return Object.fromEntries(current().apis.flatMap((api) => [...api.keys.byRole]));
    },
    get hiddenRecords() {
      return current().apis.flatMap(listHidden);
    },
    get contracts() {
      return current().apis.map((api) => api.contract);
    },
    get mutants() {
      return current().mutants;
    },
    get files() {
      return current().files;
    },
    get collections() {
      const worlds = current().apis.flatMap(({ contract, world }) => (world === undefined ? [] : [[contract.name, world.world] as const]));
      return Object.fromEntries(worlds.map(([name, { plan }]) => [name, plan.collections.map((collection) => collection.name)]));
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Maximum number of listed records. Checks that records stay hidden need some of them, not all. */
const maxHidden = 1000;

/** Lists the keys of hidden records, such as slugs. */
function listHidden(api: ServedApi): readonly string[] {
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
