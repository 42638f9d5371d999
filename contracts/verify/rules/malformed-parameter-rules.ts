/**
 * Rules about malformed and hostile parameter values, of the groups `pages`, `details` and `requests`. They require a refusal only where the contract refuses
 * the value.
 */

import type { SourceLocation } from '../../../core/errors.ts';
import { splitTarget } from '../../../core/http/exchange.ts';
import { isObject } from '../../../core/json.ts';
import { mutantOf, requestMutant } from '../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { documentsCondition, isPlain, type Operation, statusOf } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { encodeText, splitQuery } from '../../../core/parameters/query-string.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Call, encodeAnyText, isSuccess, type Reply, recordsIn } from '../evidence/call.ts';
import { limitPlace, parameterPlace } from '../evidence/clause-places.ts';
import { identifierIn } from '../evidence/locate-record-in-reply.ts';
import { isNumbered, positionParameter } from '../evidence/pagination/numbered-pages.ts';
import { malformedText } from '../evidence/reads-without-annotations.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { callByText, isRecordRead, type RecordRead, recordListOf, textIdentifiers } from '../evidence/single-record-calls.ts';
import { isCovered } from './examinations/examine-every-reply.ts';
import { isRefused, shareOf, statesReactions } from './examinations/invalid-parameter-texts.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  candidate,
  contradicts,
  type Examination,
  examineInTurn,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
  withoutData,
} from './rule.ts';

/** A request with a malformed value. */
interface MalformedCall {
  readonly call: Call;
  /** The value with its parameter: `limit=abc`. */
  readonly what: string;
  readonly clause?: SourceLocation | undefined;
}

/** The fault of a success, as a phrase after "the status is 200": `, without a list`; `undefined` for a correct one. */
type JudgeSuccess = (reply: Reply) => string | undefined;

const valueError = withoutData(requestMutant('value-error'));

/** Sends requests with malformed values and judges the responses. */
async function examineMalformed(
  context: RoundContext,
  malformedCalls: readonly MalformedCall[],
  judgeSuccess: JudgeSuccess,
  isRefusalStated = true,
): Promise<Examination> {
  const acceptedMutants: Candidate[] = [];
  const { judge } = await examineInTurn(context, [], malformedCalls, async (attempt) => {
    const reply = await context.ask(attempt.call);
    // A web server may refuse invalid UTF-8 in its own way, and an undocumented refusal is not required.
    const mustBeRefused =
      isRefusalStated &&
      isCovered(context, reply) &&
      documentsCondition(attempt.call.operation, 'invalid') &&
      isRefused(context.contract, attempt.call);
    if (mustBeRefused) acceptedMutants.push(acceptedMutant(attempt));
    return () => judgeMalformed(attempt, reply, mustBeRefused, judgeSuccess);
  });
  return { mutants: [valueError, ...acceptedMutants], judge };
}

function acceptedMutant({ what }: MalformedCall): Candidate {
  return withoutData(requestMutant('accepted', what));
}

function judgeMalformed(attempt: MalformedCall, reply: Reply, mustBeRefused: boolean, judgeSuccess: JudgeSuccess): Judgement {
  const { call, what, clause } = attempt;
  const { status } = reply.response;
  const expectedStatus = statusOf(call.operation, 'invalid');
  const actualStatus = `the status is ${status}`;
  const contradiction = (expected: string, actual: string, mutant?: Candidate): Contradiction =>
    contradicts({ replies: [reply], expected: `${call.operation.id} with ${what} ${expected}`, actual, clause, mutant });
  const refusal = `must respond with ${expectedStatus}`;
  if (status >= 500) return contradiction(mustBeRefused ? refusal : 'must not cause a server error', actualStatus, valueError);
  if (mustBeRefused && status !== expectedStatus)
    return contradiction(
      refusal,
      actualStatus,
      status < 400 ? acceptedMutant(attempt) : { ...acceptedMutant(attempt), title: `a request with ${what} is rejected with ${status}` },
    );
  const fault = isSuccess(reply) ? judgeSuccess(reply) : undefined;
  if (fault !== undefined) return contradiction('must return the requested records or be rejected', `${actualStatus}${fault}`);
  return agrees(...(mustBeRefused ? [valueError, acceptedMutant(attempt)] : [valueError]));
}

