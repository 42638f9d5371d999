/** Starting a mock: from the names of contracts to a server that answers. */

import { randomUUID } from 'node:crypto';
import type { Profile } from '../core/annotations/profile.ts';
import { UsageError } from '../core/errors.ts';
import type { Contract } from '../core/openapi/contract.ts';
import { type Assembly, assemble, createReplaceable, type Lasting, type Replaceable } from './assembly.ts';
import type { Chaos } from './chaos/chaos.ts';
import { type ChaosOptions, startChaos } from './chaos/decide-chaos.ts';
import { createClock, type MockClock, parseClock } from './clock.ts';
import { openSources } from './contract-sources.ts';
import type { Journal } from './control/journal.ts';
import { createListeners, type ServedExchange } from './control/listeners.ts';
import { type ControlOptions, type Handles, openControl } from './control/open-control.ts';
import { checkSizes, createDataset, listHidden } from './data/choose-dataset.ts';
import { ownInstant } from './data/period.ts';
import type { MockMutant } from './mutants/mock-mutant.ts';
import type { PactQuery, RecordedPact } from './pact/recorder.ts';
import { type Listening, type PortChoice, serve } from './server/server.ts';

/** Options of a mock. Everything has a default. */
export interface MockOptions extends ChaosOptions, ControlOptions {
  /** Names of contracts of this package, or files; all contracts of the package unless said otherwise. */
  readonly contracts?: readonly string[];
  /** Any free port unless said otherwise. */
  readonly port?: PortChoice;
  /** Loopback unless said otherwise. */
  readonly host?: string;
  /** Chooses the dataset and the keys; 1 unless said otherwise. */
  readonly seed?: number;
  /** `live`, a pace such as `x60`, or an instant such as `2026-03-29T02:30:00+01:00`; unless given, the clock stands still on the mock's own. */
  readonly clock?: string;
  /** Time for a request to arrive, in milliseconds. A slower one gets 408 and loses its connection. 60,000 by default. */
  readonly requestTimeoutMs?: number;
  /** Number of records of each collection at the mock's own instant, from 0 to 1,000,000. With several tenants, the first one has them. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Answers to open questions that differ from the mock's own, for every contract that asks them; or a profile of the package by its name, or a file of one. */
  readonly profile?: Profile | string;
  /** Files of own data (YAML or JSON), which replace or extend the content of the dataset; the last one speaks. */
  readonly data?: readonly string[];
  /** Deviations from the contracts, by the ids that `listMockMutants` gives; none unless said otherwise. */
  readonly mutants?: readonly string[];
  /** Hears of every exchange once it is over. */
  readonly onExchange?: (exchange: ServedExchange) => void;
  /** Hears of what went wrong inside the mock; the client got a 500. Printed to standard error unless said otherwise. */
  readonly onError?: (error: unknown) => void;
}

/** A mock that answers. */
export interface RunningMock extends AsyncDisposable {
  /** URL of the mock, without a slash at the end. */
  readonly url: string;
  /** The port of the mock. */
  readonly port: number;
  /** The same by API. */
  readonly urls: Readonly<Record<string, string>>;
  /** Keys by role. They open nothing but mocks of this seed. */
  readonly keys: Readonly<Record<string, string>>;
  /** The keys of the records that no caller may see, such as slugs. */
  readonly hiddenRecords: readonly string[];
  /** The contracts that it serves, closed. Where it has mutants, they say what it ought to do. */
  readonly contracts: readonly Contract[];
  /** Deliberate deviations from the contracts. */
  readonly mutants: readonly MockMutant[];
  /** The clock of all requests that do not name an instant themselves. */
  readonly clock: MockClock;
  /** The last exchanges; keys and personal fields are hidden. */
  readonly journal: Journal;
  /**
   * Makes a pact for `touchstone pact` from the requests of a client. Without `recordPacts`, it covers the exchanges in the journal.
   * @throws {UsageError} when the consumer has no name, the provider is none of the mock's or not told, or the mock has mutants.
   */
  readonly recordPact: (query: PactQuery) => RecordedPact;
  /** Clock and chaos are as they were when the mock was started, what the rate limit counted is forgotten, and the journal is empty. */
  readonly reset: () => void;
  /** The chaos that requests meet; a reset forgets what the rate limit counted, too. */
  readonly chaos: Chaos;
  /** The files of one's own that it was made from, contracts and data; those of the package are not among them. */
  readonly files: readonly string[];
  /**
   * Reads its files anew and answers from them: requests under way are finished with the old ones, and clock and keys stay. What is wrong with a file
   * is thrown, and the old ones stay.
   */
  readonly reload: () => Promise<void>;
  /** Stops it. Answers under way are finished. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a mock.
 * @throws {UsageError} for a name that is no contract, a port that is taken, a clock that is none, a size that is none, two contracts with the same path, a wrong profile, chaos or a limit that cannot be read, or an unknown mutant.
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
  const seed = options.seed ?? 1;
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new UsageError(`the seed ${seed} is not a whole number of at least 0; name one such as 1`);
  const clock = createClock(options.clock === undefined ? { from: undefined, pace: 0 } : parseClock(options.clock), ownInstant, Date.now);
  const listeners = createListeners(options);
  const served = await serveFiles(options, {
    seed,
    clock,
    chaos: { meet: (asked) => chaos.decider.meet(asked) },
    datasetOf: (contract) => createDataset(contract, seed, options.sizes),
    nextRequestId: () => `req_${randomUUID()}`,
    onError: listeners.onError,
  });
  const chaos = startChaos(options, seed, () => served.current().apis, Date.now);
  const [host, port] = [options.host ?? '127.0.0.1', options.port ?? 0];
  const { handles, control, ...opened } = openControl(options, {
    clock,
    chaos: chaos.chaos,
    apis: () => served.current().apis,
    mock: () => ({ url: running.url, seed, contracts: running.contracts, mutants: running.mutants, keys: running.keys }),
    reload: served.reload,
    listeners,
    host,
    wall: Date.now,
  });
  const listening = await serve(served.mock, host, port, opened.listeners, options.requestTimeoutMs, control);
  const running = describe(served, handles, listening);
  return running;
}

/** The files as they are now, and as they are whenever they are reloaded. */
async function serveFiles(options: MockOptions, lasting: Lasting): Promise<Replaceable<Assembly>> {
  const assembled = async (): Promise<Assembly> => {
    const assembly = await assemble(options, lasting);
    const contracts = assembly.apis.map(({ contract }) => contract);
    checkSizes(options.sizes ?? {}, contracts);
    return assembly;
  };
  return createReplaceable(await assembled(), assembled);
}

/**
 * The mutants that a mock of some contracts can be started with.
 * @throws {UsageError} for a name that is no contract, or a wrong profile.
 * @throws {SpecError} for a mistake in a contract file.
 * @example
 * ```ts
 * import { listMockMutants, startMock } from 'touchstone/mock';
 *
 * const [mutant] = await listMockMutants({ contracts: ['wiki'] });
 * const mock = await startMock({ contracts: ['wiki'], mutants: mutant === undefined ? [] : [mutant.id] });
 * ```
 */
export async function listMockMutants(options: Pick<MockOptions, 'contracts' | 'profile'> = {}): Promise<readonly MockMutant[]> {
  const { mutantsOf } = await import('./mutants/serve-mutants.ts');
  return (await openSources(options.contracts, options.profile)).flatMap(({ contract }) => mutantsOf(contract));
}

function describe({ current }: Replaceable<Assembly>, handles: Handles, { url, port, close }: Listening): RunningMock {
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
    [Symbol.asyncDispose]: close,
  };
}
