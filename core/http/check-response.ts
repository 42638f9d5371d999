/**
 * Checks one response against its contract: status, headers, media type and body. `verify` and `pact verify` call it for each
 * exchange. It looks at schemas only; rules over several exchanges are judged elsewhere.
 */

import type { SourceLocation } from '../errors.ts';
import { isTooDeep, maxNesting, readJson } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import { type Operation, type ResponseRule, responseFor, routeTo } from '../openapi/operation.ts';
import type { Validator } from '../openapi/validator.ts';
import { parseSegmentParameter } from '../parameters/parameter.ts';
import { type Exchange, headerOf } from './exchange.ts';

/** One difference between a response and its contract. */
export interface ResponseViolation {
  /** The part of the response that is wrong. */
  readonly part: 'status' | 'header' | 'content-type' | 'body';
  /** A header's name, or a JSON Pointer into the body; empty for the whole. */
  readonly path: string;
  /** The mistake in a word or two that do not depend on the data, such as a keyword or a status. Part of fingerprints. */
  readonly kind: string;
  /** The mistake in one sentence. */
  readonly message: string;
  /** Place of the clause in the contract. */
  readonly place: SourceLocation;
}

/**
 * Checks the response to any request at an API. An undocumented 500, and a failure outside every operation, must only have the API's error schema.
 * @example
 * ```ts
 * import { checkResponse, contractFile, loadContract } from 'touchstone';
 *
 * const contract = await loadContract(contractFile('wiki'));
 * const request = { method: 'GET', target: '/api/v1/wiki', headers: {} };
 * const response = { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
 * for (const { path, message } of checkResponse(contract, { request, response })) console.log(path, message);
 * ```
 */
export function checkResponse(contract: Contract, exchange: Exchange): readonly ResponseViolation[] {
  const { request, response } = exchange;
  // Browsers send OPTIONS before requests to another origin. API documents do not describe it.
  if (request.method === 'OPTIONS' && response.status < 300) return [];
  const route = routeTo(contract.operations, request.method, request.target);
  const documented = route.kind === 'operation' ? responseFor(route.operation, response.status) : undefined;
  if (documented !== undefined) return checkDocumented(documented, exchange);
  const isFailure = response.status >= 400;
  if (isFailure && (route.kind !== 'operation' || response.status === 500)) return checkFailure(contract, exchange);
  const place = route.kind === 'operation' ? route.operation.place : contract.place;
  return [
    {
      part: 'status',
      path: '',
      kind: String(response.status),
      message: `the status ${response.status} is not documented${expectedOf(route)}`,
      place,
    },
  ];
}

function expectedOf(route: ReturnType<typeof routeTo>): string {
  return route.kind === 'operation'
    ? `; documented are ${documentedStatuses(route.operation).join(', ')}`
    : ' outside every operation, where only failures are';
}

/** Lists the statuses that an operation documents. */
export function documentedStatuses(operation: Operation): readonly string[] {
  return [...operation.responses.keys()];
}

function checkFailure(contract: Contract, exchange: Exchange): readonly ResponseViolation[] {
  if (contract.error === undefined) return [];
  return [
    ...checkMediaType(['application/json', 'application/problem+json'], exchange, contract.place),
    ...checkBody(contract.error.validate, exchange, contract.place),
  ];
}

function checkDocumented(rule: ResponseRule, exchange: Exchange): readonly ResponseViolation[] {
  const violations = rule.headers.flatMap((header) => checkHeader(header, exchange));
  const types = [...rule.content.keys()];
  const isEmpty = types.length === 0 || [204, 205, 304].includes(exchange.response.status);
  if (isEmpty) return [...violations, ...checkEmpty(rule, exchange)];
  const sent = mediaTypeOf(headerOf(exchange.response.headers, 'content-type') ?? '');
  // The most specific documented type applies: application/json before application/* before */*.
  const stars = (type: string): number => type.split('*').length;
  const documented = types.filter((type) => matchesType(type, sent)).toSorted((left, right) => stars(left) - stars(right))[0];
  const validate = documented === undefined ? undefined : rule.content.get(documented)?.validate;
  const body =
    validate === undefined || !isJsonType(sent) ? checkHeadBody(exchange, rule.place) : checkBody(validate, exchange, rule.place);
  return [...violations, ...checkMediaType(types, exchange, rule.place), ...body];
}

