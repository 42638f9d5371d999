/** Rules: their parts, their findings and examinations, and the texts by which findings name records and values. */

import type { SourceLocation } from '../../../core/errors.ts';
import { describeJson, type Json } from '../../../core/json.ts';
import {
  type MutantId,
  type MutantIdentity,
  type MutantKindOf,
  type MutatedRule,
  mutantOf,
  type TitleWords,
} from '../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { fromPointer, showPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { personal } from '../../../core/redaction/mask-text.ts';
import { createMask } from '../../../core/redaction/personal-data.ts';
import type { RuleId } from '../../../core/results/rule-id.ts';
import type { Strength } from '../../../core/results/run-result.ts';
import type { Reply } from '../engine/call.ts';
import { keyOf, type PaginationPlan, type ParameterValues } from '../engine/paginate.ts';
import type { RunContext } from '../engine/run-context.ts';

/** A mutant, and what a run needs to tell it from the truth. */
export interface Candidate extends MutantIdentity {
  /** Data that is needed, as a noun: `two records of the same day`. */
  readonly missing: string;
}

/** A mutant of a rule, and what the data must have to show it. */
export function candidate<Rule extends MutatedRule>(
  rule: Rule,
  kind: MutantKindOf<Rule>,
  missing: string,
  words: TitleWords = {},
  place?: string,
): Candidate {
  return { ...mutantOf(rule, kind, words, place), missing };
}

/** A contradiction between what a rule says and what was answered. */
export interface Contradiction {
  readonly kind: 'contradicts';
  /** The exchanges that show it, the fewest there are. */
  readonly replies: readonly Reply[];
  readonly expected: string;
  readonly actual: string;
  readonly records?: readonly Json[];
  /** Place of the contradicted statement in the contract. Default: the clause of the rule. */
  readonly clause?: SourceLocation | undefined;
  /** Stable name of the violation without a mutant: a place and a keyword of a schema. */
  readonly about?: string;
  /** The mutant that behaves like this. */
  readonly mutant?: MutantIdentity | undefined;
  /** Every mutant that behaves like this, where several do: what else was seen may tell them apart. */
  readonly mutants?: readonly MutantIdentity[];
  /** The pagination that it is about, when it is about a whole one. */
  readonly route?: PaginationPlan | undefined;
  /** The records that it rests on: a second look must rest on one of them too. Empty when it rests on the request alone. */
  readonly witnesses: readonly string[];
}

/** Finding of one observation about a rule. */
export type Judgement =
  /** It agrees, and these mutants would have answered otherwise. */
  | { readonly kind: 'agrees'; readonly refutes: readonly MutantId[] }
  | Contradiction
  /** The data moved while it was looked at. */
  | { readonly kind: 'moved'; readonly what: string }
  /** It differs from the rule in a way that another rule names. */
  | { readonly kind: 'obscured'; readonly by: RuleId };

/** Result of a judgement: findings, none, or those of several judgements. */
export type Judgements = Judgement | undefined | readonly Judgements[];

/** Result of a rule at an operation. */
export interface Examination {
  /** Every mutant that the rule can tell from the truth. */
  readonly mutants: readonly Candidate[];
  /** True for a rule without requests of its own that checks every answer. */
  readonly isPassive?: true;
  /** Judges what was seen, once the run has read the lists a last time. Pure: it only looks at answers. */
  readonly judge: () => Judgements;
}

/** A rule that cannot be tested, and what is lacking: a key, a setting. */
export interface Untestable {
  readonly untestable: string;
}

/** A rule of the contract. */
export interface Rule {
  /** `group/name`: the file it stands in, and its name in reports and options. */
  readonly id: RuleId;
  /** The rule as a sentence. */
  readonly title: string;
  /** Why it matters: who loses what when it does not hold. */
  readonly why: string;
  readonly strength: Strength;
  /** The clause of an RFC that requires it, when one does; otherwise its place in the contract is its source. */
  readonly rfc?: string;
  /** Left out of quick runs. */
  readonly slow?: boolean;
  /** Place in the contract that states it for an operation; `undefined` for an operation that it does not concern. */
  readonly clause: (operation: Operation, contract: Contract) => SourceLocation | undefined;
  /** Sends what it needs to see. */
  readonly examine: (context: RunContext, operation: Operation) => Promise<Examination | Untestable>;
}

