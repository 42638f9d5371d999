/** The blocks of a report as plain lines, for formats that programs read. Each format limits the length of a line itself. */

import { formatLocation } from '../core/errors.ts';
import { printExcerpt } from '../core/excerpt.ts';
import type { ChangeSide } from '../core/results/diff-result.ts';
import { clip } from './clip-text.ts';
import { describeStatus } from './describe-http-status.ts';
import { type Block, type Fact, plain } from './report-model.ts';
import { printShort } from './shorten-value.ts';

/** Limits: exchanges, characters of a body without an excerpt, and characters of a value. */
const exchangesMax = 6;
const bodyMax = 1000;
const valueMax = 300;

/** Returns the lines of blocks. Folded details are in them too, since no program unfolds anything. */
export function linesOf(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap(linesOfBlock);
}

function linesOfBlock(block: Block): readonly string[] {
  switch (block.kind) {
    case 'paragraph':
      return [plain(block.text)];
    case 'facts':
      return block.facts.map(lineOfFact);
    case 'versus':
      return [block.left, block.right].map(lineOfFact);
    case 'list':
      return block.items.map(plain);
    case 'table':
      return block.rows.map(({ cells }) =>
        cells.map((cell) => plain(typeof cell === 'object' && 'line' in cell ? cell.line : cell)).join(' '),
      );
    case 'listing':
      return [...block.parts.flatMap(({ lines }) => lines), ...block.conclusion];
    case 'sides':
      return linesOfSides(block.before, block.after);
    case 'fold':
      return [`${block.title}:`, ...linesOf(block.blocks)];
    case 'excerpt':
      return printExcerpt(block.excerpt);
    case 'exchanges':
      return linesOfExchanges(block);
  }
}

function lineOfFact([label, text]: Fact): string {
  return `${label.toLowerCase()}: ${plain(text)}`;
}

/** The old and the new value with their places; the only value if it was added or removed. */
function linesOfSides(before: ChangeSide, after: ChangeSide): readonly string[] {
  const print = (label: string, { value, place }: ChangeSide): string =>
    `${label}: ${printShort(value, valueMax)} (${formatLocation(place)})`;
  if (before.value === undefined) return [after.value === undefined ? `at: ${formatLocation(after.place)}` : print('added', after)];
  return after.value === undefined ? [print('removed', before)] : [print('before', before), print('after', after)];
}

/** The first and the last requests as commands, with their responses. A pagination may have hundreds of them. */
function linesOfExchanges({ exchanges, curl, excerpts }: Extract<Block, { kind: 'exchanges' }>): readonly string[] {
  const omitted = curl.length - exchangesMax;
  return curl.flatMap((command, index) => {
    if (index >= exchangesMax / 2 && index < curl.length - exchangesMax / 2)
      return index === exchangesMax / 2 ? [`… and ${omitted} more requests: the JSON report has them`] : [];
    const [response, excerpt] = [exchanges[index]?.response, excerpts?.[index]];
    if (response === undefined) return [command];
    const body = excerpt === undefined ? [clip(response.body, bodyMax)].filter((text) => text !== '') : printExcerpt(excerpt);
    return [command, describeStatus(response), ...body];
  });
}
