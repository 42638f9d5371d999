/**
 * Groups the violations of a run into causes: one mistake of the target explains many violations, and a reader wants the mistake. The grouping compares
 * evidence only. `conclusion.ts` calls it at the end of a run, and after a merge.
 */

import { createHash } from 'node:crypto';
import { rulesOfMutant } from '../../core/mutants/mutant-catalogue.ts';
import { groupOf, type RuleGroup } from '../../core/results/rule-id.ts';
import type { Cause, CheckResult, CheckViolation, Severity, WrongAnswer } from '../../core/results/run-result.ts';

/** Violations of one rule with the same subject, at whatever operations. */
interface Suspicion {
  readonly rule: string;
  readonly subject: string;
  readonly members: readonly Member[];
  readonly answers: readonly WrongAnswer[];
  readonly known: KnownMistakes;
  /** Mutants of the rule that predict all answers, and the mutant that it diagnoses. */
  readonly mutants: readonly string[];
  /** True when all answers are predicted by a mutant that another rule names. */
  readonly isOfOther: boolean;
  /** Share of the observations of the rule that contradict it: a rule that was made for the mistake is contradicted by all of them. */
  readonly precision: number;
}

interface Member {
  readonly check: CheckResult;
  readonly violation: CheckViolation;
}

/** A suspicion that no other explains, with those that it explains. */
interface Group {
  readonly head: Suspicion;
  readonly all: readonly Suspicion[];
}

/** The causes of the violations of a run, the worst first; those of waived violations come last. */
export function findCauses(checks: readonly CheckResult[]): readonly Cause[] {
  return [false, true].flatMap((isWaived) => group(gatherSuspicions(checks, isWaived)).toSorted(byHarm).map(toCause));
}

function gatherSuspicions(checks: readonly CheckResult[], isWaived: boolean): readonly Suspicion[] {
  const found = new Map<string, Member[]>();
  for (const check of checks) {
    for (const violation of violationsIn(check).filter(({ waiver }) => (waiver !== undefined) === isWaived)) {
      const key = `${check.rule} ${placeOf(violation) ?? violation.subject}`;
      found.set(key, [...(found.get(key) ?? []), { check, violation }]);
    }
  }
  const suspicions = [...found.values()].flatMap(toSuspicion);
  const suspected = new Set(suspicions.flatMap(({ mutants }) => mutants));
  return suspicions.map((each) => ({ ...each, isOfOther: isOfOther(each, suspected) }));
}

function toSuspicion(members: readonly Member[]): readonly Omit<Suspicion, 'isOfOther'>[] {
  const [first] = members;
  if (first === undefined) return [];
  const { rule } = first.check;
  const { subject, diagnosis } = first.violation;
  const answers = members.flatMap(({ violation }) => violation.evidence);
  const agreeing = Math.max(...members.map(({ check }) => check.instances));
  const own = predictingAll(answers).filter((mutant) => rulesNaming(mutant).includes(rule));
  return [
    {
      rule,
      subject,
      members,
      answers,
      known: new KnownMistakes(answers, !pagingGroups.includes(groupOf(rule))),
      mutants: [...new Set([...(diagnosis === undefined ? [] : [subject]), ...own])],
      precision: answers.length / Math.max(1, answers.length + agreeing),
    },
  ];
}

/** True when a mutant of another rule is suspected, which predicts all answers, and none of the rule's own does. */
function isOfOther({ rule, mutants, answers }: Omit<Suspicion, 'isOfOther'>, suspected: ReadonlySet<string>): boolean {
  const predicting = [...mutants, ...predictingAll(answers).filter((mutant) => suspected.has(mutant))];
  const rules = predicting.flatMap(rulesNaming);
  return rules.length > 0 && !rules.includes(rule);
}

/** The mutants that predict all of some answers. */
function predictingAll(answers: readonly WrongAnswer[]): readonly string[] {
  return (answers[0]?.mutants ?? []).filter((mutant) => answers.every(({ mutants }) => mutants.includes(mutant)));
}

function rulesNaming(mutant: string): readonly string[] {
  return rulesOfMutant(mutant.split('.', 1)[0] ?? '');
}

