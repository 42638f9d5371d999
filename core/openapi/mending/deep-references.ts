/** While a document is mended, finds references that put schemas into one another more deeply than recursion can visit. */

import { isArray, isObject, type Json, type JsonObject } from '../../json.ts';
import { shapeOfMember } from './object-kinds.ts';

/** What is known of the document. */
interface Tools {
  /** A member of an object or array, with its edits. */
  readonly valueOf: (holder: object, key: string | number) => Json | undefined;
  /** The end of a chain of references; `undefined` if it has none. */
  readonly targetOf: (reference: JsonObject) => Json | undefined;
}

/** Most schemas and references in one another. No public file that was tried has more than 42; at about 4,000 the first of the functions that visit them ends. */
export const mostLevels = 1000;

/** A schema on the way from the first one, with the schemas inside it that are not visited yet, and the greatest depth of those that are. */
interface Visit {
  readonly schema: JsonObject;
  readonly target: JsonObject | undefined;
  readonly unvisited: JsonObject[];
  deepest: number;
}

/** Schemas whose reference continues more than `mostLevels` schemas. Circles count once. */
export function deepReferences(schemas: Iterable<JsonObject>, tools: Tools): readonly JsonObject[] {
  const found: JsonObject[] = [];
  /** The number of schemas in one another from each visited schema on; 0 while it is visited. */
  const depths = new Map<JsonObject, number>();
  const way: Visit[] = [];
  const enter = (schema: JsonObject): void => {
    depths.set(schema, 0);
    const end = typeof tools.valueOf(schema, '$ref') === 'string' ? tools.targetOf(schema) : undefined;
    const target = isObject(end) ? end : undefined;
    way.push({ schema, target, unvisited: [...innerSchemas(schema, tools), ...(target === undefined ? [] : [target])], deepest: 0 });
  };
  /** Goes on with a schema; one inside it that is entered first stays in its list. */
  const goOn = (visit: Visit): void => {
    const next = visit.unvisited.at(-1);
    if (next === undefined) {
      depths.set(visit.schema, visit.deepest + 1);
      way.pop();
      return;
    }
    const depth = depths.get(next);
    if (depth === undefined) {
      enter(next);
      return;
    }
    visit.unvisited.pop();
    if (next === visit.target && depth >= mostLevels) found.push(visit.schema);
    else visit.deepest = Math.max(visit.deepest, depth);
  };
  for (const schema of schemas) {
    if (!depths.has(schema)) enter(schema);
    for (let visit = way.at(-1); visit !== undefined; visit = way.at(-1)) goOn(visit);
  }
  return found;
}

/** The schemas inside a schema, without the target of its reference. */
function innerSchemas(schema: JsonObject, tools: Tools): readonly JsonObject[] {
  return Object.keys(schema).flatMap((key) => {
    const shape = shapeOfMember('schema', key);
    const value = shape === undefined ? undefined : tools.valueOf(schema, key);
    if (typeof value !== 'object' || value === null) return [];
    if (shape?.as === 'one') return isObject(value) ? [value] : [];
    const names = isArray(value) ? [...value.keys()] : Object.keys(value);
    return names.map((name) => tools.valueOf(value, name)).filter(isObject);
  });
}
