/** Whether an instance is valid: JSON Schema 2020-12 over sites, formats asserted. Each site is compiled when it is first asked. */

import { isObject, type Json } from '../../core/json.ts';
import { compileAssertions } from './assertions.ts';
import { type Check, Evaluated } from './evaluated.ts';
import { compileParts, withUnevaluated } from './parts.ts';
import type { Site } from './site.ts';

/**
 * Whether an instance is valid against a schema.
 * @throws {Unsupported} when a schema that has to be asked is malformed, or refers to nothing.
 */
export function holds(site: Site, instance: Json): boolean {
  return checkOf(site)(instance, undefined);
}

const checks = new WeakMap<Site, Check>();

function checkOf(site: Site): Check {
  const known = checks.get(site);
  if (known !== undefined) return known;
  const check = compile(site);
  checks.set(site, check);
  return check;
}

/** The check of a site that is compiled only when it is asked: schemas contain themselves. */
function later(site: Site): Check {
  let check: Check | undefined;
  return (instance, seen) => {
    check ??= checkOf(site);
    return check(instance, seen);
  };
}

function compile(site: Site): Check {
  const { schema } = site;
  if (typeof schema === 'boolean') return () => schema;
  const isPlainlyValid = compileAssertions(site);
  const inPlace = compileApplicators(site);
  const others = [...compileParts(site, later), ...inPlace];
  const whole = withUnevaluated(site, later, others.length === 0 ? isPlainlyValid : join(isPlainlyValid, others));
  return inPlace.length === 0 ? whole : guard(whole);
}

function join(isPlainlyValid: Check, others: readonly Check[]): Check {
  return (instance, seen) => {
    if (!isPlainlyValid(instance, seen)) return false;
    for (const check of others) if (!check(instance, seen)) return false;
    return true;
  };
}

/** A schema that leads back to itself at the same instance asks nothing more of it. */
function guard(check: Check): Check {
  // What is judged in between are parts of the instance, so the last one that came is the only one that can come again.
  let current: Json | undefined;
  return (instance, seen) => {
    if (current === instance) return true;
    const outer = current;
    current = instance;
    try {
      return check(instance, seen);
    } finally {
      current = outer;
    }
  };
}

/** The keywords that apply schemas to the instance itself. */
function compileApplicators(site: Site): readonly Check[] {
  const { $ref: reference, $dynamicRef: dynamicReference } = site.keywords;
  const given = [
    reference === undefined ? undefined : later(site.target('$ref')),
    dynamicReference === undefined ? undefined : later(site.target('$dynamicRef')),
    ...site.list('allOf').map(later),
    anyCheck(site),
    oneCheck(site),
    notCheck(site),
    conditionCheck(site),
    ...[...site.map('dependentSchemas')].map(([name, dependent]) => dependentCheck(name, later(dependent))),
  ];
  return given.filter((check) => check !== undefined);
}

function anyCheck(site: Site): Check | undefined {
  if (site.keywords['anyOf'] === undefined) return undefined;
  const branches = site.list('anyOf').map(later);
  return (instance, seen) => {
    let isValid = false;
    for (const branch of branches) {
      if (!attempt(branch, instance, seen)) continue;
      // Every branch that holds tells what it evaluated, when somebody asks.
      if (seen === undefined) return true;
      isValid = true;
    }
    return isValid;
  };
}

function oneCheck(site: Site): Check | undefined {
  if (site.keywords['oneOf'] === undefined) return undefined;
  const branches = site.list('oneOf').map(later);
  return (instance, seen) => {
    let count = 0;
    for (const branch of branches) {
      if (attempt(branch, instance, seen)) count += 1;
      if (count > 1) return false;
    }
    return count === 1;
  };
}

function notCheck(site: Site): Check | undefined {
  const inner = below(site, 'not');
  return inner && ((instance) => !inner(instance, undefined));
}

function conditionCheck(site: Site): Check | undefined {
  const [condition, then, otherwise] = [below(site, 'if'), below(site, 'then'), below(site, 'else')];
  if (condition === undefined) return undefined;
  return (instance, seen) => {
    const branch = attempt(condition, instance, seen) ? then : otherwise;
    return branch === undefined || branch(instance, seen);
  };
}

function dependentCheck(name: string, check: Check): Check {
  return (instance, seen) => !isObject(instance) || !Object.hasOwn(instance, name) || check(instance, seen);
}

/** Judges by a schema that may fail, and keeps what it evaluated only when it holds. */
function attempt(check: Check, instance: Json, seen: Evaluated | undefined): boolean {
  if (seen === undefined) return check(instance, undefined);
  const own = new Evaluated();
  const isValid = check(instance, own);
  if (isValid) seen.addFrom(own);
  return isValid;
}

function below(site: Site, keyword: string): Check | undefined {
  return site.keywords[keyword] === undefined ? undefined : later(site.at(keyword));
}
