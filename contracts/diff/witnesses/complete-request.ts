/**
 * Completes the requests of witnesses: adds the key and the parameters that the operation requires, so that the printed command line runs.
 * `compare-contracts.ts` calls it for each change, after the witness searches. It sends nothing.
 */

import { splitTarget } from '../../../core/http/exchange.ts';
import type { Json } from '../../../core/json.ts';
import type { Credential, Operation } from '../../../core/openapi/operation.ts';
import { routeTo } from '../../../core/openapi/route-request.ts';
import { type Parameter, printParameter } from '../../../core/parameters/parse-and-print-parameter.ts';
import { readRequest } from '../../../core/parameters/read-request-parameters.ts';
import type { Change, WitnessExchange } from '../../../core/results/diff-result.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { drawSmallest } from './candidate-values.ts';
import { parameterValues } from './find-request-annotation-witness.ts';

/** The environment variable with the key in printed requests, as in the examples of `verify`. */
const keyVariable = 'FULL_KEY';

type WitnessRequest = NonNullable<WitnessExchange['request']>;

/** A change whose witness has a complete request, by the operations of the old contract. */
export function withCompleteRequest(change: Change, operations: readonly Operation[]): Change {
  const { witness } = change;
  const request = witness?.exchange.request;
  if (witness === undefined || request === undefined) return change;
  const exchange = { ...witness.exchange, request: completeRequest(request, operations) };
  return { ...change, witness: { ...witness, exchange } };
}

function completeRequest(request: WitnessRequest, operations: readonly Operation[]): WitnessRequest {
  const { method, target, headers } = request;
  const route = routeTo(operations, method, target);
  if (route.kind !== 'operation') return request;
  const { operation, segments } = route;
  const { sent, problems } = readRequest(operation, { method, target, headers }, segments);
  const isSent = ({ key, name }: Parameter): boolean =>
    sent.has(key) || problems.some((problem) => problem.class !== 'broken-rule' && problem.parameters.includes(name));
  const added = missingParameters(operation, isSent).flatMap((parameter): readonly PlacedText[] => {
    const value = exampleValue(operation, parameter);
    return value === undefined ? [] : [{ in: parameter.in, name: parameter.name, text: printParameter(parameter, value) }];
  });
  const credentials = operation.security.every((each) => each.length > 0) ? (operation.security[0] ?? []) : [];
  return {
    ...addTexts(request, [...added, ...credentials.map(keyText)]),
    ...(credentials.length === 0 ? {} : { variables: [keyVariable] }),
  };
}

/** Required parameters, and one of each exclusive group. A sent path contains all path parameters. */
function missingParameters({ parameters, rules }: Operation, isSent: (parameter: Parameter) => boolean): readonly Parameter[] {
  const required = parameters.filter((parameter) => parameter.required && parameter.in !== 'path');
  const groups = rules
    .filter(({ rule }) => rule === 'exactly-one-of')
    .map((rule) => parameters.filter(({ key }) => rule.parameters.includes(key)));
  const chosen = groups.flatMap((group) => (group.some(isSent) ? [] : group.slice(0, 1)));
  return [...new Set([...required, ...chosen])].filter((parameter) => !isSent(parameter));
}

/** Limit of drawn values. */
const maxDraws = 20;

/** A value of a parameter: an example if there is one, since a server probably has its record. */
function exampleValue(operation: Operation, parameter: Parameter): Json | undefined {
  const isValid = (value: Json): boolean => parameter.validate(value).length === 0;
  const listed = [...parameter.examples.filter(isValid), ...parameterValues(operation, parameter)][0];
  return listed ?? drawSmallest(() => arbitraryFor(parameter.schema, { document: operation.document }), isValid, maxDraws);
}

/** The text of a parameter or key. In a query it begins with the name. */
interface PlacedText {
  readonly in: Parameter['in'];
  readonly name: string;
  readonly text: string;
}

/** The variable in the place of a key (OpenAPI 3.1 §4.8.27). */
function keyText({ carrier }: Credential): PlacedText {
  if (carrier.in === 'authorization') return { in: 'header', name: 'authorization', text: `${carrier.word} $${keyVariable}` };
  const text = carrier.in === 'query' ? `${encodeURIComponent(carrier.name)}=$${keyVariable}` : `$${keyVariable}`;
  return { in: carrier.in, name: carrier.name, text };
}

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
