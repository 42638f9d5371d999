/** Sentences that the reports of `touchstone verify` share. */

import { countNoun } from '../../core/count-noun.ts';
import {
  type Cause,
  type CheckResult,
  type Counterexample,
  countCoverage,
  type OperationCoverage,
  type RunResult,
} from '../../core/results/run-result.ts';
import { type Block, code, type Fact } from '../report-model.ts';
import { checkStates, checksIn } from './check-states.ts';

/** Names one of several runs: by its contract, and by its target if another run has the same contract. */
export function nameOfRun({ contract, target }: RunResult, results: readonly RunResult[]): string {
  return results.filter((each) => each.contract.name === contract.name).length === 1 ? contract.name : `${contract.name} at ${target}`;
}

/** Names the contract and the target. */
export function describeRun({ contract, target }: RunResult): string {
  return `${`${contract.title} ${contract.version}`.trim()} at ${target}`;
}

/** Describes the verdict on the run, as a sentence without a full stop. */
export function describeEnd(result: RunResult): string {
  const [violated, held, waived] = [
    checksIn(result, 'violated').length,
    checksIn(result, 'holds').length,
    checksIn(result, 'waived').length,
  ];
  const all = countNoun(result.checks.length, 'check');
  const causes = result.causes.filter(({ waiver }) => waiver === undefined).length;
  const none = waived === 0 ? 'no violation was found' : `all violations are waived (${waived})`;
  const few = held * 10 < checksIn(result, ...checkStates.filter((state) => state !== 'not-testable')).length;
  const lacking = result.cutShort === 'budget' ? 'but the budget was spent' : 'but required checks have no result';
  const shown = few ? `but only ${held} of ${all} had a result` : lacking;
  const { judged, sendable } = countCoverage(result.coverage ?? []);
  if (result.exitCode === 4 && judged * 2 < sendable)
    return `Too little evidence: ${none}, but only ${judged} of the ${sendable} operations that may be called were checked`;
  const little = held === 0 ? 'but no check had a result' : shown;
  return {
    0: `Holds: ${held} of ${all} ${held === 1 ? 'holds' : 'hold'}, and ${none}`,
    1: `Violated: ${violated} of ${all}, ${countNoun(causes, 'cause')}`,
    3: `Blocked: ${result.unavailable === undefined ? 'a part of the target' : 'the target'} could not be checked`,
    4: `Too little evidence: ${none}, ${little}`,
    130: 'Interrupted: the results so far are reported',
  }[result.exitCode];
}

/** Says how much of the contract was judged: `judged 14 of 23 operations (6 write and were not sent, 3 lack a value for {owner})`. */
export function describeCoverage({ coverage }: RunResult): string | undefined {
  if (coverage === undefined) return undefined;
  const { judged, all } = countCoverage(coverage);
  const reasons = (Object.keys(reasonPhrases) as (keyof typeof reasonPhrases)[]).flatMap((reason) => {
    const own = coverage.filter(({ notJudged }) => notJudged === reason);
    return own.length === 0
      ? []
      : [`${own.length} ${reasonPhrases[reason](own.length === 1)}${reason === 'value' ? lackedNames(own) : ''}`];
  });
  return `checked ${judged} of ${countNoun(all, 'operation')}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`;
}

/** The reason why operations were not judged, as a verb phrase. */
export const reasonPhrases: Readonly<Record<NonNullable<OperationCoverage['notJudged']>, (isOne: boolean) => string>> = {
  writes: (isOne) => (isOne ? 'writes and was not called' : 'write and were not called'),
  changes: (isOne) => (isOne ? 'seems to change something and was not called' : 'seem to change something and were not called'),
  key: (isOne) => (isOne ? 'needs a key' : 'need a key'),
  value: (isOne) => (isOne ? 'lacks a value for ' : 'lack a value for '),
  refused: () => 'rejected the key',
  unavailable: (isOne) => (isOne ? 'was not available' : 'were not available'),
  'not-asked': (isOne) => (isOne ? 'was not called' : 'were not called'),
};

/** Maximum number of parameters in the summary. */
const lackedMax = 4;

