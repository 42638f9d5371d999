/**
 * The report of `touchstone diff`: a report for people, a comment for a pull request, and items for JUnit and GitHub. The command builds it once for
 * each format that it writes. The sentences are in `diff-sentences.ts`.
 */

import { formatLocation, type SourceLocation } from '../../core/errors.ts';
import { type Change, type ChangeLevel, type ContractComparison, changeLevels } from '../../core/results/contract-change.ts';
import { countNoun } from '../count-noun.ts';
import {
  type Annotation,
  type Block,
  code,
  type Entry,
  type Fact,
  faint,
  type Item,
  type ItemList,
  type Report,
  type Section,
  type Text,
  type Tone,
} from '../report-model.ts';
import { printShort } from '../shorten-value.ts';
import { renderChangelog } from './changelog.ts';
import {
  describeAdvice,
  describeAffected,
  describeChangeCounts,
  describeComparison,
  describeConsequence,
  describeConsumers,
  describeReach,
  describeReason,
  describeText,
  describeVerdict,
  describeVersions,
  groupChangesByOperation,
  levelTitles,
  unacceptedChanges,
} from './diff-sentences.ts';
import { describeWitness } from './witness-lines.ts';

const tones: Readonly<Record<ChangeLevel, Tone>> = {
  security: 'bad',
  breaking: 'bad',
  risky: 'doubtful',
  compatible: 'good',
  documentation: 'neutral',
};

/** Number of changes that a terminal shows in full; linesMax more follow in one line each. */
const fullChanges: Readonly<Record<ChangeLevel, number>> = { security: 20, breaking: 20, risky: 10, compatible: 0, documentation: 0 };
const linesMax = 100;
/** With more changes than this, a terminal lists their operations first and repeats the headline at the end. */
const manyChanges = 12;
/** Number of operations in that list. */
const placesMax = 10;
const valueMax = 300;

/** The report of a comparison. */
export function reportOfComparison(comparison: ContractComparison): Report {
  const { old, new: next, accepted, notes, count: counts } = comparison;
  const open = changeLevels.flatMap((level) => unacceptedChanges(comparison, level));
  const tone = counts.security + counts.breaking > 0 ? 'bad' : counts.risky > 0 ? 'doubtful' : 'good';
  const headline = { text: describeComparison(comparison), as: tone } as const;
  const isLong = open.length > manyChanges;
  return {
    subject: 'Contract comparison',
    headline,
    verdict: describeChangeCounts(comparison),
    tone,
    shares: changeLevels.map((level) => ({ word: level, tone: tones[level], number: counts[level] })),
    lead: [faint(`${old.file} → ${next.file}`)],
    facts: [],
    sections: [
      ...(isLong ? [sectionOfPlaces(open)] : []),
      ...changeLevels.map((level) => sectionOfLevel(level, unacceptedChanges(comparison, level))),
      sectionOfConsumers(comparison),
      listSection('accepted', 'Accepted', accepted.map(describeAccepted), false),
      listSection('notes', 'Notes', notes, true),
    ],
    end: [describeAdvice(comparison), ...(isLong ? [headline] : [])],
  };
}

/** All consumers with a pact. A consumer without one may break too. */
function sectionOfConsumers({ consumers = [] }: ContractComparison): Section {
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
    entries: [],
    full: 0,
    lines: 0,
    open: true,
    blocks: rows.length === 0 ? [] : [{ kind: 'table', columns: ['Consumer', 'Broken', 'First'], rows }],
  };
}

/** Number of changes that a comment shows at once: a screen. */
const commentedMax = 4;

/** Content of a comment beside the comparison. */
export interface CommentOptions {
  /** URL of a line in the new contract; `undefined` if the file has none. */
  readonly linkTo?: (place: SourceLocation) => string | undefined;
  /** The comparisons for the changelog below; none if another comment has it. */
  readonly changelog?: readonly ContractComparison[];
}

/**
 * The report of a comparison as a comment of a pull request. The leaks and breaking changes are visible, a screen of them; everything else is folded: details,
 * other levels, notes and the changelog.
 */
