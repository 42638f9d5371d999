import { plainName, wordsOf } from '../../../core/inference/names.ts';
import { isArray, isObject, type Json, type JsonObject } from '../../../core/json.ts';

/**
 * Shows in a generated value which parents a path names: the `project_id` of the records of `/projects/{project_id}/jobs`. `values` are those of its
 * parameters. The last parameter of a path that ends with it names the record itself, and stays as generated.
 */
export function withPathReferences<T extends Json>(body: T, path: string, values: Iterable<readonly [name: string, value: string]>): T {
  const named = [...values].filter(([name]) => wordsOf(name).length > 1 && !path.endsWith(`{${name}}`));
  const references = new Map(named.map(([name, value]) => [plainName(name), value]));
  return references.size === 0 ? body : (referring(body, references, 2) as T);
}

function referring(value: Json, references: ReadonlyMap<string, string>, depth: number): Json {
  if (isArray(value)) return value.map((each) => referring(each, references, depth));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): readonly [string, Json] => {
    const text = references.get(plainName(name));
    if (text !== undefined && typeof member === 'string') return [name, text];
    if (text !== undefined && typeof member === 'number' && /^\d{1,15}$/.test(text)) return [name, Number(text)];
    return [name, depth === 0 ? member : referring(member, references, depth - 1)];
  });
  return Object.fromEntries(members) as JsonObject;
}
