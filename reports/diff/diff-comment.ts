import { countNoun } from '../../core/count-noun.ts';
import { formatLocation, type SourceLocation } from '../../core/errors.ts';
import { type Change, type ContractComparison, printAcceptance, unacceptedChanges } from '../../core/results/diff-result.ts';
import { clip } from '../clip-text.ts';
import { type Block, code, type Entry, type Fact, type Report, type Section } from '../report-model.ts';
import { renderChangelog } from './changelog.ts';
import {
  blocksOfWitness,
  describeAccepted,
  firstMax,
  foldOf,
  listSection,
  locationMax,
  reportOfComparison,
  sectionOfConsumers,
  sectionOfPlaces,
  tones,
} from './diff-report.ts';
import {
  describeAdvice,
  describeAffected,
  describeConsequence,
  describeConsumers,
  describeNotCompared,
  describeText,
  describeVersions,
  levelTitles,
} from './diff-sentences.ts';

/** Content of a comment beside the comparison. */
interface CommentOptions {
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
  const { accepted, notCompared, notes } = comparison;
  const { subject, verdict, tone } = reportOfComparison(comparison);
  const severe = [...unacceptedChanges(comparison, 'security'), ...unacceptedChanges(comparison, 'breaking')];
  const fold = (id: string, title: string, entries: readonly Entry[]): Section => ({ id, title, tone: 'neutral', entries });
  const entriesOf = (changes: readonly Change[]): readonly Entry[] => changes.map((change) => commentEntryOf(change, linkTo));
  return {
    subject,
    headline: describeVersions(comparison),
    verdict,
    tone,
    lead: [describeAdvice(comparison)],
    sections: [
      ...(severe.length > firstMax ? [sectionOfPlaces(severe)] : []),
      { ...fold('severe', 'Security and breaking', entriesOf(severe.slice(0, firstMax))), open: true },
      { ...fold('more', 'Further security and breaking changes', entriesOf(severe.slice(firstMax))), full: true },
      ...(['risky', 'compatible', 'documentation'] as const).map((level) =>
        fold(level, levelTitles[level], entriesOf(unacceptedChanges(comparison, level))),
      ),
      { ...sectionOfConsumers(comparison), open: false },
      listSection('not-compared', 'Not compared', notCompared.map(describeNotCompared), false),
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
  const { before, after, operations, members = [], component, consequences, level, location } = change;
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
        ...(location === '' || component !== undefined ? [] : [', ', code(clip(location, locationMax))]),
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
    ...foldOf(`Members: ${members.length}`, members.length < 5 ? [] : members.map(code)),
    ...foldOf(`Affects ${operations.length} operations`, operations.length < 2 ? [] : operations.map(code)),
    ...foldOf(`Consequences: ${consequences.length}`, consequences.map(describeConsequence)),
    ...blocksOfWitness(change),
    { kind: 'facts', facts: [['accept in .touchstone-accepted.yaml', code(printAcceptance(change))]] },
  ];
  return {
    // The section has both levels.
    name: level === 'security' ? `Security: ${describeText(change)}` : describeText(change),
    title: '',
    tone: tones[level],
    line: formatLocation(place),
    blocks: [
      { kind: 'facts', facts },
      { kind: 'fold', title: 'Details', blocks: details },
    ],
  };
}
