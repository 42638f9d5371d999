/**
 * What a rule is and what it finds: `clause` chooses its operations, `examine` sends its requests in a round, and `judge` judges the replies at the end of the
 * round without sending anything.
 */

import { withoutUndefined } from '../../../core/drop-undefined.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import { type MutantId, type MutantIdentity, type MutantKind, mutantOf, type TitleWords } from '../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { NeededOption } from '../../../core/results/rule-description.ts';
import { groupOf, type RuleGroup, type RuleId } from '../../../core/results/rule-id.ts';
import type { Strength, WrongResponse } from '../../../core/results/run-result.ts';
import type { Reply } from '../evidence/call.ts';
import type { PaginationPlan } from '../evidence/pagination/pagination.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import type { Snapshot } from '../evidence/snapshot.ts';

/** A mutant that a rule can kill, and the data that this needs. */
export interface Candidate extends MutantIdentity {
  /** Data that a run needs to kill it, as a noun: `two records of the same day`. */
  readonly missing: string;
  /** The status that the run got in place of this data. */
  readonly actualStatus?: number;
  /** True if any reply to its request can kill it, so that it needs no data. */
  readonly needsNoData?: true;
}

/** The data that a run needs to kill a mutant, with what this run got instead. */
export function describeMissing({ missing, actualStatus }: Candidate): string {
  return actualStatus === undefined ? missing : `${missing} (${actualStatus})`;
}

/** Makes a mutant that only a spent budget leaves alive. */
export function withoutData(mutant: MutantIdentity): Candidate {
  return { ...mutant, missing: 'a larger --budget', needsNoData: true };
}

/** The `missing` of a mutant that a quick run leaves alive. */
export const roomInQuickRun = 'a run without --quick';

/** Makes a mutant, with the data that a run needs to kill it. */
export function candidate(kind: MutantKind, missing: string, words: TitleWords = {}, place?: string): Candidate {
  return { ...mutantOf(kind, words, place), missing };
}

/** The wrong part of a response: all of it, the records of a list, a header, or the body at a pointer with `*` for any index. */
export type ResponsePart = 'answer' | 'records' | 'body' | `header ${string}` | `body ${string}`;

/** A finding that replies contradict a rule. */
export interface Contradiction {
  readonly kind: 'contradicts';
  /** The exchanges that show it, as few as possible. */
  readonly replies: readonly Reply[];
  /** The requirement of the rule: `listOrders with limit=101 must respond with 400`. */
  readonly expected: string;
  /** The contradicting response: `the status is 404`. */
  readonly actual: string;
  /** Both in one sentence. Default: one after the other. */
  readonly message?: string;
  /** Pointer to the wrong value in the body of the reply that shows it best. Default: the first of `records`. */
  readonly pointer?: string | undefined;
  /** Pointer to the wrong value in the first of `records`, where only a record is known. */
  readonly field?: string | undefined;
  readonly records?: readonly Json[];
  /** Place of the contradicted statement in the contract. Default: the clause of the rule. */
  readonly clause?: SourceLocation | undefined;
  /** Stable name of the violation without a mutant: a place and a keyword of a schema. */
  readonly stableName?: string;
  /** The mutant that behaves like this. */
  readonly mutant?: MutantIdentity | undefined;
  /** All mutants that behave like this, if there are several; further observations may kill some of them. */
  readonly mutants?: readonly MutantIdentity[];
  /** The pagination that it is about; absent for a finding about single requests. */
  readonly paginationPlan?: PaginationPlan | undefined;
  /** The filters of the pagination that the mistake needs, where the rule knows it. */
  readonly neededFilters?: readonly string[];
  /** The wrong part of the last reply. Default: its records, for a pagination and for records of a list, and otherwise the whole response. */
  readonly part?: ResponsePart;
  /** Other parts of the response that can make this part wrong. Default for records: the fields of the filters. */
  readonly dependsOnParts?: readonly ResponsePart[];
  /** Replies of which one is wrong, where the run cannot tell which. */
  readonly suspects?: readonly { readonly reply: Reply; readonly part: ResponsePart }[];
  /** All contradictions of the same subject, for which this one stands. */
  readonly sameSubject?: readonly Contradiction[];
  /** The wrong responses, as causes compare them. */
  readonly evidence?: readonly WrongResponse[];
  /** Keys of the records that it is about. A further round confirms it by one of them. Empty if it is about the request alone. */
  readonly recordKeys: readonly string[];
}

/** The finding of a rule about one observation. */
export type Judgement =
  /** The observation agrees with the rule. It kills mutants: they would have behaved differently. */
  | { readonly kind: 'agrees'; readonly kills: readonly MutantId[]; readonly replies?: readonly Reply[] }
  | Contradiction
  /** The data changed during the observation. */
  | { readonly kind: 'data-moved'; readonly what: string }
  /** The response could not be compared with the rule, for a reason that is a clause. */
  | { readonly kind: 'not-compared'; readonly reason: string }
  | Deferral;

/** Another rule reports what is wrong. If that rule has no violation, this one reports `otherwise`. */
export interface Deferral {
  readonly kind: 'reported-elsewhere';
  readonly by: RuleId;
  readonly otherwise?: Contradiction;
}

/** Findings, in any nesting; `undefined` for none. */
export type Judgements = Judgement | undefined | readonly Judgements[];

/** Result of a rule at an operation. */
export interface Examination {
  /** Every mutant that the rule can kill. */
  readonly mutants: readonly Candidate[];
  /** True for a rule that checks every reply. The round may send an example request for it. */
  readonly isPassive?: true;
  /** Judges the replies. Called once, at the end of the round, after the lists were read again. It sends nothing. */
  readonly judge: () => Judgements;
}

