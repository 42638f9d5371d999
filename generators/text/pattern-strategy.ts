/**
 * The strategy that writes texts from the syntax tree of a pattern, without an automaton. `choose-strategy.ts` falls back to it for patterns whose language is
 * approximate or too large. Look-around is mostly ignored, so every text must be checked.
 */

import type { RandomNumbers } from '../sources/random-numbers.ts';
import { characterWeights, drawCharacter } from './character-weights.ts';
import { scalarValues } from './code-point-sets.ts';
import type { Pattern, PatternNode } from './pattern-syntax.ts';
import type { TextStrategy } from './text-strategy.ts';

/** A strategy that writes texts from the syntax tree of a pattern. Look-around is mostly ignored, so every text is checked. */
export function patternStrategy({ root }: Pattern): TextStrategy {
  const draw = (random: RandomNumbers): string => {
    const reach = random.nextInt(0, 7) === 0 ? 40 : 4;
    const text = write(root, { random, reach, written: new Map() });
    return random.nextInt(0, 1) === 0 ? text : surround(text, root, random);
  };
  return { isReliable: false, all: undefined, isComplete: false, simplest: () => [], draw };
}

/** The state of writing: repetitions above the minimum, and the last text of each node. */
interface WritingState {
  readonly random: RandomNumbers;
  readonly reach: number;
  readonly written: Map<PatternNode, string>;
}

function write(node: PatternNode, writing: WritingState): string {
  const text = writeNew(node, writing);
  writing.written.set(node, text);
  return text;
}

function writeNew(node: PatternNode, writing: WritingState): string {
  const { random, reach, written } = writing;
  switch (node.kind) {
    case 'set':
      return node.set.length === 0 ? '' : drawCharacter(characterWeights(node.set), random.nextInt(0, 0x3fffffff), random);
    case 'sequence':
      return node.parts.map((part) => write(part, writing)).join('');
    case 'choice': {
      const option = node.options[random.nextInt(0, node.options.length - 1)];
      return option === undefined ? '' : write(option, writing);
    }
    case 'repeat': {
      const rounds = node.min + random.nextInt(0, Math.min(reach, node.max - node.min));
      return Array.from({ length: rounds }, () => write(node.body, writing)).join('');
    }
    case 'behind':
      return node.negative ? '' : write(node.body, writing);
    case 'reference': {
      const group = node.groups[node.group];
      return group === undefined ? '' : (written.get(group) ?? '');
    }
    default:
      return '';
  }
}

/** Adds a few characters before and after an unanchored pattern. */
function surround(text: string, root: PatternNode, random: RandomNumbers): string {
  const parts = root.kind === 'sequence' ? root.parts : [root];
  const before = parts.at(0)?.kind === 'start' ? '' : writeAnything(random);
  return before + text + (parts.at(-1)?.kind === 'end' ? '' : writeAnything(random));
}

function writeAnything(random: RandomNumbers): string {
  return Array.from({ length: random.nextInt(0, 4) }, () =>
    drawCharacter(characterWeights(scalarValues), random.nextInt(0, 0x3fffffff), random),
  ).join('');
}
