/**
 * Observers of open questions about invalid requests: the response to errors that the contract leaves open, and the precedence of two errors.
 * `observe-open-questions.ts` calls each once, after the rules of a run. They return evidence for or against choices, and conclude nothing.
 */

import type { Condition, InvalidAnswer, InvalidAnswers, InvalidClass } from '../../../core/annotations/annotations.ts';
import { type Question, questionsBelow } from '../../../core/annotations/open-questions.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { follow } from '../../../core/openapi/document.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { needsKey, type Operation, statusOf } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parse-and-print-parameter.ts';
import { readRequest } from '../../../core/parameters/read-request-parameters.ts';
import { valueAt } from '../../../core/pointer.ts';
import { type Call, encodeAnyText, isSuccess, type Reply, recordsIn, toRequest } from '../evidence/call-and-reply.ts';
import { anonymous, unknownCaller } from '../evidence/callers-and-keys.ts';
import { isStated } from '../evidence/contract-places-left-open.ts';
import { totalIn } from '../evidence/pagination/pagination-and-page-sizes.ts';
import { keysOf, type ParameterValues } from '../evidence/record-keys-and-filters.ts';
import { answerByChoice, sameOperation } from './answer-by-choice.ts';
import type { ObserverContext } from './observer-context.ts';
import { choicesWhere, type QuestionEvidence } from './question-evidence.ts';

/** Maximum number of combinations of choices. */
const maxHypotheses = 200;

/** Sends invalid requests to one list, and finds the choices that predict the responses. */
export async function observeInvalidRequests(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract } = context.round;
  const operation = contract.operations.filter(isList).find((each) => hypothesesFor(contract, each).length > 1);
  if (operation === undefined) return [];
  const hypotheses = hypothesesFor(contract, operation);
  if (hypotheses.length > maxHypotheses) return [];
  const page = await context.longestPage(operation);
  const evidence: InvalidRequestEvidence[] = [];
  for (const invalidRequest of invalidRequestsFor(contract, operation, (parameter) => observedValue(operation, page, parameter))) {
    const predictions = hypotheses.map((hypothesis) => ({
      hypothesis,
      expected: predictResponse(contract, invalidRequest.call, hypothesis),
    }));
    const questions = decidingQuestions(predictions);
    // In a quick run, one request for each question is enough.
    const isNew = questions.some((question) => !evidence.some((each) => each.questions.includes(question)));
    if (questions.length > 0 && (isNew || !context.round.quick))
      evidence.push(...(await observeInvalidRequest(context, { operation, invalidRequest, predictions, questions })));
  }
  return evidence.flatMap(toEvidence);
}

/** One invalid request that was sent, with the hypotheses that predict its response. */
interface InvalidRequestEvidence {
  readonly what: string;
  readonly fittingHypotheses: readonly Hypothesis[];
  /** The questions that decide its response. */
  readonly questions: readonly Question[];
}

