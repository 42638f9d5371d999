import { countNoun } from '../../core/count-noun.ts';
import { formatLocation } from '../../core/errors.ts';
import {
  type Change,
  type ChangeLevel,
  type ContractComparison,
  changeLevels,
  printAcceptance,
  unacceptedChanges,
} from '../../core/results/diff-result.ts';
import { describeWaiver } from '../../core/results/run-result.ts';
import { clip } from '../clip-text.ts';
import {
  type Annotation,
  type Block,
  code,
  type Entry,
  type Fact,
  faint,
  type JudgedReport,
  paragraph,
  type Section,
  type TestCase,
  type Text,
  type Tone,
} from '../report-model.ts';
import {
  describeAdvice,
  describeAffected,
  describeChangeCounts,
  describeComparison,
  describeConsequence,
  describeConsumers,
  describeNotCompared,
  describeReach,
  describeText,
  describeVerdict,
  groupChangesByPlace,
  levelTitles,
} from './diff-sentences.ts';
import { describeWitness } from './witness-lines.ts';

/** Tones of the levels. */
export const tones: Readonly<Record<ChangeLevel, Tone>> = {
  security: 'bad',
  breaking: 'bad',
  risky: 'doubtful',
  compatible: 'good',
  documentation: 'neutral',
};

/** With more changes than this, a report begins with their places and the first causes, folds the rest, and a terminal repeats the headline at the end. */
const manyChanges = 12;

/** Number of changes that such a report shows in full. */
export const firstMax = 5;

/** Number of places that it lists. */
const placesMax = 10;

/** Longest location in characters. Those of nested branches have hundreds. */
export const locationMax = 120;

/** Number of lines for the compatible changes of a long report in a terminal. */
const furtherMax = 12;

/** The report of a comparison. Each change is a test: security and breaking changes fail, accepted changes are skipped, all other changes pass. */
export function reportOfComparison(comparison: ContractComparison): JudgedReport {
  const { old, new: next, accepted, notCompared, notes, count: counts } = comparison;
  const name = next.title || next.file;
  const open = changeLevels.flatMap((level) => unacceptedChanges(comparison, level));
  const tone = counts.security + counts.breaking > 0 ? 'bad' : counts.risky > 0 ? 'doubtful' : 'good';
  const headline = { text: describeComparison(comparison), as: tone } as const;
  const isLong = open.length > manyChanges;
  const first = open.filter(({ level }) => level !== 'compatible' && level !== 'documentation').slice(0, firstMax);
  return {
    subject: 'Contract comparison',
    headline,
    verdict: describeChangeCounts(comparison),
    tone,
    shares: changeLevels.map((level) => ({ word: level, tone: tones[level], number: counts[level] })),
    lead: [faint(`${old.file} → ${next.file}`)],
    sections: [
      ...(isLong ? [sectionOfPlaces(open), sectionOfFirst(first, open.length)] : []),
      ...changeLevels.map((level) => sectionOfLevel(level, unacceptedChanges(comparison, level), isLong ? first : undefined)),
      sectionOfConsumers(comparison),
      listSection('not-compared', 'Not compared', notCompared.map(describeNotCompared), true),
      listSection('accepted', 'Accepted', accepted.map(describeAccepted), false),
      listSection('notes', 'Notes', notes, true),
    ],
    end: [describeAdvice(comparison), ...(isLong ? [headline] : [])],
    command: 'touchstone diff',
    name,
    tests: testsOf(open, accepted, name),
    annotations: [
      ...open.flatMap(annotate),
      ...[...notCompared.map((each) => `Not compared: ${describeNotCompared(each)}`), ...notes].map(
        (note) => ({ level: 'notice', title: 'Comparison of contracts', blocks: [paragraph(note)] }) as const,
      ),
    ],
  };
}

