/**
 * Groups the violations of a run into causes: one mistake of the target explains many violations, and a reader wants the mistake. The grouping compares
 * evidence only. `conclusion.ts` calls it at the end of a run, and after a merge.
 */

import { createHash } from 'node:crypto';
import { ruleOfMutant } from '../../core/mutants/mutant-catalogue.ts';
import { groupOf, type RuleGroup } from '../../core/results/rule-id.ts';
import type { Cause, CheckResult, CheckViolation, Severity, WrongAnswer } from '../../core/results/run-result.ts';

/** Violations of one rule with the same subject, at whatever operations. */
interface Suspicion {
  readonly rule: string;
  readonly subject: string;
  readonly members: readonly Member[];
  /** The wrong answers; of those that are wrong at the same place, one. */
  readonly answers: readonly WrongAnswer[];
  /** Number of all wrong answers. */
  readonly size: number;
  readonly known: KnownMistakes;
  /** True when a mutant predicts the answers. */
  readonly isDiagnosed: boolean;
  /** True when another rule names that mutant. */
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
  return [...found.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const all = members.flatMap(({ violation }) => violation.evidence);
    const answers = [...new Map(all.map((answer) => [placeKey(answer), answer])).values()];
    const agreeing = Math.max(...members.map(({ check }) => check.instances));
    const { subject, diagnosis } = first.violation;
    const named = diagnosis === undefined ? undefined : ruleOfMutant(subject.split('.', 1)[0] ?? '');
    return [
      {
        rule: first.check.rule,
        subject,
        members,
        answers,
        size: all.length,
        known: new KnownMistakes(answers, !pagingGroups.includes(groupOf(first.check.rule))),
        isDiagnosed: diagnosis !== undefined,
        isOfOther: named !== undefined && named !== first.check.rule,
        precision: all.length / Math.max(1, all.length + agreeing),
      },
    ];
  });
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
      groups = groups.map((one) => (one === best ? { ...one, all: [...one.all, each] } : one));
      continue;
    }
    const explained = groups.filter(({ head }) => explainsAll(each, head));
    // One mistake that explains several diagnoses is likelier than all of them.
    const isLikelier = explained.flatMap(({ all }) => all).filter((one) => isSpecific(one) && explainsAll(each, one)).length > 1;
    const taken = explained.filter(({ head }) => isSpecific(each) || !isSpecific(head) || isLikelier);
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

/** True for a suspicion that says what is wrong: a mutant, or a place in the answer. */
function isSpecific({ isDiagnosed, answers }: Suspicion): boolean {
  return isDiagnosed || answers.every(({ part }) => part !== 'answer' && part !== 'records');
}

/** A known place of the mistake comes before one of two, one that says what is wrong before others, and then the rule that was contradicted most of the times. */
function bySpecificity(left: Suspicion, right: Suspicion): number {
  const isSure = ({ answers }: Suspicion): boolean => answers.some((answer) => answer.or === undefined);
  return (
    Number(isSure(right)) - Number(isSure(left)) ||
    Number(isSpecific(right)) - Number(isSpecific(left)) ||
    Number(left.isOfOther) - Number(right.isOfOther) ||
    right.precision - left.precision ||
    right.size - left.size
  );
}

/** Rules of these groups judge how a list is cut into pages; what they show of one page size says nothing of another. */
const pagingGroups: readonly (RuleGroup | undefined)[] = ['paging', 'pages', 'order'];

/** True when the mistake behind a suspicion explains an answer of another: its mutant predicts it, or the same part of the answer is known to be wrong. */
function explains({ rule, subject, isDiagnosed, known }: Suspicion, other: Suspicion, answer: WrongAnswer): boolean {
  if (isDiagnosed && answer.mutants.includes(subject)) return true;
  return known.cover(answer) || (answer.or !== undefined && known.cover(answer.or)) || known.haveSimpler(answer, rule === other.rule);
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

  /**
   * True when a known mistake is a simpler case of an answer: a refusal of the same refusal with more parameters, a wrong success of another one with the
   * same parameters, and within one rule wrong records of those chosen by more filters.
   */
  haveSimpler(answer: WrongAnswer, isSameRule: boolean): boolean {
    if (answer.part !== 'answer' && !(answer.part === 'records' && isSameRule)) return false;
    const mayHaveFewer = answer.part === 'records' || answer.status >= 400;
    return (this.#parameters.get(simplerKey(answer, isSameRule)) ?? []).some(
      (names) => names.every((name) => answer.parameters.includes(name)) && (mayHaveFewer || names.length === answer.parameters.length),
    );
  }
}

function simplerKey({ operation, part, status, caller }: WrongAnswer, isAnyCaller: boolean): string {
  return part === 'records' ? `${operation} records ${isAnyCaller}` : `${operation} ${part} ${status} ${isAnyCaller ? '*' : caller}`;
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
  const answers = ({ all }: Group): number => all.reduce((sum, { size }) => sum + size, 0);
  return rank(left) - rank(right) || checks(right) - checks(left) || answers(right) - answers(left);
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
