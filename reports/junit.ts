/** JUnit's XML, for what keeps a history of test results: what a report says of each of its parts as test cases in suites. */

import type { Place } from '../core/errors.ts';
import { clip } from './excerpt.ts';
import { escapeMarkup } from './html-text.ts';

/** A suite. Its name stays the same from run to run, or a history of results would end with each. */
export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  /** Lines about the report as a whole. */
  readonly about?: readonly string[];
}

/** A test case: passed unless it has an outcome. */
export interface TestCase {
  readonly className: string;
  readonly name: string;
  readonly place?: Place | undefined;
  readonly outcome?: { readonly kind: 'failure' | 'error' | 'skipped'; readonly message: string; readonly type?: string };
  /** Lines that stand in a failure, and as the output of any other case. */
  readonly details?: readonly string[];
}

const sentenceMax = 2000;
const nameMax = 300;

/**
 * Renders suites of a command.
 * @example
 * renderJunit('touchstone diff', [{ name: 'Orders', cases: [{ className: 'listOrders', name: 'limit' }] }])
 */
export function renderJunit(command: string, suites: readonly TestSuite[], durationMs = 0): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${command}" ${countsOf(all)} time="${(durationMs / 1000).toFixed(3)}">`,
    ...suites.flatMap(({ name, cases, about = [] }) => [
      `  <testsuite name="${line(name, nameMax)}" ${countsOf(cases)} time="0">`,
      ...cases.flatMap(renderCase),
      ...(about.length === 0 ? [] : [`    <system-out>${text(about)}</system-out>`]),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function countsOf(cases: readonly TestCase[]): string {
  const count = (kind: string): number => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function renderCase({ className, name, place, outcome, details = [] }: TestCase): readonly string[] {
  const where = place === undefined ? '' : ` file="${line(place.file, nameMax)}" line="${place.line}"`;
  const start = `    <testcase classname="${line(className, nameMax)}" name="${line(name, nameMax)}"${where} time="0"`;
  const output = details.length === 0 ? [] : [`      <system-out>${text(details)}</system-out>`];
  const children = outcome === undefined ? output : renderOutcome(outcome, details, output);
  return children.length === 0 ? [`${start}/>`] : [`${start}>`, ...children, '    </testcase>'];
}

function renderOutcome(
  { kind, message, type }: NonNullable<TestCase['outcome']>,
  details: readonly string[],
  output: readonly string[],
): readonly string[] {
  if (kind === 'skipped') return [`      <skipped message="${line(message)}"/>`, ...output];
  return [`      <${kind} message="${line(message)}" type="${line(type ?? kind, nameMax)}">${text(details)}</${kind}>`];
}

function text(lines: readonly string[]): string {
  return lines.map((each) => line(each)).join('\n');
}

/** One line of text, for content and attributes alike. */
function line(content: string, most: number = sentenceMax): string {
  return escapeMarkup(clip(content, most));
}