/** A number beyond every list and beyond 32 bits. */
const hugeNumber = '999999999999';

const malformedPageNumber = ruleAbout(isNumbered, {
  id: 'pages/numbers',
  title: 'A malformed page number or page size causes no server error',
  why: 'People and robots edit links by hand. A list that fails on page 0 fills logs and hides real failures.',
  strength: 'implied',
  place: limitPlace,
  examine: async (context, operation) => {
    const { limit, style } = operation.collection.page;
    const position = positionParameter(operation);
    // The first three break the most servers: a division by zero, a text, a negative offset.
    const malformedTexts = [
      [limit, '0'],
      [position, 'abc'],
      [position, '-1'],
      [limit, 'abc'],
      [limit, '-1'],
      [limit, hugeNumber],
      [position, hugeNumber],
      [position, '1.5'],
      ...(style === 'page' ? [[position, '0'] as const] : []),
    ] as const;
    const calls = malformedTexts.slice(0, context.quick ? 3 : malformedTexts.length).map(([name, text]) => ({
      call: { operation, raw: [`${encodeURIComponent(name)}=${text}`] },
      what: `${name}=${text}`,
      clause: parameterPlace(operation, name),
    }));
    return examineMalformed(context, calls, (reply) => (recordsIn(reply) === undefined ? ', without a list' : undefined));
  },
});

const malformedIdentifier = ruleAbout(isRecordRead, {
  id: 'details/identifier',
  title: 'A malformed identifier is rejected, and a huge one causes no server error',
  why: 'Clients mistype identifiers, and other systems send longer ones. A server that reads only part of an identifier returns another record.',
  strength: 'stated',
  slow: true,
  place: (operation) => identifierParameters(operation)[0]?.place,
  examine: async (context, operation) => {
    const { records } = await context.snapshot(recordListOf(context, operation));
    const parameters = identifierParameters(operation);
    const malformedCalls = parameters.flatMap((parameter): readonly MalformedCall[] => {
      const field = operation.resource.by.get(parameter.key) ?? '';
      const existing = records.map((record) => valueAt(record, field)).find((value) => value !== undefined && value !== null);
      return malformedIdentifiers(parameter, String(existing ?? 1), context.quick).map((text) => ({
        call: callByText(operation, parameter, encodeAnyText(text)),
        what: `${parameter.name}=${text}`,
        clause: parameter.place,
      }));
    });
    return examineMalformed(context, [...malformedCalls, ...missingIdentifier(context, operation)], (reply) => {
      const parameter = parameters.find(({ name }) => sentValue(name, reply.request.target) !== undefined) ?? parameters[0];
      const identifier = parameter === undefined ? undefined : identifierIn(context, parameter, reply);
      if (identifier === undefined || identifier === (sentValue(parameter?.name ?? '', reply.request.target) ?? '')) return undefined;
      return identifier === null ? ', without a record' : `, with the record of ${parameter?.name} ${identifier}`;
    });
  },
});

/** The identifiers with malformed values: numbers, and texts in a query. A malformed text in a path leads to another path. */
function identifierParameters(operation: RecordRead): readonly Parameter[] {
  return operation.parameters.filter(
    (parameter) => operation.resource.by.has(parameter.key) && (parameter.in === 'query' || !parameter.kinds.includes('string')),
  );
}

/** A number beyond 64 bits, and the number of 32-bit values: added to an identifier, it overflows to the same identifier. */
const beyond64 = '9223372036854775808';
const countOf32Bits = 4_294_967_296;

