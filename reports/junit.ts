/**
 * JUnit XML for CI systems that keep a history of tests. Each item of a result is a test case in its suite. The file follows the schema
 * junit-10.xsd of Jenkins, so it has no member of other dialects. `cli/report-formats.ts` calls it for `--report junit=FILE`.
 */

import { clip } from './excerpt.ts';
import { escapeMarkup } from './html-text.ts';
import type { Item, ItemList } from './model.ts';

/** Maximum numbers of characters of a sentence and of a name. */
const sentenceMax = 2000;
const nameMax = 300;

/** Renders items as failures, skipped cases and passed cases. The general lines stand in the first suite. */
export function renderJunit({ command, suite: named, items, about, started, durationMs }: ItemList): string {
  const suites = [...new Set([...(named === undefined ? [] : [named]), ...items.map(({ suite }) => suite)])];
  const time = durationMs === undefined ? '' : ` time="${(durationMs / 1000).toFixed(3)}"`;
  // In UTC and without a zone, which the readers of this format refuse.
  const start = started === undefined ? '' : ` timestamp="${line(started.slice(0, 'yyyy-mm-ddThh:mm:ss'.length), nameMax)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${command}" ${countsOf(items)}${time}>`,
    ...suites.flatMap((suite, index) => {
      const members = items.filter((item) => item.suite === suite);
      const skipped = members.filter(({ state }) => state === 'skipped').length;
      return [
        `  <testsuite name="${line(suite, nameMax)}" ${countsOf(members)} skipped="${skipped}"${start}>`,
        ...members.flatMap(renderCase),
        ...(index > 0 || about.length === 0 ? [] : [`    <system-out>${text(about)}</system-out>`]),
        '  </testsuite>',
      ];
    }),
    '</testsuites>',
    '',
  ].join('\n');
}

function countsOf(items: readonly Item[]): string {
  const count = (counted: Item['state']): number => items.filter(({ state }) => state === counted).length;
  return `tests="${items.length}" failures="${count('failed')}" errors="${count('error')}"`;
}

function renderCase({ className, name, state, message, type, details, evidence = [] }: Item): readonly string[] {
  const start = `    <testcase classname="${line(className, nameMax)}" name="${line(name, nameMax)}"`;
  const lines = [...details, ...evidence];
  const output = lines.length === 0 ? [] : [`      <system-out>${text(lines)}</system-out>`];
  const kind = state === 'failed' ? 'failure' : 'error';
  const children =
    state === 'passed'
      ? output
      : state === 'skipped'
        ? [`      <skipped message="${line(message)}"/>`, ...output]
        : [`      <${kind} message="${line(message)}" type="${line(type ?? kind, nameMax)}">${text(lines)}</${kind}>`];
  return children.length === 0 ? [`${start}/>`] : [`${start}>`, ...children, '    </testcase>'];
}

function text(lines: readonly string[]): string {
  return lines.map((each) => line(each)).join('\n');
}

/** Escapes a text as one line, for content and attributes. */
function line(content: string, lengthMax: number = sentenceMax): string {
  return escapeMarkup(clip(content, lengthMax));
}