/** A rule that cannot be tested, and what that needs: a key or a setting. */
export interface Untestable {
  readonly untestable: string;
  /** The option that makes it testable, if there is one. */
  readonly option?: NeededOption;
}

/** A rule that needs a key of a role. */
export function withoutKey(role: string, what: string): Untestable {
  return { untestable: `${what}: --key ${role}=VARIABLE`, option: { name: 'key', role } };
}

/** A rule of the contract. */
export interface Rule {
  /** `group/name`, as in reports and options. */
  readonly id: RuleId;
  /** The rule as a sentence. */
  readonly title: string;
  /** The damage to clients if it does not hold. */
  readonly why: string;
  readonly strength: Strength;
  /** The clause of an RFC that requires it. Without one, its place in the contract is its source. */
  readonly rfc?: string;
  /** Left out of quick runs. */
  readonly slow?: boolean;
  /** The place in the contract that states it for an operation; `undefined` for an operation that the rule is not about. */
  readonly clause: (operation: Operation, contract: Contract) => SourceLocation | undefined;
  /** Gathers evidence: sends the requests of the rule. Called once in each round, for each operation that the rule is about. */
  readonly examine: (context: RoundContext, operation: Operation) => Promise<Examination | Untestable>;
  /** Judges every reply of a round, whatever it was sent for, at the end of the round. Sends nothing. */
  readonly judgeReplies?: ((context: RoundContext, operation: Operation) => Judgements) | undefined;
}

/** Groups of rules that send nothing and check the replies to other rules. */
const passiveGroups: readonly RuleGroup[] = ['response', 'availability'];

/** True for the id of a rule that checks every reply. */
export function isPassive(id: string): boolean {
  return passiveGroups.some((group) => group === groupOf(id));
}

/** All findings as one list. */
export function listJudgements(findings: Judgements): readonly Judgement[] {
  if (findings === undefined) return [];
  return 'kind' in findings ? [findings] : findings.flatMap(listJudgements);
}

/**
 * Examines subjects one after the other. `examineOne` sends the requests for one of them and returns the function that judges the replies at the end of
 * the round, or `undefined` if it sent nothing.
 */
export async function examineInTurn<T>(
  context: RoundContext,
  mutants: readonly Candidate[],
  subjects: readonly T[],
  examineOne: (subject: T) => Promise<(() => Judgements) | undefined>,
): Promise<Examination> {
  const judges: (() => Judgements)[] = [];
  for (const subject of subjects) {
    const [judge, replies] = await context.observing(() => examineOne(subject));
    if (judge !== undefined) judges.push(() => fromReplies(replies, judge()));
  }
  return { mutants, judge: () => judges.map((judge) => judge()) };
}

/** Names the replies that findings follow from, where they do not name them themselves. */
export function fromReplies(replies: readonly Reply[], findings: Judgements): readonly Judgement[] {
  return listJudgements(findings).map((each) => (each.kind === 'agrees' ? { replies, ...each } : each));
}

/** Makes the finding that an observation agrees with the rule and kills mutants. */
export function agrees(...mutants: readonly (MutantId | MutantIdentity)[]): Judgement {
  return { kind: 'agrees', kills: mutants.map((mutant) => (typeof mutant === 'string' ? mutant : mutant.id)) };
}

/** Makes the finding that the data changed. */
export function dataMoved(what: string): Judgement {
  return { kind: 'data-moved', what };
}

/** Leaves what is wrong to another rule, together with the contradiction to report if that rule has no violation. */
export function reportedBy(by: RuleId, otherwise?: Contradiction): Deferral {
  return { kind: 'reported-elsewhere', by, ...withoutUndefined({ otherwise }) };
}

/** Makes a contradiction; it is about the requests alone unless `recordKeys` is given. */
export function contradicts(parts: Omit<Contradiction, 'kind' | 'recordKeys'> & Partial<Pick<Contradiction, 'recordKeys'>>): Contradiction {
  return { kind: 'contradicts', recordKeys: [], ...parts };
}

/** A rule about one kind of operation. */
interface RuleAbout<T extends Operation> extends Omit<Rule, 'clause' | 'examine' | 'judgeReplies'> {
  /** The place in the contract that states it; `undefined` for an operation that the rule is not about. */
  readonly place: (operation: T, contract: Contract) => SourceLocation | undefined;
  readonly examine: (context: RoundContext, operation: T) => Promise<Examination | Untestable>;
  readonly judgeReplies?: ((context: RoundContext, operation: T) => Judgements) | undefined;
}

/** Judges every reply to a list by its snapshot, if the round has taken one. */
export function bySnapshot<T extends ListOperation>(
  judge: (context: RoundContext, snapshot: Snapshot, list: T) => Judgements,
): (context: RoundContext, list: T) => Judgements {
  return (context, list) => {
    const snapshot = context.takenSnapshot(list, 'full');
    return snapshot && judge(context, snapshot, list);
  };
}

/** Makes a rule about one kind of operation, such as lists. */
export function ruleAbout<T extends Operation>(
  isOfKind: (operation: Operation, contract: Contract) => operation is T,
  { place, examine, judgeReplies, ...texts }: RuleAbout<T>,
): Rule {
  return {
    ...texts,
    judgeReplies:
      judgeReplies && ((context, operation) => (isOfKind(operation, context.contract) ? judgeReplies(context, operation) : undefined)),
    clause: (operation, contract) => (isOfKind(operation, contract) ? place(operation, contract) : undefined),
    examine: async (context, operation) => {
      if (!isOfKind(operation, context.contract)) throw new TypeError(`${texts.id} says nothing of ${operation.id}`);
      return examine(context, operation);
    },
  };
}
