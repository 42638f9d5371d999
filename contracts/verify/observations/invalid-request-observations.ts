/**
 * Observers of open questions about invalid requests: the response to errors that the contract leaves open, and the precedence of two errors.
 * `observe-open-questions.ts` calls each once, after the rules of a run. They return evidence for or against choices, and conclude nothing.
 */

import type { Condition, InvalidAnswer, InvalidAnswers, InvalidClass } from '../../../core/annotations/annotations.ts';
import type { Question } from '../../../core/annotations/open-questions.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { follow } from '../../../core/openapi/document.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { type Operation, statusOf } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parameter.ts';
import { readRequest } from '../../../core/parameters/read-request.ts';
import { valueAt } from '../../../core/pointer.ts';
import { type Call, encodeAnyText, isSuccess, type Reply, recordsIn, toRequest } from '../evidence/call-and-reply.ts';
import { needsKey } from '../evidence/clause-places.ts';
import { anonymous, unknownCaller } from '../evidence/keyring.ts';
import { keysOf, type ParameterValues } from '../evidence/list-records.ts';
import { totalIn } from '../evidence/pagination/paginate.ts';
import { isStated, questionsBelow } from '../evidence/stated-rules.ts';
import type { ObserverContext } from './observer-context.ts';
import { choicesWhere, type QuestionEvidence } from './question-evidence.ts';
import { resolveBy, sameOperation } from './resolve-question.ts';

/** Maximum number of combinations of choices. */
const maxHypotheses = 200;

/** Sends invalid requests to one list, and finds the choices that predict the responses. */
export async function observeInvalidRequests(observer: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract } = observer.context;
  const operation = contract.operations.filter(isList).find((each) => hypothesesFor(contract, each).length > 1);
  if (operation === undefined) return [];
  const hypotheses = hypothesesFor(contract, operation);
  if (hypotheses.length > maxHypotheses) return [];
  const page = await observer.longestPage(operation);
  const found: InvalidRequestEvidence[] = [];
  for (const mistake of invalidRequestsFor(contract, operation, (parameter) => observedValue(operation, page, parameter))) {
    const predictions = hypotheses.map((hypothesis) => ({ hypothesis, expected: predictResponse(contract, mistake.call, hypothesis) }));
    const questions = decidingQuestions(predictions);
    // In a quick run, one request for each question is enough.
    const isNew = questions.some((question) => !found.some((each) => each.questions.includes(question)));
    if (questions.length > 0 && (isNew || !observer.context.quick))
      found.push(...(await observeInvalidRequest(observer, { operation, mistake, predictions, questions })));
  }
  return found.flatMap(toEvidence);
}

/** One invalid request that was sent, with the hypotheses that predict its response. */
interface InvalidRequestEvidence {
  readonly what: string;
  readonly remaining: readonly Hypothesis[];
  /** The questions that decide its response. */
  readonly questions: readonly Question[];
}

/** Makes evidence of one request. A server may refuse one kind of mistake and accept another, so each request counts alone. */
function toEvidence({ what, remaining, questions }: InvalidRequestEvidence): readonly QuestionEvidence[] {
  return questions.map((question) => ({
    question,
    suits: choicesWhere(question, (choice) => remaining.some((hypothesis) => hypothesis.get(question) === choice)),
    what,
  }));
}

/** A value of the filtered field in the first record of a page. */
function observedValue({ collection }: ListOperation, page: Reply | undefined, parameter: Parameter): Json | undefined {
  const filter = collection.filters.get(parameter.key);
  const [record] = page === undefined ? [] : (recordsIn(page) ?? []);
  return filter === undefined || filter.operator === 'matches' ? undefined : valueAt(record, filter.field);
}

/** The response that a hypothesis predicts. */
interface Prediction {
  readonly hypothesis: Hypothesis;
  readonly expected: ExpectedResponse;
}

/** An invalid request to send, with the predictions of its response. */
interface InvalidRequestPlan {
  readonly operation: ListOperation;
  readonly mistake: InvalidRequest;
  readonly predictions: readonly Prediction[];
  readonly questions: readonly Question[];
}