/** Every finding of a judgement. */
export function listJudgements(findings: Judgements): readonly Judgement[] {
  if (findings === undefined) return [];
  return 'kind' in findings ? [findings] : findings.flatMap(listJudgements);
}

/**
 * Examines one thing after the other: a trial sends its requests, and returns how to judge the answers once the round is over.
 * A trial without a judgement had nothing to send.
 */
export async function examineInTurn<T>(
  mutants: readonly Candidate[],
  all: readonly T[],
  trial: (each: T) => Promise<(() => Judgements) | undefined>,
): Promise<Examination> {
  const judges: ((() => Judgements) | undefined)[] = [];
  for (const each of all) judges.push(await trial(each));
  return { mutants, judge: () => judges.map((judge) => judge?.()) };
}

/** The finding that an observation agrees, and which mutants would have answered otherwise. */
export function agrees(...refutes: readonly (MutantId | MutantIdentity)[]): Judgement {
  return { kind: 'agrees', refutes: refutes.map((mutant) => (typeof mutant === 'string' ? mutant : mutant.id)) };
}

/** The finding that the data moved. */
export function dataMoved(what: string): Judgement {
  return { kind: 'moved', what };
}

/** The finding that another rule names what is wrong. */
export function reportedBy(by: RuleId): Judgement {
  return { kind: 'obscured', by };
}

/** A contradiction; it rests on the requests alone unless witnesses are given. */
export function contradicts(parts: Omit<Contradiction, 'kind' | 'witnesses'> & Partial<Pick<Contradiction, 'witnesses'>>): Contradiction {
  return { kind: 'contradicts', witnesses: [], ...parts };
}

/** A rule about one kind of operation: its texts, where it is stated, and what it sends. */
interface RuleAbout<T extends Operation> extends Omit<Rule, 'clause' | 'examine'> {
  /** Place in the contract that states it; `undefined` where it does not concern the operation after all. */
  readonly place: (operation: T, contract: Contract) => SourceLocation | undefined;
  readonly examine: (context: RunContext, operation: T) => Promise<Examination | Untestable>;
}

/** Makes a rule about one kind of operation, such as lists. */
export function ruleAbout<T extends Operation>(
  isOfKind: (operation: Operation, contract: Contract) => operation is T,
  { place, examine, ...texts }: RuleAbout<T>,
): Rule {
  return {
    ...texts,
    clause: (operation, contract) => (isOfKind(operation, contract) ? place(operation, contract) : undefined),
    examine: async (context, operation) => {
      if (!isOfKind(operation, context.contract)) throw new TypeError(`${texts.id} says nothing of ${operation.id}`);
      return examine(context, operation);
    },
  };
}

/** Number of records or values that a sentence names. */
const named = 5;

/** Filters as a person would write them: `status=ready,done and limit=5`; of none, `no filter`. */
export function describeValues(values: ParameterValues): string {
  const pieces = Object.entries(values).map(([name, value]) => `${name}=${showValue(value)}`);
  return pieces.length === 0 ? 'no filter' : pieces.join(' and ');
}

/** A parameter value. */
export function showValue(value: Json): string {
  return Array.isArray(value)
    ? (value as readonly Json[]).map(showValue).join(',')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}

/** Records by their keys: `id 17, id 4 and 3 more`. */
export function describeRecords(operation: ListOperation, keys: readonly string[]): string {
  const field = fromPointer(operation.collection.key).at(-1) ?? 'key';
  const shown = keys.slice(0, named).map((key) => `${field} ${key.replace(/^"(.*)"$/, '$1')}`);
  return keys.length > named ? `${shown.join(', ')} and ${keys.length - named} more` : shown.join(', ');
}

/** A field of a listed record: `status of id 17 is "done"`. Personal data is not shown. */
export function showField(contract: Contract, list: ListOperation, record: DataRecord, pointer: string): string {
  const shown = valueAt(createMask(contract).maskRecord(list, record), pointer);
  const value = shown === undefined ? 'missing' : shown === personal ? 'personal data' : describeJson(shown);
  return `${showPointer(pointer)} of ${describeRecords(list, [keyOf(list, record)])} is ${value}`;
}

/** A number of things. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