/** Makes evidence of one request. A server may refuse one kind of mistake and accept another, so each request counts alone. */
function toEvidence({ what, fittingHypotheses, questions }: InvalidRequestEvidence): readonly QuestionEvidence[] {
  return questions.map((question) => ({
    question,
    fittingChoices: choicesWhere(question, (choice) => fittingHypotheses.some((hypothesis) => hypothesis.get(question) === choice)),
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
  readonly invalidRequest: InvalidRequest;
  readonly predictions: readonly Prediction[];
  readonly questions: readonly Question[];
}

async function observeInvalidRequest(
  context: ObserverContext,
  { operation, invalidRequest, predictions, questions }: InvalidRequestPlan,
): Promise<readonly InvalidRequestEvidence[]> {
  const reply = await context.ask(invalidRequest.call);
  if (reply === undefined) return [];
  const comparisons = new Map<string, Comparison>();
  for (const { expected } of predictions) {
    const text = JSON.stringify(expected);
    if (!comparisons.has(text)) comparisons.set(text, await compareResponse(context, operation, reply, expected));
  }
  const comparisonOf = ({ expected }: Prediction): Comparison => comparisons.get(JSON.stringify(expected)) ?? 'unknown';
  const fittingPredictions = predictions.filter((each) => ['yes', 'unknown'].includes(comparisonOf(each)));
  // A list that equals no other may have changed between the requests.
  if (fittingPredictions.length === 0 && [...comparisons.values()].includes('other')) return [];
  const responseText = isSuccess(reply) ? describeSuccess(operation, reply) : `answered with ${reply.response.status}`;
  const what = `${operation.id} with ${invalidRequest.what} was ${responseText}`;
  return [{ what, fittingHypotheses: fittingPredictions.map(({ hypothesis }) => hypothesis), questions }];
}

/** The questions that change the expected response of a request, for some choices of the other questions. */
function decidingQuestions(predictions: readonly Prediction[]): readonly Question[] {
  const questions = new Set(predictions.flatMap(({ hypothesis }) => [...hypothesis.keys()]));
  return [...questions].filter((question) => {
    const responsesByOtherChoices = new Map<string, Set<string>>();
    for (const { hypothesis, expected } of predictions) {
      const otherChoices = JSON.stringify([...hypothesis].flatMap(([each, choice]) => (each === question ? [] : [[each.id, choice]])));
      responsesByOtherChoices.set(otherChoices, (responsesByOtherChoices.get(otherChoices) ?? new Set()).add(JSON.stringify(expected)));
    }
    return [...responsesByOtherChoices.values()].some((each) => each.size > 1);
  });
}

/** Result of a comparison. `other` is a different list, perhaps because the data changed. */
type Comparison = 'yes' | 'no' | 'other' | 'unknown';

/** Compares a response with the expected one: by its echoed parameters, or by the response to an equivalent request. */
async function compareResponse(
  context: ObserverContext,
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
  const equivalentReply = await context.ask({ operation, values: expected.sent });
  return equivalentReply === undefined || !isSuccess(equivalentReply) || equivalentReply.number === reply.number
    ? 'unknown'
    : compareLists(operation, equivalentReply, reply);
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

/** True if a request has paging parameters only. */
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

const mistakeClasses: readonly InvalidClass[] = [
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
  const classesByQuestion = new Map<Question, readonly InvalidClass[]>();
  for (const each of mistakeClasses)
    for (const question of questionsBelow(contract, `/x-invalid/${each}`))
      classesByQuestion.set(question, [...(classesByQuestion.get(question) ?? []), each]);
  return classesByQuestion;
}

/** The question in the schema of a parameter. */
function questionOf({ questions, closed }: Contract, { schema }: Parameter): Question | undefined {
  const resolvedSchema = typeof schema === 'boolean' ? schema : follow(closed, schema);
  return isObject(resolvedSchema) ? questions.get(String(resolvedSchema['x-unspecified'])) : undefined;
}

/** Every combination of choices of the questions that may decide a response. */
function hypothesesFor(contract: Contract, operation: Operation): readonly Hypothesis[] {
  const parameterQuestions = operation.parameters.flatMap((parameter) => questionOf(contract, parameter) ?? []);
  const questions = new Set([...questionsOfClasses(contract).keys(), ...parameterQuestions]);
  return [...questions].reduce<readonly Hypothesis[]>(
    (hypotheses, question) =>
      hypotheses.flatMap((each) => [...question.choices.keys()].map((choice) => new Map([...each, [question, choice]]))),
    [new Map()],
  );
}

/** Predicts the response to a request under a hypothesis. */
function predictResponse(contract: Contract, call: Call, hypothesis: Hypothesis): ExpectedResponse {
  const operation = { ...call.operation, ...resolveByHypothesis(contract, call.operation, hypothesis) };
  const request = toRequest({ ...call, operation }, new Map());
  const parsedRequest = readRequest(operation, request, new Map());
  if (parsedRequest.problems.some(({ answer }) => answer === 'refused')) return 'refused';
  if (parsedRequest.problems.some(({ answer }) => answer === 'empty')) return 'empty';
  const sent = Object.fromEntries([...parsedRequest.values].filter(([name]) => parsedRequest.sent.has(name)));
  return { sent, all: Object.fromEntries(parsedRequest.values), isLegal: parsedRequest.problems.length === 0 };
}

function resolveByHypothesis(contract: Contract, operation: Operation, hypothesis: Hypothesis): Pick<Operation, 'invalid' | 'parameters'> {
  const answers = [...questionsOfClasses(contract)].flatMap(([question, mistakes]) =>
    mistakes.map((each) => [each, question.choices.get(hypothesis.get(question) ?? '') as InvalidAnswer] as const),
  );
  const invalid: InvalidAnswers = { ...operation.invalid, ...Object.fromEntries(answers) };
  const parameters = operation.parameters.map((parameter) => {
    const question = questionOf(contract, parameter);
    const choice = question === undefined ? undefined : hypothesis.get(question);
    if (question === undefined || choice === undefined) return parameter;
    return (
      sameOperation(answerByChoice(contract, question, choice), operation).parameters.find(({ key }) => key === parameter.key) ?? parameter
    );
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
  observedValueOf: (parameter: Parameter) => Json | undefined,
): readonly InvalidRequest[] {
  const numberParameters = operation.parameters.filter((each) => each.in === 'query' && each.kinds.includes('integer'));
  const enumParameters = operation.parameters.filter((each) => each.in === 'query' && each.allowed.length > 0);
  const pieces = [
    ...numberParameters.flatMap((each) => queryPiece(each, smallestOf(contract, each), (smallest) => `${smallest - 1}`)),
    'touchstone-unheard-of=1',
    ...numberParameters.slice(0, 1).flatMap((each) => queryPiece(each, smallestOf(contract, each), (smallest) => `0${smallest}`)),
    ...enumParameters.slice(0, 1).flatMap((each) => queryPiece(each, '', () => 'touchstone-no-such-value')),
    ...numberParameters.slice(0, 1).flatMap((each) => queryPiece(each, '', () => 'abc')),
    ...enumParameters.slice(0, 1).flatMap((each) => queryPiece(each, observedValueOf(each), (value) => String(value).toUpperCase())),
  ];
  return [...new Set(pieces)].map((piece) => ({ call: { operation, raw: [piece] }, what: piece }));
}

function queryPiece<T>({ name }: Parameter, value: T | undefined, print: (value: T) => string): readonly string[] {
  return value === undefined ? [] : [`${encodeAnyText(name)}=${encodeAnyText(print(value))}`];
}

/** Sends requests with two errors, after a request that shows that the invalid parameter alone is an error. */
export async function observePrecedence(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract, replies } = context.round;
  const [question] = questionsBelow(contract, '/x-api/precedence');
  if (question === undefined) return [];
  const availabilityEvidence = replies.flatMap((reply) => unavailabilityEvidence(question, reply));
  const malformedRequest = isStated(contract, 'malformed') ? contract.operations.flatMap(malformedCall)[0] : undefined;
  if (malformedRequest === undefined) return availabilityEvidence;
  const controlReply = await context.ask(malformedRequest);
  if (controlReply?.response.status !== statusOf(malformedRequest.operation, 'invalid')) return availabilityEvidence;
  const evidence: QuestionEvidence[] = [];
  for (const { call, conditions, what } of doubleErrors(context, malformedRequest))
    evidence.push(...precedenceEvidence(question, conditions, await context.ask(call), what));
  return [...availabilityEvidence, ...evidence];
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

function doubleErrors({ round }: ObserverContext, malformedRequest: Call): readonly DoubleError[] {
  const scopes = malformedRequest.operation.security.flat().flatMap((credential) => credential.scopes);
  const roleWithoutScope = [...round.keys.keys()].find((role) => scopes.some((scope) => role === `without:${scope}`));
  const { id } = malformedRequest.operation;
  return [
    ...(roleWithoutScope === undefined
      ? []
      : [
          {
            call: { ...malformedRequest, as: roleWithoutScope },
            conditions: ['forbidden', 'invalid'] as const,
            what: `${id} without the scope and with an invalid parameter`,
          },
        ]),
    {
      call: { ...malformedRequest, as: anonymous },
      conditions: ['unauthenticated', 'invalid'],
      what: `${id} without a key and with an invalid parameter`,
    },
  ];
}

/** Evidence from a 429 or 503 to a caller without a valid key: availability comes before the key. */
function unavailabilityEvidence(question: Question, reply: Reply): readonly QuestionEvidence[] {
  const { call, response } = reply;
  const isWithoutValidKey = (call.as === anonymous || call.as === unknownCaller) && needsKey(call.operation);
  if (!isWithoutValidKey || (response.status !== 429 && response.status !== 503)) return [];
  const conditions: readonly Condition[] = ['unauthenticated', response.status === 429 ? 'throttled' : 'unavailable'];
  return precedenceEvidence(question, conditions, reply, `${call.operation.id} without a valid key`);
}

function precedenceEvidence(
  question: Question,
  conditions: readonly Condition[],
  reply: Reply | undefined,
  what: string,
): readonly QuestionEvidence[] {
  const reportedCondition = conditions.find(
    (condition) => reply !== undefined && statusOf(reply.call.operation, condition) === reply.response.status,
  );
  if (reply === undefined || reportedCondition === undefined) return [];
  const fittingChoices = choicesWhere(question, (name) => {
    const ranks = question.choices.get(name);
    const rankOf = (condition: Condition): number => (Array.isArray(ranks) ? ranks.indexOf(condition) : -1);
    return conditions.every((condition) => rankOf(reportedCondition) <= rankOf(condition));
  });
  return [{ question, fittingChoices, what: `${what} was answered with ${reply.response.status}` }];
}
