/**
 * The report of `touchstone verify` for people: causes first, then checks, missing evidence and observations. `verify-reports.ts` of the command line builds it
 * for the summary and each HTML or Markdown file, at the end of `verify`, `merge` and `report`. It leaves the items for programs to `verify-items-for-ci.ts`.
 */

import { countNoun } from '../../core/count-noun.ts';
import { formatLocation, type SourceLocation } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Cause, CheckResult, Counterexample, Mutant, OpenMutant, RunResult } from '../../core/results/run-result-and-events.ts';
import { type Block, code, type Entry, type Fact, faint, type Report, type Row, type Text } from '../report-model.ts';
import { excerpt } from '../shorten-value.ts';
import { joinReports } from './join-report-models.ts';
import {
  type CheckState,
  checkStates,
  checksIn,
  countStates,
  groupChecksByOperation,
  headCheck,
  stateOf,
  stateTones,
  stateWords,
} from './states-of-checks.ts';
import {
  describeAgain,
  describeChecks,
  describeEnd,
  describeFurther,
  describeOpenQuestions,
  describeTime,
  describeWaiver,
  factsOfRun,
  nameOfRun,
  versusOf,
} from './verify-sentences.ts';

/** Limits of the terminal: violations in full, and lines for the others and for checks without a result. */
const fullViolations = 10;
const manyLines = 1000;
const fewLines = 6;
/** Limits of lists: further violations of a check, mutants and records. */
const furtherMax = 5;
const mutantsMax = 40;
const recordsMax = 5;
const notesMax = 6;

/** Builds the report of one run or of several, each named by its contract, or by its target too where that is needed. */
export function reportOfRuns([first, ...others]: readonly [RunResult, ...RunResult[]]): Report {
  const toNamed = (result: RunResult, index: number): Report => ({
    ...reportOfRun(result, index === 0 ? '' : `run-${index + 1}-`),
    subject: nameOfRun(result, [first, ...others]),
  });
  return joinReports([toNamed(first, 0), ...others.map((result, index) => toNamed(result, index + 1))]);
}

/** Builds the report of a run. Link targets start with `prefix`. */
export function reportOfRun(result: RunResult, prefix: string = ''): Report {
  const { contract, requests, budget, checks, notes = [], unavailable, exitCode } = result;
  const inState = (...wanted: readonly CheckState[]): readonly CheckResult[] => checksIn(result, ...wanted);
  const waived = inState('waived');
  const causes = result.causes.filter(({ waiver }) => waiver === undefined);
  const links = linksOf(causes, waived, checks, prefix);
  // With a violation to read, the rest would push it off the screen.
  const isDetail = causes.length > 0;
  const lines = fewLines;
  return {
    subject: contract.name,
    headline: headlineOf(result, isDetail),
    verdict: describeEnd(result),
    tone: exitCode === 1 ? 'bad' : exitCode === 0 ? 'good' : 'doubtful',
    shares: countStates(checks),
    lead: [...(unavailable === undefined ? [] : [unavailable]), ...(checks.length === 0 ? [] : [leadOf(result, isDetail)])],
    facts: factsOfRun(result),
    sections: [
      {
        id: 'violated',
        title: 'Violated',
        tone: 'bad',
        entries: causes.map((cause) => entryOfCause(cause, result, linkOf(cause, prefix))),
        full: fullViolations,
        lines: manyLines,
        open: true,
        fitsScreen: true,
      },
      { id: 'overview', title: 'Overview', tone: 'neutral', blocks: tableOfGroups(checks, links), open: true, only: ['page'] },
      { id: 'notes', title: 'Notes', tone: 'doubtful', blocks: listNotes(notes), open: true },
      { id: 'waived', title: 'Violated and waived', tone: 'neutral', entries: waived.map((check) => entryOfWaived(check, links)), lines },
      {
        id: 'doubtful',
        title: 'Blocked or inconclusive',
        tone: 'doubtful',
        entries: inState('blocked', 'inconclusive').map(entryOfDoubt),
        lines,
        isDetail: isDetail && inState('blocked').length === 0,
      },
      {
        id: 'missing',
        title: 'Not exercised, for lack of',
        tone: 'neutral',
        entries: gatherGaps(inState('not-exercised')),
        lines,
        isDetail,
      },
      {
        id: 'settings',
        title: 'Not testable without',
        tone: 'neutral',
        entries: gatherGaps(inState('not-testable')),
        lines: lines - 2,
        isDetail,
      },
      { id: 'operations', title: 'Checks', tone: 'neutral', blocks: tableOfChecks(checks, links), only: ['page'] },
      {
        id: 'answers',
        title: 'Observed',
        tone: 'neutral',
        blocks: result.observations.length === 0 ? [] : [{ kind: 'paragraph', text: describeOpenQuestions(result) }],
        only: ['terminal'],
        isDetail,
      },
      {
        id: 'observed',
        title: 'Observed',
        tone: 'neutral',
        entries: result.observations.map(entryOfObservation),
        only: ['comment', 'page'],
      },
    ],
    end: [`${requests} of at most ${countNoun(budget, 'request')} in ${describeTime(result.durationMs)}.`],
  };
}

