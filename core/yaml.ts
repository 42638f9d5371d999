/** YAML into plain values that remember where they stand. The only door for YAML. */

import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type Range } from 'yaml';
import { type Place, SpecError } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Where a value stands and where its members do. Kept beside the values, by identity. */
interface Origin {
  readonly file: string;
  readonly at: Place;
  readonly members: ReadonlyMap<string, Place>;
}

/** Remembers the origin of copies too, so that a resolved contract still knows the lines of its file. */
const origins = new WeakMap<object, Origin>();

/**
 * Reads the text of a YAML or JSON file into plain values that remember where they stand.
 * @throws {SpecError} when it is not YAML, uses a merge key, or is not an object.
 */
export function parseYaml(file: string, text: string): JsonObject {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Place => ({
    file,
    line: Math.max(1, lines.linePos(offset).line),
    column: Math.max(1, lines.linePos(offset).col),
  });
  const [error] = parsed.errors;
  if (error !== undefined) throw new SpecError(at(error.pos[0]), `this is not valid YAML: ${error.message}`);
  const value = new Builder(file, at).build(parsed.contents);
  if (!isObject(value)) throw new SpecError({ file, line: 1, column: 1 }, 'an OpenAPI document is an object, and this file holds none');
  return value;
}

/** Far more than any contract that was written by hand. */
const valuesMost = 5_000_000;

/** Turns YAML nodes into plain values and notes where each stands. */
class Builder {
  private readonly file: string;
  private readonly at: (offset: number) => Place;
  private readonly anchors = new Map<string, Json>();
  /** How many values a value holds once its aliases are written out. */
  private readonly sizes = new WeakMap<object, number>();

  constructor(file: string, at: (offset: number) => Place) {
    this.file = file;
    this.at = at;
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
    const members = new Map<string, Place>();
    const object: Record<string, Json> = {};
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : this.refuse(key, 'a key is a string');
      if (name === '<<') this.refuse(key, 'a YAML merge key (<<) is dropped silently by some readers; write the members out or use $ref');
      members.set(name, this.at(key.range?.[0] ?? 0));
      Object.defineProperty(object, name, { value: this.build(value), enumerable: true, configurable: true, writable: true });
    }
    origins.set(object, { file: this.file, at: this.at(range?.[0] ?? 0), members });
    this.weigh(object, Object.values(object), range);
    return object;
  }

  private buildSeq(nodes: readonly Node[], range: Range | null | undefined): readonly Json[] {
    const array = nodes.map((node) => this.build(node));
    const members = new Map(nodes.map((node, index) => [String(index), this.at(node.range?.[0] ?? 0)]));
    origins.set(array, { file: this.file, at: this.at(range?.[0] ?? 0), members });
    this.weigh(array, array, range);
    return array;
  }

  /** A few lines of aliases of aliases can stand for more values than there is time to read. */
  private weigh(value: object, members: readonly Json[], range: Range | null | undefined): void {
    const size = members.reduce<number>(
      (sum, member) => sum + (typeof member === 'object' && member !== null ? (this.sizes.get(member) ?? 1) : 1),
      1,
    );
    this.sizes.set(value, size);
    if (size <= valuesMost) return;
    const message = `the aliases in here stand for more than ${valuesMost} values; use $ref, which is followed only where it is needed`;
    throw new SpecError(this.at(range?.[0] ?? 0), message);
  }

  private refuse(node: Node, message: string): never {
    throw new SpecError(this.at(node.range?.[0] ?? 0), message);
  }
}

/** Where a value stands, or where its member does; `undefined` for a value that no file holds. */
export function placeOf(value: object, key?: string | number): Place | undefined {
  const origin = origins.get(value);
  return key === undefined ? origin?.at : (origin?.members.get(String(key)) ?? origin?.at);
}

/** Lets a copy stand where its original stands. */
export function copyOrigin(original: object, copy: object): void {
  const origin = origins.get(original);
  if (origin !== undefined) origins.set(copy, origin);
}

/** Gives a value that stands in no file the place of the one that it replaces. */
export function setPlace(value: object, place: Place): void {
  origins.set(value, { file: place.file, at: place, members: new Map() });
}