/** A header or a member of the body is the same place in every answer of the operation; any other answer has a place of its own. */
function placeKey(answer: WrongAnswer): string {
  const { operation, part, or } = answer;
  return isPlace(part) && or === undefined ? `${operation} ${part}` : JSON.stringify(answer);
}

function isPlace(part: string): boolean {
  return part.startsWith('header ') || part.startsWith('body /');
}

/** The one place in the answers, a header or a member of the body, that is wrong in all of them. */
function placeOf({ evidence }: CheckViolation): string | undefined {
  const [first] = evidence;
  if (first === undefined || !isPlace(first.part)) return undefined;
  return evidence.every(({ part, or }) => part === first.part && or === undefined) ? first.part : undefined;
}

/**
 * Takes the suspicions one by one, the most specific first. One whose answers are all explained by the groups so far joins the group that explains most;
 * any other begins a group, and takes over the groups whose answers it explains all.
 */
function group(suspicions: readonly Suspicion[]): readonly Group[] {
  let groups: readonly Group[] = [];
  for (const each of suspicions.toSorted(bySpecificity)) {
    const best = bestFor(each, groups);
    if (best !== undefined) {
      const head = isBroader(each, best.head) ? each : best.head;
      groups = groups.map((one) => (one === best ? { head, all: [...one.all, each] } : one));
      continue;
    }
    const explained = groups.filter(({ head }) => explainsAll(each, head));
    // One mistake that explains several diagnoses is likelier than all of them.
    const isLikelier = explained.flatMap(({ all }) => all).filter((one) => isSpecific(one) && explainsAll(each, one)).length > 1;
    const taken = explained.filter(({ head }) => isSpecific(each) || !isSpecific(head) || isLikelier || decidesAll(each, head));
    groups = [...groups.filter((one) => !taken.includes(one)), { head: each, all: [each, ...taken.flatMap(({ all }) => all)] }];
  }
  return groups;
}

/** The group that explains most of the answers of a suspicion, if the groups together explain all of them. */
function bestFor(suspicion: Suspicion, groups: readonly Group[]): Group | undefined {
  const { answers } = suspicion;
  const isExplainedBy = ({ all }: Group, answer: WrongAnswer): boolean => all.some((one) => explains(one, suspicion, answer));
  const isExplained = answers.length > 0 && answers.every((answer) => groups.some((one) => isExplainedBy(one, answer)));
  if (!isExplained) return undefined;
  const counts = groups.map((one) => answers.filter((answer) => isExplainedBy(one, answer)).length);
  return groups[counts.indexOf(Math.max(...counts))];
}

function explainsAll(suspicion: Suspicion, other: Suspicion): boolean {
  return other.answers.length > 0 && other.answers.every((answer) => explains(suspicion, other, answer));
}

/** True when a suspicion has all the answers of another one, more of them, and both say only that these answers are wrong. */
function isBroader({ answers, mutants }: Suspicion, other: Suspicion): boolean {
  if (mutants.length > 0 || isSpecific(other) || answers.length <= other.answers.length) return false;
  const keys = new Set(answers.map(placeKey));
  return other.answers.every((answer) => answer.part === 'answer' && keys.has(placeKey(answer)));
}

/** True when all answers of another suspicion are wrong only because of what this one says. */
function decidesAll({ known }: Suspicion, { answers }: Suspicion): boolean {
  return answers.every((answer) => known.decide(answer));
}

/** True for a suspicion that says what is wrong: a mutant, or a place in the answer. */
function isSpecific({ mutants, answers }: Suspicion): boolean {
  return mutants.length > 0 || answers.every(({ part }) => part !== 'answer' && part !== 'records');
}

/** A known place of the mistake comes before one of two, one that says what is wrong before others, and then the rule that was contradicted most of the times. */
function bySpecificity(left: Suspicion, right: Suspicion): number {
  const isSure = ({ answers }: Suspicion): boolean => answers.some((answer) => answer.or === undefined);
  return (
    Number(isSure(right)) - Number(isSure(left)) ||
    Number(isSpecific(right)) - Number(isSpecific(left)) ||
    Number(left.isOfOther) - Number(right.isOfOther) ||
    right.precision - left.precision ||
    simplest(left) - simplest(right) ||
    Number(right.mutants.length > 0) - Number(left.mutants.length > 0) ||
    severities.indexOf(severityOf(left)) - severities.indexOf(severityOf(right)) ||
    right.answers.length - left.answers.length
  );
}

