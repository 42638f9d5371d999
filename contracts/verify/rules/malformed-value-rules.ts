/**
 * Rules about malformed and hostile values. A value that the contract refuses must be refused. Any other must cause no server error, and must not return
 * a record that was not requested.
 */

import type { SourceLocation } from '../../../core/errors.ts';
import { splitTarget } from '../../../core/http/exchange.ts';
import { isObject } from '../../../core/json.ts';
import { requestMutant } from '../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { type Operation, statusOf } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parameter.ts';
import { splitQuery } from '../../../core/parameters/parameter-style.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Call, encodeText, isSuccess, type Reply, recordsIn } from '../engine/call.ts';
import { parameterPlace } from '../engine/clauses.ts';
import { isNumbered, positionParameter } from '../engine/numbered-pages.ts';
import { drawHostile, type Hostile } from '../engine/random-requests.ts';
import { isRecordRead, listOf } from '../engine/record-reads.ts';
import type { RunContext } from '../engine/run-context.ts';
import { callByText, nameIn, type RecordRead, spreadSample, textNames } from '../engine/single-read.ts';
import { isCovered } from './inspection.ts';
import { documents, isRefused, shareOf } from './refusal.ts';
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
  ruleAbout,
} from './rule.ts';

/** A request with such a value. */
interface MalformedCall {
  readonly call: Call;
  /** The value with its parameter: `limit=abc`. */
  readonly what: string;
  readonly clause?: SourceLocation | undefined;
}

/** The fault of a success, as a phrase after "the status is 200": `, without a list`; `undefined` for a correct one. */
type JudgeSuccess = (reply: Reply) => string | undefined;

const failing: Candidate = { ...requestMutant('value-error'), missing: 'room in the budget' };

/** Sends requests with such values and judges how they are answered. */
async function examineMalformed(
  context: RunContext,
  malformedCalls: readonly MalformedCall[],
  judgeSuccess: JudgeSuccess,
): Promise<Examination> {
  const refused: Candidate[] = [];
  const { judge } = await examineInTurn([], malformedCalls, async (sent) => {
    const reply = await context.ask(sent.call);
    // A web server may refuse invalid UTF-8 in its own way, and an undocumented refusal is not required.
    const isWrong = isCovered(context, reply) && documents(sent.call.operation, 'invalid') && isRefused(context.contract, sent.call);
    if (isWrong) refused.push(mutantOf(sent));
    return () => judgeMalformed(sent, reply, isWrong, judgeSuccess);
  });
  return { mutants: [failing, ...refused], judge };
}

function mutantOf({ what }: MalformedCall): Candidate {
  return { ...requestMutant('accepted', what), missing: 'room in the budget' };
}

function judgeMalformed(sent: MalformedCall, reply: Reply, isWrong: boolean, judgeSuccess: JudgeSuccess): Judgement {
  const { call, what, clause } = sent;
  const { status } = reply.response;
  const wanted = statusOf(call.operation, 'invalid');
  const answered = `the status is ${status}`;
  const contradiction = (expected: string, actual: string, mutant?: Candidate): Contradiction =>
    contradicts({ replies: [reply], expected: `${call.operation.id} with ${what} ${expected}`, actual, clause, mutant });
  const refusal = `must respond with ${wanted}`;
  if (status >= 500) return contradiction(isWrong ? refusal : 'must not cause a server error', answered, failing);
  if (isWrong && status !== wanted)
    return contradiction(
      refusal,
      answered,
      status < 400 ? mutantOf(sent) : { ...mutantOf(sent), title: `a request with ${what} is refused with ${status}` },
    );
  const wrong = isSuccess(reply) ? judgeSuccess(reply) : undefined;
  if (wrong !== undefined) return contradiction('must return the requested records or be refused', `${answered}${wrong}`);
  return agrees(...(isWrong ? [failing, mutantOf(sent)] : [failing]));
}

/** Past every list, and past 32 bits. */
const huge = '999999999999';

