/** Starting a mock: from the names of contracts to a server that answers. */

import { randomUUID } from 'node:crypto';
import { type Contract, loadContract, readContract, resolveContract } from '../core/contract.ts';
import { UsageError } from '../core/errors.ts';
import { valueAt } from '../core/pointer.ts';
import type { Profile } from '../core/profile.ts';
import { contractFile, listShipped } from '../core/shipped.ts';
import { createCursorCodec } from './cursor.ts';
import { createExampleWorld } from './example-world.ts';
import type { MountedApi } from './host.ts';
import { createKeys } from './keys.ts';
import { createMock } from './mock.ts';
import type { Engine } from './prism.ts';
import type { ServedApi } from './served-api.ts';
import { type Listeners, type PortChoice, type ServedExchange, serve } from './server.ts';
import { worldSources } from './world/catalogue.ts';
import type { World, WorldOptions } from './world.ts';

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
  /** Answers to open questions that differ from the mock's own, for every contract that asks them. */
  readonly profile?: Profile;
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
  /** The contracts that it serves, closed. */
  readonly contracts: readonly Contract[];
  /** Stops it. Answers under way are finished. */
  readonly close: () => Promise<void>;
}

/** The world's instant unless a clock says otherwise: a Sunday evening, hours after clocks went forward in much of Europe. */
const defaultNowMs = Date.UTC(2026, 2, 29, 16, 0, 0);

/**
 * Starts a mock.
 * @throws {UsageError} for a name that is no contract, a port that is taken, two contracts with the same path, or a wrong profile.
 * @throws {SpecError} for a mistake in a contract file.
 */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  const seed = options.seed ?? 1;
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new UsageError(`the seed ${seed} is not a whole number of at least 0; name one such as 1`);
  const names = options.contracts ?? listShipped();
  // A program in JavaScript has no compiler that tells it.
  if (!Array.isArray(names)) throw new UsageError(`contracts: ${JSON.stringify(names)} is no list; write contracts: ['NAME'] for one`);
  if (names.length === 0)
    throw new UsageError('no contract is named, so there is nothing to serve; name one, or none of the option for all');
  const sources = nameApart(await Promise.all(names.map((name) => openContract(name, options.profile ?? {}))));
  rejectUnknownAnswers(sources, options.profile ?? {});
  rejectSharedPaths(sources.map((source) => source.contract));
  const mounted = sources.map((source): MountedApi => ({ api: createApi(source, seed), engine: source.engine }));
  const listeners = createListeners(options);
  const mock = createMock(mounted, listeners.onError);
  const listening = await serve(mock, options.host ?? '127.0.0.1', options.port ?? 0, listeners);
  // Prism takes longer to load than the socket to open; the first request waits for it, and a failure is told to that request.
  for (const { engine } of mounted) engine().catch((): void => undefined);
  return describe(mounted, listening);
}

/** A contract as its file says it and as a profile closes it, with the Prism for its file. */
interface Source {
  readonly written: Contract;
  readonly contract: Contract;
  readonly engine: () => Promise<Engine>;
}

/** What does not depend on a profile. */
type File = Pick<Source, 'written' | 'engine'> & { readonly resolved: Map<string, Contract> };

/** The contracts of the package do not change while a process runs, so hundreds of mocks share them. */
const shared = new Map<string, Promise<File>>();

async function openContract(name: string, profile: Profile): Promise<Source> {
  const { written, engine, resolved } = await openFile(name);
  const answers = Object.entries(profile).filter(([question]) => written.questions.has(question));
  const key = JSON.stringify(answers.toSorted());
  const contract = resolved.get(key) ?? resolveContract(written, Object.fromEntries(answers));
  resolved.set(key, contract);
  return { written, contract, engine };
}

function openFile(name: string): Promise<File> {
  const file = contractFile(name);
  if (!listShipped().includes(name)) return readFile(file, loadContract);
  const opened = shared.get(file) ?? readFile(file, readContract);
  shared.set(file, opened);
  return opened;
}

async function readFile(file: string, read: typeof loadContract): Promise<File> {
  const written = await read(file);
  let engine: Promise<Engine> | undefined;
  return {
    written,
    resolved: new Map(),
    engine: () => {
      engine ??= import('./prism.ts').then(({ createEngine }) => createEngine(file));
      return engine;
    },
  };
}

/** Two files of one name in different folders are told apart by a number. */
function nameApart(sources: readonly Source[]): readonly Source[] {
  return sources.map((source, index) => {
    const earlier = sources.slice(0, index).filter((other) => other.contract.name === source.contract.name).length;
    return earlier === 0 ? source : { ...source, contract: { ...source.contract, name: `${source.contract.name}-${earlier + 1}` } };
  });
}

function createApi({ written, contract }: Source, seed: number): ServedApi {
  const world = createWorld(written, { seed, nowMs: defaultNowMs });
  return {
    contract,
    world,
    keys: createKeys(contract, world, seed),
    cursors: createCursorCodec(seed, contract.title),
    nextRequestId: () => `req_${randomUUID()}`,
  };
}

/** Worlds are pure, so mocks with the same seed share one; few are kept, since a world of another seed is seldom wanted twice. */
const worlds = new Map<string, World>();
const worldsKept = 8;

function createWorld(contract: Contract, options: WorldOptions): World {
  const source = worldSources.find((each) => each.serves(contract));
  if (source === undefined) return createExampleWorld(contract);
  const key = JSON.stringify([contract.title, options]);
  const world = worlds.get(key) ?? source.create(contract, options);
  worlds.delete(key);
  worlds.set(key, world);
  for (const oldest of [...worlds.keys()].slice(0, -worldsKept)) worlds.delete(oldest);
  return world;
}

function rejectUnknownAnswers(sources: readonly Source[], profile: Profile): void {
  for (const question of Object.keys(profile)) {
    if (sources.some(({ contract }) => contract.questions.has(question))) continue;
    const known = [...new Set(sources.flatMap(({ contract }) => [...contract.questions.keys()]))];
    throw new UsageError(`the profile answers ${question}, and no contract asks that; questions are ${known.join(', ')}`);
  }
}

function rejectSharedPaths(contracts: readonly Contract[]): void {
  const files = contracts.map((contract) => contract.document.file);
  const twice = files.find((file, index) => files.indexOf(file) < index);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice; name it once`);
  const owners = new Map<string, Contract>();
  for (const contract of contracts) {
    for (const path of new Set(contract.operations.map((operation) => operation.path.replaceAll(/\{[^}]*\}/g, '{}')))) {
      const owner = owners.get(path);
      if (owner !== undefined) {
        throw new UsageError(
          `${owner.document.file} and ${contract.document.file} both have the path ${path}; serve one of them, or each on a port of its own`,
        );
      }
      owners.set(path, contract);
    }
  }
}

function describe(mounted: readonly MountedApi[], listening: Awaited<ReturnType<typeof serve>>): RunningMock {
  const apis = mounted.map(({ api }) => api);
  return {
    url: listening.url,
    port: listening.port,
    urls: Object.fromEntries(apis.map((api) => [api.contract.name, listening.url])),
    keys: Object.fromEntries(apis.flatMap((api) => [...api.keys.byRole])),
    hiddenSlugs: apis.flatMap(listHidden),
    contracts: apis.map((api) => api.contract),
    close: listening.close,
    [Symbol.asyncDispose]: listening.close,
  };
}

function listHidden(api: ServedApi): readonly string[] {
  const collections = api.contract.operations.flatMap((operation) => operation.collection ?? []);
  return collections.flatMap((collection) =>
    api.world.tenants
      .flatMap((tenant) => api.world.records(tenant, collection.name))
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
