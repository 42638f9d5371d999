/**
 * JUnit XML for CI systems that keep a history of tests: each item of a result is a test case in its suite. `cli/report-option.ts` calls it for each
 * `--report junit=FILE` at the end of a command. The file follows the schema junit-10.xsd of Jenkins, so it has no member of other dialects.
 */

import { clip } from './clip-text.ts';
import { escapeMarkup } from './html-template.ts';
import type { Item, ItemList } from './report-model.ts';

/** Maximum numbers of characters of a sentence and of a name. */
const sentenceMax = 2000;
const nameMax = 300;

/** Renders items as failures, skipped cases and passed cases. */
export function renderJunit(...lists: readonly ItemList[]): string {
  const items = lists.flatMap((list) => list.items);
  const durations = lists.flatMap(({ durationMs }) => durationMs ?? []);
  const time = durations.length === 0 ? '' : timeOf(durations.reduce((sum, each) => sum + each, 0));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${lists[0]?.command ?? ''}" ${countsOf(items)}${time}>`,
    ...lists.flatMap(renderSuites),
    '</testsuites>',
    '',
  ].join('\n');
}

/** Renders the suites of a list. The general lines stand in the first one. */
function renderSuites({ suite: namedSuite, items, about, started }: ItemList): readonly string[] {
  const suites = [...new Set([...(namedSuite === undefined ? [] : [namedSuite]), ...items.map(({ suite }) => suite)])];
  // In UTC and without a zone, which the readers of this format refuse.
  const start = started === undefined ? '' : ` timestamp="${escapeLine(started.slice(0, 'yyyy-mm-ddThh:mm:ss'.length), nameMax)}"`;
  return suites.flatMap((suite, index) => {
    const members = items.filter((item) => item.suite === suite);
    const skipped = members.filter(({ state }) => state === 'skipped').length;
    const times = members.flatMap(({ durationMs }) => durationMs ?? []);
    const time = times.length === 0 ? '' : timeOf(times.reduce((sum, each) => sum + each, 0));
    return [
      `  <testsuite name="${escapeLine(suite, nameMax)}" ${countsOf(members)} skipped="${skipped}"${time}${start}>`,
      ...members.flatMap(renderCase),
      ...(index > 0 || about.length === 0 ? [] : [`    <system-out>${escapeLines(about)}</system-out>`]),
      '  </testsuite>',
    ];
  });
}

/** Writes a time in seconds. */
function timeOf(milliseconds: number): string {
  return ` time="${(milliseconds / 1000).toFixed(3)}"`;
}

function countsOf(items: readonly Item[]): string {
  const countState = (wantedState: Item['state']): number => items.filter(({ state }) => state === wantedState).length;
  return `tests="${items.length}" failures="${countState('failed')}" errors="${countState('error')}"`;
}

function renderCase({ className, name, state, message, type, details, evidence = [], durationMs }: Item): readonly string[] {
  const time = durationMs === undefined ? '' : timeOf(durationMs);
  const start = `    <testcase classname="${escapeLine(className, nameMax)}" name="${escapeLine(name, nameMax)}"${time}`;
  const lines = [...details, ...evidence];
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
