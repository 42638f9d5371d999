/** YAML into plain values that remember where they stand. The only door for YAML. */

import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type Range } from 'yaml';
import { SpecError } from '../errors.ts';
import { depthMost, isObject, type Json, type JsonObject } from '../json.ts';
import { requireUtf8, tooDeep } from './json-text.ts';
import { createSource, placeAt, type SourceText, setOrigin } from './source-positions.ts';

/**
 * Reads the text of a YAML or JSON file into plain values that remember where they stand. `what` is what the file should be, for the message.
 * @throws {SpecError} when it is not YAML, uses a merge key, is nested too deeply, or is not an object.
 */
export function parseYaml(file: string, text: string, what = 'an OpenAPI document'): JsonObject {
  requireUtf8(file, text);
  const source = createSource(file, text);
  const parsed = parseDocument(text, { prettyErrors: false });
  const [error] = parsed.errors;
  if (error !== undefined) {
    // The library calls itself for each level, and tells the end of the engine's stack under this code.
    const message = error.code === 'RESOURCE_EXHAUSTION' ? tooDeep : `this is not valid YAML: ${error.message}`;
    throw new SpecError(placeAt(source, error.pos[0]), message);
  }
  const value = new Builder(source).build(parsed.contents);
  if (!isObject(value)) throw new SpecError({ file, line: 1, column: 1 }, `${what} is an object, and this file holds none`);
  return value;
}

/** Far more than any contract that was written by hand. */
const valuesMost = 5_000_000;

/** Number of values with all aliases expanded, itself included, and their depth. */
interface Extent {
  readonly size: number;
  readonly depth: number;
}

/** Turns YAML nodes into plain values and notes where each stands. */
class Builder {
  private readonly source: SourceText;
  private readonly anchors = new Map<string, Json>();
  private readonly extents = new WeakMap<object, Extent>();

  constructor(source: SourceText) {
    this.source = source;
  }

  build(node: unknown): Json {
    if (isAlias(node)) return this.buildAlias(node.source, node);
    const value = this.buildPlain(node);
    const anchor = (node as { anchor?: string } | null)?.anchor;
    if (anchor !== undefined) this.anchors.set(anchor, value);
    return value;
  }

  private buildAlias(anchor: string, node: Node): Json {
    const value = this.anchors.get(anchor);
    return value === undefined ? this.refuse(node, `the alias *${anchor} has no anchor above it`) : value;
  }

  private buildPlain(node: unknown): Json {
    if (isMap<Node, Node | null>(node)) return this.buildMap(node.items, node.range);
    if (isSeq<Node>(node)) return this.buildSeq(node.items, node.range);
    if (!isScalar(node) || node.value === undefined) return null;
    const value = node.value;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    return this.refuse(node as Node, `${String(value)} has no place in JSON; write a string, a finite number, true, false or null`);
  }

  private buildMap(pairs: readonly Pair<Node, Node | null>[], range: Range | null | undefined): JsonObject {
    const keys: string[] = [];
    const object: Record<string, Json> = {};
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : this.refuse(key, 'a key is a string');
      if (name === '<<') this.refuse(key, 'a YAML merge key (<<) is dropped silently by some readers; write the members out or use $ref');
      if (Object.hasOwn(object, name))
        this.refuse(key, `the key ${name} stands in here already; keys are text, whether they are quoted or not`);
      keys.push(name);
      Object.defineProperty(object, name, { value: this.build(value), enumerable: true, configurable: true, writable: true });
    }
    setOrigin(object, this.source, range?.[0] ?? 0, { keys, offsets: pairs.map(({ key }) => key.range?.[0] ?? 0) });
    this.weigh(object, Object.values(object), range);
    return object;
  }

  private buildSeq(nodes: readonly Node[], range: Range | null | undefined): readonly Json[] {
    const array = nodes.map((node) => this.build(node));
    setOrigin(array, this.source, range?.[0] ?? 0, { keys: undefined, offsets: nodes.map((node) => node.range?.[0] ?? 0) });
    this.weigh(array, array, range);
    return array;
  }

  /** A few lines of aliases of aliases can stand for more values than there is time to read, or nest deeper than there is a stack to walk. */
  private weigh(value: object, members: readonly Json[], range: Range | null | undefined): void {
    const extents = members.map((member) => (typeof member === 'object' && member !== null ? this.extents.get(member) : undefined));
    const size = extents.reduce((sum, extent) => sum + (extent?.size ?? 1), 1);
    const depth = extents.reduce((most, extent) => Math.max(most, extent?.depth ?? 0), 0) + 1;
    this.extents.set(value, { size, depth });
    const place = placeAt(this.source, range?.[0] ?? 0);
    if (depth > depthMost) throw new SpecError(place, tooDeep);
    if (size <= valuesMost) return;
    const message = `the aliases in here stand for more than ${valuesMost} values; use $ref, which is followed only where it is needed`;
    throw new SpecError(place, message);
  }

  private refuse(node: Node, message: string): never {
    throw new SpecError(placeAt(this.source, node.range?.[0] ?? 0), message);
  }
}
