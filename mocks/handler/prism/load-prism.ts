/** Loads the parts of Prism, each at its first use. Its mocker and its file readers are left out: they load a generator, which takes a second. */

import { createRequire } from 'node:module';
import type { IPrismComponents, IPrismConfig } from '@stoplight/prism-core';
import type { IHttpRequest } from '@stoplight/prism-http/dist/types.js';
import type { IHttpOperation } from '@stoplight/types';
import { lazy } from '../../../core/memo.ts';

const requirePrism = createRequire(import.meta.url);

type Route = typeof import('@stoplight/prism-http/dist/router/index.js')['default'];
type Validator = typeof import('@stoplight/prism-http/dist/validator/index.js');
type Security = typeof import('@stoplight/prism-http/dist/validator/validators/security/index.js');
type Negotiator = typeof import('@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js')['default'];
type Problems = typeof import('@stoplight/prism-http/dist/mocker/errors.js');
type ProblemType = typeof import('@stoplight/prism-http/dist/types.js');
type Serializer = typeof import('@stoplight/prism-http-server/dist/serialize.js');
type Sampler = typeof import('@stoplight/json-schema-sampler');

/** Chooses the operation of a method and a path. */
export const prismRoute: () => Route = lazy(
  () => (requirePrism('@stoplight/prism-http/dist/router/index.js') as { readonly default: Route }).default,
);

/** Judges parameters and forms. */
export const prismValidator: () => Validator = lazy(() => requirePrism('@stoplight/prism-http/dist/validator/index.js') as Validator);

/** Judges credentials. */
export const prismSecurity: () => Security = lazy(
  () => requirePrism('@stoplight/prism-http/dist/validator/validators/security/index.js') as Security,
);

/** Chooses the response, its media type and its example. */
export const prismNegotiator: () => Negotiator = lazy(
  () => (requirePrism('@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js') as { readonly default: Negotiator }).default,
);

/** Errors that no document describes (RFC 9457). */
export const prismProblems: () => Problems & ProblemType = lazy(() => ({
  ...(requirePrism('@stoplight/prism-http/dist/mocker/errors.js') as Problems),
  ...(requirePrism('@stoplight/prism-http/dist/types.js') as ProblemType),
}));

/** Prints bodies in their media type. */
export const prismSerialize: () => Serializer['serialize'] = lazy(
  () => (requirePrism('@stoplight/prism-http-server/dist/serialize.js') as Serializer).serialize,
);

/** Makes values of schemas without members. */
export const prismSample: () => Sampler['sample'] = lazy(() => (requirePrism('@stoplight/json-schema-sampler') as Sampler).sample);

type Logger = IPrismComponents<unknown, unknown, unknown, IPrismConfig>['logger'];

/** A logger that prints nothing. Prism logs each request; the mock prints its own lines instead. */
export const silentLogger: Logger = {
  child: (): unknown => silentLogger,
  ...Object.fromEntries(['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'].map((level) => [level, (): void => undefined])),
} as unknown as Logger;

/** Loads all parts, which takes 200 ms of processor time, so that no request waits for it. */
export function preloadPrism(): void {
  for (const part of [prismRoute, prismSecurity, prismNegotiator, prismProblems, prismSerialize, prismSample]) part();
  // At their first use, the validators compile the schema of all schemas: one for parameters, one for forms.
  prismValidator().validateInput({ resource: anyForm, element: formRequest });
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';

const anyForm = {
  id: 'form',
  method: 'post',
  path: '/',
  responses: [],
  request: {
    query: [{ id: 'a', name: 'a', style: 'form', schema: { type: 'string' } }],
    body: { contents: [{ id: 'form', mediaType: 'application/x-www-form-urlencoded', schema: { $schema: dialect, type: 'object' } }] },
  },
} as unknown as IHttpOperation;

const formRequest: IHttpRequest = {
  method: 'post',
  url: { path: '/', query: { a: 'b' } },
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '3' },
  body: 'a=b',
};
