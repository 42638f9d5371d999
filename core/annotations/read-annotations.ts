/** Converts annotations from JSON to values while a contract is loaded. Checks nothing: a mistake in an annotation must have been found before. */

import { arrayOrEmpty, isArray, isObject, type Json, type JsonObject, objectOrEmpty, printJson } from '../json.ts';
import type { Parameter } from '../parameters/parse-parameter.ts';
import type { Collection, ComparisonName, Filter, ParameterRule, Resource } from './annotations.ts';

/** Reads `x-collection`. */
export function readCollection(value: JsonObject): Collection {
  const filters = Object.entries(objectOrEmpty(value['filters']));
  return {
    ...(value as unknown as Collection),
    order: value['order'] === 'unknown' ? [] : (value['order'] as unknown as Collection['order']),
    filters: new Map(filters.map(([parameter, filter]) => [parameter, readFilter(filter as JsonObject)])),
  };
}

/** Replaces `any-of` filters by `equals` where the parameter takes one value, which means the same. */
export function simplifyFilters(collection: Collection, parameters: readonly Parameter[]): Collection {
  const filters = [...collection.filters].map(([name, filter]): readonly [string, Filter] => {
    const shape = parameters.find((parameter) => parameter.name === name && !parameter.json)?.style.shape;
    return [name, filter.operator === 'any-of' && shape === 'one' ? { ...filter, operator: 'equals' } : filter];
  });
  return { ...collection, filters: new Map(filters) };
}

/** Reads `x-resource`. */
export function readResource(value: JsonObject): Resource {
  const fields = Object.entries(objectOrEmpty(value['by']));
  return { ...(value as unknown as Resource), by: new Map(fields.map(([parameter, field]) => [parameter, String(field)])) };
}

/** Reads `x-parameter-rules`. */
export function readParameterRules(value: Json | undefined): readonly ParameterRule[] {
  return arrayOrEmpty(value)
    .filter(isObject)
    .flatMap((entry) =>
      (['exactly-one-of', 'ordered'] as const).flatMap((rule) => {
        const parameters = entry[rule];
        return isArray(parameters) ? [{ rule, parameters: parameters.map(String) }] : [];
      }),
    );
}

function readFilter(value: JsonObject): Filter {
  const matches = value['matches'];
  if (isObject(matches))
    return { operator: 'matches', fields: (matches['fields'] as readonly string[]) ?? [], fold: matches['fold'] === true };
  const as = value['as'] as ComparisonName | undefined;
  for (const operator of ['equals', 'any-of', 'from', 'to', 'after', 'before'] as const) {
    const field = value[operator];
    if (typeof field === 'string') return { operator, field, as };
  }
  throw new TypeError(`a filter without an operator passed the annotations' schema: ${printJson(value)}`);
}
