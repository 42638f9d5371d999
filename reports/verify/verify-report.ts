/** Builds the report of `touchstone verify`: causes first, then checks, missing evidence and observations. Chooses no output format. */

import { countNoun } from '../../core/count-noun.ts';
import type { SetAside } from '../../core/openapi/mending/set-aside.ts';
import type { Cause, CheckResult, KilledMutant, OpenMutant, RunResult } from '../../core/results/run-result.ts';
import { linesOfSetAside } from '../contract-file-warnings.ts';
import { type Block, code, type Entry, faint, type JudgedReport, type Row, type Text } from '../report-model.ts';
import { entryOfCause } from './cause-entry.ts';
import {
  type CheckState,
  checkStates,
  checksIn,
  countStates,
  groupChecksByOperation,
  stateOf,
  stateTones,
  stateWords,
} from './check-states.ts';
import { resultsForPrograms } from './results-for-programs.ts';
import {
  describeChecks,
  describeCoverage,
  describeEnd,
  describeOpenQuestions,
  describeTime,
  factsOfRun,
  nameOfRun,
  reasonPhrases,
} from './verify-sentences.ts';

/** Maximum number of lines in a terminal for checks without a result, and for waived violations. */
const linesMax = 6;
/** Limits of lists: mutants and notes. */
const mutantsMax = 40;
const notesMax = 6;

/** Builds the reports of runs, each named by its contract, or by its target too where that is needed. */
export function reportsOfRuns(runs: readonly RunResult[]): readonly JudgedReport[] {
  return runs.map((run, index) => reportOfRun(run, nameOfRun(run, runs), index === 0 ? '' : `run-${index + 1}-`));
}

/** Builds the report of a run. Link targets start with `prefix`. */
export function reportOfRun(result: RunResult, name: string = result.contract.name, prefix: string = ''): JudgedReport {
  const { requests, budget, checks, notes = [], setAside = [], unavailable, exitCode, durationMs } = result;
  const inState = (...wanted: readonly CheckState[]): readonly CheckResult[] => checksIn(result, ...wanted);
  const entryOf = (cause: Cause): Entry => entryOfCause(cause, result, linkOf(cause, prefix));
  const waived = result.causes.filter(({ waiver }) => waiver !== undefined);
  const causes = result.causes.filter(({ waiver }) => waiver === undefined);
  const links = linksOf([...causes, ...waived], checks, prefix);
  // If there is a violation, the rest would push it off the screen.
  const isDetail = causes.length > 0;
  return {
    subject: name,
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
        entries: causes.map(entryOf),
        full: true,
        open: true,
        fitsScreen: true,
      },
      { id: 'overview', title: 'Overview', tone: 'neutral', blocks: tableOfGroups(checks, links), open: true, only: ['page'] },
      { id: 'notes', title: 'Notes', tone: 'doubtful', blocks: listNotes(notes), open: true },
      { id: 'set-aside', title: 'Skipped parts of the contract', tone: 'doubtful', blocks: listSetAside(setAside), open: true },
      { id: 'waived', title: 'Violated and waived', tone: 'neutral', entries: waived.map(entryOf), lines: linesMax },
      {
        id: 'doubtful',
        title: 'Blocked or inconclusive',
        tone: 'doubtful',
        entries: inState('blocked', 'inconclusive').map(entryOfDoubt),
        lines: linesMax,
        isDetail: isDetail && inState('blocked').length === 0,
      },
      {
        id: 'missing',
        title: 'Not exercised, data missing',
        tone: 'neutral',
        entries: gatherGaps(inState('not-exercised')),
        lines: linesMax,
        isDetail,
      },
      {
        id: 'settings',
        title: 'Not testable, key or setting missing',
        tone: 'neutral',
        entries: gatherGaps(inState('not-testable')),
        lines: linesMax,
        isDetail,
      },
      ...sectionsOfCoverage(result, isDetail),
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
    end: [`${requests} of at most ${countNoun(budget, 'request')} in ${describeTime(durationMs)}.`],
    ...resultsForPrograms(result, name),
  };
}

function headlineOf(result: RunResult, isBrief: boolean): Text {
  const { contract, target, seed, checks } = result;
  const judged = describeCoverage(result);
  const idle = isBrief ? 0 : checks.filter(({ verdict, strength }) => verdict === 'not-exercised' && strength === 'stated').length;
  return [
    { text: `${contract.title} ${contract.version}`.trim(), as: 'strong' },
    ` at ${target}`,
    faint(`, seed ${seed}`),
    ...(judged === undefined ? [] : [`: ${judged}`]),
    ...(idle === 0 ? [] : ['; ', { text: `${countNoun(idle, 'stated check')} not exercised`, as: 'doubtful' } as const]),
  ];
}

