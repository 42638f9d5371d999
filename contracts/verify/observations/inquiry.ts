/** Shared parts of the observers of open questions, which `observe` calls after the rules: open places, a small budget of requests, and the conclusion from the evidence. */

import type { Profile, Question } from '../../../core/annotations/profile.ts';
import { type Contract, resolveContract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Observation } from '../../../core/results/run-result.ts';
import { Blocked } from '../engine/blocked-operations.ts';
import { type Call, type Reply, recordsIn, Unwritable } from '../engine/call.ts';
import { questionsBelow } from '../engine/clauses.ts';
import { callFor } from '../engine/paginate.ts';
import type { RunContext } from '../engine/run-context.ts';
import { BudgetSpent } from '../engine/session.ts';
import { largestPage } from '../engine/snapshot.ts';

/** Number of requests that may be sent. */
const allowances = { full: 20, quick: 6 } as const;

/** Sends the few additional requests of the observers. */
export class Inquiry {
  readonly context: RunContext;
  private left: number;

  constructor(context: RunContext) {
    this.context = context;
    this.left = context.quick ? allowances.quick : allowances.full;
  }

  /** Sends a request, or returns its reply from this run; `undefined` if the budget is spent or no reply comes. */
  ask(call: Call): Promise<Reply | undefined> {
    return this.count(() => this.context.ask(call));
  }

  /** Sends a request even if it was sent before. */
  again(call: Call): Promise<Reply | undefined> {
    return this.count(() => this.context.askAgain(call));
  }

  /** The longest page of a list without a filter, for the key `full`. */
  async fullest(operation: ListOperation): Promise<Reply | undefined> {
    const { limit } = operation.collection.page;
    const plain = this.context.replies.filter(
      ({ call }) =>
        call.operation.id === operation.id &&
        (call.as ?? 'full') === 'full' &&
        call.raw === undefined &&
        Object.keys(call.values ?? {}).every((name) => name === limit),
    );
    const known = plain.toSorted((left, right) => lengthOf(right) - lengthOf(left))[0];
    return known !== undefined && lengthOf(known) > 1
      ? known
      : this.ask(callFor({ operation, values: {}, limit: largestPage(operation) }, {}));
  }

  private async count(send: () => Promise<Reply>): Promise<Reply | undefined> {
    const { session } = this.context;
    const before = session.requests;
    if (this.left <= 0) return undefined;
    try {
      return await send();
    } catch (error) {
      // A target that throttles or fails, a value that cannot be sent, and a budget that is spent leave questions open and nothing more.
      if (error instanceof Blocked || error instanceof BudgetSpent || error instanceof Unwritable) return undefined;
      throw error;
    } finally {
      this.left -= session.requests - before;
    }
  }
}

function lengthOf(reply: Reply): number {
  return recordsIn(reply)?.length ?? 0;
}

/** A question at a rule of an operation. */
export interface OpenRule<T extends Operation> {
  readonly question: Question;
  readonly operation: T;
}

/** The lists whose rule at a pointer below the operation is open, in whole or in part. */
export function openLists(contract: Contract, rule: string): readonly OpenRule<ListOperation>[] {
  return contract.operations.filter(isList).flatMap((operation) => openAt(contract, operation, rule));
}

/** Observation of each list with an open rule. */
export async function observeLists(
  { context }: Inquiry,
  rule: string,
  look: (open: OpenRule<ListOperation>) => Promise<QuestionEvidence | readonly QuestionEvidence[] | undefined>,
): Promise<readonly QuestionEvidence[]> {
  const evidence: QuestionEvidence[] = [];
  for (const open of openLists(context.contract, rule)) evidence.push(...[(await look(open)) ?? []].flat());
  return evidence;
}

/** The single reads whose rule is open. */
export function openReads(contract: Contract, rule: string): readonly OpenRule<Operation>[] {
  return contract.operations
    .filter((operation) => operation.resource !== undefined)
    .flatMap((operation) => openAt(contract, operation, rule));
}

function openAt<T extends Operation>(contract: Contract, operation: T, rule: string): readonly OpenRule<T>[] {
  return questionsBelow(contract, `${operation.pointer}/${rule}`).map((question) => ({ question, operation }));
}

const closed = new WeakMap<Contract, Map<number, Contract>>();

