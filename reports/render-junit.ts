/** JUnit XML for CI systems that keep a history of tests. It follows the schema junit-10.xsd of Jenkins, so it has no member of other dialects. */

import { clip } from './clip-text.ts';
import { escapeMarkup } from './html-template.ts';
import { linesOf } from './plain-block-lines.ts';
import { type JudgedReport, summaryOf, type TestCase } from './report-model.ts';

/** Maximum numbers of characters of a sentence and of a name. */
const sentenceMax = 2000;
const nameMax = 300;

/** Renders tests as failures, skipped cases and passed cases. */
export function renderJunit(...reports: readonly JudgedReport[]): string {
  const tests = reports.flatMap((report) => report.tests);
  const durations = reports.flatMap(({ durationMs }) => durationMs ?? []);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${reports[0]?.command ?? ''}" ${countsOf(tests)}${timeOf(durations)}>`,
    ...reports.flatMap(renderSuites),
    '</testsuites>',
    '',
  ].join('\n');
}

/** Renders the suites of a report; an empty one without tests. The general lines stand in the first one. */
function renderSuites(report: JudgedReport): readonly string[] {
  const { name, tests, started } = report;
  const suites = tests.length === 0 ? [name] : [...new Set(tests.map(({ suite }) => suite))];
  // In UTC and without a zone, which the readers of this format refuse.
  const start = started === undefined ? '' : ` timestamp="${escapeLine(started.slice(0, 'yyyy-mm-ddThh:mm:ss'.length), nameMax)}"`;
  return suites.flatMap((suite, index) => {
    const members = tests.filter((test) => test.suite === suite);
    const skipped = members.filter(({ state }) => state === 'skipped').length;
    const time = timeOf(members.flatMap(({ durationMs }) => durationMs ?? []));
    return [
      `  <testsuite name="${escapeLine(suite, nameMax)}" ${countsOf(members)} skipped="${skipped}"${time}${start}>`,
      ...members.flatMap(renderCase),
      ...(index > 0 ? [] : [`    <system-out>${escapeLines(generalLinesOf(report))}</system-out>`]),
      '  </testsuite>',
    ];
  });
}

/** What the report says about the run as a whole. */
function generalLinesOf(report: JudgedReport): readonly string[] {
  const remarks = report.annotations.filter(({ finding, place }) => finding === undefined && place === undefined);
  return [...summaryOf(report), ...remarks.map(({ title, blocks }) => [title, ...linesOf(blocks)].join(': '))];
}

/** Writes the sum of times in seconds; nothing without times. */
function timeOf(milliseconds: readonly number[]): string {
  return milliseconds.length === 0 ? '' : ` time="${(milliseconds.reduce((sum, each) => sum + each, 0) / 1000).toFixed(3)}"`;
}

function countsOf(tests: readonly TestCase[]): string {
  const countState = (wantedState: TestCase['state']): number => tests.filter(({ state }) => state === wantedState).length;
  return `tests="${tests.length}" failures="${countState('failed')}" errors="${countState('error')}"`;
}

function renderCase({ className, name, state, message, type, blocks, durationMs }: TestCase): readonly string[] {
  const time = timeOf(durationMs === undefined ? [] : [durationMs]);
  const start = `    <testcase classname="${escapeLine(className, nameMax)}" name="${escapeLine(name, nameMax)}"${time}`;
  const lines = linesOf(blocks);
  const output = lines.length === 0 ? [] : [`      <system-out>${escapeLines(lines)}</system-out>`];
  const kind = state === 'failed' ? 'failure' : 'error';
  const children =
    state === 'passed'
      ? output
      : state === 'skipped'
        ? [`      <skipped message="${escapeLine(message)}"/>`, ...output]
        : [`      <${kind} message="${escapeLine(message)}" type="${escapeLine(type ?? kind, nameMax)}">${escapeLines(lines)}</${kind}>`];
  return children.length === 0 ? [`${start}/>`] : [`${start}>`, ...children, '    </testcase>'];
}

function escapeLines(lines: readonly string[]): string {
  return lines.map((each) => escapeLine(each)).join('\n');
}

/** Escapes a text as one line, for content and attributes. */
function escapeLine(content: string, lengthMax: number = sentenceMax): string {
  return escapeMarkup(clip(content, lengthMax));
}
