/** Shared parts of the observers of open questions: open places, a small budget of requests, and the summary of what was seen. */

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

/** Asks for what the answers of a run do not show by themselves. */
export class Inquiry {
  readonly context: RunContext;
  private left: number;

  constructor(context: RunContext) {
    this.context = context;
    this.left = context.quick ? allowances.quick : allowances.full;
  }

  /** Sends a request, or gives the answer that it had in the run; `undefined` when no more may be sent, or nothing comes back. */
  ask(call: Call): Promise<Reply | undefined> {
    return this.count(() => this.context.ask(call));
  }

  /** Sends a request whether or not it was sent before. */
  again(call: Call): Promise<Reply | undefined> {
    return this.count(() => this.context.again(call));
  }

  /** The fullest answer of a list without any filter, as the usual caller sees it. */
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
  const sights: QuestionEvidence[] = [];
  for (const open of openLists(context.contract, rule)) sights.push(...[(await look(open)) ?? []].flat());
  return sights;
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

/** One thing that was seen. */
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

/** A sight that suits the choices with a value, and no other. */
export function seeing(question: Question, value: unknown, what: string): QuestionEvidence {
  return { question, suits: choicesWhere(question, (name) => question.choices.get(name) === value), what };
}

/**
 * Puts everything together that was seen of a question. A choice that nothing contradicts is an answer as soon as another one is contradicted; the
 * only choice of a question is one as soon as something was seen at all.
 */
export function concludeQuestion(question: Question, sights: readonly QuestionEvidence[]): Observation {
  const { id, source, choices } = question;
  const conclude = (answers: readonly string[], evidence: string): Observation => ({
    ...{ id, question: question.question, source },
    answers,
    evidence,
  });
  if (choices.size === 0) return conclude([], 'This question has no listed answers.');
  if (sights.length === 0) return conclude([], lacking(question));
  const left = choicesWhere(question, (name) => sights.every(({ suits }) => suits.includes(name)));
  const telling = sights.filter(({ suits }) => suits.length < choices.size);
  if (left.length === 0) return conclude([], `None of the listed answers: ${describe(blame(telling))}.`);
  if (telling.length === 0 && choices.size > 1) return conclude([], `What was seen suits every listed answer: ${describe(sights)}.`);
  return conclude(left, `Seen: ${describe(telling.length > 0 ? telling : sights)}.`);
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

/** The sights that suit no choice at all; where each suits some, it is all of them together that suit none. */
function blame(sights: readonly QuestionEvidence[]): readonly QuestionEvidence[] {
  const alone = sights.filter(({ suits }) => suits.length === 0);
  return alone.length > 0 ? alone : sights;
}

function describe(sights: readonly QuestionEvidence[]): string {
  const counts = new Map<string, number>();
  for (const { what } of sights) counts.set(what, (counts.get(what) ?? 0) + 1);
  const pieces = [...counts].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
  return pieces.length <= named ? pieces.join(', ') : `${pieces.slice(0, named).join(', ')} and ${pieces.length - named} more`;
}
