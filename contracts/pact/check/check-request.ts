/** Checks the request of an interaction. Matching rules of requests are not compared: they say what the consumer may send. */

import { questionAboutProblem } from '../../../core/annotations/question-about-request.ts';
import { nearest } from '../../../core/did-you-mean.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { keyIn } from '../../../core/http/key-of-request.ts';
import { documentedTypeOf, isJsonType, matchesType, mediaTypeOf } from '../../../core/http/media-type.ts';
import { type Json, readJson } from '../../../core/json.ts';
import { type Credential, type Operation, responseFor } from '../../../core/openapi/operation.ts';
import { keysToViolation, type SchemaViolation } from '../../../core/openapi/schema-violation.ts';
import type { Validator } from '../../../core/openapi/validator.ts';
import { decodeOrKeep, splitQuery } from '../../../core/parameters/query-string.ts';
import type { RequestProblem } from '../../../core/parameters/read-request.ts';
import { fromPointer } from '../../../core/pointer.ts';
import type { PactFinding } from '../../../core/results/pact-check-result.ts';
import { bodyKeys, createFinding, type FindingMessage, headerKeys } from './create-finding.ts';
import type { CheckContext } from './interaction-context.ts';

/** Checks the parameters, the key and the body of a request that expects a success or a 304. */
export function checkRequest(context: CheckContext): readonly PactFinding[] {
  const parameters = context.reading.problems.map((problem) => explainParameter(context, problem));
  return [...parameters, ...checkKey(context), ...checkRequestBody(context)];
}

/** Explains a problem of a parameter in a request that expects a success. */
function explainParameter(context: CheckContext, problem: RequestProblem): PactFinding {
  const { operation, interaction } = context;
  const [name = ''] = problem.parameters;
  const question = questionAboutProblem(context.contract, operation, problem);
  const isRefused = problem.answer === 'refused' && question === undefined;
  const meant = problem.class === 'undeclared' ? nearest(name, parameterNames(operation)) : undefined;
  const advice = meant === undefined ? 'correct the request' : `did you mean ${meant}?`;
  const parameter = operation.parameters.find((each) => each.name === name && each.in === problem.in);
  const plain = problem.message.replace(/\.$/, '');
  const expects = `${operation.id} ${isRefused ? 'refuses it' : 'may refuse or ignore it'}, but the pact expects ${interaction.response.status}`;
  return createFinding(context, parameterKeys(context, problem.in, name), {
    id: 'request/parameter',
    grade: isRefused ? 'impossible' : 'not-guaranteed',
    message: [`${plain}: ${expects}`, advice],
    clause: parameter?.place ?? operation.place,
    question,
  });
}

function parameterNames({ parameters }: Operation): readonly string[] {
  return parameters.map(({ name }) => name);
}

/** Returns the keys of a parameter below its interaction; for a missing parameter, those of the request. */
function parameterKeys(context: CheckContext, place: RequestProblem['in'], name: string): readonly string[] {
  const { request } = context.interaction;
  if (place === 'path') return ['request', 'path'];
  if (place === 'query') return request.query.has(name) ? ['request', 'query', name] : ['request'];
  return headerKeys(context, 'request', name);
}

function checkKey(context: CheckContext): readonly PactFinding[] {
  const { operation, conditions, allStatesKnown, interaction } = context;
  const isSettled = !allStatesKnown || conditions.some((condition) => condition.kind === 'key');
  if (operation.security.length === 0 || isSettled || carriesKey(context)) return [];
  const ways = operation.security.map((all) => all.map(describeCarrier).join(' and ')).join(', or ');
  const message: FindingMessage = [
    `the request has no key, but the pact expects ${interaction.response.status}: ${operation.id} answers 401 without a key`,
    `send ${ways}`,
  ];
  return [createFinding(context, ['request'], { id: 'request/key', grade: 'impossible', message, clause: operation.place })];
}

/** True if the request has every credential of one security requirement, whatever the values are. */
export function carriesKey({ operation, sent }: CheckContext): boolean {
  return operation.security.some((all) => all.every((credential) => (keyIn(sent, credential) ?? '') !== ''));
}

function describeCarrier({ carrier }: Credential): string {
  return carrier.in === 'authorization' ? `Authorization: ${carrier.word} KEY` : `the ${carrier.in} ${carrier.name}`;
}