async function observeInvalidRequest(
  observer: ObserverContext,
  { operation, mistake, predictions, questions }: InvalidRequestPlan,
): Promise<readonly InvalidRequestEvidence[]> {
  const reply = await observer.ask(mistake.call);
  if (reply === undefined) return [];
  const verdicts = new Map<string, Comparison>();
  for (const { expected } of predictions) {
    const text = JSON.stringify(expected);
    if (!verdicts.has(text)) verdicts.set(text, await compareResponse(observer, operation, reply, expected));
  }
  const matchOf = ({ expected }: Prediction): Comparison => verdicts.get(JSON.stringify(expected)) ?? 'unknown';
  const remaining = predictions.filter((each) => ['yes', 'unknown'].includes(matchOf(each)));
  // A list that equals no other may have changed between the requests.
  if (remaining.length === 0 && [...verdicts.values()].includes('other')) return [];
  const answer = isSuccess(reply) ? describeSuccess(operation, reply) : `answered with ${reply.response.status}`;
  const what = `${operation.id} with ${mistake.what} was ${answer}`;
  return [{ what, remaining: remaining.map(({ hypothesis }) => hypothesis), questions }];
}

/** The questions that change the expected response of a request, for some choices of the other questions. */
function decidingQuestions(predictions: readonly Prediction[]): readonly Question[] {
  const questions = new Set(predictions.flatMap(({ hypothesis }) => [...hypothesis.keys()]));
  return [...questions].filter((question) => {
    const byOthers = new Map<string, Set<string>>();
    for (const { hypothesis, expected } of predictions) {
      const others = JSON.stringify([...hypothesis].flatMap(([each, choice]) => (each === question ? [] : [[each.id, choice]])));
      byOthers.set(others, (byOthers.get(others) ?? new Set()).add(JSON.stringify(expected)));
    }
    return [...byOthers.values()].some((each) => each.size > 1);
  });
}

/** Result of a comparison. `other` is a different list, perhaps because the data changed. */
type Comparison = 'yes' | 'no' | 'other' | 'unknown';

/** Compares a response with the expected one: by its echoed parameters, or by the response to an equivalent request. */
async function compareResponse(
  observer: ObserverContext,
  operation: ListOperation,
  reply: Reply,
  expected: ExpectedResponse,
): Promise<Comparison> {
  if (expected === 'refused') return reply.response.status === statusOf(operation, 'invalid') ? 'yes' : 'no';
  if (!isSuccess(reply)) return 'no';
  if (expected === 'empty') return recordsIn(reply)?.length === 0 ? 'yes' : 'no';
  const echoed = echoedParameters(operation, reply);
  if (echoed.some(([name, value]) => value !== expected.all[name])) return expected.isLegal ? 'unknown' : 'no';
  // The echoed parameters are enough for paging parameters.
  if (Object.keys(expected.sent).every((name) => echoed.some(([each]) => each === name)) && isOfPaging(operation, reply)) return 'yes';
  const equal = await observer.ask({ operation, values: expected.sent });
  return equal === undefined || !isSuccess(equal) || equal.number === reply.number ? 'unknown' : compareLists(operation, equal, reply);
}

function compareLists(operation: ListOperation, ...replies: readonly [Reply, Reply]): Comparison {
  const [first, second] = replies.map((reply) =>
    JSON.stringify([totalIn(operation.collection.page, reply) ?? null, keysOf(operation, recordsIn(reply) ?? [])]),
  );
  if (first === second) return 'yes';
  // More than two records are unlikely to appear or disappear between two requests.
  const sizes = replies.map((reply) => recordsIn(reply)?.length ?? 0);
  return Math.min(...sizes) === 0 && Math.max(...sizes) > 2 ? 'no' : 'other';
}

