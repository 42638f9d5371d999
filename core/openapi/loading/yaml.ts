/** Parses YAML files into plain values with known positions. */

import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type Range } from 'yaml';
import { SpecError, startOf } from '../../errors.ts';
import { isObject, type Json, type JsonObject, maxNesting, readNumber } from '../../json.ts';
import { createSource, placeAt, type SourceText, setOrigin } from '../source-positions.ts';
import { putMember, refuseConflict, requireUtf8, tooDeepMessage } from './json-parser.ts';

/**
 * Parses the text of a YAML file. `description` names the kind of file with its article, for messages. With `hasMergeKeys`, the members of `<<` are merged
 * into its object, as in YAML 1.1.
 * @throws {SpecError} if it is not YAML, uses a merge key that is not merged, is nested too deeply, or is not an object.
 */
export function parseYaml(file: string, text: string, description = 'an OpenAPI document', hasMergeKeys = false): JsonObject {
  requireUtf8(file, text);
  refuseConflict(file, text);
  const source = createSource(file, text);
  // The conversion finds equal keys, in linear time.
  const yamlDocument = parseDocument(text, { prettyErrors: false, intAsBigInt: true, uniqueKeys: false });
  const [error] = yamlDocument.errors;
  if (error !== undefined) {
    const messages: Partial<Record<typeof error.code, string>> = {
      // The library is recursive, and reports a stack overflow by this code.
      RESOURCE_EXHAUSTION: tooDeepMessage,
      MULTIPLE_DOCS: 'this file has several YAML documents; keep one, and move the others to files of their own',
    };
    throw new SpecError(placeAt(source, error.pos[0]), messages[error.code] ?? `this is not valid YAML: ${error.message}`);
  }
  const value = new NodeConverter(source, text.length, hasMergeKeys).build(yamlDocument.contents);
  if (!isObject(value))
    throw new SpecError(
      startOf(file),
      `${description} must be an object; this file ${value === null ? 'is empty' : 'contains another value'}`,
    );
  return value;
}

/** Number of values with all aliases expanded that any file may have. A larger file may have as many as characters. */
const minLimitOfValues = 500_000;

/** Number of values with all aliases expanded, and their depth. */
interface Extent {
  readonly size: number;
  readonly depth: number;
}

/** Converts YAML nodes to plain values and records their positions. */
class NodeConverter {
  private readonly source: SourceText;
  private readonly anchors = new Map<string, Json>();
  private readonly extents = new WeakMap<object, Extent>();
  /** Limit of values with all aliases expanded. Every walk of the file costs as much as its expanded values. */
  private readonly maxValues: number;
  private readonly hasMergeKeys: boolean;

  constructor(source: SourceText, length: number, hasMergeKeys: boolean) {
    this.source = source;
    this.maxValues = Math.max(minLimitOfValues, length);
    this.hasMergeKeys = hasMergeKeys;
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
    const value = typeof node.value === 'bigint' ? readNumber(String(node.value)) : node.value;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return value;
    return this.refuse(node as Node, `${String(value)} is not a JSON value; write a string, a finite number, true, false or null`);
  }

  private buildMap(pairs: readonly Pair<Node, Node | null>[], range: Range | null | undefined): JsonObject {
    const object: Record<string, Json> = {};
    const keys: string[] = [];
    const offsets: number[] = [];
    const put = (key: Node, name: string, value: Json): void => {
      putMember(object, name, value);
      keys.push(name);
      offsets.push(key.range?.[0] ?? 0);
    };
    const mergedPairs: Pair<Node, Node | null>[] = [];
    for (const pair of pairs) {
      const { key, value } = pair;
      const name = isScalar(key) ? String(key.value) : this.refuse(key, 'a key must be a string');
      if (name === '<<') mergedPairs.push(pair);
      else if (Object.hasOwn(object, name))
        this.refuse(key, `this object already has the key ${name}; remove or rename one of them (quotes make no difference)`);
      else put(key, name, this.build(value));
    }
    // Own members win, then the first of several merged objects (YAML 1.1, merge language-independent type).
    for (const { key, value } of mergedPairs)
      for (const [member, merged] of this.buildMerged(key, value)) if (!Object.hasOwn(object, member)) put(key, member, merged);
    setOrigin(object, this.source, range?.[0] ?? 0, { keys, offsets });
    this.checkExtent(object, Object.values(object), range);
    return object;
  }

  /** The members of the objects of a merge key. */
  private buildMerged(key: Node, node: Node | null): readonly (readonly [string, Json])[] {
    if (!this.hasMergeKeys) this.refuse(key, 'some tools ignore YAML merge keys (<<); write the members themselves, or use $ref');
    const objects = [this.build(node)].flat() as readonly Json[];
    return objects.flatMap((each) =>
      isObject(each) ? Object.entries(each) : this.refuse(key, 'a merge key (<<) takes an object, or a list of objects'),
    );
  }

  private buildSeq(nodes: readonly Node[], range: Range | null | undefined): readonly Json[] {
    const array = nodes.map((node) => this.build(node));
    setOrigin(array, this.source, range?.[0] ?? 0, { keys: undefined, offsets: nodes.map((node) => node.range?.[0] ?? 0) });
    this.checkExtent(array, array, range);
    return array;
  }

  /** Refuses aliases of aliases that expand to too many values or too many levels. */
  private checkExtent(value: object, members: readonly Json[], range: Range | null | undefined): void {
    let [size, depth] = [1, 1];
    for (const member of members) {
      const extent = typeof member === 'object' && member !== null ? this.extents.get(member) : undefined;
      size += extent?.size ?? 1;
      depth = Math.max(depth, (extent?.depth ?? 0) + 1);
    }
    this.extents.set(value, { size, depth });
    if (depth <= maxNesting && size <= this.maxValues) return;
    const tooManyMessage = `the aliases here expand to more than ${this.maxValues} values; use $ref, which is not expanded`;
    throw new SpecError(placeAt(this.source, range?.[0] ?? 0), depth > maxNesting ? tooDeepMessage : tooManyMessage);
  }

  private refuse(node: Node, message: string): never {
    throw new SpecError(placeAt(this.source, node.range?.[0] ?? 0), message);
  }
}
