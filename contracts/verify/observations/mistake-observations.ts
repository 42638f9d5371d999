/** Open questions about wrong requests: how mistakes are taken that the contract does not decide about, and which of two failures is told. */

import type { Condition, InvalidAnswer, InvalidAnswers, InvalidClass } from '../../../core/annotations/annotations.ts';
import type { Question } from '../../../core/annotations/profile.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { follow } from '../../../core/openapi/document.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { type Operation, statusOf } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parameter.ts';
import { readRequest } from '../../../core/parameters/read-request.ts';
import { valueAt } from '../../../core/pointer.ts';
import { anonymous, type Call, encodeText, isSuccess, type Reply, recordsIn, toRequest, unknownCaller } from '../engine/call.ts';
import { isStated, needsKey, questionsBelow } from '../engine/clauses.ts';
import { keyOf, type ParameterValues, totalIn } from '../engine/paginate.ts';
import { choicesWhere, closeBy, type Inquiry, operationIn, type QuestionEvidence } from './inquiry.ts';

/** More combinations of choices than this are not told apart. */
const mostHypotheses = 200;

/** Sends wrong requests to the list that says most, and asks which choices would have them answered like that. */
export async function observeMistakes(inquiry: Inquiry): Promise<readonly QuestionEvidence[]> {
  const { contract } = inquiry.context;
  const operation = contract.operations.filter(isList).find((each) => hypothesesFor(contract, each).length > 1);
  if (operation === undefined) return [];
  const hypotheses = hypothesesFor(contract, operation);
  if (hypotheses.length > mostHypotheses) return [];
  const page = await inquiry.fullest(operation);
  const looks: Look[] = [];
  for (const mistake of mistakesAt(contract, operation, (parameter) => observedIn(operation, page, parameter))) {
    const fates = hypotheses.map((hypothesis) => ({ hypothesis, fate: fateOf(contract, mistake.call, hypothesis) }));
    const questions = decidingQuestions(fates);
    // In a quick run, one look at each question is enough.
    const isNew = questions.some((question) => !looks.some((look) => look.questions.includes(question)));
    if (questions.length > 0 && (isNew || !inquiry.context.quick))
      looks.push(...(await lookAt(inquiry, { operation, mistake, fates, questions })));
  }
  return looks.flatMap(toEvidence);
}

/** One request, and what could have answered it like that. */
interface Look {
  readonly what: string;
  readonly left: readonly Hypothesis[];
  /** The questions that make a difference to it. */
  readonly questions: readonly Question[];
}

/** Each request speaks for itself: a server that refuses one kind of mistake may well read another one. */
function toEvidence({ what, left, questions }: Look): readonly QuestionEvidence[] {
  return questions.map((question) => ({
    question,
    suits: choicesWhere(question, (choice) => left.some((hypothesis) => hypothesis.get(question) === choice)),
    what,
  }));
}

/** A value that a filter was seen to have. */
function observedIn({ collection }: ListOperation, page: Reply | undefined, parameter: Parameter): Json | undefined {
  const filter = collection.filters.get(parameter.key);
  const [record] = page === undefined ? [] : (recordsIn(page) ?? []);
  return filter === undefined || filter.operator === 'matches' ? undefined : valueAt(record, filter.field);
}

interface Assumed {
  readonly hypothesis: Hypothesis;
  readonly fate: Fate;
}

interface Plan {
  readonly operation: ListOperation;
  readonly mistake: Mistake;
  readonly fates: readonly Assumed[];
  readonly questions: readonly Question[];
}

async function lookAt(inquiry: Inquiry, { operation, mistake, fates, questions }: Plan): Promise<readonly Look[]> {
  const reply = await inquiry.ask(mistake.call);
  if (reply === undefined) return [];
  const verdicts = new Map<string, Match>();
  for (const { fate } of fates) {
    const text = JSON.stringify(fate);
    if (!verdicts.has(text)) verdicts.set(text, await compare(inquiry, operation, reply, fate));
  }
  const matchOf = ({ fate }: Assumed): Match => verdicts.get(JSON.stringify(fate)) ?? 'unknown';
  const left = fates.filter((each) => ['yes', 'unknown'].includes(matchOf(each)));
  // An answer that equals none of the others may only have changed meanwhile.
  if (left.length === 0 && [...verdicts.values()].includes('other')) return [];
  const answer = isSuccess(reply) ? describeSuccess(operation, reply) : `answered with ${reply.response.status}`;
  const what = `${operation.id} with ${mistake.what} was ${answer}`;
  return [{ what, left: left.map(({ hypothesis }) => hypothesis), questions }];
}

/** The questions whose answer makes a difference to a request, whatever the other answers are. */
function decidingQuestions(fates: readonly Assumed[]): readonly Question[] {
  const questions = new Set(fates.flatMap(({ hypothesis }) => [...hypothesis.keys()]));
  return [...questions].filter((question) => {
    const byOthers = new Map<string, Set<string>>();
    for (const { hypothesis, fate } of fates) {
      const others = JSON.stringify([...hypothesis].flatMap(([each, choice]) => (each === question ? [] : [[each.id, choice]])));
      byOthers.set(others, (byOthers.get(others) ?? new Set()).add(JSON.stringify(fate)));
    }
    return [...byOthers.values()].some((each) => each.size > 1);
  });
}

