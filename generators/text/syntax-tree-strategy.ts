/**
 * Writes texts from the syntax tree of a pattern, without an automaton: the fallback for patterns whose language is approximate or too large. It mostly ignores
 * look-around, so each text must be checked.
 */

import type { RandomNumbers } from '../sources/random-numbers.ts';
import { characterWeights, drawCharacter } from './character-weights.ts';
import { scalarValues } from './code-point-sets.ts';
import type { Pattern, PatternNode } from './pattern-syntax.ts';
import type { TextStrategy } from './text-strategy.ts';

/** The strategy of a pattern. It has no candidates for the simplest text. */
export function syntaxTreeStrategy({ root }: Pattern): TextStrategy {
  const draw = (random: RandomNumbers): string => {
    const extraRounds = random.nextInt(0, 7) === 0 ? 40 : 4;
    const text = write(root, { random, extraRounds, textByNode: new Map() });
    return random.nextInt(0, 1) === 0 ? text : surroundText(text, root, random);
  };
  return { isReliable: false, all: undefined, isComplete: false, simplest: () => [], draw };
}

/** The state of writing: repetitions above the minimum, and the last text of each node. */
interface WritingState {
  readonly random: RandomNumbers;
  readonly extraRounds: number;
  readonly textByNode: Map<PatternNode, string>;
}

function write(node: PatternNode, state: WritingState): string {
  const text = writeNew(node, state);
  state.textByNode.set(node, text);
  return text;
}

function writeNew(node: PatternNode, state: WritingState): string {
  const { random, extraRounds, textByNode } = state;
  switch (node.kind) {
    case 'set':
      return node.set.length === 0 ? '' : drawCharacter(characterWeights(node.set), random.nextInt(0, 0x3fffffff), random);
    case 'sequence':
      return node.parts.map((part) => write(part, state)).join('');
    case 'choice': {
      const option = node.options[random.nextInt(0, node.options.length - 1)];
      return option === undefined ? '' : write(option, state);
    }
    case 'repeat': {
      const rounds = node.min + random.nextInt(0, Math.min(extraRounds, node.max - node.min));
      return Array.from({ length: rounds }, () => write(node.body, state)).join('');
    }
    case 'behind':
      return node.negative ? '' : write(node.body, state);
    case 'reference': {
      const group = node.groups[node.group];
      return group === undefined ? '' : (textByNode.get(group) ?? '');
    }
    default:
      return '';
  }
}

/** Adds a few characters before and after an unanchored pattern. */
function surroundText(text: string, root: PatternNode, random: RandomNumbers): string {
  const parts = root.kind === 'sequence' ? root.parts : [root];
  const textBefore = parts.at(0)?.kind === 'start' ? '' : writeAnything(random);
  return textBefore + text + (parts.at(-1)?.kind === 'end' ? '' : writeAnything(random));
}

function writeAnything(random: RandomNumbers): string {
  return Array.from({ length: random.nextInt(0, 4) }, () =>
    drawCharacter(characterWeights(scalarValues), random.nextInt(0, 0x3fffffff), random),
  ).join('');
}