/** Checks the media type and the values of the body. As in Pact, a body without a media type is JSON. */
export function checkRequestBody(context: CheckContext): readonly PactFinding[] {
  const { operation, interaction, sent, contract } = context;
  const { requestBody } = operation;
  const { body } = interaction.request;
  const found = (at: readonly string[], problem: string, clause = operation.place): PactFinding => {
    const message: FindingMessage = [problem, 'correct the request, or change the contract'];
    return createFinding(context, at, { id: 'request/body', grade: 'impossible', message, clause });
  };
  const keys = bodyKeys(context, 'request');
  if (requestBody === undefined)
    return body === undefined || body === null ? [] : [found(keys, `the pact sends a body, and ${operation.id} documents none`)];
  const types = [...requestBody.content.keys()];
  const sentType = headerOf(sent.headers, 'content-type');
  const type = sentType ?? 'application/json';
  const documentedType = documentedTypeOf(types, type) ?? (isJsonType(type) ? types.find(isJsonType) : undefined);
  if (sentType !== undefined && documentedType === undefined)
    return [
      found(headerKeys(context, 'request', 'content-type'), `the body is ${type}, and ${operation.id} accepts only ${types.join(', ')}`),
    ];
  if (body === undefined) return requestBody.required ? [found(keys, `the request has no body, and ${operation.id} needs one`)] : [];
  const validate = contract.validators.compile(requestBody.content.get(documentedType ?? '')?.schema ?? true);
  return violationsIn(body, type, validate).map((violation) => {
    const name = violation.path === '' ? 'the body' : `the body at ${violation.path}`;
    const problem = `${name} ${violation.message}, but the pact expects ${interaction.response.status} of ${operation.id}`;
    return found([...keys, ...keysToViolation(violation)], problem, violation.place);
  });
}

function violationsIn(body: Json, type: string, validate: Validator): readonly SchemaViolation[] {
  if (isJsonType(type)) return validate(body);
  return mediaTypeOf(type) === 'application/x-www-form-urlencoded' && typeof body === 'string' ? violationsInForm(body, validate) : [];
}

/** Checks the fields of a form. A text may stand for another value or a list of them, so a field is wrong if every reading of it is. */
function violationsInForm(form: string, validate: Validator): readonly SchemaViolation[] {
  const fields = splitQuery(form).map(([name, text]) => [name, decodeOrKeep(text)] as const);
  const readAsText = (text: string): Json => text;
  const readAsValue = (text: string): Json => readJson(text) ?? text;
  const readings = [readAsText, readAsValue].flatMap((read) => [
    fields.map(([name, text]) => [name, read(text)] as const),
    fields.map(([name]) => [name, fields.filter(([each]) => each === name).flatMap(([, text]) => text.split(',').map(read))] as const),
  ]);
  const fieldOf = ({ path, missingKey, unknownKey }: SchemaViolation): string | undefined =>
    fromPointer(path)[0] ?? missingKey ?? unknownKey;
  const [first = [], ...others] = readings.map((reading) => validate(Object.fromEntries(reading)));
  return first.filter((violation) => others.every((list) => list.some((each) => fieldOf(each) === fieldOf(violation))));
}

/** Checks that the operation documents a media type that the request accepts. */
export function checkAccept(context: CheckContext): readonly PactFinding[] {
  const { operation, interaction, sent } = context;
  const accepted = headerOf(sent.headers, 'accept')?.split(',') ?? [];
  const { status } = interaction.response;
  const types = [...new Set([...operation.responses.values()].flatMap(({ content }) => [...content.keys()]))];
  const fits = (range: string, type: string): boolean =>
    matchesType(range, type) || matchesType(type, range) || (isJsonType(range) && isJsonType(type));
  const isAccepted = accepted.some((range) => types.some((type) => fits(range, type)));
  // A 304 or 204 has no body, and a 406 is the documented answer.
  const hasBody = (responseFor(operation, status)?.content.size ?? 0) > 0;
  if (accepted.length === 0 || isAccepted || !hasBody || status === 406) return [];
  const message: FindingMessage = [
    `the request accepts only ${accepted.join(',')}, and ${operation.id} answers with ${types.join(', ')}`,
    'accept one of these',
  ];
  return [
    createFinding(context, headerKeys(context, 'request', 'accept'), {
      id: 'request/accept',
      grade: 'impossible',
      message,
      clause: operation.place,
    }),
  ];
}