function listNotes(notes: readonly string[]): readonly Block[] {
  if (notes.length === 0) return [];
  const more = notes.length - notesMax;
  return [{ kind: 'list', items: [...notes.slice(0, notesMax), ...(more <= 0 ? [] : [`and ${more} more: the JSON report has them`])] }];
}

function listSetAside(setAside: readonly SetAside[]): readonly Block[] {
  return setAside.length === 0 ? [] : [{ kind: 'list', items: linesOfSetAside(setAside) }];
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

/** Links every violated check to the entry of its cause. */
function linksOf(causes: readonly Cause[], checks: readonly CheckResult[], prefix: string): ReadonlyMap<CheckResult, string> {
  const links = new Map<CheckResult, string>();
  for (const cause of causes)
    for (const { rule, operation } of cause.explains) {
      const check = checks.find((each) => each.rule === rule && each.operation === operation);
      if (check !== undefined && !links.has(check)) links.set(check, linkOf(cause, prefix));
    }
  return links;
}

/** The target of links to a cause. It stays from run to run, so that a ticket can link to it in a newer report. */
function linkOf({ id }: Cause, prefix: string): string {
  return `${prefix}cause-${id}`;
}

function entryOfDoubt(check: CheckResult): Entry {
  const state = stateOf(check);
  return { name: nameOfCheck(check), title: check.title, tone: stateTones[state], line: `${stateWords[state]}: ${check.message}` };
}

function nameOfCheck(check: CheckResult): Text {
  return [{ text: check.rule, as: stateTones[stateOf(check)] }, ' in ', code(check.operation)];
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

function sectionsOfCoverage(result: RunResult, isDetail: boolean): JudgedReport['sections'] {
  const entries = listNotJudged(result);
  return [
    {
      id: 'coverage',
      title: 'Operations not checked',
      tone: 'neutral',
      entries,
      lines: linesMax,
      only: ['terminal', 'comment'],
      isDetail,
    },
    { id: 'matrix', title: 'Coverage of the contract', tone: 'neutral', blocks: tableOfCoverage(result), only: ['page'] },
  ];
}

function listNotJudged({ coverage = [] }: RunResult): readonly Entry[] {
  return coverage.flatMap(({ operation, notJudged, lacks = [] }): readonly Entry[] => {
    if (notJudged === undefined || notJudged === 'writes') return [];
    const advice = notJudged === 'changes' ? `: call it with --send '${operation}'` : lacks.join(', ');
    return [{ name: code(operation), tone: 'neutral', line: `${reasonPhrases[notJudged](true)}${advice}` }];
  });
}

/** Builds the matrix of operations, documented statuses and parameters. */
function tableOfCoverage({ coverage = [] }: RunResult): readonly Block[] {
  const rows = coverage.map(({ operation, method, path, notJudged, lacks = [], statuses, parameters }): Row => {
    const sent = parameters.filter(({ isSent }) => isSent).map(({ name }) => name);
    const notSent = parameters.filter(({ isSent }) => !isSent).map(({ name }) => name);
    const shown = statuses.map(({ status, responses, notCompared }) =>
      responses === 0 ? `${status} not seen` : `${status} seen${notCompared === undefined ? '' : `, body not compared: ${notCompared}`}`,
    );
    const state = notJudged === undefined ? 'checked' : `${reasonPhrases[notJudged](true)}${lacks.join(', ')}`;
    return {
      cells: [
        code(operation),
        `${method} ${path}`,
        { text: state, as: notJudged === undefined ? 'good' : 'doubtful' },
        shown.join('; '),
        [sent.join(', '), ...(notSent.length === 0 ? [] : [faint(`${sent.length === 0 ? '' : '; '}not sent: ${notSent.join(', ')}`)])],
      ],
    };
  });
  return rows.length === 0
    ? []
    : [{ kind: 'table', columns: ['Operation', 'Request', 'State', 'Documented statuses', 'Parameters and body'], rows }];
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
      cells: [[code(id), ` in ${operation}: ${title}`], { text: stateWords[state], as: stateTones[state] }, { line, summary, blocks }],
      state: { word: stateWords[state], tone: stateTones[state] },
      labels: [
        ['Operation', operation],
        ['Rules', groupOfCheck(check)],
      ],
    };
  });
  return rows.length === 0 ? [] : [{ kind: 'table', columns: ['Check', 'Verdict', 'Evidence'], rows, find: true }];
}

function listMutants(title: string, mutants: readonly (KilledMutant | OpenMutant)[]): Block {
  const more = mutants.length - mutantsMax;
  const items = mutants.slice(0, mutantsMax).map((mutant) => {
    if ('missing' in mutant) return `${mutant.title}: needs ${mutant.missing}`;
    return mutant.by === undefined ? mutant.title : `${mutant.title}: killed by ${mutant.by.join(', ')}`;
  });
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
