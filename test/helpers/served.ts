/** APIs as a mock serves them, without a socket. */

import { createHash } from 'node:crypto';
import type { Profile } from '../../core/annotations/apply-profile.ts';
import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
import type { JsonObject } from '../../core/json.ts';
import { type Contract, resolveContract } from '../../core/openapi/contract.ts';
import { contractFile } from '../../core/shipped-files.ts';
import { type Dataset, unchanging } from '../../mocks/data/dataset.ts';
import { createExampleDataset } from '../../mocks/data/example-dataset.ts';
import { createCursorCodec } from '../../mocks/handler/cursor.ts';
import { createMock } from '../../mocks/handler/mock.ts';
import { preparedToHttpResponse } from '../../mocks/handler/prepare-response.ts';
import type { ServedApi } from '../../mocks/handler/served-api.ts';
import { createKeys } from '../../mocks/key-ring.ts';
import { createJudge, openContract } from './exchange-judge.ts';
import { type Fields, type Reply, toReply } from './plain-client.ts';
import { stillClock } from './still-clock.ts';

/** Sources of a served API. */
export interface ServedOptions {
  readonly seed?: number;
  readonly profile?: Profile;
  /** Creates the data, from the contract as written. Default: the examples of the contract. */
  readonly dataset?: (written: Contract) => Dataset;
}

/** The API of a contract: one of the package by name, or a file. Its requests have the ids `request-1`, `request-2` and so on. */
export async function serveApi(nameOrFile: string, options: ServedOptions = {}): Promise<ServedApi> {
  return serveContract(await openContract(contractFile(nameOrFile)), options);
}

/** The API of a contract in a text. */
export async function serveText(text: string, options: ServedOptions = {}): Promise<ServedApi> {
  const name = `text-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.yaml`;
  return serveContract(await openContract(name, text), options);
}

const closed = new WeakMap<Contract, Map<string, Contract>>();

/** The contract with the answers of a profile. Each pair is resolved once, since validators are expensive. */
function closeContract(open: Contract, profile: Profile): Contract {
  const byProfile = closed.get(open) ?? new Map<string, Contract>();
  closed.set(open, byProfile);
  const key = JSON.stringify(profile);
  const contract = byProfile.get(key) ?? resolveContract(open, profile);
  byProfile.set(key, contract);
  return contract;
}

export function serveContract(
  open: Contract,
  { seed = 1, profile = {}, dataset: createDataset = createExampleDataset }: ServedOptions,
): ServedApi {
  const contract = closeContract(open, profile);
  const dataset = createDataset(open);
  let count = 0;
  const nextRequestId = (): string => {
    count += 1;
    return `request-${count}`;
  };
  return {
    contract,
    dataset: unchanging(dataset),
    clock: stillClock(Date.UTC(2026, 2, 29, 16)),
    keys: createKeys(contract, dataset, seed),
    cursors: createCursorCodec(seed, contract.title),
    envelopeMembers: new Map(),
    nextRequestId,
  };
}

/** A dataset of one tenant that holds only these records. */
export function datasetOf(records: readonly JsonObject[]): Dataset {
  return { tenants: ['full'], records: () => records, head: () => undefined, resource: () => undefined };
}

/** Answers requests of served APIs. */
export interface DirectMock {
  readonly get: (target: string, headers?: Fields) => Promise<Reply>;
  readonly respond: (request: HttpRequest) => Promise<HttpResponse>;
}

/**
 * Creates a mock without a socket. Each answer is checked against its contract. Internal errors are thrown instead of answered with 500.
 */
export function createDirectMock(apis: readonly ServedApi[]): DirectMock {
  const judge = createJudge(() => apis.map((api) => api.contract));
  const errors: unknown[] = [];
  const mock = createMock(
    apis.map((api) => ({ api })),
    (error) => errors.push(error),
  );
  const respond = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = preparedToHttpResponse(await mock.respond(mock.receive(request)));
    for (const error of errors) throw error;
    judge.record({ request, response });
    await judge.verify();
    return response;
  };
  return {
    respond,
    get: async (target, headers = {}) => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const response = await respond({ method: 'GET', target, headers: lower });
      return toReply(response.status, response.headers as Reply['headers'], Buffer.from(response.body));
    },
  };
}