/** `other` is a list that is not like the one it is compared with. */
type Match = 'yes' | 'no' | 'other' | 'unknown';

/** Compares an answer with the expected fate of the request: by the parameters that it echoes, or by the answer to an equal request. */
async function compare(inquiry: Inquiry, operation: ListOperation, reply: Reply, fate: Fate): Promise<Match> {
  if (fate === 'refused') return reply.response.status === statusOf(operation, 'invalid') ? 'yes' : 'no';
  if (!isSuccess(reply)) return 'no';
  if (fate === 'empty') return recordsIn(reply)?.length === 0 ? 'yes' : 'no';
  const echoed = echoOf(operation, reply);
  if (echoed.some(([name, value]) => value !== fate.all[name])) return fate.isLegal ? 'unknown' : 'no';
  // Where only the echo decides, it has decided.
  if (Object.keys(fate.sent).every((name) => echoed.some(([each]) => each === name)) && isOfPaging(operation, reply)) return 'yes';
  const equal = await inquiry.ask({ operation, values: fate.sent });
  return equal === undefined || !isSuccess(equal) || equal.number === reply.number ? 'unknown' : compareLists(operation, equal, reply);
}

function compareLists(operation: ListOperation, ...replies: readonly [Reply, Reply]): Match {
  const [first, second] = replies.map((reply) =>
    JSON.stringify([totalIn(operation.collection.page, reply) ?? null, (recordsIn(reply) ?? []).map((record) => keyOf(operation, record))]),
  );
  if (first === second) return 'yes';
  // That many records came or went between two requests is hard to believe.
  const sizes = replies.map((reply) => recordsIn(reply)?.length ?? 0);
  return Math.min(...sizes) === 0 && Math.max(...sizes) > 2 ? 'no' : 'other';
}

/** The parameters of paging that an answer repeats. */
function echoOf({ collection }: ListOperation, reply: Reply): readonly (readonly [string, Json])[] {
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
  const echoed = echoOf(operation, reply).map(([name, value]) => `${name}=${String(value)}`);
  const size = recordsIn(reply)?.length ?? 0;
  return `answered with ${size === 1 ? 'one record' : `${size} records`}${echoed.length === 0 ? '' : ` and ${echoed.join(', ')}`}`;
}

/** One choice for each question that decides about a request. */
type Hypothesis = ReadonlyMap<Question, string>;

/**
 * Fate of a request: it is refused, it gives nothing, or it is as good as one with these parameters. One that is legal as it is gives whatever
 * the server takes it for: no document says what a page of no records is.
 */
type Fate = 'refused' | 'empty' | { readonly sent: ParameterValues; readonly all: ParameterValues; readonly isLegal: boolean };

