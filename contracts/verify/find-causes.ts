/**
 * Groups the violations of a run into causes: one mistake of the target explains many violations, and reports show it once. `conclude-run.ts` calls it at the
 * end of a run, watch or merge. Just before that, `waivers.ts` calls it to find what a waiver covers, and to explain waivers that cover nothing. It compares
 * the wrong responses that `wrong-responses-of-violation.ts` noted, and sends nothing.
 */

import { withoutUndefined } from '../../core/drop-undefined.ts';
import { rulesOfMutant } from '../../core/mutants/mutant-catalogue.ts';
import { groupOf, type RuleGroup } from '../../core/results/rule-id.ts';
import {
  type Cause,
  type CheckResult,
  type CheckViolation,
  type Severity,
  violationsIn,
  type WrongResponse,
} from '../../core/results/run-result-and-events.ts';
import { hasDigestOf, joinDigests } from './violation-fingerprint.ts';

/** Violations of one rule by the same kind of mistake, at whatever operations, parameters or members. */
interface Suspicion {
  readonly rule: string;
  readonly members: readonly Member[];
  readonly responses: readonly WrongResponse[];
  readonly knownMistakes: KnownMistakes;
  /** Mutants of the rule that predict all responses, and the mutant that it diagnoses. */
  readonly mutants: readonly string[];
  /** True when all responses are predicted by a mutant that another rule names. */
  readonly isOfOther: boolean;
  /** The number of other suspicions of which its mutants predict all responses: one mistake is likelier than several. */
  readonly reach: number;
  /** Share of the observations of the rule that contradict it: a rule that was made for the mistake is contradicted by all of them. */
  readonly precision: number;
}

interface Member {
  readonly check: CheckResult;
  readonly violation: CheckViolation;
}

/** A suspicion that no other explains (`head`), and all of its group: itself and those that it explains. */
interface SuspicionGroup {
  readonly head: Suspicion;
  readonly all: readonly Suspicion[];
}

/** The causes of the violations of a run, the worst first; those of waived violations come last. */
export function findCauses(checks: readonly CheckResult[]): readonly Cause[] {
  return [false, true].flatMap((isWaived) => groupSuspicions(gatherSuspicions(checks, isWaived)).toSorted(byHarm).map(toCause));
}

function gatherSuspicions(checks: readonly CheckResult[], isWaived: boolean): readonly Suspicion[] {
  const membersByKind = new Map<string, Member[]>();
  for (const check of checks) {
    for (const violation of violationsIn(check).filter(({ waiver }) => (waiver !== undefined) === isWaived)) {
      const key = `${check.rule} ${kindOfMistake(violation)}`;
      membersByKind.set(key, [...(membersByKind.get(key) ?? []), { check, violation }]);
    }
  }
  const suspicions = [...membersByKind.values()].flatMap(toSuspicion);
  const suspected = new Set(suspicions.flatMap(({ mutants }) => mutants));
  return suspicions.map((each) => ({ ...each, isOfOther: isOfOther(each, suspected), reach: reachOf(each, suspicions) }));
}

/** A suspicion before it is compared with the others of the run. */
type UnrankedSuspicion = Omit<Suspicion, 'isOfOther' | 'reach'>;

function reachOf(suspicion: UnrankedSuspicion, all: readonly UnrankedSuspicion[]): number {
  const predicts = (one: UnrankedSuspicion, other: UnrankedSuspicion): boolean =>
    predictingAll(other.responses).some((mutant) => one.mutants.includes(mutant));
  return all.filter((other) => predicts(suspicion, other) && !predicts(other, suspicion)).length;
}

function toSuspicion(members: readonly Member[]): readonly UnrankedSuspicion[] {
  const [first] = members;
  if (first === undefined) return [];
  const { rule } = first.check;
  const diagnosed = members.flatMap(({ violation }) => (violation.diagnosis === undefined ? [] : [violation.subject]));
  const responses = members.flatMap(({ violation }) => violation.evidence);
  const agreeing = Math.max(...members.map(({ check }) => check.instances));
  const own = predictingAll(responses).filter((mutant) => rulesNaming(mutant).includes(rule));
  return [
    {
      rule,
      members,
      responses,
      knownMistakes: new KnownMistakes(responses, !pagingGroups.includes(groupOf(rule))),
      mutants: [...new Set([...diagnosed, ...own])],
      precision: responses.length / Math.max(1, responses.length + agreeing),
    },
  ];
}

