/** The changelog section of a comparison, in the format of Keep a Changelog. It has every change that consumers notice, including accepted ones. */

import { type Change, type ContractComparison, changeLevels, unacceptedChanges } from '../../core/results/diff-result.ts';
import { codeSpan, escapeMarkdown } from '../render-markdown.ts';
import { describeText, nameOperations } from './diff-sentences.ts';

/** Headings, in order. */
const headings = ['Security', 'Breaking', 'Added', 'Changed', 'Deprecated', 'Removed'] as const;

type Heading = (typeof headings)[number];

const nameMax = 200;
const sentenceMax = 500;

/** Renders one section for all contracts. */
export function renderChangelog(...comparisons: readonly ContractComparison[]): string {
  const changes = comparisons.flatMap(listVisible);
  const sections = headings.flatMap((heading) => {
    const lines = changes.filter((change) => headingOf(change) === heading).map(renderEntry);
    return lines.length === 0 ? [] : [`### ${heading}\n\n${[...new Set(lines)].join('\n')}`];
  });
  const body = sections.length === 0 ? ['No changes for consumers.'] : sections;
  return `${['## Unreleased', ...body].join('\n\n')}\n`;
}

function listVisible(comparison: ContractComparison): readonly Change[] {
  const accepted = comparison.accepted.map(({ change }) => change);
  return changeLevels
    .filter((level) => level !== 'documentation')
    .flatMap((level) => [...unacceptedChanges(comparison, level), ...accepted.filter((change) => change.level === level)]);
}

/** Rules with the headings Added and Removed. An added bound or default changes an existing part, so its heading is Changed. */
const addsOrRemoves =
  /^(?:required-|success-)?(?:(?:property|pattern-property|enum-value|extensible-enum-value|status|media-type|server)-)?(added|removed)$/;

/** Heading of a change, from its rule. */
function headingOf({ id, level }: Change): Heading {
  if (level === 'security') return 'Security';
  if (level === 'breaking') return 'Breaking';
  const rule = id.slice(id.lastIndexOf('/') + 1);
  if (rule === 'deprecated' || /^sunset-(added|changed)$/.test(rule)) return 'Deprecated';
  const verb = addsOrRemoves.exec(rule)?.[1];
  return verb === 'added' ? 'Added' : verb === 'removed' ? 'Removed' : 'Changed';
}

function renderEntry(change: Change): string {
  const { operation, operations, location, reason, level } = change;
  const code = (name: string): string => codeSpan(name, nameMax);
  const where = operations.length > 1 ? nameOperations(operations, code) : operation && code(operation);
  const names = [where, change.component === undefined && location !== '' ? code(location) : undefined].filter(
    (name) => name !== undefined && name !== '',
  );
  const text = describeText(change);
  const sentence = (level === 'security' || level === 'breaking') && reason !== '' ? `${text} ${reason}` : text;
  return `- ${names.length === 0 ? '' : `${names.join(', ')}: `}${escapeMarkdown(sentence, sentenceMax)}`;
}
