/**
 * Builds the request or the response that carries a witness, with the key, the parameters and the body that its operation requires, so that the printed command
 * line runs. Sends nothing.
 */

import { withoutUndefined } from '../../../core/drop-undefined.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import { splitTarget } from '../../../core/http/exchange.ts';
import { type Json, type JsonObject, printJson } from '../../../core/json.ts';
import type { Credential, Operation } from '../../../core/openapi/operation.ts';
import { fillPath } from '../../../core/openapi/route-request.ts';
import { type Parameter, printParameter } from '../../../core/parameters/parse-parameter.ts';
import type { WitnessExchange } from '../../../core/results/diff-result.ts';
import { tryPrint } from '../../../generators/requests/parameter-values.ts';
import type { GeneratedBody } from '../../../generators/requests/request-bodies.ts';
import type { DocumentedOperation, DocumentedParameter } from '../operations/documented-operations.ts';
import { drawRequiredBody, exampleValue, memoizeByText } from './annotation-candidates.ts';
import type { SearchOutcome } from './search-outcome.ts';

/** Builds an exchange that carries a value. */
export type ExchangeBuilder = (value: Json) => WitnessExchange;

type WitnessRequest = NonNullable<WitnessExchange['request']>;

/** The text of a parameter or key. In a query it begins with the name. */
interface PlacedText {
  readonly in: string;
  readonly name: string;
  readonly text: string;
}

/** Builders of exchanges with the operations of the old contract. A request of an operation that cannot be read has only what it carries. */
export class WitnessExchanges {
  readonly #operationOf: (name: string) => Operation | undefined;

  constructor(operationOf: (name: string) => Operation | undefined) {
    this.#operationOf = operationOf;
  }

