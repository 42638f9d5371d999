/** After the rules of a run, observes open questions about invalid requests: the response to each mistake, and which of two errors comes first. */

import type { Condition, InvalidAnswer, InvalidAnswers, InvalidClass } from '../../../core/annotations/annotations.ts';
import { type Question, questionsBelow } from '../../../core/annotations/open-questions.ts';
import { isObject, type Json, printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { needsKey, type Operation, statusOf } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { readRequest } from '../../../core/parameters/read-request.ts';
import { valueAt } from '../../../core/pointer.ts';
import { type Call, encodeAnyText, isSuccess, type Reply, recordsIn, toRequest } from '../evidence/call.ts';
import { anonymous } from '../evidence/callers.ts';
import { isStated } from '../evidence/open-places.ts';
import { totalIn } from '../evidence/pagination/pagination.ts';
import { keysOf, type ParameterValues } from '../evidence/record-keys-and-filters.ts';
import { answerByChoice, sameOperation } from './assume-choice.ts';
import type { ObserverContext } from './observer-context.ts';
import { choicesWhere, type QuestionEvidence } from './question-evidence.ts';

/** Maximum number of combinations of choices. */
const maxHypotheses = 200;

/** Sends invalid requests to one list, and finds the choices that predict the responses. */
export async function observeInvalidRequests(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract, quick } = context.round;
  const operation = contract.operations.filter(isList).find((each) => hypothesesFor(contract, each).length > 1);
  if (operation === undefined) return [];
  const hypotheses = hypothesesFor(contract, operation);
  if (hypotheses.length > maxHypotheses) return [];
  const page = await context.longestPage(operation);
  const evidence: QuestionEvidence[] = [];
  for (const invalidRequest of invalidRequestsFor(contract, operation, (parameter) => observedValue(operation, page, parameter))) {
    const predictions = hypotheses.map((hypothesis): Prediction => {
      const expected = predictResponse(contract, invalidRequest.call, hypothesis);
      return { hypothesis, expected, text: printJson(expected) };
    });
    const questions = [...(hypotheses[0]?.keys() ?? [])].filter((question) => isDecisive(question, predictions));
    // In a quick run, one request for each question is enough.
    const isNew = questions.some((question) => !evidence.some((each) => each.question === question));
    if (questions.length > 0 && (isNew || !quick))
      evidence.push(...(await observeInvalidRequest(context, operation, invalidRequest, predictions, questions)));
  }
  return evidence;
}

/** True if a question changes the expected response of a request, for some choices of the other questions. */
function isDecisive(question: Question, predictions: readonly Prediction[]): boolean {
  const differsOnlyIn = (one: Hypothesis, other: Hypothesis): boolean =>
    [...one].every(([each, choice]) => each === question || other.get(each) === choice);
  return predictions.some((one) => predictions.some((other) => one.text !== other.text && differsOnlyIn(one.hypothesis, other.hypothesis)));
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
  /** The response as JSON. */
  readonly text: string;
}

/** Makes evidence of one request. A server may refuse one kind of mistake and accept another, so each request counts alone. */
async function observeInvalidRequest(
  context: ObserverContext,
  operation: ListOperation,
  invalidRequest: InvalidRequest,
  predictions: readonly Prediction[],
  questions: readonly Question[],
): Promise<readonly QuestionEvidence[]> {
  const reply = await context.ask(invalidRequest.call);
  if (reply === undefined) return [];
  const comparisons = new Map<string, Comparison>();
  for (const { expected, text } of predictions)
    if (!comparisons.has(text)) comparisons.set(text, await compareResponse(context, operation, reply, expected));
  const fittingHypotheses = predictions
    .filter(({ text }) => ['yes', 'unknown'].includes(comparisons.get(text) ?? 'unknown'))
    .map(({ hypothesis }) => hypothesis);
  // A list that equals no other may have changed between the requests.
  if (fittingHypotheses.length === 0 && [...comparisons.values()].includes('other')) return [];
  const responseText = isSuccess(reply) ? describeSuccess(operation, reply) : `returned ${reply.response.status}`;
  const what = `${operation.id} with ${invalidRequest.what} ${responseText}`;
  return questions.map((question) => ({
    question,
    fittingChoices: choicesWhere(question, (choice) => fittingHypotheses.some((hypothesis) => hypothesis.get(question) === choice)),
    what,
  }));
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
    printJson([totalIn(operation.collection.page, reply) ?? null, keysOf(operation, recordsIn(reply) ?? [])]),
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
  return `returned ${size === 1 ? 'one record' : `${size} records`}${echoed.length === 0 ? '' : ` and ${echoed.join(', ')}`}`;
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
function questionOf({ questions }: Contract, { schema }: Parameter): Question | undefined {
  return isObject(schema) ? questions.get(String(schema['x-unspecified'])) : undefined;
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

/** Sends an invalid request with keys that must be refused: the status shows which of the two errors comes first. */
export async function observePrecedence(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract, keys } = context.round;
  const [question] = questionsBelow(contract, '/x-api/precedence');
  const [invalidCall] = isStated(contract, 'malformed') ? contract.operations.flatMap(malformedCall) : [];
  if (question === undefined || invalidCall === undefined) return [];
  const { operation } = invalidCall;
  // If the server accepts the parameter, there is only one error.
  const invalidReply = await context.ask(invalidCall);
  if (invalidReply?.response.status !== statusOf(operation, 'invalid')) return [];
  const scopes = operation.security.flat().flatMap((credential) => credential.scopes);
  const refusedCallers: readonly (readonly [condition: Condition, as: string | undefined, what: string])[] = [
    ['forbidden', scopes.map((scope) => `without:${scope}`).find((role) => keys.has(role)), 'the scope'],
    ['unauthenticated', anonymous, 'a key'],
  ];
  const evidence: QuestionEvidence[] = [];
  for (const [condition, as, what] of refusedCallers) {
    const status = as === undefined ? undefined : (await context.ask({ ...invalidCall, as }))?.response.status;
    const firstCondition = [condition, 'invalid' as const].find((each) => statusOf(operation, each) === status);
    if (firstCondition === undefined) continue;
    const fittingChoices = choicesWhere(question, (name) => {
      const ranks = question.choices.get(name);
      const rankOf = (each: Condition): number => (Array.isArray(ranks) ? ranks.indexOf(each) : -1);
      return rankOf(firstCondition) <= Math.min(rankOf(condition), rankOf('invalid'));
    });
    evidence.push({
      question,
      fittingChoices,
      what: `${operation.id} without ${what} and with an invalid parameter returned ${status}`,
    });
  }
  return evidence;
}

/** A request with a malformed number. */
function malformedCall(operation: Operation): readonly Call[] {
  if (operation.method !== 'GET' || operation.collection === undefined || !needsKey(operation) || operation.invalid.malformed !== 'refused')
    return [];
  const parameter = operation.parameters.find((each) => each.in === 'query' && each.kinds.includes('integer'));
  return parameter === undefined ? [] : [{ operation, raw: [`${encodeURIComponent(parameter.name)}=abc`] }];
}
