/** A mock of a small document without annotations, without a socket. Its answers may be undocumented errors, so no contract judges them. */

import type { Json } from '../../core/json.ts';
import { readJson } from '../../core/json.ts';
import { createMock } from '../../mocks/handler/mock.ts';
import { preparedToHttpResponse } from '../../mocks/handler/prepare-response.ts';
import type { PlainSettings, ServedApi } from '../../mocks/handler/served-api.ts';
import { serveText } from './served.ts';

/** A response, with its body as text and as JSON. */
export interface PlainAnswer {
  readonly status: number;
  /** The media type without parameters; `undefined` without a body. */
  readonly type: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  readonly json: Json | undefined;
}

/** Sends a request such as `POST /things?a=1`. */
export type AskPlainly = (line: string, headers?: Readonly<Record<string, string>>, body?: string) => Promise<PlainAnswer>;

/** Serves the paths of a document; `more` has its other members. */
export async function servePlainly(paths: string, more = '', plain: PlainSettings = {}): Promise<AskPlainly> {
  const api: ServedApi = { ...(await serveText(`openapi: 3.1.0\ninfo: { title: Plain, version: '1' }\n${more}\npaths:\n${paths}`)), plain };
  const errors: unknown[] = [];
  const mock = createMock([{ api }], (error) => errors.push(error));
  return async (line, headers = {}, body = '') => {
    const [method = 'GET', target = '/'] = line.split(/ (.*)/);
    const prepared = await mock.respond(mock.receive({ method, target, headers, ...(body === '' ? {} : { body }) }));
    for (const error of errors) throw error;
    const response = preparedToHttpResponse(prepared);
    const type = response.headers['content-type'];
    return {
      ...response,
      type: typeof type === 'string' ? type.split(';')[0] : undefined,
      text: response.body,
      json: readJson(response.body),
    };
  };
}

/** A response of JSON with an example, as YAML. */
export function jsonExample(value: Json): string {
  return `{ description: x, content: { application/json: { example: ${JSON.stringify(value)} } } }`;
}