function malformedIdentifiers(parameter: Parameter, existing: string, isQuick: boolean): readonly string[] {
  if (parameter.kinds.includes('string')) return isQuick ? [] : [''];
  const minimum = isObject(parameter.schema) ? parameter.schema['minimum'] : undefined;
  const belowMinimum = typeof minimum === 'number' ? [String(minimum - 1)] : [];
  const overflowing = Number.isSafeInteger(Number(existing) + countOf32Bits) ? [String(Number(existing) + countOf32Bits)] : [];
  // A parser that drops the sign finds the record.
  return isQuick ? [`${existing}abc`] : [`${existing}abc`, ...overflowing, ...belowMinimum, `-${existing}`, beyond64];
}

/** A request without a required identifier. */
function missingIdentifier({ contract, quick }: RoundContext, operation: RecordRead): readonly MalformedCall[] {
  const parameter = identifierParameters(operation).find(({ required }) => required);
  const call: Call = { operation, values: {}, omits: parameter === undefined ? [] : [parameter.key] };
  if (quick || parameter === undefined || parameter.in === 'path' || !isRefused(contract, call)) return [];
  return [{ call, what: `no ${parameter.name}`, clause: parameter.place }];
}

/** The value of a query parameter in a request target. */
function sentValue(name: string, target: string): string | undefined {
  return splitQuery(splitTarget(target).query).find(([each]) => each === name)?.[1];
}

const malformedQuery: Rule = {
  id: 'requests/malformed',
  title: 'A malformed query causes no server error',
  why: 'Links are truncated, encoded twice and probed by robots. A server that fails on them fills its logs and hides real failures.',
  strength: 'implied',
  slow: true,
  clause: (operation) =>
    needsOnlyQuery(operation)
      ? queryParameters(operation)[0]?.place
      : isPlain(operation)
        ? (queryParameters(operation)[0] ?? typedParameters(operation)[0])?.place
        : undefined,
  examine: async (context, operation) =>
    examineMalformed(
      context,
      isPlain(operation)
        ? [...malformedQueries(context.contract, operation).map(withAnyRefusal), ...malformedValues(context.contract, operation)]
        : malformedQueries(context.contract, operation),
      (reply) => (operation.collection !== undefined && recordsIn(reply) === undefined ? ', without a list' : undefined),
      statesReactions(operation),
    ),
};

/** A text of another type, for a parameter of each type in the path and the query, and a request without a required parameter of the query. */
function malformedValues(contract: Contract, operation: Operation): readonly MalformedCall[] {
  const typeOf = ({ in: place, kinds, allowed }: Parameter): string => [place, ...(allowed.length > 0 ? ['listed'] : kinds)].join(' ');
  const ofEachType = new Map(typedParameters(operation).map((parameter) => [typeOf(parameter), parameter]));
  const required = queryParameters(operation).filter((each) => each.required);
  const missing = required.slice(0, 1).map(({ key, name, place: clause }) => ({
    call: { operation, omits: [key] },
    what: `no ${name}`,
    clause,
  }));
  const malformed = [...ofEachType.values()].map(({ name, in: place, place: clause }): MalformedCall => {
    const call: Call =
      place === 'path'
        ? { operation, segments: { [name]: malformedText } }
        : { operation, raw: [`${encodeURIComponent(name)}=${malformedText}`] };
    return { call, what: `${name}=${malformedText}`, clause };
  });
  return [...malformed, ...missing].map((each) => (isRefusalDocumented(contract, each.call) ? each : withAnyRefusal(each)));
}