export function commentOfComparison(
  comparison: ContractComparison,
  { linkTo = () => undefined, changelog = [] }: CommentOptions = {},
): Report {
  const { accepted, notes } = comparison;
  const { subject, verdict, tone } = reportOfComparison(comparison);
  const severe = [...unacceptedChanges(comparison, 'security'), ...unacceptedChanges(comparison, 'breaking')];
  const fold = (id: string, title: string, entries: readonly Entry[], full = 0): Section => ({
    id,
    title,
    tone: 'neutral',
    entries,
    full,
    lines: 0,
    open: false,
  });
  const entriesOf = (changes: readonly Change[]): readonly Entry[] => changes.map((change) => commentEntryOf(change, linkTo));
  return {
    subject,
    headline: describeVersions(comparison),
    verdict,
    tone,
    facts: [],
    end: [],
    lead: [describeAdvice(comparison)],
    sections: [
      { ...fold('severe', 'Security and breaking', entriesOf(severe.slice(0, commentedMax))), open: true },
      fold('more', 'Further security and breaking changes', entriesOf(severe.slice(commentedMax)), severe.length),
      ...(['risky', 'compatible', 'documentation'] as const).map((level) =>
        fold(level, levelTitles[level], entriesOf(unacceptedChanges(comparison, level))),
      ),
      { ...sectionOfConsumers(comparison), open: false },
      listSection('accepted', 'Accepted', accepted.map(describeAccepted), false),
      listSection('notes', 'Notes', notes, false),
      {
        ...fold('changelog', 'Changelog', []),
        blocks:
          changelog.length === 0
            ? []
            : [
                listingOf(
                  '',
                  renderChangelog(...changelog)
                    .trimEnd()
                    .split('\n'),
                ),
              ],
      },
    ],
  };
}

function listingOf(title: string, lines: readonly string[]): Block {
  return { kind: 'listing', label: '', parts: [{ title, lines, whole: true }], conclusion: [] };
}

/** A change in a comment: its sentence, place and effect, with the details folded. */
function commentEntryOf(change: Change, linkTo: NonNullable<CommentOptions['linkTo']>): Entry {
  const { before, after, operations, consequences, level, location } = change;
  const { place } = after;
  const href = linkTo(place);
  const where = operations.length > 1 ? countNoun(operations.length, 'operation') : code(operations[0] ?? 'the contract');
  const { verb, who } = describeAffected(change);
  const consumers = describeConsumers(change);
  const facts: readonly Fact[] = [
    [
      'at',
      [
        where,
        ...(location === '' ? [] : [', ', code(location)]),
        ', ',
        { text: formatLocation(place), as: 'code', ...(href === undefined ? {} : { href }) },
      ],
    ],
    ...(change.reason === '' || level === 'documentation'
      ? []
      : [[verb, who === undefined ? change.reason : `${who}: ${change.reason}`] as const]),
    ...(consumers === undefined ? [] : [['consumers', consumers] as const]),
  ];
  const details: readonly Block[] = [
    { kind: 'sides', before, after },
    ...foldOf(`Affects ${operations.length} operations`, operations.length < 2 ? [] : operations.map(code)),
    ...foldOf(`Follows from it: ${consequences.length}`, consequences.map(describeConsequence)),
    ...blocksOfWitness(change),
    { kind: 'facts', facts: [['accept in .touchstone-accepted.yaml', code(acceptanceOf(change))]] },
  ];
  return {
    name: describeText(change),
    title: '',
    tone: tones[level],
    line: formatLocation(place),
    blocks: [
      { kind: 'facts', facts },
      { kind: 'fold', title: 'Details', blocks: details },
    ],
  };
}

function listSection(id: string, title: string, items: readonly Text[], open: boolean): Section {
  return {
    id,
    title,
    tone: 'neutral',
    entries: [],
    full: 0,
    lines: 0,
    open,
    blocks: items.length === 0 ? [] : [{ kind: 'list', items }],
  };
}

function describeAccepted({ change, reason, expires }: ContractComparison['accepted'][number]): Text {
  const where = [change.operation ?? 'the contract', change.location].filter((part) => part !== '').join(', ');
  return [code(change.id), ` at ${where}: ${reason} (${change.level}${expires === undefined ? '' : `, until ${expires}`})`];
}

