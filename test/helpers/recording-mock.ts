/** A mock without a socket that records the pact of its client. */

import type { HttpRequest } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Pact } from '../../core/pact/pact.ts';
import { parsePact } from '../../core/pact/parse-pact.ts';
import { type ChaosDecider, noChaos } from '../../mocks/chaos/chaos-decision.ts';
import { createDataset } from '../../mocks/data/create-dataset.ts';
import type { Dataset } from '../../mocks/data/dataset.ts';
import { createMock } from '../../mocks/handler/mock.ts';
import { preparedToHttpResponse } from '../../mocks/handler/prepare-response.ts';
import type { ServedApi } from '../../mocks/handler/served-api.ts';
import { printPact, toPactFile } from '../../mocks/pact/pact-document.ts';
import { chooseProvider, createPactRecorder, type LeftOut } from '../../mocks/pact/pact-recorder.ts';
import { type ServedOptions, serveApi, serveText } from './served.ts';

/** The mock. */
export interface RecordingMock {
  readonly api: ServedApi;
  /** Sends a request, and returns the body of the answer. */
  readonly get: (target: string, headers?: Readonly<Record<string, string>>) => Promise<Json | undefined>;
  readonly send: (request: HttpRequest) => Promise<{ readonly status: number }>;
  /** The text of the pact so far. */
  readonly text: () => string;
  /** The parsed pact. */
  readonly pact: () => Pact;
  readonly leftOut: () => readonly LeftOut[];
}

const nowMs = Date.UTC(2026, 2, 29, 16);

/** A mock of the business API, with its dataset. */
export async function recordBusiness(options: ServedOptions = {}, decider: ChaosDecider = noChaos): Promise<RecordingMock> {
  return record(await serveApi('business', { dataset: living(options.seed ?? 1), ...options }), decider);
}

/** A mock of the wiki API, with its dataset. */
export async function recordWiki(options: ServedOptions = {}): Promise<RecordingMock> {
  return record(await serveApi('wiki', { dataset: living(options.seed ?? 1), ...options }));
}

/** A mock of a contract in a text. */
export async function recordText(text: string, options: ServedOptions = {}): Promise<RecordingMock> {
  return record(await serveText(text, options));
}

const datasets = new Map<string, Dataset>();

/** The dataset of a seed, created once, since nothing changes it. */
function living(seed: number): NonNullable<ServedOptions['dataset']> {
  return (written: Contract) => {
    const key = `${written.name} ${seed}`;
    const dataset = datasets.get(key) ?? createDataset(written, seed).at(nowMs);
    datasets.set(key, dataset);
    return dataset;
  };
}

function record(api: ServedApi, decider: ChaosDecider = noChaos): RecordingMock {
  const errors: unknown[] = [];
  const mock = createMock([{ api }], (error) => errors.push(error), decider);
  const recorder = createPactRecorder(() => [api]);
  const send = async (request: HttpRequest): Promise<{ readonly status: number; readonly body: string }> => {
    const received = mock.receive(request);
    const prepared = await mock.respond(received);
    const response = preparedToHttpResponse(prepared);
    for (const error of errors) throw error;
    recorder.record({ request: mock.redact(received), response, context: prepared.context });
    return response;
  };
  const text = (): string => printPact(toPactFile('shop', chooseProvider(recorder.recorded(), undefined, [api.contract.name])));
  return {
    api,
    send,
    get: async (
      target,
      headers = { 'x-service-api-key': api.keys.byRole.get('full') ?? '', 'x-key': api.keys.byRole.get('full') ?? '' },
    ) => {
      const { body } = await send({ method: 'GET', target, headers });
      return body === '' ? undefined : (JSON.parse(body) as Json);
    },
    text,
    pact: () => parsePact('pact.json', text()),
    leftOut: recorder.leftOut,
  };
}