/** True when a mutant of another rule is suspected, which predicts all responses, and none of the rule's own does. */
function isOfOther({ rule, mutants, responses }: UnrankedSuspicion, suspected: ReadonlySet<string>): boolean {
  const predicting = [...mutants, ...predictingAll(responses).filter((mutant) => suspected.has(mutant))];
  const rules = predicting.flatMap(rulesNaming);
  return rules.length > 0 && !rules.includes(rule);
}

/** The mutants that predict all of some responses. */
function predictingAll(responses: readonly WrongResponse[]): readonly string[] {
  return (responses[0]?.mutants ?? []).filter((mutant) => responses.every(({ mutants }) => mutants.includes(mutant)));
}

function rulesNaming(mutant: string): readonly string[] {
  return rulesOfMutant(mutant.split('.', 1)[0] ?? '');
}

/** A header or a member of the body is the same place in every response of the operation; any other response has a place of its own. */
function placeKey(response: WrongResponse): string {
  const { operation, part, or } = response;
  return isPlace(part) && or === undefined ? `${operation} ${part}` : JSON.stringify(response);
}

function isPlace(part: string): boolean {
  return part.startsWith('header ') || part.startsWith('body /');
}

/**
 * The kind of a mutant without its parameters, or the schema keyword with the name of the wrong member: `filters-either`, `type changed_at`. The same
 * mistake of a server often shows with several parameters, and at the same member of several schemas.
 */
