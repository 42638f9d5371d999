/** Mocks with records, without a socket. */

import { isObject, type Json, type JsonObject, printJson, readJson } from '../../core/json.ts';
import { createMock } from '../../mocks/handler/mock.ts';
import { preparedToHttpResponse } from '../../mocks/handler/prepare-response.ts';
import type { ServedApi } from '../../mocks/handler/served-api.ts';
import { type ChangeStore, World, type WorldSettings } from '../../mocks/world/world.ts';
import { createWorldAnswers } from '../../mocks/world/world-answers.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly json: Json | undefined;
}

export type Ask = (line: string, body?: Json, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

/** A mock that remembers. */
export interface WorldMock {
  readonly ask: Ask;
  readonly world: World;
}

/** A mock of an API with the records of its seed. */
export function openWorld(served: ServedApi, store?: ChangeStore, ownRecords?: WorldSettings['recordsOf']): WorldMock {
  const world = new World(served.contract, { seed: 1, nowMs: served.clock.now(), sizes: {}, store, recordsOf: ownRecords });
  const mock = createMock(
    [{ api: { ...served, world: { world, answer: createWorldAnswers(served.contract, world, served.cursors) } } }],
    (error) => {
      throw error;
    },
  );
  const ask: Ask = async (line, body, headers = {}) => {
    const [method = 'GET', target = '/'] = line.split(/ (.*)/);
    const sent = body === undefined ? {} : { body: printJson(body) };
    const prepared = await mock.respond(
      mock.receive({
        method,
        target,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...sent,
      }),
    );
    const response = preparedToHttpResponse(prepared);
    return { status: response.status, headers: response.headers, json: readJson(response.body) };
  };
  return { ask, world };
}

export function objectOf({ json }: Answer): JsonObject {
  if (!isObject(json)) throw new Error(`no object: ${JSON.stringify(json)}`);
  return json;
}

export function recordsOf(answer: Answer): readonly JsonObject[] {
  return (Array.isArray(answer.json) ? answer.json : objectOf(answer)['data']) as readonly JsonObject[];
}
