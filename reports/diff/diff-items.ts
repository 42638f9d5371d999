/**
 * The changes of `touchstone diff` as items and annotations, for JUnit, GitHub, GitLab and SARIF. `cli/diff/diff-report-option.ts` builds them for each
 * contract and each of these formats, at the end of the command. The rendering belongs to the formats.
 */

import { formatLocation } from '../../core/errors.ts';
import { type Change, type ChangeSide, type ContractComparison, changeLevels, unacceptedChanges } from '../../core/results/diff-result.ts';
import type { Annotation, Item, ItemList } from '../report-model.ts';
import { printShort } from '../shorten-value.ts';
import {
  acceptanceOf,
  describeAdvice,
  describeChangeCounts,
  describeConsequence,
  describeConsumers,
  describeReach,
  describeReason,
  describeText,
  describeVerdict,
  describeVersions,
} from './diff-sentences.ts';
import { describeWitness } from './witness-lines.ts';

const valueMax = 300;

const annotationLevels = { security: 'error', breaking: 'error', risky: 'warning', compatible: 'notice' } as const;

/** Builds the items, one for each change. Security and breaking changes fail, accepted changes are skipped, all other changes pass. */
export function itemsOfComparison(comparison: ContractComparison): ItemList {
  const { accepted, notes, new: next } = comparison;
  const open = changeLevels.flatMap((level) => unacceptedChanges(comparison, level));
  const repeated = listRepeatedNames([...open, ...accepted.map(({ change }) => change)]);
  const suite = next.title || next.file;
  const accept = (reason: string, expires: string | undefined): string => `${reason}${expires === undefined ? '' : ` (until ${expires})`}`;
  return {
    command: 'touchstone diff',
    subject: suite,
    suite,
    items: [
      ...open.map((change) => itemOf(change, suite, repeated)),
      ...accepted.map(({ change, reason, expires }): Item => {
        return { suite, ...itemNames(change, repeated), state: 'skipped', message: `accepted: ${accept(reason, expires)}`, details: [] };
      }),
    ],
    about: [describeVersions(comparison), describeChangeCounts(comparison), describeAdvice(comparison), ...notes],
    annotations: [
      ...open.flatMap(annotate),
      ...notes.map((note) => ({ level: 'notice', title: 'Comparison of contracts', lines: [note] }) as const),
    ],
  };
}

const severities = { security: 'blocker', breaking: 'critical', risky: 'minor', compatible: 'info' } as const;

function annotate(change: Change): readonly Annotation[] {
  const { level, text, id, fingerprint, operation = 'the contract', location, after } = change;
  if (level === 'documentation') return [];
  const subject = [operation, location].filter((part) => part !== '').join(', ');
  const finding = { id: fingerprint, rule: id, subject, message: text, severity: severities[level] };
  return [{ level: annotationLevels[level], title: `${level}: ${subject}`, lines: detailsOf(change), place: after.place, finding }];
}

function itemOf(change: Change, suite: string, repeated: ReadonlySet<string>): Item {
  const { level, text, id } = change;
  return {
    suite,
    ...itemNames(change, repeated),
    state: level === 'security' || level === 'breaking' ? 'failed' : 'passed',
    message: text,
    type: id,
    details: level === 'documentation' ? [] : detailsOf(change),
  };
}

function detailsOf(change: Change): readonly string[] {
  const { witness } = change;
  const [verdict, reach, consumers] = [describeVerdict(change), describeReach(change), describeConsumers(change)];
  const { request = [], response = [], records = [], finding = [] } = witness === undefined ? {} : describeWitness(witness);
  return [
    describeText(change),
    ...(change.reason === '' ? [] : [describeReason(change)]),
    ...describeSides(change),
    ...(reach === undefined ? [] : [reach]),
    ...(consumers === undefined ? [] : [consumers]),
    ...change.consequences.map(describeConsequence),
    ...(verdict === undefined ? [] : [verdict]),
    ...[...request, ...response, ...records, ...finding],
    `accept: ${acceptanceOf(change)}`,
  ];
}

/** The old and the new value with their places; the only value if it was added or removed. */
function describeSides({ before, after }: Change): readonly string[] {
  const print = (label: string, { value, place }: ChangeSide): string =>
    `${label}: ${printShort(value, valueMax)} (${formatLocation(place)})`;
  if (before.value === undefined) return [after.value === undefined ? `at: ${formatLocation(after.place)}` : print('added', after)];
  return after.value === undefined ? [print('removed', before)] : [print('before', before), print('after', after)];
}

/** Names of several changes. CI systems identify tests by name, so these names get the fingerprint of the change. */
function listRepeatedNames(changes: readonly Change[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const change of changes) {
    const name = `${classOf(change)}\n${itemName(change)}`;
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

function itemNames(change: Change, repeated: ReadonlySet<string>): Pick<Item, 'className' | 'name'> {
  const [className, name] = [classOf(change), itemName(change)];
  const unique = repeated.has(`${className}\n${name}`) ? `${name} (${change.fingerprint})` : name;
  return { className, name: unique };
}

function classOf({ operation }: Change): string {
  return operation ?? 'contract';
}

function itemName({ id, location }: Change): string {
  return location === '' ? id : `${id} ${location}`;
}
