/** The report of a run as JUnit's XML, for what keeps a history of test results: one suite for each operation, one test case for each law at it. */

import { printPlace } from '../../core/errors.ts';
import type { LawResult, RunResult } from '../../core/verdict.ts';
import { clip } from '../excerpt.ts';
import { escapeMarkup } from '../html-text.ts';
import {
  describeCounts,
  describeEffort,
  describeEnd,
  describeFacts,
  describeRun,
  describeWaiver,
  groupByOperation,
  placeOf,
  stateOf,
  stateWords,
} from './words.ts';

const sentenceMax = 2000;
const nameMax = 300;
/** So many exchanges of a counterexample are told with their bodies, the first and the last ones, and so much of each body. */
const exchangesMax = 6;
const bodyMax = 1000;
const commandsMax = 20;

/** Renders a run. What is violated fails; what is waived, or could not be shown, is skipped with its reason. */
export function renderVerifyJunit(result: RunResult): string {
  const { contract, laws, durationMs, notes = [] } = result;
  const about = [describeRun(result), describeEnd(result), describeCounts(result), describeEffort(result), ...notes];
  const broken = renderRun(result);
  const suites = groupByOperation(laws);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="touchstone verify" ${countsOf(laws, broken.length)} time="${(durationMs / 1000).toFixed(3)}">`,
    ...broken,
    // Names stay the same from run to run, or a history of results would end with each.
    ...suites.flatMap(({ operation, members }, index) => [
      `  <testsuite name="${line(`${contract.name}: ${operation}`, nameMax)}" ${countsOf(members, 0)} time="0">`,
      ...members.flatMap((law) => renderCase(law)),
      ...(index === 0 ? [`    <system-out>${about.map((text) => line(text)).join('\n')}</system-out>`] : []),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

/** A run that ended otherwise than by judging is an error of its own: skipped cases alone would pass for a good run. */
function renderRun(result: RunResult): readonly string[] {
  const { contract, exitCode, unavailable, notes = [] } = result;
  if (exitCode === 0 || exitCode === 1) return [];
  const body = [...(unavailable === undefined ? [] : [unavailable]), ...notes].map((text) => line(text)).join('\n');
  return [
    `  <testsuite name="${line(`${contract.name}: the run`, nameMax)}" tests="1" failures="0" errors="1" skipped="0" time="0">`,
    `    <testcase classname="${line(contract.name, nameMax)}" name="the run" time="0">`,
    `      <error message="${line(describeEnd(result))}" type="exit code ${exitCode}">${body}</error>`,
    '    </testcase>',
    '  </testsuite>',
  ];
}

function countsOf(laws: readonly LawResult[], broken: number): string {
  const failed = laws.filter((law) => stateOf(law) === 'violated').length;
  const held = laws.filter((law) => stateOf(law) === 'holds').length;
  const errors = broken === 0 ? 0 : 1;
  return `tests="${laws.length + errors}" failures="${failed}" errors="${errors}" skipped="${laws.length - failed - held}"`;
}

function renderCase(law: LawResult): readonly string[] {
  const place = placeOf(law);
  const where = place === undefined ? '' : ` file="${line(place.file, nameMax)}" line="${place.line}"`;
  const start = `    <testcase classname="${line(law.operation, nameMax)}" name="${line(law.id, nameMax)}"${where} time="0"`;
  const state = stateOf(law);
  if (state === 'holds') return [`${start}/>`];
  const body = describe(law)
    .map((text) => line(text))
    .join('\n');
  if (state === 'violated')
    return [
      `${start}>`,
      `      <failure message="${line(law.message || law.title)}" type="${line(law.id, nameMax)}">${body}</failure>`,
      '    </testcase>',
    ];
  const reason = law.waiver === undefined ? law.message : describeWaiver(law.waiver);
  const output = law.counterexample === undefined ? [] : [`      <system-out>${body}</system-out>`];
  return [`${start}>`, `      <skipped message="${line(`${stateWords[state]}: ${reason}`)}"/>`, ...output, '    </testcase>'];
}

function describe(law: LawResult): readonly string[] {
  const { title, source, counterexample } = law;
  const facts = describeFacts(law).map(([label, text]) => `${label}: ${text}`);
  if (counterexample === undefined) return [title, ...facts, `source: ${source}`];
  const { exchanges, clause, curl } = counterexample;
  const kept = exchanges.filter((_, index) => index < exchangesMax / 2 || index >= exchanges.length - exchangesMax / 2);
  return [
    title,
    ...facts,
    `clause: ${printPlace(clause)}, from ${source}`,
    ...curl.slice(0, commandsMax),
    ...(curl.length <= commandsMax ? [] : [`… and ${curl.length - commandsMax} more requests`]),
    ...kept.flatMap(({ request, response }) => [
      `${request.method} ${request.target} gave ${response.status}`,
      ...(response.body === '' ? [] : [clip(response.body, bodyMax)]),
    ]),
    ...(kept.length === exchanges.length ? [] : [`… and ${exchanges.length - kept.length} more exchanges: the report in JSON holds them`]),
  ];
}

/** One line of text, for content and attributes alike. */
function line(text: string, most: number = sentenceMax): string {
  return escapeMarkup(clip(text, most));
}