/** The number of parameters of the simplest wrong request. */
function simplest({ answers }: Suspicion): number {
  return Math.min(...answers.map(({ parameters }) => parameters.length));
}

/** Rules of these groups judge how a list is cut into pages; what they show of one page size says nothing of another. */
const pagingGroups: readonly (RuleGroup | undefined)[] = ['paging', 'pages', 'order'];

/** True when the mistake behind a suspicion explains an answer of another: its mutant predicts it, or the same part of the answer is known to be wrong. */
function explains({ rule, mutants, known }: Suspicion, other: Suspicion, answer: WrongAnswer): boolean {
  if (mutants.some((mutant) => answer.mutants.includes(mutant))) return true;
  return (
    known.cover(answer) ||
    (answer.or !== undefined && known.cover(answer.or)) ||
    known.haveSimpler(answer, rule === other.rule, mutants.length > 0)
  );
}

type Place = Pick<WrongAnswer, 'operation' | 'request' | 'selection' | 'part' | 'follows'>;

/** What is wrong if a suspicion is right. An answer that may be right, because another one may be wrong instead, is not known to be wrong. */
class KnownMistakes {
  readonly #places = new Set<string>();
  readonly #parameters = new Map<string, WrongAnswer['parameters'][]>();

  /** `isAnySize` is false for rules that judge how a list is cut into pages: wrong records at one page size say nothing of another. */
  constructor(answers: readonly WrongAnswer[], isAnySize: boolean) {
    for (const answer of answers.filter(({ or }) => or === undefined)) {
      const { operation, part, request, selection, parameters } = answer;
      if (isPlace(part)) this.#places.add(`${operation} ${part}`);
      else this.#places.add(`${part} of ${request}`);
      if (part === 'records') this.#places.add(`total of ${selection}`);
      if (part === 'answer' || (part === 'records' && isAnySize)) this.#places.add(`records of ${selection}`);
      for (const key of [simplerKey(answer, false), simplerKey(answer, true)])
        this.#parameters.set(key, [...(this.#parameters.get(key) ?? []), parameters]);
    }
  }

