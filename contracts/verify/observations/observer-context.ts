/**
 * Shared parts of the observers of open questions: a small budget of requests, the open places of a contract, and the conclusion from the evidence. The
 * observers and `observe` call it, after the rules. No answer to an open question makes a run fail.
 */

import type { Profile, Question } from '../../../core/annotations/open-questions.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { type Contract, resolveContract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Observation } from '../../../core/results/run-result.ts';
import { Blocked } from '../engine/blocked-operations.ts';
import { type Call, isReplyTo, type Reply, recordsIn, Unwritable } from '../engine/call-and-reply.ts';
import { questionsBelow } from '../engine/clauses.ts';
import { firstPageCall } from '../engine/paginate.ts';
import type { RunContext } from '../engine/run-context.ts';
import { BudgetSpent } from '../engine/session.ts';

/** Maximum number of further requests. */
const requestBudgets = { full: 20, quick: 6 } as const;

/** The run context of the observers, with a budget for their further requests. */
export class ObserverContext {
  readonly context: RunContext;
  private left: number;

  constructor(context: RunContext) {
    this.context = context;
    this.left = context.quick ? requestBudgets.quick : requestBudgets.full;
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
  async longestPage(operation: ListOperation): Promise<Reply | undefined> {
    const { limit } = operation.collection.page;
    const unfiltered = this.context.replies.filter(
      (reply) =>
        isReplyTo(reply, operation) && reply.call.raw === undefined && Object.keys(reply.call.values ?? {}).every((name) => name === limit),
    );
    const known = unfiltered.toSorted((left, right) => lengthOf(right) - lengthOf(left))[0];
    return known !== undefined && lengthOf(known) > 1 ? known : this.ask(firstPageCall(operation, {}));
  }

  private async count(send: () => Promise<Reply>): Promise<Reply | undefined> {
    const { session } = this.context;
    const before = session.requests;
    if (this.left <= 0) return undefined;
    try {
      return await send();
    } catch (error) {
      // A blocked target, a spent budget and a value that cannot be sent only leave questions open.
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

/** An open question, and the operation with its rule. */
export interface OpenRule<T extends Operation> {
  readonly question: Question;
  readonly operation: T;
}

/** The lists with an open question at or below a pointer, such as `x-collection/order`. */
export function openLists(contract: Contract, rule: string): readonly OpenRule<ListOperation>[] {
  return contract.operations.filter(isList).flatMap((operation) => openAt(contract, operation, rule));
}

/** Observes each list with an open question at or below a pointer. */
export async function observeLists(
  { context }: ObserverContext,
  rule: string,
  observeList: (open: OpenRule<ListOperation>) => Promise<QuestionEvidence | readonly QuestionEvidence[] | undefined>,
): Promise<readonly QuestionEvidence[]> {
  const evidence: QuestionEvidence[] = [];
  for (const open of openLists(context.contract, rule)) evidence.push(...[(await observeList(open)) ?? []].flat());
  return evidence;
}

/** The single reads with an open question at or below a pointer. */
export function openReads(contract: Contract, rule: string): readonly OpenRule<Operation>[] {
  return contract.operations
    .filter((operation) => operation.resource !== undefined)
    .flatMap((operation) => openAt(contract, operation, rule));
}

function openAt<T extends Operation>(contract: Contract, operation: T, rule: string): readonly OpenRule<T>[] {
  return questionsBelow(contract, `${operation.pointer}/${rule}`).map((question) => ({ question, operation }));
}

const resolvedContracts = new WeakMap<Contract, Map<number, Contract>>();

/**
 * Resolves a contract by one choice of a question. A resolved contract has a choice for every question, so the cache needs one contract for each position
 * in a list of choices. Use only the rule of this question in the result, because the other choices are arbitrary.
 */
export function resolveBy(contract: Contract, question: Question, choice: string): Contract {
  const position = [...question.choices.keys()].indexOf(choice);
  const known = getOrCompute(resolvedContracts, contract, () => new Map<number, Contract>());
  return getOrCompute(known, position, () => resolveContract(contract, profileOf(contract, position)));
}

function profileOf({ questions }: Contract, position: number): Profile {
  const answerable = [...questions.values()].filter(({ choices }) => choices.size > 0);
  return Object.fromEntries(answerable.map(({ id, choices }) => [id, [...choices.keys()][position % choices.size] ?? '']));
}

/** The same operation in a resolved contract. */
export function sameOperation(contract: Contract, operation: Operation): Operation {
  return contract.operations.find(({ id }) => id === operation.id) ?? operation;
}

/** The same list in a resolved contract. */
export function sameList(contract: Contract, operation: ListOperation): ListOperation {
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

/** Maximum number of different observations in a sentence. */
const maxNamed = 3;

/** The names of the choices that pass a test. */
export function choicesWhere(question: Question, passes: (name: string) => boolean): readonly string[] {
  return [...question.choices.keys()].filter(passes);
}

/** Makes evidence for the choices with a value, against all others. */
export function evidenceForValue(question: Question, value: unknown, what: string): QuestionEvidence {
  return { question, suits: choicesWhere(question, (name) => question.choices.get(name) === value), what };
}

/**
 * Concludes a question from its evidence. A choice is an answer if no evidence contradicts it and some evidence contradicts another choice. The only
 * choice of a question is an answer if there is any evidence.
 */
export function concludeQuestion(question: Question, evidence: readonly QuestionEvidence[]): Observation {
  const { id, source, choices } = question;
  const conclude = (answers: readonly string[], summary: string): Observation => ({
    id,
    question: question.question,
    source,
    answers,
    evidence: summary,
  });
  if (choices.size === 0) return conclude([], 'This question has no listed answers.');
  if (evidence.length === 0) return conclude([], describeMissing(question));
  const left = choicesWhere(question, (name) => evidence.every(({ suits }) => suits.includes(name)));
  const deciding = evidence.filter(({ suits }) => suits.length < choices.size);
  if (left.length === 0)
    return conclude([], `The responses match none of the listed answers: ${describeEvidence(evidenceAgainstAll(deciding))}.`);
  if (deciding.length === 0 && choices.size > 1)
    return conclude([], `The responses match every listed answer: ${describeEvidence(evidence)}.`);
  return conclude(left, `Seen: ${describeEvidence(deciding.length > 0 ? deciding : evidence)}.`);
}

/** Describes the missing evidence, by the place of the question. */
function describeMissing({ pointers }: Question): string {
  const isAt = (place: RegExp): boolean => pointers.some((pointer) => place.test(pointer));
  if (isAt(/^\/x-api\/scopes\//)) return 'No documented field of a response names it.';
  if (isAt(/^\/x-api\/precedence/)) return 'No request with two errors was answered.';
  if (isAt(/\/visible\/hidden$/)) return 'No hidden record is known; --hidden KEY names one.';
  if (isAt(/\/(x-collection|x-resource|x-invalid)\//)) return 'No response shows it; it needs more requests, and records to read.';
  return 'No response had the place of this question.';
}

/** The evidence that suits no choice; all evidence if each piece suits some choice. */
function evidenceAgainstAll(evidence: readonly QuestionEvidence[]): readonly QuestionEvidence[] {
  const contradictory = evidence.filter(({ suits }) => suits.length === 0);
  return contradictory.length > 0 ? contradictory : evidence;
}

function describeEvidence(evidence: readonly QuestionEvidence[]): string {
  const counts = new Map<string, number>();
  for (const { what } of evidence) counts.set(what, (counts.get(what) ?? 0) + 1);
  const pieces = [...counts].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
  return pieces.length <= maxNamed ? pieces.join(', ') : `${pieces.slice(0, maxNamed).join(', ')} and ${pieces.length - maxNamed} more`;
}