/**
 * The contract closed by a choice of a question. One closed contract holds a choice of every question, so as many are enough as the longest list of
 * choices has: only the rule that the question is about may be looked at.
 */
export function closeBy(contract: Contract, question: Question, choice: string): Contract {
  const turn = [...question.choices.keys()].indexOf(choice);
  const known = closed.get(contract) ?? new Map<number, Contract>();
  closed.set(contract, known);
  const found = known.get(turn) ?? resolveContract(contract, profileOf(contract, turn));
  known.set(turn, found);
  return found;
}

function profileOf({ questions }: Contract, turn: number): Profile {
  const asked = [...questions.values()].filter(({ choices }) => choices.size > 0);
  return Object.fromEntries(asked.map(({ id, choices }) => [id, [...choices.keys()][turn % choices.size] ?? '']));
}

/** The same operation in another closing of its contract. */
export function operationIn(contract: Contract, operation: Operation): Operation {
  return contract.operations.find(({ id }) => id === operation.id) ?? operation;
}

/** The same list in another closing of its contract. */
export function listIn(contract: Contract, operation: ListOperation): ListOperation {
  return contract.operations.filter(isList).find(({ id }) => id === operation.id) ?? operation;
}

/** One observation about a question. */
export interface QuestionEvidence {
  readonly question: Question;
  /** The choices that it does not contradict. */
  readonly suits: readonly string[];
  /** Description as a clause in the past tense: `paid_at was null`. */
  readonly what: string;
}

/** Number of different observations in a sentence. */
const named = 3;

/** Every choice of a question whose value passes a test. */
export function choicesWhere(question: Question, passes: (name: string) => boolean): readonly string[] {
  return [...question.choices.keys()].filter(passes);
}

/** Evidence for the choices with a value, against all others. */
export function evidenceOf(question: Question, value: unknown, what: string): QuestionEvidence {
  return { question, suits: choicesWhere(question, (name) => question.choices.get(name) === value), what };
}

/**
 * Concludes a question from its evidence. A choice is an answer if no evidence contradicts it and some evidence contradicts another choice. The only
 * choice of a question is an answer if there is any evidence.
 */
export function concludeQuestion(question: Question, evidence: readonly QuestionEvidence[]): Observation {
  const { id, source, choices } = question;
  const conclude = (answers: readonly string[], summary: string): Observation => ({
    ...{ id, question: question.question, source },
    answers,
    evidence: summary,
  });
  if (choices.size === 0) return conclude([], 'This question has no listed answers.');
  if (evidence.length === 0) return conclude([], lacking(question));
  const left = choicesWhere(question, (name) => evidence.every(({ suits }) => suits.includes(name)));
  const telling = evidence.filter(({ suits }) => suits.length < choices.size);
  if (left.length === 0) return conclude([], `None of the listed answers: ${describe(blame(telling))}.`);
  if (telling.length === 0 && choices.size > 1) return conclude([], `What was seen suits every listed answer: ${describe(evidence)}.`);
  return conclude(left, `Seen: ${describe(telling.length > 0 ? telling : evidence)}.`);
}

/** Missing evidence, by the place of the question. */
function lacking({ pointers }: Question): string {
  const stands = (place: RegExp): boolean => pointers.some((pointer) => place.test(pointer));
  if (stands(/^\/x-api\/scopes\//)) return 'No documented field of an answer names it.';
  if (stands(/^\/x-api\/precedence/)) return 'No request that fails for two reasons was answered.';
  if (stands(/\/visible\/hidden$/)) return 'No hidden record is known; --hidden KEY names one.';
  if (stands(/\/(x-collection|x-resource|x-invalid)\//))
    return 'No request that shows it was answered; it takes a few more, and records to ask for.';
  return 'No answer had the place that it is about.';
}

/** The evidence that suits no choice; all evidence if each piece suits some choice. */
function blame(evidence: readonly QuestionEvidence[]): readonly QuestionEvidence[] {
  const alone = evidence.filter(({ suits }) => suits.length === 0);
  return alone.length > 0 ? alone : evidence;
}

function describe(evidence: readonly QuestionEvidence[]): string {
  const counts = new Map<string, number>();
  for (const { what } of evidence) counts.set(what, (counts.get(what) ?? 0) + 1);
  const pieces = [...counts].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
  return pieces.length <= named ? pieces.join(', ') : `${pieces.slice(0, named).join(', ')} and ${pieces.length - named} more`;
}
