/** Writes requests as they are sent, prints them without keys, and reads them back as a server does. Nothing is sent. */

import { toStringMethod } from 'fast-check';
import type { HttpRequest } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import { getOrCompute } from '../../core/memo.ts';
import { pathTemplates } from '../../core/openapi/clauses.ts';
import type { Credential, Operation } from '../../core/openapi/operation.ts';
import { fillPath, routeTo } from '../../core/openapi/route-request.ts';
import { type Parameter, printParameter } from '../../core/parameters/parse-parameter.ts';
import { type RequestReading, readRequest } from '../../core/parameters/read-request.ts';
import { SpellingChoices, varyHeaderName, varySpelling } from './equivalent-spellings.ts';
import { isOpenToAll, placeKey } from './request-api-keys.ts';
import type { RequestParts } from './request-parts.ts';

/** A request, ready to be sent. Counterexamples print it as one line, with `$SCHEME` in place of each key. */
export interface GeneratedRequest {
  /** In upper case. */
  readonly method: string;
  /** Path and query as sent, relative to the base address of the server. */
  readonly target: string;
  /** Header fields by the names that are sent, in any case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body text; `undefined` for none. The header `Content-Type` has its media type. */
  readonly body: string | undefined;
  /** The intended values, by parameter (`key`). Parameters that are not sent are absent, with or without a default. */
  readonly values: ReadonlyMap<string, Json>;
  /** The intended value of the body. */
  readonly content: Json | undefined;
  /** The credentials whose keys it carries. */
  readonly credentials: readonly Credential[];
  /** True when the operation needs a key and none is known. The expected response is 401. */
  readonly lacksKey: boolean;
}

/** The request as a server receives it: header names in lower case. */
export function asReceived({ method, target, headers }: Pick<GeneratedRequest, 'method' | 'target' | 'headers'>): HttpRequest {
  return { method, target, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) };
}

function print({ method, target, headers, body }: GeneratedRequest): string {
  const fields = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
  return [`${method} ${target}`, ...fields, ...(body === undefined ? [] : [` ${body}`])].join(' |');
}

/** Builds a request, which prints without its keys. */
export function writeRequest(operation: Operation, parts: RequestParts): GeneratedRequest {
  // Not enumerable, so that equal requests compare as equal.
  return Object.defineProperty(write(operation, parts, false), toStringMethod, { value: () => print(write(operation, parts, true)) });
}

/** Reads a request as a server does; `undefined` when it routes to another operation. */
export function readBack(operation: Operation, request: GeneratedRequest): RequestReading | undefined {
  const route = routeTo(competingOperations(operation), request.method, request.target);
  if (route.kind !== 'operation' || route.operation !== operation) return undefined;
  return readRequest(operation, asReceived(request), route.segments);
}

/** True when a reading has exactly the intended values, apart from those of `exceptedKeys`. */
export function hasIntendedValues(
  { parameters }: Operation,
  reading: RequestReading,
  request: GeneratedRequest,
  exceptedKeys: readonly string[] = [],
): boolean {
  const carriedKeys = parameters.filter((parameter) => isCarried(parameter, request.credentials)).map(({ key }) => key);
  const isAccepted = (key: string): boolean => request.values.has(key) || exceptedKeys.includes(key) || carriedKeys.includes(key);
  return (
    [...reading.sent].every(isAccepted) &&
    [...request.values].every(
      ([key, value]) => exceptedKeys.includes(key) || (reading.sent.has(key) && equal(reading.values.get(key) ?? null, value)),
    )
  );
}

function write(operation: Operation, parts: RequestParts, isShown: boolean): GeneratedRequest {
  const { values, texts, keys, body } = parts;
  const choices = new SpellingChoices(parts.spelling);
  const credentials = keys.map(({ credential }) => credential);
  const placedKeys = keys.map((carried) => placeKey(carried, choices, isShown));
  const keysIn = (place: 'query' | 'cookie'): readonly string[] => placedKeys.flatMap((key) => (key.in === place ? [key.text] : []));
  const sentParameters = operation.parameters.flatMap((parameter) => {
    const value = values.get(parameter.key);
    const text =
      texts.get(parameter.key) ?? (value === undefined ? undefined : varySpelling(parameter, printParameter(parameter, value), choices));
    return text === undefined || isCarried(parameter, credentials) ? [] : [{ parameter, text }];
  });
  const parametersIn = (place: Parameter['in']): typeof sentParameters => sentParameters.filter(({ parameter }) => parameter.in === place);
  const query = choices.shuffle(
    [...parametersIn('query').map(({ text }) => text), ...parts.pairs, ...keysIn('query')].filter((pair) => pair !== ''),
  );
  const cookies = choices.shuffle([
    ...parametersIn('cookie').map(({ parameter, text }) => `${parameter.name}=${text}`),
    ...keysIn('cookie'),
  ]);
  const headers = [
    ...placedKeys.flatMap((key) => (key.in === 'header' ? [key.text] : [])),
    ...parametersIn('header').map(({ parameter, text }) => [varyHeaderName(parameter.name, choices), text] as const),
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ...(body === undefined ? [] : [['Content-Type', body.type] as const]),
  ];
  const inPath = new Map(parametersIn('path').map(({ parameter, text }) => [parameter.name, text]));
  const path = fillPath(operation.path, (name) => inPath.get(name) ?? `{${name}}`);
  const isSentAsValue = (key: string): boolean => sentParameters.some(({ parameter }) => parameter.key === key && !texts.has(key));
  return {
    method: operation.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: Object.fromEntries(headers),
    body: body?.text,
    values: new Map([...values].filter(([key]) => isSentAsValue(key))),
    content: body?.content,
    credentials: credentials.filter((credential) => operation.security.flat().includes(credential)),
    lacksKey: keys.length === 0 && !isOpenToAll(operation),
  };
}

/** True when a parameter is also the carrier of a key: there the key is its value. */
function isCarried(parameter: Parameter, credentials: readonly Credential[]): boolean {
  const isSame = (name: string): boolean =>
    parameter.in === 'header' ? name.toLowerCase() === parameter.name.toLowerCase() : name === parameter.name;
  return credentials.some(({ carrier }) => carrier.in === parameter.in && 'name' in carrier && isSame(carrier.name));
}

const competingByOperation = new WeakMap<Operation, readonly Operation[]>();

/** The operation and all other paths of its file: a value in a path must not turn it into another path. */
function competingOperations(operation: Operation): readonly Operation[] {
  const others = pathTemplates(operation.document).filter((path) => path !== operation.path);
  return getOrCompute(competingByOperation, operation, () => [operation, ...others.map((path) => ({ ...operation, path }))]);
}
