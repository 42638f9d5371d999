/** Starting a mock: from the names of contracts to a server that answers. */

import { randomUUID } from 'node:crypto';
import type { Contract } from '../core/contract.ts';
import { UsageError } from '../core/errors.ts';
import { valueAt } from '../core/pointer.ts';
import type { Profile } from '../core/profile.ts';
import { type Clock, createClock, parseClock } from './clock.ts';
import { createCursorCodec } from './cursor.ts';
import { createExampleWorld } from './example-world.ts';
import { applyFaults } from './faults/apply.ts';
import { findFaults, listFaults } from './faults/catalogue.ts';
import type { Fault } from './faults/fault.ts';
import type { MountedApi } from './host.ts';
import { createKeys } from './keys.ts';
import { createMock } from './mock.ts';
import { type ServedApi, worldNow } from './served-api.ts';
import { type Listeners, type PortChoice, type ServedExchange, serve } from './server.ts';
import { openSources, type Source } from './source.ts';
import { worldSources } from './world/catalogue.ts';
import { type LivingWorld, unchanging, type World, type WorldOptions, type WorldSource } from './world.ts';

/** How to start a mock. Everything has a default. */
export interface MockOptions {
  /** Names of contracts of this package, or files; all contracts of the package unless said otherwise. */
  readonly contracts?: readonly string[];
  /** Any free port unless said otherwise. */
  readonly port?: PortChoice;
  /** Loopback unless said otherwise. */
  readonly host?: string;
  /** Chooses the world and the keys; 1 unless said otherwise. */
  readonly seed?: number;
  /** `live`, a pace such as `x60`, or an instant such as `2026-03-29T02:30:00+01:00`; unless given, the clock stands still on the mock's own. */
  readonly clock?: string;
  /** Answers to open questions that differ from the mock's own, for every contract that asks them. */
  readonly profile?: Profile;
  /** Deviations from the contracts, by the ids that `listMockFaults` gives; none unless said otherwise. */
  readonly faults?: readonly string[];
  /** Hears of every exchange once it is over. */
  readonly onExchange?: (exchange: ServedExchange) => void;
  /** Hears of what went wrong inside the mock; the client got a 500. Printed to standard error unless said otherwise. */
  readonly onError?: (error: unknown) => void;
}

/** A mock that answers. */
export interface RunningMock extends AsyncDisposable {
  /** Where all its APIs are, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** The same by API. */
  readonly urls: Readonly<Record<string, string>>;
  /** Keys by role. They open nothing but mocks of this seed. */
  readonly keys: Readonly<Record<string, string>>;
  /** The keys of the records that no caller may see, such as slugs. */
  readonly hiddenSlugs: readonly string[];
  /** The contracts that it serves, closed. Where it has faults, they say what it ought to do. */
  readonly contracts: readonly Contract[];
  /** How it deviates from them. */
  readonly faults: readonly Fault[];
  /** Stops it. Answers under way are finished. */
  readonly close: () => Promise<void>;
}

/** The world's instant unless a clock says otherwise: a Sunday evening, hours after clocks went forward in much of Europe. */
const defaultNowMs = Date.UTC(2026, 2, 29, 16, 0, 0);

/**
 * Starts a mock.
 * @throws {UsageError} for a name that is no contract, a port that is taken, a clock that is none, two contracts with the same path, a wrong profile, or an unknown fault.
 * @throws {SpecError} for a mistake in a contract file.
 */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  const seed = options.seed ?? 1;
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new UsageError(`the seed ${seed} is not a whole number of at least 0; name one such as 1`);
  const sources = await openSources(options.contracts, options.profile);
  const clock = createClock(options.clock === undefined ? { from: undefined, pace: 0 } : parseClock(options.clock), defaultNowMs, Date.now);
  const apis = sources.map((source) => createApi(source, seed, clock));
  const faults = findFaults(
    sources.map(({ contract }) => contract),
    options.faults ?? [],
  );
  const mounted = apis.map((api, index) => mount(api, sources[index], faults));
  const listeners = createListeners(options);
  const mock = createMock(mounted, listeners.onError);
  const listening = await serve(mock, options.host ?? '127.0.0.1', options.port ?? 0, listeners);
  // Prism takes longer to load than the socket to open; the first request waits for it, and a failure is told to that request.
  for (const { engine } of mounted) engine().catch((): void => undefined);
  return describe(apis, faults, listening);
}