function headlineOf({ contract, target, seed, checks }: RunResult, isBrief: boolean): Text {
  const idle = isBrief ? 0 : checks.filter(({ verdict, strength }) => verdict === 'not-exercised' && strength === 'stated').length;
  return [
    { text: `${contract.title} ${contract.version}`.trim(), as: 'strong' },
    ` at ${target}`,
    faint(`, seed ${seed}`),
    ...(idle === 0 ? [] : ['; ', { text: `${countNoun(idle, 'stated check')} not exercised`, as: 'doubtful' } as const]),
  ];
}

function listNotes(notes: readonly string[]): readonly Block[] {
  if (notes.length === 0) return [];
  const more = notes.length - notesMax;
  return [{ kind: 'list', items: [...notes.slice(0, notesMax), ...(more <= 0 ? [] : [`and ${more} more: the JSON report has them`])] }];
}

/** Counts the checks by state, and those that hold with mutants left open. */
function leadOf({ checks }: RunResult, isBrief: boolean): Text {
  const weak = isBrief ? 0 : checks.filter(({ verdict, alive }) => verdict === 'holds' && alive.length > 0).length;
  const counted = countStates(checks).flatMap(({ number, text, tone }) => (number === 0 ? [] : [', ', { text, as: tone } as const]));
  return [
    `${countNoun(checks.length, 'check')}: `,
    ...counted.slice(1),
    ...(weak === 0 ? [] : [faint(` (${weak} with mutants left open)`)]),
  ];
}

/** Links every violated check to the entry of its cause, and every waived one to its own entry. */
function linksOf(
  causes: readonly Cause[],
  waived: readonly CheckResult[],
  checks: readonly CheckResult[],
  prefix: string,
): ReadonlyMap<CheckResult, string> {
  const links = new Map<CheckResult, string>();
  for (const cause of causes)
    for (const { rule, operation } of cause.explains) {
      const check = checks.find((each) => each.rule === rule && each.operation === operation);
      if (check !== undefined && !links.has(check)) links.set(check, linkOf(cause, prefix));
    }
  for (const [index, check] of waived.entries()) links.set(check, `${prefix}waived-${index + 1}`);
  return links;
}

/** The target of links to a cause. It stays from run to run, so that a ticket can link to it in a newer report. */
function linkOf({ id }: Cause, prefix: string): string {
  return `${prefix}cause-${id}`;
}

/** Operations in the name of a cause. */
const operationsMax = 3;

/** Builds the entry of a cause: the mistake, the requests that show it best, and what else it explains. */
function entryOfCause(cause: Cause, result: RunResult, link: string): Entry {
  const { id, rule, operations, title, message, explains, counterexample } = cause;
  const { clause, records } = counterexample;
  // A check with several violations counts once.
  const others = explains.filter(
    (each, index) =>
      each.rule !== rule && explains.findIndex((one) => one.rule === each.rule && one.operation === each.operation) === index,
  );
  const more = operations.length - operationsMax;
  const places = more > 0 ? `${operations.slice(0, operationsMax).join(', ')} and ${more} more` : operations.join(', ');
  return {
    name: [{ text: rule, as: 'bad' }, ' at ', code(places)],
    title,
    tone: 'bad',
    line: message,
    id: link,
    blocks: [
      versusOf(counterexample),
      {
        kind: 'facts',
        facts: [
          ...describeMistake(cause),
          ...listOtherPlaces(cause, result.checks),
          ['clause', describeClause(clause, headCheck(cause, result.checks))],
          ...(others.length === 0 ? [] : [['explains', describeOthers(others)] as const]),
          ['accept as', code(id)],
        ],
      },
      ...excerptOfClause(counterexample),
      { kind: 'exchanges', ...counterexample },
      ...(others.length < 2
        ? []
        : [
            {
              kind: 'fold',
              title: `Explains ${countNoun(others.length, 'more check')}`,
              blocks: [{ kind: 'paragraph', text: describeChecks(others) }],
            } as const,
          ]),
      ...listRecords(records),
      ...describeAgain(result, cause),
    ],
  };
}