  /** True when a known mistake explains what is wrong at a place. */
  cover({ operation, part, request, selection, follows = [] }: Place): boolean {
    const keys = [
      `answer of ${request}`,
      ...(part === 'records' ? [`records of ${request}`, `records of ${selection}`] : []),
      ...(part === 'records' || part.startsWith('body') ? [`body of ${request}`] : []),
      ...(isPlace(part) ? placesAbove(part).map((each) => `${operation} ${each}`) : []),
      ...follows.map((each) => (each === 'records' ? `total of ${selection}` : `${operation} ${each}`)),
    ];
    return keys.some((key) => this.#places.has(key));
  }

  /** True when an answer is only as wrong as what it follows from. */
  decide({ operation, selection, follows = [] }: Place): boolean {
    return follows.some((each) => this.#places.has(each === 'records' ? `total of ${selection}` : `${operation} ${each}`));
  }

  /**
   * True when a known mistake is a simpler case of an answer: a refusal of the same refusal with more parameters, a wrong success of another one with the
   * same parameters, and wrong records of those chosen by more filters. A diagnosis of another rule says itself which records are wrong.
   */
  haveSimpler(answer: WrongAnswer, isSameRule: boolean, isDiagnosed: boolean): boolean {
    if (answer.part !== 'answer' && !(answer.part === 'records' && (isSameRule || !isDiagnosed))) return false;
    const mayHaveFewer = answer.part === 'records' || answer.status >= 400;
    return (this.#parameters.get(simplerKey(answer, isSameRule)) ?? []).some(
      (names) =>
        (isSameRule || answer.part === 'answer' || names.length > 0) &&
        names.every((name) => answer.parameters.includes(name)) &&
        (mayHaveFewer || names.length === answer.parameters.length),
    );
  }
}

function simplerKey({ operation, part, status, caller, lacks }: WrongAnswer, isAnyCaller: boolean): string {
  return part === 'records'
    ? `${operation} records ${lacks} ${isAnyCaller}`
    : `${operation} ${part} ${status} ${isAnyCaller ? '*' : caller}`;
}

/** A place and those that contain it: `body /a/b`, `body /a`. */
function placesAbove(part: string): readonly string[] {
  const keys = part.split('/');
  return keys.map((_, index) => keys.slice(0, index + 1).join('/'));
}

const severities: readonly Severity[] = ['leak', 'loss', 'wrong', 'form'];

/** The harm that the violation of a rule of a group does. */
const harms: Readonly<Record<RuleGroup, Severity>> = {
  keys: 'leak',
  tenancy: 'leak',
  visible: 'leak',
  filters: 'loss',
  ranges: 'loss',
  sync: 'loss',
  paging: 'loss',
  pages: 'loss',
  search: 'loss',
  watch: 'loss',
  order: 'wrong',
  details: 'wrong',
  conditional: 'wrong',
  requests: 'wrong',
  response: 'wrong',
  availability: 'form',
};

function severityOf({ rule }: Suspicion): Severity {
  if (rule === 'response/no-key' || rule === 'response/no-credential') return 'leak';
  const name = groupOf(rule);
  return name === undefined ? 'wrong' : harms[name];
}

/** The worst harm first; of equal harm, the cause that explains more. The order of the checks decides the rest, so that it stays from run to run. */
function byHarm(left: Group, right: Group): number {
  const rank = ({ head }: Group): number => severities.indexOf(severityOf(head));
  const checks = ({ all }: Group): number => all.reduce((sum, { members }) => sum + members.length, 0);
  const answers = ({ all }: Group): number => all.reduce((sum, { answers: one }) => sum + one.length, 0);
  return (
    rank(left) - rank(right) ||
    checks(right) - checks(left) ||
    Number(isSpecific(right.head)) - Number(isSpecific(left.head)) ||
    simplest(left.head) - simplest(right.head) ||
    answers(right) - answers(left)
  );
}

/** True for the id of a cause that a rule names. */
export function isCauseOf(id: string, rule: string): boolean {
  return id.startsWith(`${digest(rule)}-`);
}

function toCause({ head, all }: Group): Cause {
  const { rule, subject, members } = head;
  const [first] = members;
  if (first === undefined) throw new TypeError('a cause without a violation');
  const { message, diagnosis, hint, counterexample, waiver } = first.violation;
  const operations = [...new Set(members.map(({ check }) => check.operation))];
  const explained = [head, ...all.filter((each) => each !== head)].flatMap((each) => each.members);
  return {
    id: `${digest(rule)}-${digest([placeOf(first.violation) ?? subject, ...operations.toSorted()].join(' '))}`,
    rule,
    operations,
    title: first.check.title,
    severity: severityOf(head),
    message,
    ...(diagnosis === undefined ? {} : { diagnosis }),
    ...(hint === undefined ? {} : { hint }),
    explains: explained.map(({ check, violation }) => ({
      rule: check.rule,
      operation: check.operation,
      fingerprint: violation.fingerprint,
    })),
    counterexample,
    ...(waiver === undefined ? {} : { waiver }),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

/** Everything that is wrong by a check, the gravest first. */
export function violationsIn(check: CheckResult): readonly CheckViolation[] {
  const { fingerprint, subject, message, diagnosis, hint, counterexample, evidence, waiver, further = [] } = check;
  if (fingerprint === undefined || counterexample === undefined) return [];
  const first = { fingerprint, subject: subject ?? '', message, counterexample, evidence: evidence ?? [] };
  return [
    {
      ...first,
      ...(diagnosis === undefined ? {} : { diagnosis }),
      ...(hint === undefined ? {} : { hint }),
      ...(waiver === undefined ? {} : { waiver }),
    },
    ...further,
  ];
}