/**
 * The faults that a mock of some contracts can be started with.
 * @throws {UsageError} for a name that is no contract, or a wrong profile.
 * @throws {SpecError} for a mistake in a contract file.
 */
export async function listMockFaults(options: Pick<MockOptions, 'contracts' | 'profile'> = {}): Promise<readonly Fault[]> {
  return (await openSources(options.contracts, options.profile)).flatMap(({ contract }) => listFaults(contract));
}

function createApi({ written, contract }: Source, seed: number, clock: Clock): ServedApi {
  const world = createWorld(written, seed);
  return {
    contract,
    world,
    clock,
    keys: createKeys(contract, world, seed),
    cursors: createCursorCodec(seed, contract.title),
    nextRequestId: () => `req_${randomUUID()}`,
  };
}

function mount(api: ServedApi, source: Source | undefined, faults: readonly Fault[]): MountedApi {
  if (source === undefined) throw new TypeError(`no contract file belongs to ${api.contract.name}`);
  const own = faults.filter((fault) => fault.contract === api.contract.name);
  if (own.length === 0) return { api, engine: source.engine };
  const { api: faulty, around } = applyFaults(api, own);
  return { api: faulty, engine: source.engine, ...(around === undefined ? {} : { around }) };
}

/** Worlds are pure, so mocks with the same seed share one; few are kept, since a world of another seed is seldom wanted twice. */
const worlds = new Map<string, World>();
const worldsKept = 8;

function createWorld(contract: Contract, seed: number): LivingWorld {
  const source = worldSources.find((each) => each.serves(contract));
  if (source === undefined) return unchanging(createExampleWorld(contract));
  return {
    tenants: source.create(contract, { seed, nowMs: defaultNowMs }).tenants,
    at: (nowMs) => worldAt(contract, source, { seed, nowMs }),
  };
}

function worldAt(contract: Contract, source: WorldSource, options: WorldOptions): World {
  const key = JSON.stringify([contract.title, options]);
  const world = worlds.get(key) ?? source.create(contract, options);
  worlds.delete(key);
  worlds.set(key, world);
  for (const oldest of [...worlds.keys()].slice(0, -worldsKept)) worlds.delete(oldest);
  return world;
}

function describe(apis: readonly ServedApi[], faults: readonly Fault[], listening: Awaited<ReturnType<typeof serve>>): RunningMock {
  return {
    url: listening.url,
    port: listening.port,
    urls: Object.fromEntries(apis.map((api) => [api.contract.name, listening.url])),
    keys: Object.fromEntries(apis.flatMap((api) => [...api.keys.byRole])),
    hiddenSlugs: apis.flatMap(listHidden),
    contracts: apis.map((api) => api.contract),
    faults,
    close: listening.close,
    [Symbol.asyncDispose]: listening.close,
  };
}

function listHidden(api: ServedApi): readonly string[] {
  const collections = api.contract.operations.flatMap((operation) => operation.collection ?? []);
  return collections.flatMap((collection) =>
    api.world.tenants
      .flatMap((tenant) => worldNow(api).records(tenant, collection.name))
      .filter((record) => !collection.query.isVisible(record))
      .map((record) => String(valueAt(record, collection.key))),
  );
}

/** The user's listeners. One that throws is told of, and takes nothing with it: neither the answer nor the process. */
function createListeners({ onExchange, onError = printError }: MockOptions): Listeners {
  const tellError = (error: unknown): void => {
    try {
      onError(error);
    } catch (failure) {
      printError(failure);
    }
  };
  const tellExchange = (exchange: ServedExchange): void => {
    try {
      onExchange?.(exchange);
    } catch (failure) {
      tellError(failure);
    }
  };
  return { onError: tellError, onExchange: tellExchange };
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