/** The first violation of the same kind with another parameter, or at another member, and the number of the others. */
function listOtherPlaces({ rule, explains }: Cause, checks: readonly CheckResult[]): readonly Fact[] {
  const violations = checks.flatMap((check) => (check.rule === rule ? [check, ...(check.further ?? [])] : []));
  const [first, ...others] = explains.flatMap((each) => violations.find(({ fingerprint }) => fingerprint === each.fingerprint) ?? []);
  // A violation without a subject is the same one without its mutant.
  const elsewhere = others.filter(({ subject }) => subject !== '' && subject !== first?.subject);
  const [other, ...more] = new Map(elsewhere.map(({ subject, message }) => [subject, message])).values();
  return other === undefined ? [] : [['also', more.length === 0 ? other : `${other}; and ${more.length} more places`]];
}

/** The lines of the contract that state the violated rule. */
function excerptOfClause({ clauseExcerpt }: Counterexample): readonly Block[] {
  return clauseExcerpt === undefined ? [] : [{ kind: 'excerpt', label: 'contract', excerpt: clauseExcerpt }];
}

/** Describes what the server does, and the likely mistake in its code. */
function describeMistake({ diagnosis, hint }: Pick<Cause, 'diagnosis' | 'hint'>): readonly Fact[] {
  if (diagnosis === undefined) return hint === undefined ? [] : [['hint', hint]];
  return [['diagnosis', hint === undefined ? diagnosis : `${diagnosis}. ${hint}`]];
}

/** Names the first of the checks that a cause explains, so that a terminal needs one line. */
function describeOthers(others: Cause['explains']): string {
  const [first] = others;
  return `${countNoun(others.length, 'more check')}${others.length === 1 ? ':' : ', such as'} ${first?.rule} at ${first?.operation}`;
}

function describeClause(clause: SourceLocation, check: CheckResult | undefined): Text {
  const place = formatLocation(clause);
  if (check === undefined) return code(place);
  return [code(place), ...(place === check.source ? [] : [`, from ${check.source}`]), ` (${check.strength})`];
}

/** Builds the entry of a waived violation, with its evidence. */
function entryOfWaived(check: CheckResult, links: ReadonlyMap<CheckResult, string>): Entry {
  const { title, message, waiver, counterexample, fingerprint, source, strength, further = [] } = check;
  const more = further.length - furtherMax;
  return {
    name: nameOfCheck(check),
    title,
    tone: stateTones.waived,
    line: waiver === undefined ? message : describeWaiver(waiver),
    id: links.get(check) ?? '',
    blocks: [
      ...(counterexample === undefined ? [] : [versusOf(counterexample)]),
      {
        kind: 'facts',
        facts: [
          ...(waiver === undefined ? [] : [['waived', describeWaiver(waiver)] as const]),
          ...describeMistake(check),
          ['clause', counterexample === undefined ? [code(source), ` (${strength})`] : describeClause(counterexample.clause, check)],
          ...(fingerprint === undefined ? [] : [['accept as', code(fingerprint)] as const]),
          ...further.slice(0, furtherMax).map((each): Fact => ['also', describeFurther(each)]),
          ...(more <= 0 ? [] : [['also', `${more} more: the JSON report has them`] as const]),
        ],
      },
      ...(counterexample === undefined
        ? []
        : [...excerptOfClause(counterexample), ...listRecords(counterexample.records), { kind: 'exchanges', ...counterexample } as const]),
    ],
  };
}

function entryOfDoubt(check: CheckResult): Entry {
  const state = stateOf(check);
  return { name: nameOfCheck(check), title: check.title, tone: stateTones[state], line: `${stateWords[state]}: ${check.message}` };
}

function nameOfCheck(check: CheckResult): Text {
  return [{ text: check.rule, as: stateTones[stateOf(check)] }, ' at ', code(check.operation)];
}

function listRecords(records: readonly Json[]): readonly Block[] {
  if (records.length === 0) return [];
  const lines = records.slice(0, recordsMax).flatMap((record) => JSON.stringify(excerpt(record), undefined, 2).split('\n'));
  const more = records.length - recordsMax;
  const parts = [{ title: 'Records', lines: [...lines, ...(more <= 0 ? [] : [`… and ${more} more`])] }];
  return [{ kind: 'fold', title: `Records concerned: ${records.length}`, blocks: [{ kind: 'listing', label: '', parts, conclusion: [] }] }];
}

