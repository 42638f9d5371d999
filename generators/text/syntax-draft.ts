/** Draws texts from the syntax tree of a pattern: for what no automaton can say, such as repeated groups, and for automata that would be too large. */

import type { Chance } from '../source/dice.ts';
import { scalarValues } from './code-points.ts';
import type { Draft } from './draft.ts';
import type { Pattern, PatternNode } from './pattern-node.ts';
import { drawCharacter, selectionOf } from './taste.ts';

const anything = selectionOf(scalarValues);

/** Draws texts that mostly match one pattern; what stands ahead or behind without being consumed is hardly heeded, so every draw is judged. */
export function draftSyntax({ root }: Pattern): Draft {
  const draw = (chance: Chance): string => {
    const reach = chance.nextInt(0, 7) === 0 ? 40 : 4;
    const text = write(root, { chance, reach, written: new Map() });
    return chance.nextInt(0, 1) === 0 ? text : surround(text, root, chance);
  };
  return { isSure: false, all: undefined, isWhole: false, simplest: () => [], draw };
}

/** What is being written: how many rounds of a repetition are drawn beyond the least, and what each piece came to last. */
interface Writing {
  readonly chance: Chance;
  readonly reach: number;
  readonly written: Map<PatternNode, string>;
}

function write(node: PatternNode, writing: Writing): string {
  const text = writeNew(node, writing);
  writing.written.set(node, text);
  return text;
}

function writeNew(node: PatternNode, writing: Writing): string {
  const { chance, reach, written } = writing;
  switch (node.kind) {
    case 'set':
      return node.set.length === 0 ? '' : drawCharacter(selectionOf(node.set), chance.nextInt(0, 0x3fffffff), chance);
    case 'sequence':
      return node.parts.map((part) => write(part, writing)).join('');
    case 'choice': {
      const option = node.options[chance.nextInt(0, node.options.length - 1)];
      return option === undefined ? '' : write(option, writing);
    }
    case 'repeat': {
      const rounds = node.min + chance.nextInt(0, Math.min(reach, node.max - node.min));
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

/** Puts a few characters before and after, where the pattern is not anchored. */
function surround(text: string, root: PatternNode, chance: Chance): string {
  const parts = root.kind === 'sequence' ? root.parts : [root];
  const before = parts.at(0)?.kind === 'start' ? '' : writeAnything(chance);
  return before + text + (parts.at(-1)?.kind === 'end' ? '' : writeAnything(chance));
}

function writeAnything(chance: Chance): string {
  return Array.from({ length: chance.nextInt(0, 4) }, () => drawCharacter(anything, chance.nextInt(0, 0x3fffffff), chance)).join('');
}