/** The parameters that do not take every text. */
function typedParameters({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter(
    ({ in: place, kinds, allowed, schema }) =>
      ['path', 'query'].includes(place) &&
      (!kinds.includes('string') || allowed.length > 0 || (isObject(schema) && /^(?:date|uuid)/.test(String(schema['format'])))),
  );
}

/** True if a refusal must have a documented status. A router that finds no operation for a malformed path answers before the API. */
function isRefusalDocumented(contract: Contract, call: Call): boolean {
  return call.segments === undefined && documentsCondition(call.operation, 'invalid') && isRefused(contract, call);
}

function withAnyRefusal({ call, ...others }: MalformedCall): MalformedCall {
  return { ...others, call: { ...call, mayBeRefused: true } };
}

/** True for a GET that requires query parameters only. */
function needsOnlyQuery({ method, parameters }: Operation): boolean {
  return (
    method === 'GET' &&
    parameters.some((each) => each.in === 'query') &&
    parameters.every(({ in: place, required }) => place === 'query' || (place === 'header' && !required))
  );
}

function queryParameters({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

/** Malformed forms of a query parameter, with their descriptions. */
const malformedForms: readonly (readonly [what: string, write: (name: string) => string])[] = [
  ['cut-off percent-encoding', (name) => `${name}=%`],
  ['bytes that are not UTF-8', (name) => `${name}=%C3%28`],
  ['a NUL byte', (name) => `${name}=%00`],
  ['no value', (name) => `${name}=`],
];

/** An array for all parameters at once, and a share of the other forms, because one piece of code usually parses all queries. */
function malformedQueries({ operations }: Contract, operation: Operation): readonly MalformedCall[] {
  const queryOperations = operations.filter(needsOnlyQuery);
  const parameters = queryParameters(operation);
  const otherCalls = shareOf(malformedForms, queryOperations.indexOf(operation), queryOperations.length).flatMap(
    ([what, write], index): readonly MalformedCall[] => {
      const { name, place } = parameters[index % parameters.length] ?? {};
      if (name === undefined) return [];
      return [{ call: { operation, raw: [write(encodeURIComponent(name))] }, what: `${what} for ${name}`, clause: place }];
    },
  );
  if (parameters.length === 0) return [];
  const arrayQuery = parameters.map(({ name }) => `${encodeURIComponent(name)}[]=1`).join('&');
  return [{ call: { operation, raw: [arrayQuery] }, what: 'an array for each parameter', clause: parameters[0]?.place }, ...otherCalls];
}

const hostileMatch = candidate('identifier-hostile-match', 'a listed record', { text: 'a hostile identifier' });
const hostileError = withoutData(mutantOf('identifier-hostile-error', { text: 'a hostile identifier' }));

const hostileIdentifier = ruleAbout(isRecordRead, {
  id: 'details/hostile',
  title: 'A hostile identifier matches no other record and causes no server error',
  why: 'An identifier that runs as a pattern, a path or code gives access to private data.',
  strength: 'implied',
  slow: true,
  place: (operation) => textIdentifiers(operation)[0]?.place,
  examine: async (context, operation) => {
    const [record] = (await context.snapshot(recordListOf(context, operation))).records;
    const identifiers = textIdentifiers(operation).flatMap((parameter) => hostileIdentifiers(context, operation, parameter, record));
    const attempts: HostileAttempt[] = [];
    for (const { parameter, identifier } of identifiers)
      attempts.push({ parameter, identifier, reply: await context.ask(callByText(operation, parameter, identifier.raw)) });
    // A server that fails at other writing fails at any unusual text, not only at an attack.
    const failsAtLetters = attempts.some((each) => each.identifier.kind === 'letters' && hasServerError(each));
    return {
      mutants: [hostileMatch, hostileError],
      judge: () => {
        const findings = attempts.map((each) =>
          failsAtLetters && hasServerError(each) ? reportedBy('response/no-server-error') : judgeHostile(context, each),
        );
        // A right response to one kind of text says nothing of another kind, so it must not refute the mutant.
        const isWrong = findings.some(({ kind }) => kind === 'contradicts');
        return findings.map((each) => (isWrong && each.kind === 'agrees' ? agrees() : each));
      },
    };
  },
});

/** An identifier that a careless program reads as something else than a text. */
interface HostileIdentifier {
  readonly kind: keyof typeof hostileParts;
  /** As it is sent, percent-encoded. */
  readonly raw: string;
  /** Decoded text; `undefined` where decoding fails. */
  readonly text: string | undefined;
}

/** The unusual part of each kind of hostile identifier. */
const hostileParts = {
  wildcard: 'an SQL wildcard',
  quote: 'an SQL quote',
  letters: 'characters of other scripts',
  control: 'a control character',
  path: 'a path to another folder',
  program: 'a piece of code',
  'look-alike': 'a look-alike',
  long: 'a very long name',
  'broken-text': 'broken UTF-8',
} as const;

/** Hostile identifiers, the most effective first; some are made from an identifier of a listed record. */
function hostileIdentifiersFor(known: string): readonly HostileIdentifier[] {
  const withCyrillicLetters = known.replaceAll('a', '\u0430').replaceAll('e', '\u0435').replaceAll('o', '\u043E');
  const texts: readonly (readonly [kind: HostileIdentifier['kind'], text: string])[] = [
    // In SQL's LIKE, `_` is any letter and `%` is any text.
    ['wildcard', `${known.slice(0, -1)}_`],
    ['quote', "zzqx' OR '1'='1"],
    ['letters', 'zzqx\u202E\u05D0\u05D1\u{1F4A5}'],
    ['wildcard', `${known.slice(0, 1)}%`],
    ['control', 'zzqx\r\nX-Injected: zzqx'],
    ['path', '../../../etc/passwd'],
    ['program', '{{17*19}}'],
    ['look-alike', withCyrillicLetters],
    ['long', 'z'.repeat(500)],
  ];
  return [
    ...texts.map(([kind, text]) => ({ kind, text, raw: encodeText(text) })),
    { kind: 'broken-text', text: undefined, raw: 'zzqx%C3%28' },
  ];
}

/** Number of hostile identifiers in a quick run, and outside of a path, which fewer programs read. */
const fewHostile = 3;

function hostileIdentifiers(
  context: RoundContext,
  { resource }: RecordRead,
  parameter: Parameter,
  record: DataRecord | undefined,
): readonly { readonly parameter: Parameter; readonly identifier: HostileIdentifier }[] {
  const known = record === undefined ? 'name' : String(valueAt(record, resource.by.get(parameter.key) ?? ''));
  const identifiers = hostileIdentifiersFor(known);
  const tried = context.quick || parameter.in !== 'path' ? identifiers.slice(0, fewHostile) : identifiers;
  return tried.map((identifier) => ({ parameter, identifier }));
}

/** A hostile identifier that was sent, and the reply to it. */
interface HostileAttempt {
  readonly parameter: Parameter;
  readonly identifier: HostileIdentifier;
  readonly reply: Reply;
}

function hasServerError({ reply }: HostileAttempt): boolean {
  return reply.response.status >= 500;
}

function judgeHostile(context: RoundContext, { parameter, identifier: { kind, raw, text }, reply }: HostileAttempt): Judgement {
  const { status } = reply.response;
  const returnedIdentifier = identifierIn(context, parameter, reply);
  const isRequested =
    returnedIdentifier === undefined || (returnedIdentifier !== null && returnedIdentifier.toLowerCase() === text?.toLowerCase());
  if (status < 500 && isRequested) return agrees(hostileMatch, hostileError);
  const shownText = raw.length > 60 ? `${raw.slice(0, 40)}… (${raw.length} characters)` : raw;
  const returned =
    returnedIdentifier === undefined
      ? ''
      : returnedIdentifier === null
        ? ', without a record'
        : `, with ${parameter.name} ${returnedIdentifier}`;
  return contradicts({
    replies: [reply],
    expected: `${reply.call.operation.id} with ${parameter.name} ${shownText}, which contains ${hostileParts[kind]}, must find no other record and cause no server error`,
    actual: `the status is ${status}${returned}`,
    mutant: status < 500 ? hostileMatch : kind === 'quote' ? hostileError : undefined,
  });
}

/** The rules, in the order of a run. */
export const malformedParameterRules: readonly Rule[] = [malformedPageNumber, malformedIdentifier, malformedQuery, hostileIdentifier];