/** The paging parameters that a response repeats. */
function echoedParameters({ collection }: ListOperation, reply: Reply): readonly (readonly [string, Json])[] {
  const { page } = collection;
  if (page.style !== 'page') return [];
  const pairs = [[page.limit, page.echo?.limit] as const, [page.page, page.echo?.page] as const];
  return pairs.flatMap(([name, at]) => {
    const value = at === undefined ? undefined : valueAt(reply.body, at);
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** True when a request has paging parameters only. */
function isOfPaging(operation: ListOperation, { call }: Reply): boolean {
  const names = (call.raw ?? []).map((piece) => piece.split('=', 1)[0] ?? '');
  const { page } = operation.collection;
  return page.style === 'page' && names.every((name) => name === page.limit || name === page.page);
}

function describeSuccess(operation: ListOperation, reply: Reply): string {
  const echoed = echoedParameters(operation, reply).map(([name, value]) => `${name}=${String(value)}`);
  const size = recordsIn(reply)?.length ?? 0;
  return `answered with ${size === 1 ? 'one record' : `${size} records`}${echoed.length === 0 ? '' : ` and ${echoed.join(', ')}`}`;
}

/** One choice for each question that may decide a response. */
type Hypothesis = ReadonlyMap<Question, string>;

/**
 * Expected response to a request: a refusal, an empty list, or the response to a request with these parameters. For a valid request (`isLegal`) other
 * parameters are possible too, because no document defines, for example, a page of no records.
 */
type ExpectedResponse = 'refused' | 'empty' | { readonly sent: ParameterValues; readonly all: ParameterValues; readonly isLegal: boolean };

/** An invalid request, as a call and in words. */
interface InvalidRequest {
  readonly call: Call;
  /** The invalid part: `limit=abc`. */
  readonly what: string;
}

const classes: readonly InvalidClass[] = [
  'malformed',
  'out-of-range',
  'unknown-value',
  'broken-rule',
  'damaged-cursor',
  'sloppy',
  'undeclared',
];

/** The questions about invalid requests, with the classes of mistakes that each covers. */
function questionsOfClasses(contract: Contract): ReadonlyMap<Question, readonly InvalidClass[]> {
  const found = new Map<Question, readonly InvalidClass[]>();
  for (const each of classes)
    for (const question of questionsBelow(contract, `/x-invalid/${each}`)) found.set(question, [...(found.get(question) ?? []), each]);
  return found;
}

/** The question in the schema of a parameter. */
function questionOf({ questions, closed }: Contract, { schema }: Parameter): Question | undefined {
  const own = typeof schema === 'boolean' ? schema : follow(closed, schema);
  return isObject(own) ? questions.get(String(own['x-unspecified'])) : undefined;
}

/** Every combination of choices of the questions that may decide a response. */
function hypothesesFor(contract: Contract, operation: Operation): readonly Hypothesis[] {
  const ofParameters = operation.parameters.flatMap((parameter) => questionOf(contract, parameter) ?? []);
  const questions = new Set([...questionsOfClasses(contract).keys(), ...ofParameters]);
  return [...questions].reduce<readonly Hypothesis[]>(
    (all, question) => all.flatMap((each) => [...question.choices.keys()].map((choice) => new Map([...each, [question, choice]]))),
    [new Map()],
  );
}

/** Predicts the response to a request under a hypothesis. */
function predictResponse(contract: Contract, call: Call, hypothesis: Hypothesis): ExpectedResponse {
  const operation = { ...call.operation, ...resolveByHypothesis(contract, call.operation, hypothesis) };
  const request = toRequest({ ...call, operation }, new Map());
  const reading = readRequest(operation, request, new Map());
  if (reading.problems.some(({ answer }) => answer === 'refused')) return 'refused';
  if (reading.problems.some(({ answer }) => answer === 'empty')) return 'empty';
  const sent = Object.fromEntries([...reading.values].filter(([name]) => reading.sent.has(name)));
  return { sent, all: Object.fromEntries(reading.values), isLegal: reading.problems.length === 0 };
}

function resolveByHypothesis(contract: Contract, operation: Operation, hypothesis: Hypothesis): Pick<Operation, 'invalid' | 'parameters'> {
  const answers = [...questionsOfClasses(contract)].flatMap(([question, concerned]) =>
    concerned.map((each) => [each, question.choices.get(hypothesis.get(question) ?? '') as InvalidAnswer] as const),
  );
  const invalid: InvalidAnswers = { ...operation.invalid, ...Object.fromEntries(answers) };
  const parameters = operation.parameters.map((parameter) => {
    const question = questionOf(contract, parameter);
    const choice = question === undefined ? undefined : hypothesis.get(question);
    if (question === undefined || choice === undefined) return parameter;
    return sameOperation(resolveBy(contract, question, choice), operation).parameters.find(({ key }) => key === parameter.key) ?? parameter;
  });
  return { invalid, parameters };
}

/** The minimum of a number, in the contract or in a choice of its question. */
function smallestOf(contract: Contract, parameter: Parameter): number | undefined {
  const choices = [...(questionOf(contract, parameter)?.choices.values() ?? [])];
  const bounds = [parameter.schema, ...choices].map((each) => (isObject(each) ? each['minimum'] : undefined));
  return bounds.find((bound) => typeof bound === 'number');
}

/** Invalid requests to a list whose responses the contract may leave open, the most decisive first. */
function invalidRequestsFor(
  contract: Contract,
  operation: Operation,
  observed: (parameter: Parameter) => Json | undefined,
): readonly InvalidRequest[] {
  const numbers = operation.parameters.filter((each) => each.in === 'query' && each.kinds.includes('integer'));
  const listed = operation.parameters.filter((each) => each.in === 'query' && each.allowed.length > 0);
  const pieces = [
    ...numbers.flatMap((each) => queryPiece(each, smallestOf(contract, each), (smallest) => `${smallest - 1}`)),
    'touchstone-unheard-of=1',
    ...numbers.slice(0, 1).flatMap((each) => queryPiece(each, smallestOf(contract, each), (smallest) => `0${smallest}`)),
    ...listed.slice(0, 1).flatMap((each) => queryPiece(each, '', () => 'touchstone-no-such-value')),
    ...numbers.slice(0, 1).flatMap((each) => queryPiece(each, '', () => 'abc')),
    ...listed.slice(0, 1).flatMap((each) => queryPiece(each, observed(each), (value) => String(value).toUpperCase())),
  ];
  return [...new Set(pieces)].map((piece) => ({ call: { operation, raw: [piece] }, what: piece }));
}

function queryPiece<T>({ name }: Parameter, value: T | undefined, print: (value: T) => string): readonly string[] {
  return value === undefined ? [] : [`${encodeAnyText(name)}=${encodeAnyText(print(value))}`];
}

/** Sends requests with two errors, after a request that shows that the invalid parameter alone is an error. */
export async function observePrecedence(observer: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract, replies } = observer.context;
  const [question] = questionsBelow(contract, '/x-api/precedence');
  if (question === undefined) return [];
  const availability = replies.flatMap((reply) => unavailabilityEvidence(question, reply));
  const wrong = isStated(contract, 'malformed') ? contract.operations.flatMap(malformedCall)[0] : undefined;
  if (wrong === undefined) return availability;
  const control = await observer.ask(wrong);
  if (control?.response.status !== statusOf(wrong.operation, 'invalid')) return availability;
  const evidence: QuestionEvidence[] = [];
  for (const { call, conditions, what } of doubleErrors(observer, wrong))
    evidence.push(...precedenceEvidence(question, conditions, await observer.ask(call), what));
  return [...availability, ...evidence];
}

/** A request with a malformed number. */
function malformedCall(operation: Operation): readonly Call[] {
  if (operation.method !== 'GET' || operation.collection === undefined || !needsKey(operation) || operation.invalid.malformed !== 'refused')
    return [];
  const parameter = operation.parameters.find((each) => each.in === 'query' && each.kinds.includes('integer'));
  return parameter === undefined ? [] : [{ operation, raw: [`${encodeURIComponent(parameter.name)}=abc`] }];
}

/** A request with two errors, and the conditions of both. */
interface DoubleError {
  readonly call: Call;
  readonly conditions: readonly Condition[];
  readonly what: string;
}

function doubleErrors({ context }: ObserverContext, wrong: Call): readonly DoubleError[] {
  const scopes = wrong.operation.security.flat().flatMap((credential) => credential.scopes);
  const lacking = [...context.keys.keys()].find((role) => scopes.some((scope) => role === `without:${scope}`));
  const { id } = wrong.operation;
  return [
    ...(lacking === undefined
      ? []
      : [
          {
            call: { ...wrong, as: lacking },
            conditions: ['forbidden', 'invalid'] as const,
            what: `${id} without the scope and with an invalid parameter`,
          },
        ]),
    {
      call: { ...wrong, as: anonymous },
      conditions: ['unauthenticated', 'invalid'],
      what: `${id} without a key and with an invalid parameter`,
    },
  ];
}

/** Evidence from a 429 or 503 to a caller without a valid key: availability comes before the key. */
function unavailabilityEvidence(question: Question, reply: Reply): readonly QuestionEvidence[] {
  const { call, response } = reply;
  const isNobody = (call.as === anonymous || call.as === unknownCaller) && needsKey(call.operation);
  if (!isNobody || (response.status !== 429 && response.status !== 503)) return [];
  const conditions: readonly Condition[] = ['unauthenticated', response.status === 429 ? 'throttled' : 'unavailable'];
  return precedenceEvidence(question, conditions, reply, `${call.operation.id} without a valid key`);
}

function precedenceEvidence(
  question: Question,
  conditions: readonly Condition[],
  reply: Reply | undefined,
  what: string,
): readonly QuestionEvidence[] {
  const reported = conditions.find(
    (condition) => reply !== undefined && statusOf(reply.call.operation, condition) === reply.response.status,
  );
  if (reply === undefined || reported === undefined) return [];
  const suits = choicesWhere(question, (name) => {
    const ranks = question.choices.get(name);
    const rankOf = (condition: Condition): number => (Array.isArray(ranks) ? ranks.indexOf(condition) : -1);
    return conditions.every((condition) => rankOf(reported) <= rankOf(condition));
  });
  return [{ question, suits, what: `${what} was answered with ${reply.response.status}` }];
}