function testsOf(open: readonly Change[], accepted: ContractComparison['accepted'], suite: string): readonly TestCase[] {
  const changes = [...open, ...accepted.map(({ change }) => change)];
  const keys = changes.map((change) => `${classOf(change)} ${nameOf(change)}`);
  const reasons = new Map(accepted.map(({ change, ...waiver }) => [change, describeWaiver(waiver)]));
  return changes.map((change, index): TestCase => {
    // CI systems identify tests by name.
    const isRepeated = keys.indexOf(keys[index] ?? '') !== keys.lastIndexOf(keys[index] ?? '');
    const name = isRepeated ? `${nameOf(change)} (${change.fingerprint})` : nameOf(change);
    const identity = { suite, className: classOf(change), name };
    const reason = reasons.get(change);
    if (reason !== undefined) return { ...identity, state: 'skipped', message: `accepted: ${reason}`, blocks: [] };
    return {
      ...identity,
      state: change.level === 'security' || change.level === 'breaking' ? 'failed' : 'passed',
      message: change.text,
      type: change.id,
      blocks: change.level === 'documentation' ? [] : blocksOf(change),
    };
  });
}

function classOf({ operation }: Change): string {
  return operation ?? 'contract';
}

function nameOf({ id, location }: Change): string {
  return location === '' ? id : `${id} ${location}`;
}

const annotationLevels = { security: 'error', breaking: 'error', risky: 'warning', compatible: 'notice' } as const;
const severities = { security: 'blocker', breaking: 'critical', risky: 'minor', compatible: 'info' } as const;

function annotate(change: Change): readonly Annotation[] {
  const { level, text, id, fingerprint, operation = 'the contract', location, after } = change;
  if (level === 'documentation') return [];
  const subject = [operation, location].filter((part) => part !== '').join(', ');
  const finding = { id: fingerprint, rule: id, subject, message: text, severity: severities[level] };
  return [
    {
      level: annotationLevels[level],
      title: `${level}: ${describeText(change).replace(/\.$/, '')}`,
      blocks: blocksOf(change),
      place: after.place,
      finding,
    },
  ];
}

/** All consumers with a pact. A consumer without one may break too. */
export function sectionOfConsumers({ consumers = [] }: ContractComparison): Section {
  const rows = consumers.map(({ consumer, interactions, broken }) => ({
    cells: [
      consumer,
      { text: `${broken.length} of ${countNoun(interactions, 'interaction')} break`, as: broken.length > 0 ? 'bad' : 'good' },
      broken[0] ?? '',
    ] as const,
  }));
  return {
    id: 'consumers',
    title: 'Known consumers',
    tone: 'neutral',
    open: true,
    blocks: rows.length === 0 ? [] : [{ kind: 'table', columns: ['Consumer', 'Broken', 'First'], rows }],
  };
}

/** A section with a list; empty without items. */
export function listSection(id: string, title: string, items: readonly Text[], open: boolean): Section {
  return { id, title, tone: 'neutral', open, blocks: items.length === 0 ? [] : [{ kind: 'list', items }] };
}

/** An accepted change with its place, reason and last day. */
export function describeAccepted({ change, reason, expires }: ContractComparison['accepted'][number]): Text {
  const where = [change.operation ?? 'the contract', change.location].filter((part) => part !== '').join(', ');
  return [code(change.id), ` at ${where}: ${reason} (${change.level}${expires === undefined ? '' : `, until ${expires}`})`];
}

/** The components and operations with changes; those with the most breaking changes come first. */
export function sectionOfPlaces(open: readonly Change[]): Section {
  const number = (changes: readonly Change[], level: ChangeLevel): number => changes.filter((change) => change.level === level).length;
  // A breaking change outweighs any number of risky ones.
  const severity = (changes: readonly Change[]): number =>
    (number(changes, 'security') + number(changes, 'breaking')) * 1_000_000 + number(changes, 'risky');
  const groups = groupChangesByPlace(open).toSorted(
    (left, right) => severity(right.changes) - severity(left.changes) || right.changes.length - left.changes.length,
  );
  const more = groups.length - placesMax;
  const lines = groups.slice(0, placesMax).map(({ title, changes }) => {
    const present = changeLevels.filter((level) => number(changes, level) > 0);
    return `${title}: ${present.map((level) => `${number(changes, level)} ${level}`).join(', ')}`;
  });
  return {
    id: 'places',
    title: 'Where',
    tone: 'neutral',
    open: true,
    blocks: [{ kind: 'list', items: [...lines, ...(more <= 0 ? [] : [`and ${countNoun(more, 'more place')}`])] }],
  };
}

