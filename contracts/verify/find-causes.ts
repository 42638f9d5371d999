/** Groups the violations of a run into causes, at its end: one mistake of the target explains many violations, and reports show it once. */

import { definedOf, withoutUndefined } from '../../core/drop-undefined.ts';
import { rulesOfMutant } from '../../core/mutants/mutant-catalogue.ts';
import { groupOf, type RuleGroup } from '../../core/results/rule-id.ts';
import {
  type Cause,
  type CheckResult,
  type CheckViolation,
  type Severity,
  violationsIn,
  type WrongResponse,
} from '../../core/results/run-result.ts';
import { hasDigestOf, joinDigests } from './violation-fingerprint.ts';

/** Violations of one rule by the same kind of mistake, at whatever operations, parameters or schemas. */
interface Suspicion {
  readonly rule: string;
  readonly members: readonly Member[];
  readonly responses: readonly WrongResponse[];
  /** Mutants of the rule that predict all responses, and those that its violations are diagnosed as. */
  readonly mutants: readonly string[];
  /** The parts of responses that are wrong if the suspicion is right. A response that may be right, because another one may be wrong instead, is none. */
  readonly places: ReadonlySet<string>;
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
  return [...membersByKind.values()].map(toSuspicion);
}

function toSuspicion(members: readonly Member[]): Suspicion {
  const rule = members[0]?.check.rule ?? '';
  const responses = members.flatMap(({ violation }) => violation.evidence);
  const agreeing = Math.max(...members.map(({ check }) => check.instances));
  const diagnosed = members.flatMap(({ violation }) => (violation.diagnosis === undefined ? [] : [violation.subject]));
  const predicting = (responses[0]?.mutants ?? []).filter((mutant) => responses.every(({ mutants }) => mutants.includes(mutant)));
  const own = predicting.filter((mutant) => rulesNaming(mutant).includes(rule));
  return {
    rule,
    members,
    responses,
    mutants: [...new Set([...diagnosed, ...own])],
    places: new Set(responses.filter(({ or }) => or === undefined).flatMap(placesOf)),
    precision: responses.length / Math.max(1, responses.length + agreeing),
  };
}

function rulesNaming(mutant: string): readonly string[] {
  return rulesOfMutant(mutant.split('.', 1)[0] ?? '');
}

type WrongPlace = Pick<WrongResponse, 'operation' | 'request' | 'part'>;

/**
 * The places of a wrong response, as keys to compare. A header or a member of the body is the same place in every response of the operation; any other part
 * belongs to one request, and a wrong answer has wrong records.
 */
function placesOf({ operation, request, part }: WrongPlace): readonly string[] {
  if (isPlace(part)) return [`${operation} ${part}`];
  return part === 'answer' ? [`answer of ${request}`, `records of ${request}`] : [`${part} of ${request}`];
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
  const words = subject.split(' ');
  // The name of a missing or unknown member stands behind the keyword, and its place is what it is missing in.
  const [keyword, ownMember] = words.filter((word) => !word.startsWith('/'));
  return place.startsWith('body') && ownMember !== undefined ? `${keyword} ${ownMember}` : `${words.at(-1)} ${member}`;
}

/** The one place in the responses, a header or a member of the body, that is wrong in all of them. */
function wrongPlaceOf({ evidence }: CheckViolation): string | undefined {
  const [first] = evidence;
  if (first === undefined || !isPlace(first.part)) return undefined;
  return evidence.every(({ part, or }) => part === first.part && or === undefined) ? first.part : undefined;
}

/**
 * Takes the suspicions one by one, the most specific first. One whose responses are all explained by the groups so far joins the group that explains most of
 * them. Any other begins a group, and takes over the groups whose heads it explains. But a suspicion that does not say what is wrong takes over a head that
 * does only if it decides all responses of that head, or explains several suspicions that say what is wrong.
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
  const requests = new Set(responses.filter(({ part }) => part === 'answer').map(({ request }) => request));
  return other.responses.every(({ request, part }) => part === 'answer' && requests.has(request));
}

/** True when all responses of another suspicion are wrong only because of what this one says. */
function decidesAll({ places }: Suspicion, { responses }: Suspicion): boolean {
  return responses.every((response) => placesDeciding(response).some((place) => places.has(place)));
}

/** True for a suspicion that says what is wrong: a mutant, or a place in the response. */
function isSpecific({ mutants, responses }: Suspicion): boolean {
  return mutants.length > 0 || responses.every(({ part }) => part !== 'answer' && part !== 'records');
}

/**
 * Order of suspicions: first those whose wrong response is certain, then those that say what is wrong, and among these last those that only mutants of other
 * rules explain. Then the rule that was contradicted most often comes first. The simplest request, a mutant and the harm decide the rest.
 */