const numbers = ruleAbout(isNumbered, {
  id: 'pages/numbers',
  title: 'A malformed page number or page size is no server error',
  why: 'People and robots edit links by hand. A list that fails on page 0 fills logs and hides real failures.',
  strength: 'implied',
  place: (list) => parameterPlace(list, list.collection.page.limit),
  examine: async (context, operation) => {
    const { limit, style } = operation.collection.page;
    const position = positionParameter(operation);
    // The first three break most: a division by zero, a text, a negative offset.
    const texts = [
      [limit, '0'],
      [position, 'abc'],
      [position, '-1'],
      [limit, 'abc'],
      [limit, '-1'],
      [limit, huge],
      [position, huge],
      [position, '1.5'],
      ...(style === 'page' ? [[position, '0'] as const] : []),
    ] as const;
    const chosen = texts.slice(0, context.quick ? 3 : texts.length).map(([name, text]) => ({
      call: { operation, raw: [`${encodeURIComponent(name)}=${text}`] },
      what: `${name}=${text}`,
      clause: parameterPlace(operation, name),
    }));
    return examineMalformed(context, chosen, (reply) => (recordsIn(reply) === undefined ? ', without a list' : undefined));
  },
});

const identifier = ruleAbout(isRecordRead, {
  id: 'details/identifier',
  title: 'A malformed identifier is refused, and a huge one is no server error',
  why: 'Clients mistype identifiers, and other systems send longer ones. A server that parses half of one gives away another record.',
  strength: 'stated',
  slow: true,
  place: (operation) => concerned(operation)[0]?.place,
  examine: async (context, operation) => {
    const { records } = await context.snapshot(listOf(context, operation));
    const parameters = concerned(operation);
    const wrong = parameters.flatMap((parameter): readonly MalformedCall[] => {
      const field = operation.resource.by.get(parameter.key) ?? '';
      const known = records.map((record) => valueAt(record, field)).find((value) => value !== undefined && value !== null);
      return wrongNames(parameter, String(known ?? 1), context.quick).map((text) => ({
        call: callByText(operation, parameter, encodeText(text)),
        what: `${parameter.name}=${text}`,
        clause: parameter.place,
      }));
    });
    return examineMalformed(context, [...wrong, ...missingName(context, operation)], (reply) => {
      const parameter = parameters.find(({ name }) => sentIn(name, reply.request.target) !== undefined) ?? parameters[0];
      const name = parameter === undefined ? undefined : nameIn(context, parameter, reply);
      if (name === undefined || name === (sentIn(parameter?.name ?? '', reply.request.target) ?? '')) return undefined;
      return name === null ? ', without a record' : `, with the record of ${parameter?.name} ${name}`;
    });
  },
});

/** The parameters that have wrong values at all: numbers, and texts in a query. Wrong texts of a path lead to other paths. */
function concerned(operation: RecordRead): readonly Parameter[] {
  return operation.parameters.filter(
    (parameter) => operation.resource.by.has(parameter.key) && (parameter.in === 'query' || !parameter.kinds.includes('string')),
  );
}

/** Two numbers that do not fit 64 and 32 bits; what is left of the second in 32 bits is an identifier that exists. */
const beyond64 = '9223372036854775808';
const bits32 = 4_294_967_296;

function wrongNames(parameter: Parameter, known: string, isQuick: boolean): readonly string[] {
  if (parameter.kinds.includes('string')) return isQuick ? [] : [''];
  const minimum = isObject(parameter.schema) ? parameter.schema['minimum'] : undefined;
  const below = typeof minimum === 'number' ? [String(minimum - 1)] : [];
  const wraps = Number.isSafeInteger(Number(known) + bits32) ? [String(Number(known) + bits32)] : [];
  // A reader that drops the sign finds the record.
  return isQuick ? [`${known}abc`] : [`${known}abc`, ...wraps, ...below, `-${known}`, beyond64];
}

/** A required name that is left out. */
function missingName({ contract, quick }: RunContext, operation: RecordRead): readonly MalformedCall[] {
  const parameter = concerned(operation).find(({ required }) => required);
  const call = { operation, values: {} };
  if (quick || parameter === undefined || parameter.in === 'path' || !isRefused(contract, call)) return [];
  return [{ call, what: `no ${parameter.name}`, clause: parameter.place }];
}

/** Sent values of a query parameter. */
function sentIn(name: string, target: string): string | undefined {
  return splitQuery(splitTarget(target).query).find(([each]) => each === name)?.[1];
}

const malformed: Rule = {
  id: 'requests/malformed',
  title: 'A malformed query is no server error',
  why: 'Links are truncated, encoded twice and probed by robots. A server that fails on them fills its logs and hides real failures.',
  strength: 'implied',
  slow: true,
  clause: (operation) => (isAskedByQuery(operation) ? queryParameters(operation)[0]?.place : undefined),
  examine: async (context, operation) =>
    examineMalformed(context, malformations(context.contract, operation), (reply) =>
      operation.collection !== undefined && recordsIn(reply) === undefined ? ', without a list' : undefined,
    ),
};