/** The changes that a reader should see first. */
function sectionOfFirst(first: readonly Change[], count: number): Section {
  return { id: 'first', title: `First ${first.length} of ${count}`, tone: 'neutral', entries: entriesOf(first), full: true, open: true };
}

/** The changes of a level. In a long report, without those that are shown first, and folded. */
function sectionOfLevel(level: ChangeLevel, changes: readonly Change[], first?: readonly Change[]): Section {
  const isLong = first !== undefined;
  const isSevere = level === 'security' || level === 'breaking';
  const isNotable = isSevere || level === 'risky';
  const further = changes.filter((change) => first?.includes(change) !== true);
  return {
    id: level,
    title: further.length < changes.length ? `${levelTitles[level]}, ${further.length} more` : levelTitles[level],
    tone: tones[level],
    entries: entriesOf(further),
    full: isNotable && !isLong,
    open: isSevere && !isLong,
    ...(isLong && !isNotable ? { lines: furtherMax } : {}),
  };
}

function entriesOf(changes: readonly Change[]): readonly Entry[] {
  return groupChangesByPlace(changes).flatMap(({ title, changes: members }) => members.map((change) => entryOf(change, title)));
}

function entryOf(change: Change, group: string): Entry {
  const { id, location, operations, level, after } = change;
  const reach = describeReach(change);
  return {
    name: [{ text: id, as: tones[level] }, ...(location === '' || change.component !== undefined ? [] : ['  ', code(location)])],
    title: '',
    tone: tones[level],
    blocks: blocksOf(change),
    group,
    line: `${change.text}${operations.length < 2 || reach === undefined ? '' : ` (${reach})`}  ${formatLocation(after.place)}`,
  };
}

function blocksOf(change: Change): readonly Block[] {
  const { operation, operations, component, members = [], location, reason, before, after, consequences } = change;
  const { verb, who } = describeAffected(change);
  const [reach, verdict, consumers] = [describeReach(change), describeVerdict(change), describeConsumers(change)];
  const facts: readonly Fact[] = [
    ...(reason === '' ? [] : [[verb, who === undefined ? reason : `${who}: ${reason}`] as const]),
    ...(members.length < 5 ? [] : [['members', members.join(', ')] as const]),
    ...(component === undefined || location === '' ? [] : [['in', `${clip(location, locationMax)} of ${operation ?? ''}`] as const]),
    ...(reach === undefined ? [] : [['affects', reach.replace(/^affects /, '')] as const]),
    ...(consumers === undefined ? [] : [['consumers', consumers] as const]),
    ...(verdict === undefined ? [] : [['verdict', verdict] as const]),
  ];
  return [
    paragraph(describeText(change)),
    { kind: 'sides', before, after },
    ...(facts.length === 0 ? [] : [{ kind: 'facts', facts } as const]),
    // If there are only a few operations, the fact names all of them.
    ...foldOf(`Affects ${operations.length} operations`, operations.length < 5 ? [] : operations.map(code)),
    ...foldOf(`Consequences: ${consequences.length}`, consequences.map(describeConsequence)),
    ...blocksOfWitness(change),
    { kind: 'facts', facts: [['accept', { text: printAcceptance(change), as: 'code', copy: 'the entry for the acceptance file' }]] },
  ];
}

/** A folded list; nothing without items. */
export function foldOf(title: string, items: readonly Text[]): readonly Block[] {
  return items.length === 0 ? [] : [{ kind: 'fold', title, blocks: [{ kind: 'list', items }] }];
}

/** The witness of a change as a listing. */
export function blocksOfWitness({ witness }: Change): readonly Block[] {
  if (witness === undefined) return [];
  const { request, response, records, finding } = describeWitness(witness);
  const parts = [
    { title: 'Request', lines: request, whole: true },
    { title: 'Response', lines: response },
    { title: 'Records', lines: records, whole: true },
  ].filter(({ lines }) => lines.length > 0);
  return [{ kind: 'listing', label: 'witness', parts, conclusion: finding }];
}
