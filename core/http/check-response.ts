/** Judges an answer by its contract: status, headers, media type and body. */

import type { SourceLocation } from '../errors.ts';
import { depthMost, isTooDeep, readJson } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import { type Operation, type ResponseRule, responseFor, routeTo } from '../openapi/operation.ts';
import type { Validator } from '../openapi/validator.ts';
import { parseSegmentParameter } from '../parameters/parameter.ts';
import { type Exchange, headerOf } from './exchange.ts';

/** One thing that is wrong with an answer. */
export interface ResponseViolation {
  /** The part of the response that is wrong. */
  readonly part: 'status' | 'header' | 'content-type' | 'body';
  /** A header's name, or a JSON Pointer into the body; empty for the whole. */
  readonly path: string;
  /** The mistake in a word or two, which do not depend on the data: a keyword, a status. */
  readonly kind: string;
  /** The mistake in one sentence. */
  readonly message: string;
  /** Place of the clause in the contract. */
  readonly place: SourceLocation;
}

/**
 * Judges an answer to any request at an API. Outside every operation, and for an internal error that is not documented, only the API's error
 * schema holds: the documents leave those codes open.
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
  // OPTIONS asks about a server, and browsers ask it before they cross origins; no API document speaks of it.
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

/** The statuses that an operation documents. */
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
  const given = mediaTypeOf(headerOf(exchange.response.headers, 'content-type') ?? '');
  // The most exact of the documented types counts: application/json before application/* before */*.
  const stars = (type: string): number => type.split('*').length;
  const documented = types.filter((type) => matchesType(type, given)).toSorted((left, right) => stars(left) - stars(right))[0];
  const validate = documented === undefined ? undefined : rule.content.get(documented)?.validate;
  const body =
    validate === undefined || !isJsonType(given) ? checkHeadBody(exchange, rule.place) : checkBody(validate, exchange, rule.place);
  return [...violations, ...checkMediaType(types, exchange, rule.place), ...body];
}

/**
 * True for JSON, with or without parameters. Only JSON has a schema that can be judged; of other content it is enough that its type is
 * documented.
 */
export function isJsonType(type: string): boolean {
  const plain = mediaTypeOf(type);
  return plain === 'application/json' || plain.endsWith('+json');
}

/** A media type without its parameters, in lower case. */
function mediaTypeOf(field: string): string {
  return (field.split(';')[0] ?? '').trim().toLowerCase();
}

/** True for a documented media type, or one within a documented range such as `text/*`. */
export function matchesType(documented: string, field: string): boolean {
  const [type, given] = [mediaTypeOf(documented), mediaTypeOf(field)];
  return type === given || type === '*/*' || (type.endsWith('/*') && given.startsWith(type.slice(0, -1)));
}

function checkHeader(header: ResponseRule['headers'][number], { request, response }: Exchange): readonly ResponseViolation[] {
  const { parameter, name, required } = header;
  const reading = parseSegmentParameter(parameter, headerOf(response.headers, name));
  if (reading.kind === 'value' || (reading.kind === 'absent' && (!required || request.method === 'HEAD'))) return [];
  const message = reading.kind === 'absent' ? `the header ${name} is missing` : `the header ${name}: ${reading.sent} ${reading.because}`;
  return [{ part: 'header', path: name, kind: reading.kind, message, place: parameter.place }];
}

/** RFC 9110 §15.4.5: a 304 has no content; neither has an answer that documents none. */
function checkEmpty(rule: ResponseRule, { response }: Exchange): readonly ResponseViolation[] {
  if (response.body === '') return [];
  return [
    {
      part: 'body',
      path: '',
      kind: 'not empty',
      message: `a ${response.status} has no body, and this one has ${response.body.length} characters`,
      place: rule.place,
    },
  ];
}

function checkMediaType(types: readonly string[], { request, response }: Exchange, place: SourceLocation): readonly ResponseViolation[] {
  const field = headerOf(response.headers, 'content-type');
  // RFC 9110 §9.3.2: an answer to HEAD may leave out headers that follow from the content.
  if (field === undefined && request.method === 'HEAD') return [];
  const given = mediaTypeOf(field ?? '');
  if (types.some((type) => matchesType(type, given))) return [];
  return [
    {
      part: 'content-type',
      path: '',
      kind: given,
      message: `the content type is ${given === '' ? 'missing' : given}; documented is ${types.join(', ')}`,
      place,
    },
  ];
}

/** An answer to HEAD has no body to judge (RFC 9110 §9.3.2). */
function checkHeadBody({ request, response }: Exchange, place: SourceLocation): readonly ResponseViolation[] {
  if (request.method !== 'HEAD' || response.body === '') return [];
  return [{ part: 'body', path: '', kind: 'not empty', message: 'an answer to HEAD has no body', place }];
}

function checkBody(validate: Validator, exchange: Exchange, place: SourceLocation): readonly ResponseViolation[] {
  if (exchange.request.method === 'HEAD') return checkHeadBody(exchange, place);
  const value = readJson(exchange.response.body);
  if (value === undefined) {
    const message = isTooDeep(exchange.response.body) ? `the body is nested deeper than ${depthMost} levels` : 'the body is not JSON';
    return [{ part: 'body', path: '', kind: 'no json', message, place }];
  }
  return validate(value).map((violation) => ({
    part: 'body',
    path: violation.path,
    // Missing members appear only in ajv's message.
    kind: violation.keyword === 'required' ? violation.message : `${violation.keyword} ${violation.unknownKey ?? ''}`,
    message: `${violation.path === '' ? 'the body' : violation.path} ${violation.message}`,
    place: violation.place,
  }));
}