function entryOfObservation({ id, question, answers, evidence, source }: RunResult['observations'][number]): Entry {
  const answer = answers.length === 0 ? 'open' : answers.join(' or ');
  return { name: code(id), tone: 'neutral', line: [question, answer, evidence, source].filter((each) => each !== '').join(' – ') };
}

function groupOfCheck({ rule: id }: CheckResult): string {
  return id.split('/')[0] ?? id;
}

/** Builds a table with the most severe verdict per operation and rule group, and the number of checks that hold. It links to the cause. */
function tableOfGroups(checks: readonly CheckResult[], links: ReadonlyMap<CheckResult, string>): readonly Block[] {
  const groups = [...new Set(checks.map(groupOfCheck))];
  const rows = [...groupChecksByOperation(checks)].map(
    ([operation, members]): Row => ({
      cells: [
        code(operation),
        ...groups.map((group): Text => {
          const own = members.filter((check) => groupOfCheck(check) === group);
          const gravest = checkStates.find((state) => own.some((check) => stateOf(check) === state));
          if (gravest === undefined) return '';
          const link = own.flatMap((check) => (stateOf(check) === gravest ? (links.get(check) ?? []) : []))[0];
          return {
            ...(link === undefined ? {} : { href: link }),
            text: `${own.filter((check) => check.verdict === 'holds').length}/${own.length} ${stateWords[gravest]}`,
            as: stateTones[gravest],
          };
        }),
      ],
    }),
  );
  return rows.length === 0 ? [] : [{ kind: 'table', columns: ['Operation', ...groups], rows }];
}

/** Builds a table of every check with its evidence. */
function tableOfChecks(checks: readonly CheckResult[], links: ReadonlyMap<CheckResult, string>): readonly Block[] {
  const rows = checks.map((check): Row => {
    const { rule: id, operation, title, message, instances, killed, alive: open, source, strength } = check;
    const state = stateOf(check);
    const link = links.get(check);
    const summary = [
      countNoun(instances, 'observation'),
      `${countNoun(killed.length, 'mutant')} killed`,
      ...(open.length === 0 ? [] : [`${open.length} left open`]),
    ].join(', ');
    const blocks: readonly Block[] = [
      ...(killed.length === 0 ? [] : [listMutants('Killed mutants', killed)]),
      ...(open.length === 0 ? [] : [listMutants('Open mutants, for lack of data', open)]),
      { kind: 'paragraph', text: faint(`From ${source} (${strength})`) },
    ];
    const line: Text = link === undefined ? (state === 'holds' ? '' : message) : [message, ' ', { text: 'Evidence', href: link }];
    return {
      cells: [[code(id), ` at ${operation}: ${title}`], { text: stateWords[state], as: stateTones[state] }, { line, summary, blocks }],
      state: { word: stateWords[state], tone: stateTones[state] },
      labels: [
        ['Operation', operation],
        ['Rules', groupOfCheck(check)],
      ],
    };
  });
  return rows.length === 0 ? [] : [{ kind: 'table', columns: ['Check', 'Verdict', 'Evidence'], rows, find: true }];
}

function listMutants(title: string, mutants: readonly (Mutant | OpenMutant)[]): Block {
  const more = mutants.length - mutantsMax;
  const items = mutants
    .slice(0, mutantsMax)
    .map((mutant) => ('missing' in mutant ? `${mutant.title}: it would take ${mutant.missing}` : mutant.title));
  return { kind: 'list', title, items: more <= 0 ? items : [...items, `and ${more} more`] };
}

/** Groups checks by missing data or setting; the largest group comes first. */
function gatherGaps(checks: readonly CheckResult[]): readonly Entry[] {
  const gaps = new Map<string, CheckResult[]>();
  for (const check of checks) for (const missing of missingOf(check)) gaps.set(missing, [...(gaps.get(missing) ?? []), check]);
  const sorted = [...gaps].toSorted(([, left], [, right]) => right.length - left.length);
  return sorted.map(([name, dependent]) => ({ name, tone: 'neutral', line: describeChecks(dependent) }));
}

/** Lists what is missing: data, from the open mutants; requests, a key or time, from the message. */
function missingOf({ verdict, alive: open, message }: CheckResult): readonly string[] {
  const named = verdict === 'not-exercised' ? [...new Set(open.map((mutant) => mutant.missing))] : [];
  return named.length > 0 ? named : [message.replace(/\.$/, '')];
}