  /** Exchange with a value as the request body, or as the response body of a status. */
  withBody(operation: DocumentedOperation, type: string, status: string | undefined): ExchangeBuilder {
    return (body) =>
      status === undefined
        ? { request: this.#requestOf(operation, [], { type, content: body }) }
        : { request: this.#requestOf(operation), response: { status, headers: { 'content-type': type }, body } };
  }

  /** Exchange with a value as a request parameter, in the style of the operation if this can express it. */
  withParameter(operation: DocumentedOperation, { in: place, name }: Pick<DocumentedParameter, 'in' | 'name'>): ExchangeBuilder {
    return (value) => {
      const parameter = this.#operationOf(operation.name)?.parameters.find((each) => each.in === place && each.name === name);
      const text = writeAsText(value);
      const encoded = encodeURIComponent(text);
      const written = { query: `${encodeURIComponent(name)}=${encoded}`, path: encoded, cookie: encoded }[place] ?? text;
      const styled = parameter === undefined ? undefined : tryPrint(parameter, value);
      return { request: this.#requestOf(operation, [{ in: place, name, text: styled ?? written }]) };
    };
  }

  /** Exchange with a value as a response header. */
  withHeader(operation: DocumentedOperation, status: string, name: string): ExchangeBuilder {
    return (value) => ({
      request: this.#requestOf(operation),
      response: { status, headers: { [name.toLowerCase()]: writeAsText(value) } },
    });
  }

  /** Witness without a value: a request that the new contract refuses since the operation is gone or a parameter became required. */
  refusedByNew(operation: DocumentedOperation, keyword: string, message: string, place: SourceLocation): SearchOutcome {
    const exchange = { request: this.#requestOf(operation) };
    return { verdict: 'witnessed', witness: { exchange, pointer: '', value: undefined, refusedBy: 'new', keyword, message, place } };
  }

  readonly #requiredBodyOf = memoizeByText((name: string) => {
    const operation = this.#operationOf(name);
    return operation === undefined ? undefined : drawRequiredBody(operation);
  });

  #requestOf(
    { name, method, path }: DocumentedOperation,
    sent: readonly PlacedText[] = [],
    body: Pick<GeneratedBody, 'type' | 'content'> | undefined = this.#requiredBodyOf(name),
  ): WitnessRequest {
    const operation = this.#operationOf(name);
    const missing = operation === undefined ? [] : missingTexts(operation, sent);
    const inPath = new Map([...missing, ...sent].flatMap((each) => (each.in === 'path' ? [[each.name, each.text]] : [])));
    const target = fillPath(path, (parameter) => inPath.get(parameter) ?? encodeURIComponent(parameter));
    const headers = body === undefined ? {} : { 'content-type': body.type };
    const request = addTexts({ method, target, headers, ...withoutUndefined({ body: body?.content }) }, sent);
    return operation === undefined ? request : withKey(request, operation, missing);
  }
}

/** Texts of required parameters, and of one of each exclusive group, that are not sent. */
function missingTexts(operation: Operation, sent: readonly PlacedText[]): readonly PlacedText[] {
  const { parameters, rules } = operation;
  const isSent = (parameter: Parameter): boolean => sent.some((each) => each.in === parameter.in && each.name === parameter.name);
  const groups = rules
    .filter(({ rule }) => rule === 'exactly-one-of')
    .map((rule) => parameters.filter(({ key }) => rule.parameters.includes(key)));
  const chosen = groups.flatMap((group) => (group.some(isSent) ? [] : group.slice(0, 1)));
  const missing = parameters.filter((parameter) => (parameter.required || chosen.includes(parameter)) && !isSent(parameter));
  return missing.flatMap((parameter): readonly PlacedText[] => {
    const value = exampleValue(operation, parameter);
    return value === undefined ? [] : [{ in: parameter.in, name: parameter.name, text: printParameter(parameter, value) }];
  });
}

/** The environment variable with the key in printed requests, as in the examples of `verify`. */
const keyVariable = 'FULL_KEY';

/** A request with a variable in place of the key, if the operation needs one, and with further texts. */
export function withKey(request: WitnessRequest, { security }: Operation, texts: readonly PlacedText[] = []): WitnessRequest {
  const credentials = security.every((each) => each.length > 0) ? (security[0] ?? []) : [];
  return {
    ...addTexts(request, [...texts, ...credentials.map(keyText)]),
    ...(credentials.length === 0 ? {} : { variables: [keyVariable] }),
  };
}

/** The variable in the place of a key (OpenAPI 3.1 §4.8.27). */
function keyText({ carrier }: Credential): PlacedText {
  if (carrier.in === 'authorization') return { in: 'header', name: 'authorization', text: `${carrier.word} $${keyVariable}` };
  const text = carrier.in === 'query' ? `${encodeURIComponent(carrier.name)}=$${keyVariable}` : `$${keyVariable}`;
  return { in: carrier.in, name: carrier.name, text };
}

/** Adds texts to the query, the cookies and the headers. */
function addTexts(request: WitnessRequest, texts: readonly PlacedText[]): WitnessRequest {
  const { path, query } = splitTarget(request.target);
  const textsIn = (place: Parameter['in']): readonly PlacedText[] => texts.filter((each) => each.in === place);
  const pairs = [query, ...textsIn('query').map(({ text }) => text)].filter((pair) => pair !== '');
  const cookies = textsIn('cookie').map(({ name, text }) => `${name}=${text}`);
  const headerFields = textsIn('header').map(({ name, text }) => [name.toLowerCase(), text] as const);
  const cookie = [request.headers['cookie'] ?? [], cookies].flat().join('; ');
  return {
    ...request,
    target: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    headers: { ...Object.fromEntries(headerFields), ...request.headers, ...(cookies.length === 0 ? {} : { cookie }) },
  };
}

const scalar = { anyOf: [{ type: ['boolean', 'number'] }, { type: 'string', minLength: 1 }] };

/** Schema of values with an unambiguous text form: no empty values, and arrays of scalars only. */
export const writableAsText: JsonObject = { anyOf: [...scalar.anyOf, { type: 'array', minItems: 1, items: scalar }] };

/** Text form of a value: lists separated by commas, as in the default style of headers and paths; other structures as JSON. */
export function writeAsText(value: Json): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) return value.map(String).join(',');
  return typeof value === 'string' ? value : printJson(value);
}
