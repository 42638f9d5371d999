/** The report of a comparison as JUnit's XML, for what keeps a history of test results: one test case for each change. */

import type { AcceptedChange, Change, ContractComparison } from '../../core/change.ts';
import { levels } from '../../core/change.ts';
import { printPlace } from '../../core/errors.ts';
import { clip, showValue } from '../excerpt.ts';
import { escapeMarkup } from '../html-text.ts';
import { describeWitness } from './witness-lines.ts';
import { describeAdvice, describeComparison, describeReach, describeReason, describeText, describeVerdict, openChanges } from './words.ts';

const sentenceMax = 2000;
const valueMax = 300;

/** Renders a comparison. Breaking changes fail, accepted ones are skipped, all others pass. */
export function renderDiffJunit(comparison: ContractComparison): string {
  const open = levels.flatMap((level) => openChanges(comparison, level));
  const { accepted, notes, version } = comparison;
  const repeated = listRepeatedNames([...open, ...accepted.map(({ change }) => change)]);
  const failures = open.filter((change) => change.level === 'breaking').length;
  const counts = `tests="${open.length + accepted.length}" failures="${failures}" errors="0" skipped="${accepted.length}" time="0"`;
  const about = [describeComparison(comparison), describeAdvice(version), ...notes];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="touchstone diff" ${counts}>`,
    // Its name stays the same from version to version, or a history of results would end with each.
    `  <testsuite name="${line(comparison.new.title || comparison.new.file)}" ${counts}>`,
    ...open.map((change) => renderCase(change, repeated, renderOutcome(change))),
    ...accepted.map((each) => renderCase(each.change, repeated, [renderSkipped(each)])),
    `    <system-out>${about.map(line).join('\n')}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function renderCase(change: Change, repeated: ReadonlySet<string>, children: readonly string[]): string {
  const [className, name] = [classOf(change), nameOf(change)];
  const unique = repeated.has(`${className}\n${name}`) ? `${name} (${change.fingerprint})` : name;
  const { file, line: row } = change.after.place;
  const start = `    <testcase classname="${line(className)}" name="${line(unique)}" file="${line(file)}" line="${row}" time="0"`;
  return children.length === 0 ? `${start}/>` : [`${start}>`, ...children, '    </testcase>'].join('\n');
}

function renderOutcome(change: Change): readonly string[] {
  if (change.level === 'breaking') {
    const kind = `message="${line(change.text)}" type="${line(change.id)}"`;
    return [`      <failure ${kind}>${describe(change).map(line).join('\n')}</failure>`];
  }
  return change.level === 'risky' ? [`      <system-out>${describe(change).map(line).join('\n')}</system-out>`] : [];
}

function renderSkipped({ reason, expires }: AcceptedChange): string {
  return `      <skipped message="${line(`accepted: ${reason}${expires === undefined ? '' : ` (until ${expires})`}`)}"/>`;
}

function describe(change: Change): readonly string[] {
  const { before, after, witness } = change;
  const [verdict, reach] = [describeVerdict(change), describeReach(change)];
  const { request = [], response = [], records = [], finding = [] } = witness === undefined ? {} : describeWitness(witness, 'full');
  return [
    describeText(change),
    ...(change.reason === '' ? [] : [describeReason(change)]),
    `before: ${showValue(before.value, valueMax)} (${printPlace(before.place)})`,
    `after: ${showValue(after.value, valueMax)} (${printPlace(after.place)})`,
    ...(reach === undefined ? [] : [reach]),
    ...(verdict === undefined ? [] : [verdict]),
    ...[...request, ...response, ...records, ...finding],
    `fingerprint: ${change.fingerprint}`,
  ];
}

/** Test cases of one name are taken for one test by those that keep a history, so they are told apart by their fingerprints. */
function listRepeatedNames(changes: readonly Change[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const change of changes) {
    const name = `${classOf(change)}\n${nameOf(change)}`;
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

function classOf({ operation }: Change): string {
  return operation ?? 'contract';
}

function nameOf({ id, location }: Change): string {
  return location === '' ? id : `${id} ${location}`;
}

/** One line of text, for content and attributes alike. */
function line(text: string): string {
  return escapeMarkup(clip(text, sentenceMax));
}