/** True for a JSON media type, with or without parameters. Only JSON bodies are validated; for other content, the type must be documented. */
export function isJsonType(type: string): boolean {
  const plain = mediaTypeOf(type);
  return plain === 'application/json' || plain.endsWith('+json');
}

/** Returns a media type without its parameters, in lower case. */
function mediaTypeOf(field: string): string {
  return (field.split(';')[0] ?? '').trim().toLowerCase();
}

/** True if the documented media type, or a range such as `text/*`, includes the type of a `content-type` field. */
export function matchesType(documented: string, field: string): boolean {
  const [type, sent] = [mediaTypeOf(documented), mediaTypeOf(field)];
  return type === sent || type === '*/*' || (type.endsWith('/*') && sent.startsWith(type.slice(0, -1)));
}

function checkHeader(header: ResponseRule['headers'][number], { request, response }: Exchange): readonly ResponseViolation[] {
  const { parameter, name, required } = header;
  const reading = parseSegmentParameter(parameter, headerOf(response.headers, name));
  if (reading.kind === 'value' || (reading.kind === 'absent' && (!required || request.method === 'HEAD'))) return [];
  const message = reading.kind === 'absent' ? `the header ${name} is missing` : `the header ${name}: ${reading.sent} ${reading.because}`;
  return [{ part: 'header', path: name, kind: reading.kind, message, place: parameter.place }];
}

/** A 304 has no content (RFC 9110 §15.4.5), and neither has a response without documented content. */
function checkEmpty(rule: ResponseRule, { response }: Exchange): readonly ResponseViolation[] {
  if (response.body === '') return [];
  return [
    {
      part: 'body',
      path: '',
      kind: 'not empty',
      message: `the body has ${response.body.length} characters; a ${response.status} must have none`,
      place: rule.place,
    },
  ];
}

function checkMediaType(types: readonly string[], { request, response }: Exchange, place: SourceLocation): readonly ResponseViolation[] {
  const field = headerOf(response.headers, 'content-type');
  // A response to HEAD may omit headers that depend on the content (RFC 9110 §9.3.2).
  if (field === undefined && request.method === 'HEAD') return [];
  const sent = mediaTypeOf(field ?? '');
  if (types.some((type) => matchesType(type, sent))) return [];
  return [
    {
      part: 'content-type',
      path: '',
      kind: sent,
      message: `the content type is ${sent === '' ? 'missing' : sent}; documented is ${types.join(', ')}`,
      place,
    },
  ];
}

/** A response to HEAD must not have a body (RFC 9110 §9.3.2). */
function checkHeadBody({ request, response }: Exchange, place: SourceLocation): readonly ResponseViolation[] {
  if (request.method !== 'HEAD' || response.body === '') return [];
  return [{ part: 'body', path: '', kind: 'not empty', message: 'an answer to HEAD must have no body', place }];
}

function checkBody(validate: Validator, exchange: Exchange, place: SourceLocation): readonly ResponseViolation[] {
  if (exchange.request.method === 'HEAD') return checkHeadBody(exchange, place);
  const value = readJson(exchange.response.body);
  if (value === undefined) {
    const message = isTooDeep(exchange.response.body) ? `the body is nested deeper than ${maxNesting} levels` : 'the body is not JSON';
    return [{ part: 'body', path: '', kind: 'no json', message, place }];
  }
  return validate(value).map((violation) => ({
    part: 'body',
    path: violation.path,
    // Only ajv's message names the missing member.
    kind: violation.keyword === 'required' ? violation.message : `${violation.keyword} ${violation.unknownKey ?? ''}`,
    message: `${violation.path === '' ? 'the body' : violation.path} ${violation.message}`,
    place: violation.place,
  }));
}