function kindOfMistake(violation: CheckViolation): string {
  const { subject } = violation;
  const place = wrongPlaceOf(violation);
  if (place === undefined) return subject.split('.', 1)[0] ?? subject;
  const [, member = place] = /([^/*]+)[/*]*$/.exec(place) ?? [];
  return `${subject.split(' ').at(-1)} ${member}`;
}

/** The one place in the responses, a header or a member of the body, that is wrong in all of them. */
function wrongPlaceOf({ evidence }: CheckViolation): string | undefined {
  const [first] = evidence;
  if (first === undefined || !isPlace(first.part)) return undefined;
  return evidence.every(({ part, or }) => part === first.part && or === undefined) ? first.part : undefined;
}

/**
 * Takes the suspicions one by one, the most specific first. One whose responses are all explained by the groups so far joins the group that explains most;
 * any other begins a group, and takes over the groups whose responses it explains all.
 */
function groupSuspicions(suspicions: readonly Suspicion[]): readonly SuspicionGroup[] {
  let groups: readonly SuspicionGroup[] = [];
  for (const each of suspicions.toSorted(bySpecificity)) {
    const best = groupExplainingMost(each, groups);
    if (best !== undefined) {
      const head = isBroader(each, best.head) ? each : best.head;
      groups = groups.map((one) => (one === best ? { head, all: [...one.all, each] } : one));
      continue;
    }
    const explained = groups.filter(({ head }) => explainsAll(each, head));
    // One mistake that explains several diagnoses is likelier than all of them.
    const isLikelier = explained.flatMap(({ all }) => all).filter((one) => isSpecific(one) && explainsAll(each, one)).length > 1;
    const absorbedGroups = explained.filter(({ head }) => isSpecific(each) || !isSpecific(head) || isLikelier || decidesAll(each, head));
    groups = [
      ...groups.filter((one) => !absorbedGroups.includes(one)),
      { head: each, all: [each, ...absorbedGroups.flatMap(({ all }) => all)] },
    ];
  }
  return groups;
}

/** The group that explains most of the responses of a suspicion, if the groups together explain all of them. */
function groupExplainingMost(suspicion: Suspicion, groups: readonly SuspicionGroup[]): SuspicionGroup | undefined {
  const { responses } = suspicion;
  const isExplainedBy = ({ all }: SuspicionGroup, response: WrongResponse): boolean =>
    all.some((one) => explains(one, suspicion, response));
  const isExplained = responses.length > 0 && responses.every((response) => groups.some((one) => isExplainedBy(one, response)));
  if (!isExplained) return undefined;
  const counts = groups.map((one) => responses.filter((response) => isExplainedBy(one, response)).length);
  return groups[counts.indexOf(Math.max(...counts))];
}

function explainsAll(suspicion: Suspicion, other: Suspicion): boolean {
  return other.responses.length > 0 && other.responses.every((response) => explains(suspicion, other, response));
}

/** True when a suspicion has all the responses of another one, more of them, and both say only that these responses are wrong. */
function isBroader({ responses, mutants }: Suspicion, other: Suspicion): boolean {
  if (mutants.length > 0 || isSpecific(other) || responses.length <= other.responses.length) return false;
  const keys = new Set(responses.map(placeKey));
  return other.responses.every((response) => response.part === 'answer' && keys.has(placeKey(response)));
}

/** True when all responses of another suspicion are wrong only because of what this one says. */
function decidesAll({ knownMistakes }: Suspicion, { responses }: Suspicion): boolean {
  return responses.every((response) => knownMistakes.decide(response));
}

/** True for a suspicion that says what is wrong: a mutant, or a place in the response. */
function isSpecific({ mutants, responses }: Suspicion): boolean {
  return mutants.length > 0 || responses.every(({ part }) => part !== 'answer' && part !== 'records');
}

/**
 * A known place of the mistake comes before one of two, one that says what is wrong before others, and then the rule that was contradicted most of the times.
 */
function bySpecificity(left: Suspicion, right: Suspicion): number {
  const isSure = ({ responses }: Suspicion): boolean => responses.some((response) => response.or === undefined);
  return (
    Number(isSure(right)) - Number(isSure(left)) ||
    Number(isSpecific(right)) - Number(isSpecific(left)) ||
    Number(left.isOfOther) - Number(right.isOfOther) ||
    right.precision - left.precision ||
    right.reach - left.reach ||
    fewestParameters(left) - fewestParameters(right) ||
    Number(right.mutants.length > 0) - Number(left.mutants.length > 0) ||
    severities.indexOf(severityOf(left)) - severities.indexOf(severityOf(right)) ||
    right.responses.length - left.responses.length
  );
}

/** The number of parameters of the simplest wrong request. */
function fewestParameters({ responses }: Suspicion): number {
  return Math.min(...responses.map(({ parameters }) => parameters.length));
}

/** Rules of these groups judge how a list is cut into pages; what they show of one page size says nothing of another. */
const pagingGroups: readonly (RuleGroup | undefined)[] = ['paging', 'pages', 'order'];

/** True when the mistake behind a suspicion explains a response of another: its mutant predicts it, or the same part of the response is known to be wrong. */
function explains({ rule, mutants, knownMistakes }: Suspicion, other: Suspicion, response: WrongResponse): boolean {
  if (mutants.some((mutant) => response.mutants.includes(mutant))) return true;
  return (
    knownMistakes.explain(response) ||
    (response.or !== undefined && knownMistakes.explain(response.or)) ||
    knownMistakes.haveSimpler(response, rule === other.rule, mutants.length > 0)
  );
}

type WrongPlace = Pick<WrongResponse, 'operation' | 'request' | 'selection' | 'part' | 'follows'>;

/** The parts that are wrong if a suspicion is right. A response that may be right, because another one may be wrong instead, is not known to be wrong. */
class KnownMistakes {
  readonly #places = new Set<string>();
  readonly #parameters = new Map<string, WrongResponse['parameters'][]>();

  /** `isAnySize` is false for rules that judge how a list is cut into pages: wrong records at one page size say nothing of another. */
  constructor(responses: readonly WrongResponse[], isAnySize: boolean) {
    for (const response of responses.filter(({ or }) => or === undefined)) {
      const { operation, part, request, selection, parameters } = response;
      if (isPlace(part)) this.#places.add(`${operation} ${part}`);
      else this.#places.add(`${part} of ${request}`);
      if (part === 'records') this.#places.add(`total of ${selection}`);
      if (part === 'answer' || (part === 'records' && isAnySize)) this.#places.add(`records of ${selection}`);
      for (const key of [simplerKey(response, false), simplerKey(response, true)])
        this.#parameters.set(key, [...(this.#parameters.get(key) ?? []), parameters]);
    }
  }

  /** True when a known mistake explains what is wrong at a place. */
  explain({ operation, part, request, selection, follows = [] }: WrongPlace): boolean {
    const keys = [
      `answer of ${request}`,
      ...(part === 'records' ? [`records of ${request}`, `records of ${selection}`] : []),
      ...(part === 'records' || part.startsWith('body') ? [`body of ${request}`] : []),
      ...(isPlace(part) ? placesAbove(part).map((each) => `${operation} ${each}`) : []),
      ...follows.map((each) => (each === 'records' ? `total of ${selection}` : `${operation} ${each}`)),
    ];
    return keys.some((key) => this.#places.has(key));
  }

  /** True when a response is only as wrong as what it follows from. */
  decide({ operation, selection, follows = [] }: WrongPlace): boolean {
    return follows.some((each) => this.#places.has(each === 'records' ? `total of ${selection}` : `${operation} ${each}`));
  }

  /**
   * True when a known mistake is a simpler case of a response: a refusal of the same refusal with more parameters, a wrong success of another one with the
   * same parameters, and wrong records of those chosen by more filters. A wrong 304 compares the tag first, whoever calls. A diagnosis of another rule says
   * itself which records are wrong.
   */
  haveSimpler(response: WrongResponse, isSameRule: boolean, isDiagnosed: boolean): boolean {
    if (response.part !== 'answer' && !(response.part === 'records' && (isSameRule || !isDiagnosed))) return false;
    const mayHaveFewer = response.part === 'records' || response.status >= 400;
    return (this.#parameters.get(simplerKey(response, isSameRule)) ?? []).some(
      (names) =>
        (isSameRule || response.part === 'answer' || names.length > 0) &&
        names.every((name) => response.parameters.includes(name)) &&
        (mayHaveFewer || names.length === response.parameters.length),
    );
  }
}

function simplerKey({ operation, part, status, caller, lacks }: WrongResponse, isAnyCaller: boolean): string {
  return part === 'records'
    ? `${operation} records ${lacks} ${isAnyCaller}`
    : `${operation} ${part} ${status} ${isAnyCaller || status === 304 ? '*' : caller}`;
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
function byHarm(left: SuspicionGroup, right: SuspicionGroup): number {
  const rank = ({ head }: SuspicionGroup): number => severities.indexOf(severityOf(head));
  const checks = ({ all }: SuspicionGroup): number => all.reduce((sum, { members }) => sum + members.length, 0);
  const responses = ({ all }: SuspicionGroup): number => all.reduce((sum, { responses: one }) => sum + one.length, 0);
  return (
    rank(left) - rank(right) ||
    checks(right) - checks(left) ||
    Number(isSpecific(right.head)) - Number(isSpecific(left.head)) ||
    fewestParameters(left.head) - fewestParameters(right.head) ||
    responses(right) - responses(left)
  );
}

/** True for the id of a cause that a rule names. */
export function isCauseOf(id: string, rule: string): boolean {
  return hasDigestOf(id, rule);
}

function toCause({ head, all }: SuspicionGroup): Cause {
  const { rule, members } = head;
  const [first] = members;
  if (first === undefined) throw new TypeError('a cause without a violation');
  const { subject, message, diagnosis, hint, counterexample, waiver } = first.violation;
  const operations = [...new Set(members.map(({ check }) => check.operation))];
  const explained = [head, ...all.filter((each) => each !== head)].flatMap((each) => each.members);
  return {
    id: joinDigests(rule, [wrongPlaceOf(first.violation) ?? subject, ...operations.toSorted()].join(' ')),
    rule,
    operations,
    title: first.check.title,
    severity: severityOf(head),
    message,
    ...withoutUndefined({ diagnosis, hint, waiver }),
    explains: explained.map(({ check, violation }) => ({
      rule: check.rule,
      operation: check.operation,
      fingerprint: violation.fingerprint,
    })),
    counterexample,
  };
}
