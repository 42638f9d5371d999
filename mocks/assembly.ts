/** What a mock answers from, put together from files: contracts with their datasets, own data, keys and mutants. */

import type { Profile } from '../core/annotations/profile.ts';
import type { HttpRequest } from '../core/http/exchange.ts';
import type { Contract } from '../core/openapi/contract.ts';
import type { ChaosDecider } from './chaos/chaos-decision.ts';
import type { MockClock } from './clock.ts';
import { type ContractSource, listFiles, listProfileFiles, openSources } from './contract-sources.ts';
import type { ChangingDataset } from './data/dataset.ts';
import { readOwnData } from './data/own/own-data.ts';
import { withOwnData } from './data/own/own-data-file.ts';
import type { MountedApi } from './handler/api-handler.ts';
import { createCursorCodec } from './handler/cursor.ts';
import { findSiblings } from './handler/envelope.ts';
import type { Mock } from './handler/mock.ts';
import type { ServedApi } from './handler/served-api.ts';
import { createKeys } from './key-ring.ts';
import type { PlacedMutant } from './mutants/mock-mutant.ts';

/** What is put together. */
export interface AssemblyOptions {
  readonly contracts?: readonly string[];
  readonly profile?: Profile | string;
  readonly data?: readonly string[];
  readonly mutants?: readonly string[];
}

/** What stays while files are reloaded. */
export interface Lasting {
  readonly seed: number;
  readonly clock: MockClock;
  readonly chaos?: ChaosDecider;
  readonly datasetOf: (contract: Contract) => ChangingDataset;
  readonly nextRequestId: () => string;
  readonly onError: (error: unknown) => void;
}

/** What a mock answers from: made of its files, and made anew when they are reloaded. */
export interface Assembly {
  readonly mock: Mock;
  readonly apis: readonly ServedApi[];
  readonly mutants: readonly PlacedMutant[];
  /** The files of one's own. */
  readonly files: readonly string[];
}

/**
 * Reads all files and puts the mock together.
 * @throws {UsageError} for a name that is no contract, a file that cannot be read, a wrong profile, or an unknown mutant.
 * @throws {SpecError} for a mistake in a file.
 */
export async function assemble(options: AssemblyOptions, lasting: Lasting): Promise<Assembly> {
  const sources = await openSources(options.contracts, options.profile);
  const apis = await createApis(sources, options.data ?? [], lasting);
  const named = options.mutants ?? [];
  const { mutants, mounted } = named.length === 0 ? { mutants: [], mounted: apis.map((api) => ({ api })) } : await breakApis(apis, named);
  // Prism takes some 70 ms to load, which only those who start a mock pay.
  const { createMock } = await import('./handler/mock.ts');
  return {
    mock: createMock(mounted, lasting.onError, lasting.chaos),
    apis,
    mutants,
    files: [...listFiles(sources), ...listProfileFiles(options.profile), ...(options.data ?? [])],
  };
}

async function createApis(sources: readonly ContractSource[], files: readonly string[], lasting: Lasting): Promise<readonly ServedApi[]> {
  const bases = sources.map(({ contract }) => ({ contract, dataset: lasting.datasetOf(contract) }));
  const data = await readOwnData(
    files,
    bases.map(({ contract, dataset }) => ({ contract, tenants: dataset.tenants })),
  );
  return await Promise.all(
    bases.map(({ contract, dataset }) => createApi(contract, withOwnData(dataset, contract, data.get(contract) ?? []), lasting)),
  );
}

async function createApi(contract: Contract, dataset: ChangingDataset, { seed, clock, nextRequestId }: Lasting): Promise<ServedApi> {
  const keys = createKeys(contract, dataset, seed);
  const [cursors, siblings] = [createCursorCodec(seed, contract.title), await findSiblings(contract)];
  return { contract, dataset, clock, keys, cursors, siblings, nextRequestId };
}

/** The APIs with their mutants. Few mocks have any, so what makes them is loaded when it is needed. */
async function breakApis(
  apis: readonly ServedApi[],
  ids: readonly string[],
): Promise<{ readonly mutants: readonly PlacedMutant[]; readonly mounted: readonly MountedApi[] }> {
  const { findMutants, serveMutants } = await import('./mutants/serve-mutants.ts');
  const mutants = findMutants(
    apis.map(({ contract }) => contract),
    ids,
  );
  const mounted = apis.map((api) => {
    const own = mutants.filter((mutant) => mutant.contract === api.contract.name);
    if (own.length === 0) return { api };
    const { api: served, around } = serveMutants(api, own);
    return { api: served, isFickle: true, ...(around === undefined ? {} : { around }) };
  });
  return { mutants, mounted };
}

/** A mock that stays while what it answers from is replaced. */
export interface Replaceable<Inside> {
  readonly mock: Mock;
  readonly current: () => Inside;
  /** Makes the inside anew and takes it when it is complete; when that fails, it says why and the old one stays. */
  readonly reload: () => Promise<void>;
}

/** A mock around its first inside; `make` makes the next ones. */
export function createReplaceable<Inside extends { readonly mock: Mock }>(first: Inside, make: () => Promise<Inside>): Replaceable<Inside> {
  let current = first;
  // Keys that one inside knew are hidden by that one, whatever has come after it.
  const asked = new WeakMap<HttpRequest, Mock>();
  let last: Promise<void> = Promise.resolve();
  const replace = async (): Promise<void> => {
    current = await make();
  };
  return {
    current: () => current,
    // One after another: the last one that is asked for reads the files last, and is what stays.
    reload: () => {
      const next = last.then(replace, replace);
      last = next;
      return next;
    },
    mock: {
      respond: (request) => {
        asked.set(request, current.mock);
        return current.mock.respond(request);
      },
      refuse: (status, message) => current.mock.refuse(status, message),
      methodsAt: (request) => current.mock.methodsAt(request),
      readsBody: (request) => current.mock.readsBody(request),
      redact: (request) => (asked.get(request) ?? current.mock).redact(request),
    },
  };
}
