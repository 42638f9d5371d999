/** Checks the request of an interaction. Matching rules of requests are not compared: they say what the consumer may send. */

import { questionAboutProblem } from '../../../core/annotations/question-behind-problem.ts';
import { nearest } from '../../../core/did-you-mean.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { keyIn } from '../../../core/http/key-of-request.ts';
import { isJsonType, matchesType } from '../../../core/http/media-type.ts';
import { type BodyReading, mediaFor, readBody } from '../../../core/http/read-body-value.ts';
import type { Json } from '../../../core/json.ts';
import { type BodySchema, type Credential, type Operation, responseFor } from '../../../core/openapi/operation.ts';
import { keysToViolation } from '../../../core/openapi/schema-violation.ts';
import type { RequestProblem } from '../../../core/parameters/read-request.ts';
import type { PactFinding } from '../../../core/results/pact-check-result.ts';
import { bodyKeys, createFinding, type FindingMessage, headerKeys, notCompared } from './create-finding.ts';
import { type CheckContext, nothingChecked, type PartCheck } from './interaction-context.ts';

/** Checks the parameters, the key and the body of a request that expects a success or a 304. */
export function checkRequest(context: CheckContext): readonly PactFinding[] {
  const parameters = context.reading.problems.map((problem) => explainParameter(context, problem));
  return [...parameters, ...checkKey(context), ...checkRequestBody(context).findings];
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
  const expects = `${operation.id} ${isRefused ? 'rejects it' : 'may reject or ignore it'}, but the pact expects ${interaction.response.status}`;
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
    `the request has no key, but the pact expects ${interaction.response.status}: ${operation.id} returns 401 without a key`,
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
export function checkRequestBody(context: CheckContext): PartCheck {
  const { operation, interaction, sent } = context;
  const { body } = interaction.request;
  const keys = bodyKeys(context, 'request');
  const sentType = headerOf(sent.headers, 'content-type');
  const type = sentType ?? 'application/json';
  if (operation.requestBody === undefined)
    return body === undefined || body === null
      ? nothingChecked
      : wrongBody(context, keys, `the pact sends a body, but ${operation.id} documents none`);
  const { content, required } = operation.requestBody;
  const media = mediaFor(content, type) ?? (isJsonType(type) ? [...content.values()].find((each) => isJsonType(each.type)) : undefined);
  if (sentType !== undefined && media === undefined) {
    const problem = `the body is ${type}, but ${operation.id} accepts only ${[...content.keys()].join(', ')}`;
    return wrongBody(context, headerKeys(context, 'request', 'content-type'), problem);
  }
  if (body === undefined && required) return wrongBody(context, keys, `the request has no body, but ${operation.id} needs one`);
  return body === undefined || media === undefined ? nothingChecked : checkSentBody(context, media, type, body);
}

function checkSentBody(context: CheckContext, media: BodySchema, type: string, body: Json): PartCheck {
  const { operation, interaction, contract } = context;
  const keys = bodyKeys(context, 'request');
  const reading: BodyReading = isJsonType(type) || typeof body !== 'string' ? { kind: 'value', value: body } : readBody(media, type, body);
  if (reading.kind === 'not-compared')
    return { ...nothingChecked, remarks: [notCompared(context, keys, 'the body of the request', reading.reason)] };
  if (reading.kind === 'broken') return wrongBody(context, keys, `the body ${reading.problem}`);
  const violations = contract.validators.compile(media.schema)(reading.value);
  const findings = violations.flatMap((violation) => {
    const name = violation.path === '' ? 'the body' : `the body at ${violation.path}`;
    const problem = `${name} ${violation.message}, but the pact expects ${interaction.response.status} from ${operation.id}`;
    return wrongBody(context, [...keys, ...keysToViolation(violation)], problem, violation.place).findings;
  });
  return { ...nothingChecked, findings };
}

function wrongBody(
  context: CheckContext,
  keys: readonly string[],
  problem: string,
  clause: SourceLocation = context.operation.place,
): PartCheck {
  const message: FindingMessage = [problem, 'correct the request, or change the contract'];
  return { ...nothingChecked, findings: [createFinding(context, keys, { id: 'request/body', grade: 'impossible', message, clause })] };
}

/** Checks that the operation documents a media type that the request accepts. */
export function checkAccept(context: CheckContext): readonly PactFinding[] {
  const { operation, interaction } = context;
  const { status } = interaction.response;
  const types = [...new Set([...operation.responses.values()].flatMap(({ content }) => [...content.keys()]))];
  // A 304 or 204 has no body, and a 406 is the documented answer.
  const hasBody = (responseFor(operation, status)?.content.size ?? 0) > 0;
  if (types.some((type) => isAccepted(context, type)) || !hasBody || status === 406) return [];
  const message: FindingMessage = [
    `the request accepts only ${acceptOf(context)}, but ${operation.id} returns ${types.join(', ')}`,
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

function acceptOf({ sent }: CheckContext): string | undefined {
  return headerOf(sent.headers, 'accept');
}

/** True if the request accepts a media type; without a header Accept it accepts all. */
export function isAccepted(context: CheckContext, type: string): boolean {
  const ranges = acceptOf(context)?.split(',') ?? ['*/*'];
  return ranges.some((range) => matchesType(range, type) || matchesType(type, range) || (isJsonType(range) && isJsonType(type)));
}
