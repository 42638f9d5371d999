/** Putting requests together as they go over the wire, and reading them back as a server does. */

import { isObject } from '../../core/json.ts';
import { type Credential, type Operation, routeTo } from '../../core/operation.ts';
import { type Parameter, printParameter } from '../../core/parameter.ts';
import { type RequestReading, readRequest } from '../../core/request.ts';
import { equal } from '../schema/equality.ts';
import { ChoiceStream } from './choice-stream.ts';
import { type GeneratedRequest, printingAs, received } from './generated-request.ts';
import { isOpenToAll, placeKeys } from './proof.ts';
import type { RequestParts } from './request-parts.ts';
import { respell, respellHeader } from './spelling.ts';

/** Puts the parts of a request together. */
export function writeRequest(operation: Operation, parts: RequestParts): GeneratedRequest {
  return printingAs(write(operation, parts, false), () => write(operation, parts, true));
}

/** What a server reads in a request; `undefined` when the request would be one for another operation. */
export function readBack(operation: Operation, request: GeneratedRequest): RequestReading | undefined {
  const route = routeTo(rivalsOf(operation), request.method, request.target);
  if (route.kind !== 'operation' || route.operation !== operation) return undefined;
  return readRequest(operation, received(request), route.segments);
}

/** Whether a reading has every value that the request means, and none that it does not mean. Some parameters may be excepted. */
export function agrees(
  { parameters }: Operation,
  reading: RequestReading,
  request: GeneratedRequest,
  excepted: readonly string[] = [],
): boolean {
  const carried = parameters.filter((parameter) => isCarried(parameter, request.credentials)).map(({ key }) => key);
  const isMeant = (key: string): boolean => request.values.has(key) || excepted.includes(key) || carried.includes(key);
  return (
    [...reading.sent].every(isMeant) &&
    [...request.values].every(
      ([key, value]) => excepted.includes(key) || (reading.sent.has(key) && equal(reading.values.get(key) ?? null, value)),
    )
  );
}

function write(operation: Operation, parts: RequestParts, isShown: boolean): GeneratedRequest {
  const { values, texts, proof, body } = parts;
  const stream = new ChoiceStream(parts.choices);
  const credentials = proof.map(({ credential }) => credential);
  const places = placeKeys(proof, stream, isShown);
  const sent = operation.parameters.flatMap((parameter) => {
    const value = values.get(parameter.key);
    const text =
      texts.get(parameter.key) ?? (value === undefined ? undefined : respell(parameter, printParameter(parameter, value), stream));
    return text === undefined || isCarried(parameter, credentials) ? [] : [{ parameter, text }];
  });
  const sentIn = (place: Parameter['in']): typeof sent => sent.filter(({ parameter }) => parameter.in === place);
  const query = stream.shuffle([...sentIn('query').map(({ text }) => text), ...parts.pairs, ...places.query].filter((pair) => pair !== ''));
  const cookies = stream.shuffle([...sentIn('cookie').map(({ parameter, text }) => `${parameter.name}=${text}`), ...places.cookies]);
  const headers = [
    ...places.headers,
    ...sentIn('header').map(({ parameter, text }) => [respellHeader(parameter.name, stream), text] as const),
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ...(body === undefined ? [] : [['Content-Type', body.type] as const]),
  ];
  const path = fillPath(operation.path, new Map(sentIn('path').map(({ parameter, text }) => [parameter.name, text])));
  const isMeant = (key: string): boolean => sent.some(({ parameter }) => parameter.key === key && !texts.has(key));
  return {
    method: operation.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: Object.fromEntries(headers),
    body: body?.text,
    values: new Map([...values].filter(([key]) => isMeant(key))),
    content: body?.content,
    credentials: credentials.filter((credential) => operation.security.flat().includes(credential)),
    lacksKey: proof.length === 0 && !isOpenToAll(operation),
  };
}

/** Some contracts declare the carrier of a key as a parameter too; there the key is its value. */
function isCarried(parameter: Parameter, credentials: readonly Credential[]): boolean {
  const isSame = (name: string): boolean =>
    parameter.in === 'header' ? name.toLowerCase() === parameter.name.toLowerCase() : name === parameter.name;
  return credentials.some(({ carrier }) => carrier.in === parameter.in && 'name' in carrier && isSame(carrier.name));
}

/** Fills a template. What is literal in it may need encoding, but for marks that mean something in a URL. */
function fillPath(template: string, texts: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{([^}]+)\}|[^!-~]+/g, (token, name: string | undefined) =>
    name === undefined ? encodeURIComponent(token) : (texts.get(name) ?? token),
  );
}

const rivals = new WeakMap<Operation, readonly Operation[]>();

/** The operation among all paths of its file: a value in a path must not make it another path. */
function rivalsOf(operation: Operation): readonly Operation[] {
  const paths = operation.document.root['paths'];
  const others = Object.keys(isObject(paths) ? paths : {}).filter((path) => path !== operation.path);
  const known = rivals.get(operation) ?? [operation, ...others.map((path) => ({ ...operation, path }))];
  rivals.set(operation, known);
  return known;
}
