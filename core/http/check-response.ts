/** Checks one response against its contract: status, headers, media type and body. It sees a single exchange; what takes several belongs in a rule. */

import type { SourceLocation } from '../errors.ts';
import { describeJson, isArray, isObject, isTooDeep, type Json, maxNesting, objectOrEmpty, readJson } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import { type BodySchema, type ResponseRule, responseFor } from '../openapi/operation.ts';
import { routeTo } from '../openapi/route-request.ts';
import type { SchemaViolation } from '../openapi/schema-violation.ts';
import { parseSegmentParameter } from '../parameters/parameter.ts';
import { showPointer, toPointer, valueAt } from '../pointer.ts';
import { createMask } from '../redaction/mask-personal-data.ts';
import { describeBrokenJson } from './describe-broken-json.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { documentedTypeOf, isJsonType, matchesType, mediaTypeOf } from './media-type.ts';

/** One difference between a response and its contract. */
export interface ResponseViolation {
  /** The part of the response that is wrong; `write-only` for a member of the body that a response should not show. */
  readonly part: 'status' | 'header' | 'content-type' | 'body' | 'write-only';
  /** A header's name, or a JSON Pointer into the body; empty for the whole. */
  readonly path: string;
  /** The mistake in a word or two that do not depend on the data, such as a keyword or a status. Part of fingerprints. */
  readonly kind: string;
  /** The requirement, such as `data[0].status must be one of "open", "closed"`. */
  readonly expected: string;
  /** The actual state, such as `data[0].status is "lost"`. Personal data is not shown. */
  readonly actual: string;
  /** Both in one sentence: `data[0].status is "lost", not one of "open", "closed"`. */
  readonly message: string;
  /** Place of the clause in the contract. */
  readonly place: SourceLocation;
}

/** A violation. Without a sentence of its own, one is put together from its parts. */
type ViolationParts = Omit<ResponseViolation, 'message'> & Partial<Pick<ResponseViolation, 'message'>>;

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
  return listViolations(contract, exchange).map((parts) => ({ message: `${parts.actual}, but ${parts.expected}`, ...parts }));
}

function listViolations(contract: Contract, exchange: Exchange): readonly ViolationParts[] {
  const { request, response } = exchange;
  // Browsers send OPTIONS before requests to another origin. API documents do not describe it.
  if (request.method === 'OPTIONS' && response.status < 300) return [];
  const route = routeTo(contract.operations, request.method, request.target);
  const documentedResponse = route.kind === 'operation' ? responseFor(route.operation, response.status) : undefined;
  if (documentedResponse !== undefined) return checkDocumented(contract, documentedResponse, exchange);
  const isFailure = response.status >= 400;
  if (isFailure && (route.kind !== 'operation' || response.status === 500)) return checkFailure(contract, exchange);
  const wrongStatus = { part: 'status', path: '', kind: String(response.status), actual: `the status is ${response.status}` } as const;
  if (route.kind !== 'operation') {
    const expected = 'the status must be that of an error, because no operation has this path and method';
    return [{ ...wrongStatus, expected, place: contract.place }];
  }
  const documentedStatuses = [...route.operation.responses.keys()].join(', ');
  return [
    {
      ...wrongStatus,
      expected: `the status must be one of ${documentedStatuses}`,
      message: `${wrongStatus.actual}, not one of ${documentedStatuses}`,
      place: route.operation.place,
    },
  ];
}

function checkFailure(contract: Contract, exchange: Exchange): readonly ViolationParts[] {
  if (contract.error === undefined) return [];
  return [
    ...checkMediaType(['application/json', 'application/problem+json'], exchange, contract.place),
    ...checkBody(contract, { validate: contract.error.validate, findMisdirected: () => [] }, exchange, contract.place),
  ];
}

function checkDocumented(contract: Contract, rule: ResponseRule, exchange: Exchange): readonly ViolationParts[] {
  const headers = rule.headers.flatMap((header) => checkHeader(header, exchange));
  const types = [...rule.content.keys()];
  const isEmpty = types.length === 0 || [204, 205, 304].includes(exchange.response.status);
  if (isEmpty) return [...headers, ...checkEmpty(rule, exchange)];
  const sentType = headerOf(exchange.response.headers, 'content-type') ?? '';
  const documentedType = documentedTypeOf(types, sentType);
  const schema = documentedType === undefined ? undefined : rule.content.get(documentedType);
  const body =
    schema === undefined || !isJsonType(sentType)
      ? checkUndescribedBody(exchange, rule.place)
      : checkBody(contract, schema, exchange, rule.place);
  return [...headers, ...checkMediaType(types, exchange, rule.place), ...body];
}

function checkHeader(header: ResponseRule['headers'][number], { request, response }: Exchange): readonly ViolationParts[] {
  const { parameter, name, required } = header;
  const reading = parseSegmentParameter(parameter, headerOf(response.headers, name));
  if (reading.kind === 'value' || (reading.kind === 'absent' && (!required || request.method === 'HEAD'))) return [];
  const [expected, actual] =
    reading.kind === 'absent'
      ? [`the header ${name} must be present`, `the header ${name} is missing`]
      : [`the header ${name} must match its schema`, `${name}: ${reading.sent} ${reading.because}`];
  return [{ part: 'header', path: name, kind: reading.kind, expected, actual, message: actual, place: parameter.place }];
}

