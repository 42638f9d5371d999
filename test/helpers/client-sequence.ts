/** A client of a mock without sockets, whose requests come at chosen times. */

import type { Json } from '../../core/json.ts';
import type { ClientFinding, ClientReport } from '../../core/results/client-result.ts';
import { buildContent, type MockContent } from '../../mocks/build-mock-content.ts';
import { startChaos } from '../../mocks/chaos/decide-chaos.ts';
import { type ClientJudge, createClientJudge } from '../../mocks/client/client-judge.ts';
import { createClock, defaultInstant, type MockClock } from '../../mocks/clock.ts';
import { createDataset } from '../../mocks/data/create-dataset.ts';
import type { ServedApi } from '../../mocks/handler/served-api.ts';
import { createJournal } from '../../mocks/journal/journal.ts';

/** Settings of the mock. */
export interface SequenceOptions {
  readonly contract?: string;
  readonly seed?: number;
  readonly profile?: string;
  readonly sizes?: Readonly<Record<string, number>>;
  readonly data?: readonly string[];
}

export interface SequenceRequest {
  /** Role of the key. Default: `full`; `none` sends no key. */
  readonly role?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON body, which is posted. */
  readonly body?: Json;
  /** Real time between the last response and this request, in milliseconds. Default: 1000. */
  readonly afterMs?: number;
  /** Number of the connection. Default: 1. */
  readonly connection?: number;
  /** True if the client does not wait for the response. */
  readonly isAbandoned?: boolean;
}

export interface SequenceReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Json;
}

/** A sequence of requests, with the judge that observes them. */
export interface ClientSequence {
  readonly send: (target: string, request?: SequenceRequest) => Promise<SequenceReply>;
  readonly report: ClientJudge['report'];
  /** Ids of the rules with findings. */
  readonly broken: () => readonly string[];
  readonly first: () => ClientFinding | undefined;
  readonly clock: MockClock;
  readonly api: ServedApi;
  readonly judge: ClientJudge;
  /** Findings in the order of their first mistake. */
  readonly announced: readonly ClientFinding[];
}

/** A mock that several sequences use one after the other, since reading a contract takes time. */
interface SharedMock {
  readonly content: MockContent;
  readonly clock: MockClock;
}

const mocks = new Map<string, Promise<SharedMock>>();

/** Sizes of the lists of the package's contracts: three pages of orders. */
const smallSizes: Readonly<Record<string, number>> = { orders: 230, reservations: 60 };

interface MockOptions extends Required<Omit<SequenceOptions, 'profile'>> {
  readonly profile: string | undefined;
}

async function openMock({ contract, seed, sizes, profile, data }: MockOptions): Promise<SharedMock> {
  const clock = createClock({ from: undefined, pace: 0 }, defaultInstant, Date.now);
  let apis: readonly ServedApi[] = [];
  const chaos = startChaos({}, seed, () => apis, Date.now);
  const content = await buildContent(
    { contracts: [contract], data, ...(profile === undefined ? {} : { profile }) },
    {
      seed,
      clock,
      chaos: chaos.decider,
      datasetOf: (each) => createDataset(each, seed, each.name === 'business' ? sizes : {}),
      nextRequestId: () => 'request',
      onError: (error) => {
        throw error;
      },
    },
  );
  apis = content.apis;
  return { content, clock };
}

/** Starts a sequence, at the default instant of the mock. */
export async function startSequence(options: SequenceOptions = {}): Promise<ClientSequence> {
  const complete: MockOptions = { contract: 'business', seed: 1, sizes: smallSizes, data: [], profile: undefined, ...options };
  const key = JSON.stringify(complete);
  const opened = mocks.get(key) ?? openMock(complete);
  mocks.set(key, opened);
  const { content, clock } = await opened;
  clock.reset();
  const { apis } = content;
  const [api] = apis;
  if (api === undefined) throw new Error('a mock serves at least one API');
  let wallMs = Date.UTC(2030, 0, 1);
  const wall = (): number => wallMs;
  const journal = createJournal({ apis: () => apis, now: clock.now, wall });
  const announced: ClientFinding[] = [];
  const judge = createClientJudge({ apis: () => apis, url: () => 'http://mock', onFinding: (finding) => announced.push(finding) });
  const report = (): ClientReport => judge.report();
  return {
    clock,
    api,
    judge,
    announced,
    report: judge.report,
    broken: () => [...new Set(report().findings.map(({ rule }) => rule))],
    first: () => report().findings[0],
    send: async (target, { role = 'full', headers = {}, body: posted, afterMs = 1000, connection = 1, isAbandoned = false } = {}) => {
      wallMs += afterMs;
      const key = role === 'none' ? {} : keyHeader(api, role);
      const request =
        posted === undefined
          ? { method: 'GET', target, headers: { ...key, ...headers } }
          : { method: 'POST', target, headers: { ...key, 'content-type': 'application/json', ...headers }, body: JSON.stringify(posted) };
      const received = content.mock.receive(request);
      const answer = await content.mock.respond(received);
      const { context } = answer;
      const response = isAbandoned && context !== undefined ? { ...answer, context: { ...context, cut: 'abandoned' as const } } : answer;
      const { delayMs = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = answer.wire ?? {};
      const durationMs = 1 + delayMs + (answer.body.length / bytesPerSecond) * 1000;
      wallMs += durationMs;
      judge.observe(journal.record({ request: content.mock.redact(received), response, durationMs, connection }));
      const body = response.body.length === 0 ? null : (JSON.parse(response.body.toString()) as Json);
      return { status: response.status, headers: response.headers, body };
    },
  };
}

function keyHeader({ contract, keys }: ServedApi, role: string): Readonly<Record<string, string>> {
  const carrier = contract.operations.flatMap(({ security }) => security.flat())[0]?.carrier;
  return carrier?.in === 'header' ? { [carrier.name.toLowerCase()]: keys.byRole.get(role) ?? role } : {};
}
