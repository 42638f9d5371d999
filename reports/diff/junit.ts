/** The report of a comparison as JUnit's XML: one test case for each change. */

import type { Change, ContractComparison } from '../../core/change.ts';
import { levels } from '../../core/change.ts';
import { printPlace } from '../../core/errors.ts';
import { showValue } from '../excerpt.ts';
import { renderJunit, type TestCase } from '../junit.ts';
import { describeWitness } from './witness-lines.ts';
import { describeAdvice, describeComparison, describeReach, describeReason, describeText, describeVerdict, openChanges } from './words.ts';

const valueMax = 300;

/** Renders a comparison. Breaking changes fail, accepted ones are skipped, all others pass. */
export function renderDiffJunit(comparison: ContractComparison): string {
  const open = levels.flatMap((level) => openChanges(comparison, level));
  const { accepted, notes, version } = comparison;
  const repeated = listRepeatedNames([...open, ...accepted.map(({ change }) => change)]);
  const cases = [
    ...open.map((change): TestCase => ({ ...namesOf(change, repeated), ...resultOf(change) })),
    ...accepted.map(({ change, reason, expires }): TestCase => {
      const message = `accepted: ${reason}${expires === undefined ? '' : ` (until ${expires})`}`;
      return { ...namesOf(change, repeated), outcome: { kind: 'skipped', message } };
    }),
  ];
  const about = [describeComparison(comparison), describeAdvice(version), ...notes];
  return renderJunit('touchstone diff', [{ name: comparison.new.title || comparison.new.file, cases, about }]);
}

function namesOf(change: Change, repeated: ReadonlySet<string>): Pick<TestCase, 'className' | 'name' | 'place'> {
  const [className, name] = [classOf(change), nameOf(change)];
  const unique = repeated.has(`${className}\n${name}`) ? `${name} (${change.fingerprint})` : name;
  return { className, name: unique, place: change.after.place };
}

function resultOf(change: Change): Pick<TestCase, 'outcome' | 'details'> {
  if (change.level === 'breaking')
    return { outcome: { kind: 'failure', message: change.text, type: change.id }, details: describe(change) };
  return change.level === 'risky' ? { details: describe(change) } : {};
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
