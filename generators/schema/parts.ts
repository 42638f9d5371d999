/** The keywords of JSON Schema that apply schemas to the parts of an instance: members of objects, their names, elements of arrays. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Check, Evaluated } from './evaluated.ts';
import { countOf, expressionOf } from './keyword.ts';
import type { Site } from './site.ts';

/** Gives the check of a schema that stands below. */
export type Compile = (site: Site) => Check;

/**
 * The checks of the keywords that apply schemas to parts, without `unevaluated*`.
 * @throws {Unsupported} when the value of a keyword is malformed.
 */
export function compileParts(site: Site, compile: Compile): readonly Check[] {
  const objects = [memberCheck(site, compile), nameCheck(site, compile)].filter((check) => check !== undefined);
  const lists = [elementCheck(site, compile), containsCheck(site, compile)].filter((check) => check !== undefined);
  return [
    ...objects.map(
      (check): Check =>
        (instance, seen) =>
          !isObject(instance) || check(instance, seen),
    ),
    ...lists.map(
      (check): Check =>
        (instance, seen) =>
          !Array.isArray(instance) || check(instance, seen),
    ),
  ];
}

/**
 * The check of a schema with `unevaluatedProperties` or `unevaluatedItems`: all its other keywords, and then what they left over.
 * @throws {Unsupported} when the value of a keyword is malformed.
 */
export function withUnevaluated(site: Site, compile: Compile, others: Check): Check {
  const [members, elements] = [below(site, 'unevaluatedProperties', compile), below(site, 'unevaluatedItems', compile)];
  if (members === undefined && elements === undefined) return others;
  return (instance, outer) => {
    const isList = Array.isArray(instance);
    const rest = isList ? elements : isObject(instance) ? members : undefined;
    if (rest === undefined) return others(instance, outer);
    const seen = new Evaluated();
    if (!others(instance, seen)) return false;
    outer?.addAll();
    return isList ? allElements(instance, seen, rest) : allMembers(instance as JsonObject, seen, rest);
  };
}

type ObjectCheck = (instance: JsonObject, seen: Evaluated | undefined) => boolean;
type ListCheck = (instance: readonly Json[], seen: Evaluated | undefined) => boolean;

function below(site: Site, keyword: string, compile: Compile): Check | undefined {
  return site.keywords[keyword] === undefined ? undefined : compile(site.at(keyword));
}

/** `properties`, `patternProperties` and `additionalProperties`: each member is asked about by those that speak of its name. */
interface MemberRules {
  readonly named: ReadonlyMap<string, Check>;
  readonly patterns: readonly (readonly [RegExp, Check])[];
  readonly additional: Check | undefined;
}

function memberCheck(site: Site, compile: Compile): ObjectCheck | undefined {
  const named = new Map([...site.map('properties')].map(([name, member]) => [name, compile(member)]));
  const patterns = [...site.map('patternProperties')].map(
    ([pattern, member]) => [expressionOf(site, 'patternProperties', pattern), compile(member)] as const,
  );
  const additional = below(site, 'additionalProperties', compile);
  if (patterns.length === 0 && additional === undefined) return named.size === 0 ? undefined : namedCheck([...named]);
  const rules = { named, patterns, additional };
  return (instance, seen) => {
    for (const name of Object.keys(instance)) if (!judgeMember(rules, name, instance[name] as Json, seen)) return false;
    return true;
  };
}

function judgeMember({ named, patterns, additional }: MemberRules, name: string, value: Json, seen: Evaluated | undefined): boolean {
  const own = named.get(name);
  if (own !== undefined && !own(value, undefined)) return false;
  let isDescribed = own !== undefined;
  for (const [expression, check] of patterns) {
    if (!expression.test(name)) continue;
    if (!check(value, undefined)) return false;
    isDescribed = true;
  }
  if (!isDescribed && additional === undefined) return true;
  seen?.addName(name);
  return isDescribed || additional === undefined || additional(value, undefined);
}

/** `properties` alone: the members that it does not name are not even looked at. */
function namedCheck(named: readonly (readonly [string, Check])[]): ObjectCheck {
  return (instance, seen) => {
    for (const [name, check] of named) {
      if (!Object.hasOwn(instance, name)) continue;
      if (!check(instance[name] as Json, undefined)) return false;
      seen?.addName(name);
    }
    return true;
  };
}

function nameCheck(site: Site, compile: Compile): ObjectCheck | undefined {
  const check = below(site, 'propertyNames', compile);
  if (check === undefined) return undefined;
  return (instance) => {
    for (const name of Object.keys(instance)) if (!check(name, undefined)) return false;
    return true;
  };
}

function elementCheck(site: Site, compile: Compile): ListCheck | undefined {
  const prefix = site.list('prefixItems').map(compile);
  const rest = below(site, 'items', compile);
  if (prefix.length === 0 && rest === undefined) return undefined;
  return (instance, seen) => {
    for (let index = 0; index < instance.length; index += 1) {
      const check = prefix[index] ?? rest;
      if (check === undefined) break;
      if (!check(instance[index] as Json, undefined)) return false;
    }
    seen?.addPrefix(rest === undefined ? prefix.length : instance.length);
    return true;
  };
}

function containsCheck(site: Site, compile: Compile): ListCheck | undefined {
  const [least = 1, most = Number.POSITIVE_INFINITY] = [countOf(site, 'minContains'), countOf(site, 'maxContains')];
  const check = below(site, 'contains', compile);
  if (check === undefined) return undefined;
  return (instance, seen) => {
    let count = 0;
    for (let index = 0; index < instance.length; index += 1) {
      // Once enough are found, more matter only to a maximum and to a schema above that asks which.
      if (count >= least && most === Number.POSITIVE_INFINITY && seen === undefined) return true;
      if (!check(instance[index] as Json, undefined)) continue;
      count += 1;
      seen?.addIndex(index);
    }
    return count >= least && count <= most;
  };
}

function allMembers(instance: JsonObject, seen: Evaluated, check: Check): boolean {
  for (const name of Object.keys(instance)) if (!seen.hasName(name) && !check(instance[name] as Json, undefined)) return false;
  return true;
}

function allElements(instance: readonly Json[], seen: Evaluated, check: Check): boolean {
  for (let index = 0; index < instance.length; index += 1)
    if (!seen.hasIndex(index) && !check(instance[index] as Json, undefined)) return false;
  return true;
}
