/**
 * Documented answers, negotiated by Prism: an example by its name or its status, or a generated one. With what generates, this is most of Prism: loading it
 * takes more than a second and some 40 MB, so it is loaded when somebody prefers such an answer, or when a contract has no other.
 */

import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest, type IHttpResponse } from '@stoplight/prism-http';
import type { HttpMethod, IHttpOperation } from '@stoplight/types';
import * as E from 'fp-ts/lib/Either.js';
import { type HttpRequest, headerOf, splitTarget } from '../core/exchange.ts';
import type { Operation } from '../core/operation.ts';
import type { Answer } from './answer.ts';
import type { Body } from './json-bytes.ts';
import { silentLogger } from './prism.ts';

/** What a client prefers by the header `Prefer` (RFC 7240), in Prism's words. */
export interface Preference {
  readonly code: number | undefined;
  readonly example: string | undefined;
  readonly dynamic: boolean;
}

/** A documented answer; a text says why there is none. */
export type Negotiate = (operation: Operation, request: HttpRequest, preference: Preference) => Promise<Answer | string>;

const config: IHttpConfig = {
  isProxy: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
  mock: { dynamic: false },
};

/**
 * Loads the operations of a contract file into Prism.
 * @throws when Prism cannot read the file, which `loadContract` has read before.
 */
export async function createNegotiation(file: string): Promise<Negotiate> {
  const operations = await getHttpOperationsFromSpec(file);
  const resources = new Map(operations.map((resource) => [`${resource.method.toUpperCase()} ${resource.path}`, resource]));
  const resourceOf = ({ method, path }: Operation): IHttpOperation => {
    const resource = resources.get(`${method} ${path}`);
    if (resource === undefined) throw new Error(`Prism does not know ${method} ${path} of ${file}`);
    return resource;
  };
  const examples = createInstance(config, { logger: silentLogger as unknown as Parameters<typeof createInstance>[1]['logger'] });
  return async (operation, request, { code, example, dynamic }) => {
    // A generated body follows from the request, so that it is the same in every process, as all else is.
    const mock = {
      dynamic,
      seed: `${request.method} ${request.target}`,
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { exampleKey: example }),
    };
    const result = await examples.request(toPrismRequest(request), [resourceOf(operation)], { ...config, mock })();
    return E.isLeft(result) ? explain(result.left) : toAnswer(result.right.output);
  };
}

function toPrismRequest(request: HttpRequest): IHttpRequest {
  const { path, query } = splitTarget(request.target);
  // What is accepted is disregarded, as RFC 9110 §12.5.1 allows: there is one representation, and Prism would refuse to give it.
  const names = Object.keys(request.headers).filter((name) => name !== 'accept');
  const headers = Object.fromEntries(names.map((name) => [name, headerOf(request.headers, name) ?? '']));
  const method = (request.method === 'HEAD' ? 'get' : request.method.toLowerCase()) as HttpMethod;
  return { method, url: { path, query: Object.fromEntries(new URLSearchParams(query)) }, headers };
}

function toAnswer(output: IHttpResponse): Answer {
  const headers = Object.entries(output.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { status: output.statusCode, headers: Object.fromEntries(headers), body: output.body as Body | undefined };
}

function explain(error: Error): string {
  return 'detail' in error && typeof error.detail === 'string' && error.detail !== '' ? error.detail : error.message;
}
