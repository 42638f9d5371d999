/** The syntax tree of a regular expression, and what can be said of a tree without running it. */

import { type CodePoints, intersect } from './code-points.ts';

/** One piece of a regular expression. A sequence without parts matches the empty text. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CodePoints }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'boundary'; readonly negative: boolean }
  | { readonly kind: 'ahead' | 'behind'; readonly negative: boolean; readonly body: PatternNode }
  | { readonly kind: 'reference'; readonly group: number; readonly groups: readonly PatternNode[] };

/** A regular expression, read. */
export interface Pattern {
  /** What JSON Schema's `pattern` says. */
  readonly source: string;
  readonly root: PatternNode;
  /** The engine's own reading of the source: what judges in the end. */
  readonly regExp: RegExp;
  /** Whether properties such as `\p{L}` occur: what they contain differs between Unicode versions. */
  readonly usesProperties: boolean;
}

/** The expression that matches the empty text. */
export const emptyNode: PatternNode = { kind: 'sequence', parts: [] };

/** Whether the tree says exactly what its language is. References depend on what was captured, and look-behind looks back: both are not regular here. */
export function isExact(node: PatternNode): boolean {
  return node.kind !== 'reference' && node.kind !== 'behind' && childrenOf(node).every(isExact);
}

/** Whether somewhere in the tree characters are looked at without being consumed, or something depends on what was consumed. */
export function looksAround(node: PatternNode): boolean {
  const { kind } = node;
  return kind === 'ahead' || kind === 'behind' || kind === 'boundary' || kind === 'reference' || childrenOf(node).some(looksAround);
}

/** Whether the tree only consumes characters: what it matches does not depend on what stands around it. */
export function isPlain(node: PatternNode): boolean {
  return (
    (node.kind === 'set' || node.kind === 'sequence' || node.kind === 'choice' || node.kind === 'repeat') && childrenOf(node).every(isPlain)
  );
}

/** Whether the tree matches the same texts wherever it stands: nothing in it asks what came before. */
export function isContextFree(node: PatternNode): boolean {
  return node.kind !== 'start' && node.kind !== 'boundary' && node.kind !== 'reference' && childrenOf(node).every(isContextFree);
}

/** Whether somewhere in the tree a character of the set can be consumed. */
export function touches(node: PatternNode, set: CodePoints): boolean {
  return node.kind === 'set' ? intersect(node.set, set).length > 0 : childrenOf(node).some((child) => touches(child, set));
}

function childrenOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === 'sequence') return node.parts;
  if (node.kind === 'choice') return node.options;
  return 'body' in node ? [node.body] : [];
}