/** True for an operation that needs query parameters only: a path without its record leads elsewhere. */
function isAskedByQuery({ method, parameters }: Operation): boolean {
  return (
    method === 'GET' &&
    parameters.some((each) => each.in === 'query') &&
    parameters.every(({ in: place, required }) => place === 'query' || (place === 'header' && !required))
  );
}

function queryParameters({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

/** Malformed forms of a query parameter, with what is malformed about each. */
const forms: readonly (readonly [what: string, write: (name: string) => string])[] = [
  ['cut-off percent-encoding', (name) => `${name}=%`],
  ['bytes that are no UTF-8', (name) => `${name}=%C3%28`],
  ['a NUL byte', (name) => `${name}=%00`],
  ['no value', (name) => `${name}=`],
];

/** The form that breaks most servers, for all parameters at once, and of the others a share: one piece of code usually reads all queries. */
function malformations({ operations }: Contract, operation: Operation): readonly MalformedCall[] {
  const asked = operations.filter(isAskedByQuery);
  const parameters = queryParameters(operation);
  const others = shareOf(forms, asked.indexOf(operation), asked.length).flatMap(([what, write], index): readonly MalformedCall[] => {
    const { name, place } = parameters[index % parameters.length] ?? {};
    if (name === undefined) return [];
    return [{ call: { operation, raw: [write(encodeURIComponent(name))] }, what: `${what} for ${name}`, clause: place }];
  });
  const arrays = parameters.map(({ name }) => `${encodeURIComponent(name)}[]=1`).join('&');
  return [{ call: { operation, raw: [arrays] }, what: 'an array for each parameter', clause: parameters[0]?.place }, ...others];
}

const found = candidate('details/hostile', 'identifier-hostile-match', 'a listed record', { text: 'a hostile identifier' });
const broken = candidate('details/hostile', 'identifier-hostile-error', 'room in the budget', { text: 'a hostile identifier' });

const hostile = ruleAbout(isRecordRead, {
  id: 'details/hostile',
  title: 'A hostile identifier matches no other record and causes no server error',
  why: 'An identifier that runs as a pattern, a path or code gives access to private data.',
  strength: 'implied',
  slow: true,
  place: (operation) => textNames(operation)[0]?.place,
  examine: async (context, operation) => {
    const [record] = spreadSample(await context.snapshot(listOf(context, operation)), 1);
    const names = textNames(operation).flatMap((parameter) => hostileNames(context, operation, parameter, record));
    return examineInTurn([found, broken], names, async ({ parameter, name }) => {
      const reply = await context.ask(callByText(operation, parameter, name.raw));
      return () => judgeHostile(context, parameter, name, reply);
    });
  },
});

/** Number of tried kinds: all of them in a path, which more programs read, elsewhere those that find most. */
const tried = { path: 9, few: 3 } as const;

function hostileNames(
  context: RunContext,
  { resource }: RecordRead,
  parameter: Parameter,
  record: DataRecord | undefined,
): readonly { readonly parameter: Parameter; readonly name: Hostile }[] {
  const known = record === undefined ? 'name' : String(valueAt(record, resource.by.get(parameter.key) ?? ''));
  const number = context.quick || parameter.in !== 'path' ? tried.few : tried.path;
  return drawHostile(context.seed, known)
    .slice(0, number)
    .map((name) => ({ parameter, name }));
}

function judgeHostile(context: RunContext, parameter: Parameter, { kind, raw, text }: Hostile, reply: Reply): Judgement {
  const { status } = reply.response;
  const named = nameIn(context, parameter, reply);
  const isMeant = named === undefined || (named !== null && named.toLowerCase() === text?.toLowerCase());
  if (status < 500 && isMeant) return agrees(found, broken);
  const shown = raw.length > 60 ? `${raw.slice(0, 40)}… (${raw.length} characters)` : raw;
  const given = named === undefined ? '' : named === null ? ', without a record' : `, with ${parameter.name} ${named}`;
  return contradicts({
    replies: [reply],
    expected: `${reply.call.operation.id} with ${parameter.name} ${shown}, which contains ${kind}, must find no other record and cause no server error`,
    actual: `the status is ${status}${given}`,
    mutant: status >= 500 ? broken : found,
  });
}

/** The rules. */
export const malformedValues: readonly Rule[] = [numbers, identifier, malformed, hostile];