/** A request to send. */
interface Mistake {
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

/** The questions about mistakes in requests, with the classes that each is about. */
function questionsOfMistakes(contract: Contract): ReadonlyMap<Question, readonly InvalidClass[]> {
  const found = new Map<Question, readonly InvalidClass[]>();
  for (const each of classes)
    for (const question of questionsBelow(contract, `/x-invalid/${each}`)) found.set(question, [...(found.get(question) ?? []), each]);
  return found;
}

/** The question that stands in a parameter's own schema. */
function questionOf({ questions, closed }: Contract, { schema }: Parameter): Question | undefined {
  const own = typeof schema === 'boolean' ? schema : follow(closed, schema);
  return isObject(own) ? questions.get(String(own['x-unspecified'])) : undefined;
}

/** Every combination of choices of the questions that could decide about a request. */
function hypothesesFor(contract: Contract, operation: Operation): readonly Hypothesis[] {
  const ofParameters = operation.parameters.flatMap((parameter) => questionOf(contract, parameter) ?? []);
  const questions = new Set([...questionsOfMistakes(contract).keys(), ...ofParameters]);
  return [...questions].reduce<readonly Hypothesis[]>(
    (all, question) => all.flatMap((each) => [...question.choices.keys()].map((choice) => new Map([...each, [question, choice]]))),
    [new Map()],
  );
}

/** Expected answer to a request under a hypothesis. */
function fateOf(contract: Contract, call: Call, hypothesis: Hypothesis): Fate {
  const operation = { ...call.operation, ...assume(contract, call.operation, hypothesis) };
  const request = toRequest({ ...call, operation }, new Map());
  const reading = readRequest(operation, request, new Map());
  if (reading.problems.some(({ answer }) => answer === 'refused')) return 'refused';
  if (reading.problems.some(({ answer }) => answer === 'empty')) return 'empty';
  const sent = Object.fromEntries([...reading.values].filter(([name]) => reading.sent.has(name)));
  return { sent, all: Object.fromEntries(reading.values), isLegal: reading.problems.length === 0 };
}

function assume(contract: Contract, operation: Operation, hypothesis: Hypothesis): Pick<Operation, 'invalid' | 'parameters'> {
  const answers = [...questionsOfMistakes(contract)].flatMap(([question, concerned]) =>
    concerned.map((each) => [each, question.choices.get(hypothesis.get(question) ?? '') as InvalidAnswer] as const),
  );
  const invalid: InvalidAnswers = { ...operation.invalid, ...Object.fromEntries(answers) };
  const parameters = operation.parameters.map((parameter) => {
    const question = questionOf(contract, parameter);
    const choice = question === undefined ? undefined : hypothesis.get(question);
    if (question === undefined || choice === undefined) return parameter;
    return operationIn(closeBy(contract, question, choice), operation).parameters.find(({ key }) => key === parameter.key) ?? parameter;
  });
  return { invalid, parameters };
}

/** The smallest value that a number may have, as the contract says, or one of its choices. */
function smallestOf(contract: Contract, parameter: Parameter): number | undefined {
  const choices = [...(questionOf(contract, parameter)?.choices.values() ?? [])];
  const bounds = [parameter.schema, ...choices].map((each) => (isObject(each) ? each['minimum'] : undefined));
  return bounds.find((bound) => typeof bound === 'number');
}

/** Requests to a list that are wrong in the ways that the contract leaves open, the telling ones first. */
function mistakesAt(contract: Contract, operation: Operation, observed: (parameter: Parameter) => Json | undefined): readonly Mistake[] {
  const numbers = operation.parameters.filter((each) => each.in === 'query' && each.kinds.includes('integer'));
  const listed = operation.parameters.filter((each) => each.in === 'query' && each.allowed.length > 0);
  const pieces = [
    ...numbers.flatMap((each) => pieceOf(each, smallestOf(contract, each), (smallest) => `${smallest - 1}`)),
    'touchstone-unheard-of=1',
    ...numbers.slice(0, 1).flatMap((each) => pieceOf(each, smallestOf(contract, each), (smallest) => `0${smallest}`)),
    ...listed.slice(0, 1).flatMap((each) => pieceOf(each, '', () => 'touchstone-no-such-value')),
    ...numbers.slice(0, 1).flatMap((each) => pieceOf(each, '', () => 'abc')),
    ...listed.slice(0, 1).flatMap((each) => pieceOf(each, observed(each), (value) => String(value).toUpperCase())),
  ];
  return [...new Set(pieces)].map((piece) => ({ call: { operation, raw: [piece] }, what: piece }));
}

function pieceOf<T>({ name }: Parameter, value: T | undefined, print: (value: T) => string): readonly string[] {
  return value === undefined ? [] : [`${encodeText(name)}=${encodeText(print(value))}`];
}

/** Sends requests that fail for two reasons, after making sure that each of them is one. */
export async function observePrecedence(inquiry: Inquiry): Promise<readonly QuestionEvidence[]> {
  const { contract, replies } = inquiry.context;
  const [question] = questionsBelow(contract, '/x-api/precedence');
  if (question === undefined) return [];
  const availability = replies.flatMap((reply) => availabilityEvidence(question, reply));
  const wrong = isStated(contract, 'malformed') ? contract.operations.flatMap(malformedCall)[0] : undefined;
  if (wrong === undefined) return availability;
  const control = await inquiry.ask(wrong);
  if (control?.response.status !== statusOf(wrong.operation, 'invalid')) return availability;
  const evidence: QuestionEvidence[] = [];
  for (const { call, conditions, what } of doubledCalls(inquiry, wrong))
    evidence.push(...precedenceEvidence(question, conditions, await inquiry.ask(call), what));
  return [...availability, ...evidence];
}

/** A request with a parameter that nothing could read. */
function malformedCall(operation: Operation): readonly Call[] {
  if (operation.method !== 'GET' || operation.collection === undefined || !needsKey(operation) || operation.invalid.malformed !== 'refused')
    return [];
  const parameter = operation.parameters.find((each) => each.in === 'query' && each.kinds.includes('integer'));
  return parameter === undefined ? [] : [{ operation, raw: [`${encodeURIComponent(parameter.name)}=abc`] }];
}

interface Doubled {
  readonly call: Call;
  readonly conditions: readonly Condition[];
  readonly what: string;
}

function doubledCalls({ context }: Inquiry, wrong: Call): readonly Doubled[] {
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

/** A target that throttles or is not ready says so to a caller without a key, too, or it does not come that far. */
function availabilityEvidence(question: Question, reply: Reply): readonly QuestionEvidence[] {
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
  const told = conditions.find((condition) => reply !== undefined && statusOf(reply.call.operation, condition) === reply.response.status);
  if (reply === undefined || told === undefined) return [];
  const suits = choicesWhere(question, (name) => {
    const ranks = question.choices.get(name);
    const rankOf = (condition: Condition): number => (Array.isArray(ranks) ? ranks.indexOf(condition) : -1);
    return conditions.every((condition) => rankOf(told) <= rankOf(condition));
  });
  return [{ question, suits, what: `${what} was answered with ${reply.response.status}` }];
}
