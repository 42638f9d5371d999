/** Requests that are wrong in a way that the contract leaves open, and what each set of answers to its questions would make of them. */

import type { Contract } from '../../core/contract.ts';
import { follow } from '../../core/document.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import type { Parameter } from '../../core/parameter.ts';
import type { Question } from '../../core/profile.ts';
import { readRequest } from '../../core/request.ts';
import type { InvalidAnswer, InvalidAnswers, InvalidClass } from '../../core/rules.ts';
import { type Call, encodeText, toRequest } from '../call.ts';
import { questionsBelow } from '../openness.ts';
import type { Values } from '../walk.ts';
import { closeBy, operationIn } from './open-rule.ts';

/** One choice for each question that decides about a request. */
export type Hypothesis = ReadonlyMap<Question, string>;

/**
 * What becomes of a request: it is refused, it gives nothing, or it is as good as one with these parameters. One that is legal as it is gives whatever
 * the server takes it for: no document says what a page of no records is.
 */
export type Fate = 'refused' | 'empty' | { readonly sent: Values; readonly all: Values; readonly isLegal: boolean };

/** A request to send. */
export interface Mistake {
  readonly call: Call;
  /** What is wrong with it: `limit=abc`. */
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
export function questionsOfMistakes(contract: Contract): ReadonlyMap<Question, readonly InvalidClass[]> {
  const found = new Map<Question, readonly InvalidClass[]>();
  for (const each of classes)
    for (const question of questionsBelow(contract, `/x-invalid/${each}`)) found.set(question, [...(found.get(question) ?? []), each]);
  return found;
}

/** The question that stands in a parameter's own schema. */
export function questionOf({ questions, closed }: Contract, { schema }: Parameter): Question | undefined {
  const own = typeof schema === 'boolean' ? schema : follow(closed, schema);
  return isObject(own) ? questions.get(String(own['x-unspecified'])) : undefined;
}

/** Every combination of choices of the questions that could decide about a request. */
export function hypothesesFor(contract: Contract, operation: Operation): readonly Hypothesis[] {
  const ofParameters = operation.parameters.flatMap((parameter) => questionOf(contract, parameter) ?? []);
  const questions = new Set([...questionsOfMistakes(contract).keys(), ...ofParameters]);
  return [...questions].reduce<readonly Hypothesis[]>(
    (all, question) => all.flatMap((each) => [...question.choices.keys()].map((choice) => new Map([...each, [question, choice]]))),
    [new Map()],
  );
}

/** What a request meets under a hypothesis. */
export function fateOf(contract: Contract, call: Call, hypothesis: Hypothesis): Fate {
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
export function mistakesAt(
  contract: Contract,
  operation: Operation,
  observed: (parameter: Parameter) => Json | undefined,
): readonly Mistake[] {
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