function bySpecificity(left: Suspicion, right: Suspicion): number {
  const isSure = ({ responses }: Suspicion): boolean => responses.some((response) => response.or === undefined);
  return (
    Number(isSure(right)) - Number(isSure(left)) ||
    Number(isSpecific(right)) - Number(isSpecific(left)) ||
    Number(isOfOther(left)) - Number(isOfOther(right)) ||
    right.precision - left.precision ||
    fewestParameters(left) - fewestParameters(right) ||
    Number(right.mutants.length > 0) - Number(left.mutants.length > 0) ||
    severities.indexOf(severityOf(left)) - severities.indexOf(severityOf(right)) ||
    right.responses.length - left.responses.length
  );
}

/** True when only mutants of other rules explain a suspicion. */
function isOfOther({ rule, mutants }: Suspicion): boolean {
  return mutants.length > 0 && !mutants.some((mutant) => rulesNaming(mutant).includes(rule));
}

/** The number of parameters of the simplest wrong request. */
function fewestParameters({ responses }: Suspicion): number {
  return Math.min(...responses.map(({ parameters }) => parameters.length));
}

/** True when the mistake behind a suspicion explains a response of another: its mutant predicts it, the same part is known to be wrong, or a simpler case. */
function explains({ rule, mutants, places, responses }: Suspicion, other: Suspicion, response: WrongResponse): boolean {
  return (
    mutants.some((mutant) => response.mutants.includes(mutant)) ||
    placesExplaining(response).some((place) => places.has(place)) ||
    (rule === 'requests/repeated' && isAnswerOf(responses, response)) ||
    ((isAboutKeys(rule) === isAboutKeys(other.rule) || response.status >= 300) &&
      responses.some((known) => isSimpler(known, response, rule === other.rule, [...mutants, ...other.mutants].length > 0)))
  );
}

/** True for an answer or records of an operation whose responses to the same request differ: no two of its responses can be compared. */
function isAnswerOf(differing: readonly WrongResponse[], { operation, part, status }: WrongResponse): boolean {
  return status < 300 && (part === 'answer' || part === 'records') && differing.some((known) => known.operation === operation);
}

/** A success that a wrong key gets says nothing of the successes that a right key gets. */
function isAboutKeys(rule: string): boolean {
  return groupOf(rule) === 'keys';
}

/** The places that explain a response if they are wrong: those that decide it, its own and that of the other suspect, and those that contain these two. */
function placesExplaining(response: WrongResponse): readonly string[] {
  const suspects: readonly WrongPlace[] = [response, ...definedOf(response.or)];
  return [
    ...placesDeciding(response),
    ...suspects.flatMap(({ operation, request, part }) => [
      `answer of ${request}`,
      ...(isPlace(part) ? placesAbove(part).map((each) => `${operation} ${each}`) : [`${part} of ${request}`]),
      ...(part.startsWith('body') ? [`body of ${request}`] : []),
    ]),
  ];
}

/** The places from which a response follows. */
function placesDeciding({ operation, request, follows = [] }: WrongResponse): readonly string[] {
  return follows.map((each) => (each === 'records' ? `records of ${request}` : `${operation} ${each}`));
}

/**
 * True when a known wrong response is a simpler case of another one: the same refusal with fewer parameters, a wrong success with the same parameters, or wrong
 * records with fewer filters. Wrong records of two rules are compared only if neither rule has a mutant, which would itself say which records are wrong, and if
 * the simpler case has a filter: a wrong whole list explains nothing about another rule.
 */
function isSimpler(known: WrongResponse, response: WrongResponse, isSameRule: boolean, isDiagnosed: boolean): boolean {
  const { operation, part, status, parameters } = known;
  if (known.or !== undefined || operation !== response.operation || part !== response.part) return false;
  if (!parameters.every((name) => response.parameters.includes(name))) return false;
  if (part === 'records') return isSameRule || (!isDiagnosed && parameters.length > 0);
  return part === 'answer' && status === response.status && (status >= 400 || parameters.length === response.parameters.length);
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
  return rank(left) - rank(right) || checks(right) - checks(left);
}

/** True for the id of a cause that a rule names. */
export function isCauseOf(id: string, rule: string): boolean {
  return hasDigestOf(id, rule);
}

function toCause({ head, all }: SuspicionGroup): Cause {
  const { rule, members } = head;
  const [first] = members;
  if (first === undefined) throw new TypeError('a cause without a violation');
  const { message, diagnosis, hint, counterexample, waiver } = first.violation;
  const operations = [...new Set(members.map(({ check }) => check.operation))];
  const explained = [head, ...all.filter((each) => each !== head)].flatMap((each) => each.members);
  return {
    // Not of its operations, since a run may see the mistake at some of them only.
    id: joinDigests(rule, kindOfMistake(first.violation)),
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