/** RFC 9110 §15.4.5: a 304 has no content; neither has a response that documents none. */
function checkEmpty(rule: ResponseRule, { response }: Exchange): readonly ViolationParts[] {
  if (response.body === '') return [];
  return [
    {
      part: 'body',
      path: '',
      kind: 'not empty',
      expected: `a response with status ${response.status} must have no body`,
      actual: `the body has ${response.body.length} characters`,
      place: rule.place,
    },
  ];
}

function checkMediaType(types: readonly string[], { request, response }: Exchange, place: SourceLocation): readonly ViolationParts[] {
  const field = headerOf(response.headers, 'content-type');
  // A response to HEAD may omit headers that depend on the content (RFC 9110 §9.3.2).
  if (field === undefined && request.method === 'HEAD') return [];
  const sentType = mediaTypeOf(field ?? '');
  if (types.some((type) => matchesType(type, sentType))) return [];
  return [
    {
      part: 'content-type',
      path: '',
      kind: sentType,
      expected: `the content type must be ${types.join(' or ')}`,
      actual: `the content type is ${sentType === '' ? 'missing' : sentType}`,
      message: `the content type is ${sentType === '' ? 'missing' : sentType}, not ${types.join(' or ')}`,
      place,
    },
  ];
}

/** Checks a body that no schema describes: only a response to HEAD must have none (RFC 9110 §9.3.2). */
function checkUndescribedBody({ request, response }: Exchange, place: SourceLocation): readonly ViolationParts[] {
  if (request.method !== 'HEAD' || response.body === '') return [];
  return [
    {
      part: 'body',
      path: '',
      kind: 'not empty',
      expected: 'a response to HEAD must have no body',
      actual: `the body has ${response.body.length} characters`,
      place,
    },
  ];
}

function checkBody(
  contract: Contract,
  { validate, findMisdirected }: Pick<BodySchema, 'validate' | 'findMisdirected'>,
  exchange: Exchange,
  place: SourceLocation,
): readonly ViolationParts[] {
  if (exchange.request.method === 'HEAD') return checkUndescribedBody(exchange, place);
  const { body } = exchange.response;
  const value = readJson(body);
  if (value === undefined) {
    const isTooDeepBody = isTooDeep(body);
    const expected = isTooDeepBody ? `the body must be nested at most ${maxNesting} levels deep` : 'the body must be JSON';
    const state = body === '' ? 'is empty' : isTooDeepBody ? `of ${body.length} characters is deeper` : describeBrokenJson(body);
    const actual = `the body ${state}`;
    return [{ part: 'body', path: '', kind: 'no json', expected, actual, message: `${actual}${body === '' ? ', not JSON' : ''}`, place }];
  }
  return [...checkValue(contract, validate(value), exchange), ...findMisdirected(value).map(showsWriteOnly)];
}

/** OpenAPI 3.0 §4.7.24.2: a response should not contain a `writeOnly` member. Its value is probably secret, so it is not shown. */
function showsWriteOnly({ path, place }: SchemaViolation): ViolationParts {
  const name = showPointer(path);
  const [expected, actual] = [`a response should not show ${name}, which is writeOnly`, `the body shows ${name}`];
  return { part: 'write-only', path, kind: 'writeOnly', expected, actual, message: `${actual}, which is writeOnly`, place };
}

function checkValue(contract: Contract, violations: readonly SchemaViolation[], exchange: Exchange): readonly ViolationParts[] {
  if (violations.length === 0) return [];
  const maskedBody = readJson(createMask(contract).mask(exchange).response.body);
  return violations.map((violation) => ({
    part: 'body',
    path: violation.path,
    kind: `${violation.keyword} ${violation.missingKey ?? violation.unknownKey ?? ''}`,
    ...describeViolation(violation, valueAt(maskedBody, violation.path)),
    place: violation.place,
  }));
}

/** Maximum number of member names in a sentence. */
const membersMax = 5;

/** Lists the members that a body has, so that `ok is missing` says what came instead. */
function describeMembers(body: Json | undefined): string {
  const names = Object.keys(objectOrEmpty(body));
  const shownNames = names.slice(0, membersMax).join(', ');
  return names.length === 0 ? '' : `: the body has ${shownNames}${names.length > membersMax ? ' and others' : ''}`;
}

/** The sentences of a violation. Where the actual value is personal, they show only its type. */
function describeViolation(
  { path, message, missingKey, unknownKey, found, allowed }: SchemaViolation,
  shownValue: Json | undefined,
): Pick<ResponseViolation, 'expected' | 'actual' | 'message'> {
  const name = path === '' ? 'the body' : showPointer(path);
  if (missingKey !== undefined) {
    const actual = `${showPointer(`${path}${toPointer([missingKey])}`)} is missing${path === '' ? describeMembers(found) : ''}`;
    return { expected: `${name} must have the member ${missingKey}`, actual, message: actual };
  }
  const expected = `${name} ${message}`;
  if (unknownKey !== undefined)
    return { expected, actual: `${name} has ${unknownKey}`, message: `${name} has ${unknownKey}, but ${message}` };
  const isHidden = shownValue === undefined || (!isObject(found) && !isArray(found) && shownValue !== found);
  const value = isHidden ? `personal data of type ${found === null ? 'null' : typeof found}` : describeJson(shownValue);
  const actual = `${name} is ${value}`;
  return { expected, actual, message: `${actual}, ${allowed === undefined ? `but ${message}` : `not ${allowed}`}` };
}