/** The operations with changes; operations with the most breaking changes come first. */
function sectionOfPlaces(open: readonly Change[]): Section {
  const number = (changes: readonly Change[], level: ChangeLevel): number => changes.filter((change) => change.level === level).length;
  // A breaking change outweighs any number of risky ones.
  const severity = (changes: readonly Change[]): number =>
    (number(changes, 'security') + number(changes, 'breaking')) * 1_000_000 + number(changes, 'risky');
  const groups = groupChangesByOperation(open).toSorted(
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
    entries: [],
    full: 0,
    lines: 0,
    open: true,
    only: ['terminal'],
    blocks: [{ kind: 'list', items: [...lines, ...(more <= 0 ? [] : [`and ${countNoun(more, 'more place')}`])] }],
  };
}

function sectionOfLevel(level: ChangeLevel, changes: readonly Change[]): Section {
  const entries = groupChangesByOperation(changes).flatMap(({ title, changes: members }) =>
    members.map((change) => entryOf(change, title)),
  );
  return {
    id: level,
    title: levelTitles[level],
    tone: tones[level],
    entries,
    full: fullChanges[level],
    lines: linesMax,
    open: level === 'security' || level === 'breaking',
  };
}

function entryOf(change: Change, group: string): Entry {
  const { id, location, operations, reason, level, before, after, consequences } = change;
  const { verb, who } = describeAffected(change);
  const [reach, verdict, consumers] = [describeReach(change), describeVerdict(change), describeConsumers(change)];
  const facts: readonly Fact[] = [
    ...(reason === '' ? [] : [[verb, who === undefined ? reason : `${who}: ${reason}`] as const]),
    ...(reach === undefined ? [] : [['affects', reach.replace(/^affects /, '')] as const]),
    ...(consumers === undefined ? [] : [['consumers', consumers] as const]),
    ...(verdict === undefined ? [] : [['verdict', verdict] as const]),
  ];
  const blocks: readonly Block[] = [
    { kind: 'paragraph', text: describeText(change) },
    { kind: 'sides', before, after },
    ...(facts.length === 0 ? [] : [{ kind: 'facts', facts } as const]),
    // The fact names all operations of a few.
    ...foldOf(`Affects ${operations.length} operations`, operations.length < 5 ? [] : operations.map(code)),
    ...foldOf(`Follows from it: ${consequences.length}`, consequences.map(describeConsequence)),
    ...blocksOfWitness(change),
    { kind: 'facts', facts: [['accept', { text: acceptanceOf(change), as: 'code', copy: 'the entry for the acceptance file' }]] },
  ];
  return {
    name: [{ text: id, as: tones[level] }, ...(location === '' ? [] : ['  ', code(location)])],
    title: '',
    tone: tones[level],
    blocks,
    group,
    line: `${change.text}${operations.length < 2 || reach === undefined ? '' : ` (${reach})`}  ${formatLocation(after.place)}`,
  };
}

function foldOf(title: string, items: readonly Text[]): readonly Block[] {
  return items.length === 0 ? [] : [{ kind: 'fold', title, blocks: [{ kind: 'list', items }] }];
}

/** An entry for the acceptance file, without its reason. */
function acceptanceOf({ id, fingerprint }: Change): string {
  return `- { id: ${id}, fingerprint: '${fingerprint}', reason: '' }`;
}

function blocksOfWitness({ witness }: Change): readonly Block[] {
  if (witness === undefined) return [];
  const { request, response, records, finding } = describeWitness(witness);
  const parts = [
    { title: 'Request', lines: request, whole: true },
    { title: 'Response', lines: response },
    { title: 'Records', lines: records, whole: true },
  ].filter(({ lines }) => lines.length > 0);
  return [{ kind: 'listing', label: 'witness', parts, conclusion: finding }];
}

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
  const { before, after, witness } = change;
  const [verdict, reach, consumers] = [describeVerdict(change), describeReach(change), describeConsumers(change)];
  const { request = [], response = [], records = [], finding = [] } = witness === undefined ? {} : describeWitness(witness);
  return [
    describeText(change),
    ...(change.reason === '' ? [] : [describeReason(change)]),
    `before: ${printShort(before.value, valueMax)} (${formatLocation(before.place)})`,
    `after: ${printShort(after.value, valueMax)} (${formatLocation(after.place)})`,
    ...(reach === undefined ? [] : [reach]),
    ...(consumers === undefined ? [] : [consumers]),
    ...change.consequences.map(describeConsequence),
    ...(verdict === undefined ? [] : [verdict]),
    ...[...request, ...response, ...records, ...finding],
    `accept: ${acceptanceOf(change)}`,
  ];
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
