/** Evaluates JSONPath queries (RFC 9535), with bounded visits, results and patterns. Import it on demand: only overlays need it. */

import { FunctionExpressionType, JSONPathEnvironment } from 'json-p3';
import { SpecError } from '../../errors.ts';
import { isArray, isObject, type Json, type JsonObject, maxNesting } from '../../json.ts';
import { fromPointer, toPointer, valueAt } from '../../pointer.ts';
import { compileExpression } from '../../safe-regexp.ts';
import { splitReference } from '../raw-document.ts';
import { placeOfParsed } from '../source-positions.ts';

/** The path of keys and indexes to a value. */
export type KeyPath = readonly (string | number)[];

/** Limit of object members that one query visits: more than those of the largest published files. */
const maxVisits = 2_000_000;

/** Limit of values that one query selects. */
const maxSelected = 100_000;

/** An environment that stops after too many visits, since `$..*..*` visits each value many times. */
class BoundedEnvironment extends JSONPathEnvironment {
  private visits = 0;

  constructor() {
    super({ maxRecursionDepth: maxNesting });
    this.functionRegister.set(
      'match',
      patternFunction((pattern) => `^(?:${pattern})$`),
    );
    this.functionRegister.set(
      'search',
      patternFunction((pattern) => pattern),
    );
  }

  override entries(object: Parameters<JSONPathEnvironment['entries']>[0]): ReturnType<JSONPathEnvironment['entries']> {
    const entries = super.entries(object);
    this.visits += entries.length;
    if (this.visits > maxVisits) throw new Error(`it visits more than ${maxVisits} members; name the keys instead of ..`);
    return entries;
  }
}

/** A filter function with a pattern, in bounded time. */
function patternFunction(complete: (pattern: string) => string): NonNullable<ReturnType<JSONPathEnvironment['functionRegister']['get']>> {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text, pattern) => typeof text === 'string' && typeof pattern === 'string' && compileExpression(complete(pattern)).test(text),
  };
}

/**
 * Returns the paths of all values that a query selects.
 * @throws {Error} if the text is not a query, or visits or selects too much.
 */
export function selectPaths(query: string, root: Json): readonly KeyPath[] {
  const selectedPaths: KeyPath[] = [];
  for (const node of new BoundedEnvironment().lazyQuery(query, root as Parameters<JSONPathEnvironment['query']>[1])) {
    selectedPaths.push(node.location);
    if (selectedPaths.length > maxSelected) throw new Error(`it selects more than ${maxSelected} values; name the keys instead of ..`);
  }
  return selectedPaths;
}

/**
 * Returns the paths of all values that a query selects in a file if every reference stands for its target, in this or another file. The first key of a path is
 * the file; the path leads to the target itself.
 * @throws {Error} if the text is not a query, or visits or selects too much.
 */
export function selectPathsBehindReferences(query: string, files: JsonObject, entry: string): readonly KeyPath[] {
  const views = new Map<object, Json>();
  const viewOf = (keys: KeyPath): Json => {
    const path = withoutReferences(files, keys);
    const value = valueAt(files, toPointer(path)) ?? null;
    if (typeof value !== 'object' || value === null) return value;
    const earlierView = views.get(value);
    if (earlierView !== undefined) return earlierView;
    const view: Record<string, Json> | Json[] = isArray(value) ? [] : {};
    // A reference may lead to a value around it.
    views.set(value, view);
    for (const key of isArray(value) ? value.keys() : Object.keys(value))
      Object.defineProperty(view, key, { value: viewOf([...path, key]), enumerable: true });
    return view;
  };
  const paths = selectPaths(query, viewOf([entry])).map((keys) => {
    let path: KeyPath = [entry];
    for (const key of keys) path = withoutReferences(files, [...path, key]);
    return path;
  });
  return [...new Map(paths.map((keys) => [toPointer(keys), keys])).values()];
}

/** The path of the value that references lead to from the value at a path. */
function withoutReferences(files: JsonObject, keys: KeyPath): KeyPath {
  let path = keys;
  for (let hops = 0; hops < maxHops; hops += 1) {
    const value = valueAt(files, toPointer(path));
    const target = isObject(value) && typeof value['$ref'] === 'string' ? targetOf(value) : undefined;
    if (target === undefined || valueAt(files, toPointer(target)) === undefined) return path;
    path = target;
  }
  return keys;
}

/** The path of the target of a reference; `undefined` for a URL or an anchor. */
function targetOf(holder: JsonObject): KeyPath | undefined {
  try {
    const { file, pointer } = splitReference(holder, '$ref', placeOfParsed(holder, '$ref'));
    return [file, ...fromPointer(pointer)];
  } catch (error) {
    if (error instanceof SpecError) return undefined;
    throw error;
  }
}

/** Limit of references that lead to one another, which may be a circle. */
const maxHops = 20;