function lackedNames(coverage: readonly OperationCoverage[]): string {
  const names = [
    ...new Set(coverage.flatMap(({ lacks = [], path }) => lacks.map((name) => (path.includes(`{${name}}`) ? `{${name}}` : name)))),
  ];
  return `${names.slice(0, lackedMax).join(', ')}${names.length > lackedMax ? ` and ${names.length - lackedMax} others` : ''}`;
}

/** Formats a duration: `2.8 s`, `1 min 23 s`. */
export function describeTime(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** The expected value beside the actual one. */
export function versusOf({ expected, actual }: Counterexample): Block {
  return { kind: 'versus', left: ['Expected', expected], right: ['Actual', actual] };
}

/** Names the checks of a gap: `order/within at 2 operations, sync/closure`. */
export function describeChecks(checks: readonly Pick<CheckResult, 'rule' | 'operation'>[]): string {
  const operations = new Map<string, string[]>();
  for (const { rule: id, operation } of checks) operations.set(id, [...(operations.get(id) ?? []), operation]);
  return [...operations]
    .map(([id, all]) => [id, [...new Set(all)]] as const)
    .map(([id, at]) => `${id} in ${at.length === 1 ? at[0] : `${at.length} operations`}`)
    .join(', ');
}

/** Maximum length of the answers to open questions in the summary. */
const answersMax = 190;

/** Lists answers to open questions in a few lines, and counts the unanswered questions. */
export function describeOpenQuestions({ observations }: RunResult): string {
  const facts = observations.flatMap(({ id, answers }) => (answers.length === 0 ? [] : [`${id}: ${answers.join(' or ')}`]));
  const open = observations.length - facts.length;
  const fitting = facts.findIndex((_, index) => facts.slice(0, index + 1).join('; ').length > answersMax);
  const shown = fitting < 0 ? facts : facts.slice(0, fitting);
  const more = facts.length - shown.length;
  return [
    ...shown,
    ...(more === 0 ? [] : [`${more} more ${more === 1 ? 'answer' : 'answers'}`]),
    ...(open === 0 ? [] : [`${countNoun(open, 'question')} in the contract ${open === 1 ? 'stays' : 'stay'} open`]),
  ].join('; ');
}

/** Facts of a run: target, time, cost and command line. */
export function factsOfRun({ contract, target, requests, budget, seed, started, durationMs, ...run }: RunResult): readonly Fact[] {
  const { exitCode, toolVersion, command, commit } = run;
  return [
    ['Contract', `${contract.title} ${contract.version} (${contract.name})`],
    ['Target', target],
    ...(commit === undefined ? [] : [['Commit', code(commit)] as const]),
    ['Started', `${started.replace('T', ' ').replace(/(\.\d+)?Z$/, '')} UTC, for ${describeTime(durationMs)}`],
    ['Requests', `${requests} of at most ${budget}, seed ${seed}`],
    ['Exit code', `${exitCode}, by touchstone ${toolVersion}`],
    ...(command === undefined ? [] : [['Command', { text: command, as: 'code', copy: 'the command of the run' }] as const]),
  ];
}

/** Shows the command that checks a cause again: a replay of the JSON report, or else the same run with its rule alone. */
export function describeAgain({ command = '' }: RunResult, { rule, operations }: Cause): readonly Block[] {
  if (command === '' || / --(only|watch)\b/.test(command)) return [];
  const [, file = '-'] = / --report[ =]json=([^\s']+)/.exec(command) ?? [];
  const named = [...command.matchAll(/ --target[ =](?!\w+:)[^\s']+/g)];
  const keys = [...(named.length === 1 ? named : []), ...command.matchAll(/ --(?:key|header)[ =][^\s']+/g)].join('');
  const operation = operations.length === 1 ? ` --operation ${operations[0]}` : '';
  const line =
    file === '-'
      ? `${command.replaceAll(/ --report[ =]('[^']*'|[^\s']+)/g, '')} --only ${rule}`
      : `touchstone replay ${file} ${rule}${operation}${keys}`;
  const text = { text: line, as: 'code', copy: `the command that checks ${rule} again` } as const;
  return [{ kind: 'fold', title: 'Check it again after a fix', blocks: [{ kind: 'paragraph', text }] }];
}
