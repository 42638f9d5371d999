/**
 * Judges one response by its contract when it arrives, in `verify`, `pact verify` and the proxy: status, headers, media type and body. It sees a single
 * exchange; what takes several belongs in a rule.
 */

import { withoutUndefined } from '../drop-undefined.ts';
import type { SourceLocation } from '../errors.ts';
import { describeJson, isArray, isObject, type Json, objectOrEmpty } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import { type BodySchema, type Content, type ResponseRule, responseFor } from '../openapi/operation.ts';
import { routeTo } from '../openapi/route-request.ts';
import type { SchemaViolation } from '../openapi/schema-violation.ts';
import { parseSegmentParameter } from '../parameters/parse-parameter.ts';
import { showPointer, toPointer, valueAt } from '../pointer.ts';
import { createMask } from '../redaction/mask-personal-data.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { formatOf, mediaTypeOf } from './media-type.ts';
import { mediaFor, readBody } from './read-body-value.ts';

/** One difference between a response and its contract. */
export interface ResponseViolation {
  /** The part of the response that is wrong. */
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
  return judgeResponse(contract, exchange).violations;
}

/** What a response says about its contract. */
export interface ResponseJudgement {
  readonly violations: readonly ResponseViolation[];
  /** Reason why the body was not compared with its schema, as a clause such as `image/png is binary`; absent if it was, or if there is nothing to compare. */
  readonly notCompared?: string;
}

/** Checks a response as `checkResponse` does, and says whether its body was compared. */
export function judgeResponse(contract: Contract, exchange: Exchange): ResponseJudgement {
  const { violations, notCompared } = judgeParts(contract, exchange);
  return {
    violations: violations.map((parts) => ({ message: `${parts.actual}, but ${parts.expected}`, ...parts })),
    ...withoutUndefined({ notCompared }),
  };
}

/** Violations before their sentences are complete, and the reason why a body was not compared. */
interface PartsJudgement {
  readonly violations: readonly ViolationParts[];
  readonly notCompared?: string | undefined;
}

function judgeParts(contract: Contract, exchange: Exchange): PartsJudgement {
  const { request, response } = exchange;
  // Browsers send OPTIONS before requests to another origin. Most API documents do not describe it.
  const route = routeTo(contract.operations, request.method, request.target);
  if (request.method === 'OPTIONS' && response.status < 300 && route.kind !== 'operation') return { violations: [] };
  // Without documented responses, anything may come (OpenAPI 3.1 §4.8.10).
  if (route.kind === 'operation' && route.operation.responses.size === 0) return { violations: [] };
  const documentedResponse = route.kind === 'operation' ? responseFor(route.operation, response.status) : undefined;
  if (documentedResponse !== undefined) return checkDocumented(contract, documentedResponse, exchange);
  const isFailure = response.status >= 400;
  if (isFailure && (route.kind !== 'operation' || response.status === 500)) return checkFailure(contract, exchange);
  return { violations: [judgeUndocumented(contract, route, exchange)] };
}

function judgeUndocumented(contract: Contract, route: ReturnType<typeof routeTo>, { response }: Exchange): ViolationParts {
  const wrongStatus = { part: 'status', path: '', kind: String(response.status), actual: `the status is ${response.status}` } as const;
  if (route.kind !== 'operation') {
    const expected = 'the status must be that of an error, because no operation has this path and method';
    return { ...wrongStatus, expected, place: contract.place };
  }
  const documentedStatuses = [...route.operation.responses.keys()].join(', ');
  return {
    ...wrongStatus,
    expected: `the status must be one of ${documentedStatuses}`,
    message: `${wrongStatus.actual}, not one of ${documentedStatuses}`,
    place: route.operation.place,
  };
}

function checkFailure(contract: Contract, exchange: Exchange): PartsJudgement {
  if (contract.error === undefined) return { violations: [] };
  const { schema, validate } = contract.error;
  const media: BodySchema = {
    type: 'application/json',
    examples: new Map(),
    schema,
    validate,
    findMisdirected: () => [],
    keywords: {},
    kinds: ['string'],
    fields: () => new Map(),
    otherKinds: [],
  };
  return checkContent(
    contract,
    new Map(['application/json', 'application/problem+json'].map((type) => [type, media])),
    exchange,
    contract.place,
  );
}

function checkDocumented(contract: Contract, rule: ResponseRule, exchange: Exchange): PartsJudgement {
  const headers = rule.headers.flatMap((header) => checkHeader(header, exchange));
  const isEmpty = rule.content.size === 0 || [204, 205, 304].includes(exchange.response.status);
  if (isEmpty) return { violations: [...headers, ...checkEmpty(rule, exchange)] };
  const { violations, notCompared } = checkContent(contract, rule.content, exchange, rule.place);
  return { violations: [...headers, ...violations], notCompared };
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

/** Checks the media type, and the body by its schema. A response to HEAD must have no body (RFC 9110 §9.3.2). */
function checkContent(contract: Contract, content: Content, exchange: Exchange, place: SourceLocation): PartsJudgement {
  const { request, response } = exchange;
  const field = headerOf(response.headers, 'content-type') ?? '';
  const media = mediaFor(content, field);
  const types = checkMediaType(content, media, exchange, place);
  if (request.method === 'HEAD') return { violations: [...types, ...checkHead(exchange, place)] };
  if (response.unread !== undefined) return { violations: types, notCompared: response.unread };
  if (media !== undefined) return withTypes(types, checkBody(contract, media, exchange, place));
  return { violations: types, notCompared: `no documented media type is ${field === '' ? 'sent' : mediaTypeOf(field)}` };
}

function withTypes(types: readonly ViolationParts[], { violations, notCompared }: PartsJudgement): PartsJudgement {
  return { violations: [...types, ...violations], notCompared };
}

function checkMediaType(
  content: Content,
  media: BodySchema | undefined,
  { request, response }: Exchange,
  place: SourceLocation,
): readonly ViolationParts[] {
  const field = headerOf(response.headers, 'content-type');
  // A response to HEAD may omit headers that depend on the content (RFC 9110 §9.3.2).
  if (media !== undefined || (field === undefined && request.method === 'HEAD')) return [];
  const types = [...content.keys()].join(' or ');
  const isParameter = mediaFor(content, mediaTypeOf(field ?? '')) !== undefined;
  const sentType = isParameter ? (field ?? '') : mediaTypeOf(field ?? '');
  const shownType = sentType === '' ? 'missing' : sentType;
  return [
    {
      part: 'content-type',
      path: '',
      kind: sentType,
      expected: `the content type must be ${types}`,
      actual: `the content type is ${shownType}`,
      message: `the content type is ${shownType}, not ${types}`,
      place,
    },
  ];
}

function checkHead({ response }: Exchange, place: SourceLocation): readonly ViolationParts[] {
  if (response.body === '') return [];
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

function checkBody(contract: Contract, media: BodySchema, exchange: Exchange, place: SourceLocation): PartsJudgement {
  const field = headerOf(exchange.response.headers, 'content-type') ?? '';
  const reading = readBody(media, field, exchange.response.body);
  if (reading.kind === 'not-compared') return { violations: [], notCompared: reading.reason };
  if (reading.kind === 'broken') return { violations: [describeBroken(field, reading.problem, place)] };
  const violations = media.validate(reading.value);
  const masked = violations.length === 0 ? undefined : readBody(media, field, createMask(contract).mask(exchange).response.body);
  const maskedBody = masked?.kind === 'value' ? masked.value : undefined;
  const wrongValues = violations.map(
    (violation): ViolationParts => ({
      part: 'body',
      path: violation.path,
      kind: `${violation.keyword} ${violation.missingKey ?? violation.unknownKey ?? ''}`,
      ...describeViolation(violation, valueAt(maskedBody, violation.path)),
      place: violation.place,
    }),
  );
  return { violations: [...wrongValues, ...media.findMisdirected(reading.value).map(showsWriteOnly)] };
}

/** OpenAPI 3.0 §4.7.24.2: a response should not contain a `writeOnly` member. Its value is probably secret, so it is not shown. */
function showsWriteOnly({ path, place }: SchemaViolation): ViolationParts {
  const name = showPointer(path);
  const [expected, actual] = [`a response should not show ${name}, which is writeOnly`, `the body shows ${name}`];
  return { part: 'write-only', path, kind: 'writeOnly', expected, actual, message: `${actual}, which is writeOnly`, place };
}

function describeBroken(field: string, problem: string, place: SourceLocation): ViolationParts {
  const format = formatOf(field) === 'json' ? 'JSON' : mediaTypeOf(field);
  const actual = `the body ${problem}`;
  const kind = format === 'JSON' ? 'no json' : 'not readable';
  return { part: 'body', path: '', kind, expected: `the body must be ${format}`, actual, message: actual, place };
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
  { path, message, missingKey, unknownKey, found, allowed, condition }: SchemaViolation,
  shownValue: Json | undefined,
): Pick<ResponseViolation, 'expected' | 'actual' | 'message'> {
  const name = path === '' ? 'the body' : showPointer(path);
  if (missingKey !== undefined) {
    const actual = `${showPointer(`${path}${toPointer([missingKey])}`)} is missing${path === '' ? describeMembers(found) : ''}`;
    const reason = condition === undefined ? '' : `, because ${condition}`;
    return { expected: `${name} must have the member ${missingKey}${reason}`, actual, message: `${actual}${reason}` };
  }
  const expected = `${name} ${message}`;
  if (unknownKey !== undefined)
    return { expected, actual: `${name} has ${unknownKey}`, message: `${name} has ${unknownKey}, but ${message}` };
  const isHidden = shownValue === undefined || (!isObject(found) && !isArray(found) && shownValue !== found);
  const value = isHidden ? `personal data of type ${found === null ? 'null' : typeof found}` : describeJson(shownValue);
  const actual = `${name} is ${value}`;
  return { expected, actual, message: `${actual}, ${allowed === undefined ? `but ${message}` : `not ${allowed}`}` };
}
