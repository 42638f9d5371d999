/** Whether values are valid (JSON Schema 2020-12 over sites, formats asserted), by the same facts about them that they are generated from. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { judgeBy as judgeNumbers } from '../number/facts.ts';
import { recall } from '../recall.ts';
import { canonical, equal } from '../schema/equality.ts';
import { expressionOf, namesByNameOf } from '../schema/keyword.ts';
import type { Site } from '../schema/site.ts';
import type { Opened } from '../source/source.ts';
import { judgeBy as judgeTexts } from '../text/text-facts.ts';
import {
  type Alternative,
  type ArrayFacts,
  bitOfValue,
  type Claim,
  everything,
  type ItemDemand,
  itemClaims,
  knowing,
  type MemberDemand,
  matches,
  memberClaims,
  type ObjectFacts,
  prefixLength,
  speaksOf,
} from './facts.ts';
import { factsOf, partsInPlace } from './keywords.ts';
import { numbersOf, textsOf } from './option.ts';

/**
 * Whether an instance is valid against a schema.
 * @throws {Unsupported} when a schema that has to be asked is malformed, or refers to nothing.
 */
export function holds(site: Site, instance: Json): boolean {
  return judge(site, instance, undefined);
}

/** Whether claims are true of a value. */
export function areTrueOf(claims: readonly Claim[], value: Json): boolean {
  for (const { site, holds } of claims) if (judge(site, value, undefined) !== holds) return false;
  return true;
}

/** Whether a value is of a form: for values that come from elsewhere, and for smaller ones that take the place of a drawn one. */
export function admits(form: Alternative, value: Json): boolean {
  const isNumber = (number: number): boolean => accepts(numbersOf(form), number);
  const isText = (text: string): boolean => accepts(textsOf(form), text);
  return areTrueOf(form.checked, value) && hasFacts(form, value, isNumber, isText);
}

function accepts<T>(opened: Opened<T>, value: T): boolean {
  return opened.kind === 'source' && opened.source.accepts(value);
}

/** Whether a form says something of arrays and objects that is only known to be true when the whole is looked at. */
export function hasChecks({ checked, except }: Alternative): boolean {
  return checked.length > 0 || except.some((value) => typeof value === 'object' && value !== null);
}

/** Whether what a form says of the whole is true of an array or object. */
export function passesChecks({ checked, except }: Alternative, value: Json): boolean {
  return areTrueOf(checked, value) && !except.some((each) => equal(each, value));
}

/** Whether a member may have a name at all. */
export function allows({ names }: ObjectFacts, name: string): boolean {
  return areTrueOf(names, name);
}

/** Whether a member of a name would be one that a demand speaks of. */
export function meets(object: ObjectFacts, demand: MemberDemand, name: string): boolean {
  const isNamed = demand.pattern === undefined || matches(demand.pattern, name);
  return isNamed && allows(object, name) && areTrueOf(demand.name, name) && !demand.outside.some((scope) => speaksOf(scope, name));
}

/** What the schemas that hold at one place of an instance say of it: `unevaluated*` is about the parts that none of them speaks of. */
type Seen = Alternative[];

/** Judges an instance, and notes in `seen` what is said of it when a schema above wants to know. */
type Check = (instance: Json, seen: Seen | undefined) => boolean;

/** The keywords of a schema, read. */
interface Plan {
  readonly facts: Alternative;
  readonly acceptsNumber: (value: number) => boolean;
  readonly acceptsText: (value: string) => boolean;
  /** The keywords that apply schemas to the instance itself. */
  readonly inPlace: readonly Check[];
  readonly unevaluatedItems: Site | undefined;
  readonly unevaluatedProperties: Site | undefined;
  /** The instance that is being judged. */
  current: Json | undefined;
}

const plans = new WeakMap<Site, Plan>();

function makePlan(site: Site): Plan {
  const facts = factsOf(site);
  const formats = site.assertsFormat ? {} : { formats: [] };
  const patterns = facts.text.patterns.map((pattern) => ({ regExp: expressionOf(site, 'pattern', pattern) }));
  const texts = { ...facts.text, ...formats, patterns, notPatterns: [], except: new Set<string>() };
  return {
    facts,
    // ajv judges bodies everywhere else, so what counts as a multiple here is what does for ajv.
    acceptsNumber: facts.number === everything.number ? () => true : judgeNumbers({ ...facts.number, ...formats, except: [] }, false),
    acceptsText: facts.text === everything.text ? () => true : judgeTexts(texts),
    inPlace: [
      ...partsInPlace(site).map(
        (part): Check =>
          (instance, seen) =>
            judge(part, instance, seen),
      ),
      ...choicesOf(site),
    ],
    unevaluatedItems: partAt(site, 'unevaluatedItems'),
    unevaluatedProperties: partAt(site, 'unevaluatedProperties'),
    current: undefined,
  };
}

function partAt(site: Site, keyword: string): Site | undefined {
  return site.keywords[keyword] === undefined ? undefined : site.at(keyword);
}

function choicesOf(site: Site): readonly Check[] {
  const [any, one] = [site.list('anyOf'), site.list('oneOf')];
  const [not, condition, met, unmet] = ['not', 'if', 'then', 'else'].map((keyword) => partAt(site, keyword));
  const checks: Check[] = [];
  if (site.keywords['anyOf'] !== undefined)
    checks.push((instance, seen) => {
      const isHeld = (branch: Site): boolean => attempt(branch, instance, seen);
      // Every branch that holds says something of the instance, when somebody asks.
      return seen === undefined ? any.some(isHeld) : any.filter(isHeld).length > 0;
    });
  if (site.keywords['oneOf'] !== undefined)
    checks.push((instance, seen) => one.filter((branch) => attempt(branch, instance, seen)).length === 1);
  if (not !== undefined) checks.push((instance) => !holds(not, instance));
  if (condition !== undefined)
    checks.push((instance, seen) => {
      const branch = attempt(condition, instance, seen) ? met : unmet;
      return branch === undefined || judge(branch, instance, seen);
    });
  for (const [name, dependent] of site.map('dependentSchemas'))
    checks.push((instance, seen) => !hasMember(instance, name) || judge(dependent, instance, seen));
  for (const [name, others] of namesByNameOf(site, 'dependentRequired'))
    checks.push((instance) => !hasMember(instance, name) || others.every((other) => hasMember(instance, other)));
  return checks;
}

/** Judges by a schema that may fail; what it says counts only when it holds. */
function attempt(site: Site, instance: Json, seen: Seen | undefined): boolean {
  const own: Seen | undefined = seen && [];
  const isValid = judge(site, instance, own);
  if (isValid && own !== undefined) seen?.push(...own);
  return isValid;
}

function hasMember(instance: Json, name: string): boolean {
  return isObject(instance) && Object.hasOwn(instance, name);
}

/** Whether an instance is valid against a schema. Where `seen` is given, it gathers what is said of the instance. */
function judge(site: Site, instance: Json, seen: Seen | undefined): boolean {
  if (typeof site.schema === 'boolean') return site.schema;
  const plan = recall(plans, site, makePlan);
  if (plan.inPlace.length === 0) return judgeAll(plan, instance, seen);
  // A schema that leads back to itself at the same instance asks nothing more of it. What is judged in between are parts of the instance, so the last
  // one that came is the only one that can come again.
  const { current } = plan;
  if (current === instance) return true;
  plan.current = instance;
  try {
    return judgeAll(plan, instance, seen);
  } finally {
    plan.current = current;
  }
}

function judgeAll(plan: Plan, instance: Json, outer: Seen | undefined): boolean {
  const rest = Array.isArray(instance) ? plan.unevaluatedItems : isObject(instance) ? plan.unevaluatedProperties : undefined;
  const seen = rest === undefined ? outer : [];
  if (!hasFacts(plan.facts, instance, plan.acceptsNumber, plan.acceptsText)) return false;
  seen?.push(plan.facts);
  for (const check of plan.inPlace) if (!check(instance, seen)) return false;
  if (rest === undefined || seen === undefined) return true;
  outer?.push(evaluated);
  return unevaluatedParts(instance, seen).every((part) => holds(rest, part));
}

/** What is said by a schema that evaluates every part. */
const evaluated: Alternative = knowing({
  array: { scopes: [{ prefix: [], rest: [], evaluates: true }] },
  object: { scopes: [{ named: new Map(), patterned: [], rest: [], over: [], evaluates: true }] },
});

function unevaluatedParts(instance: Json, seen: readonly Alternative[]): readonly Json[] {
  if (isObject(instance)) {
    const scopes = seen.flatMap(({ object }) => object.scopes);
    return Object.keys(instance).flatMap((name) => (scopes.some((scope) => speaksOf(scope, name)) ? [] : [instance[name] ?? null]));
  }
  const scopes = seen.flatMap(({ array }) => array.scopes);
  if (scopes.some(({ rest }) => rest !== undefined)) return [];
  const start = Math.max(0, ...scopes.map(({ prefix }) => prefix.length));
  const contained = seen.flatMap(({ array }) => array.demands.map(({ claim }) => claim));
  return (instance as readonly Json[]).slice(start).filter((item) => !contained.some((claim) => areTrueOf([claim], item)));
}

function hasFacts(
  { types, values, except, array, object }: Alternative,
  value: Json,
  acceptsNumber: (value: number) => boolean,
  acceptsText: (value: string) => boolean,
): boolean {
  if ((types & bitOfValue(value)) === 0) return false;
  if (values !== undefined && !values.some((each) => equal(each, value))) return false;
  if (except.some((each) => equal(each, value))) return false;
  if (typeof value === 'number') return acceptsNumber(value);
  if (typeof value === 'string') return acceptsText(value);
  if (Array.isArray(value)) return array === everything.array || hasItems(array, value as readonly Json[]);
  return !isObject(value) || object === everything.object || hasMembers(object, value);
}

function hasItems(array: ArrayFacts, items: readonly Json[]): boolean {
  if (items.length < array.min || items.length > array.max) return false;
  if (array.unique || array.repeated) {
    const isUnique = new Set(items.map(canonical)).size === items.length;
    if (isUnique ? array.repeated : array.unique) return false;
  }
  const alike = prefixLength(array);
  const rest = itemClaims(array, alike);
  const isItem = (item: Json, index: number): boolean => areTrueOf(index < alike ? itemClaims(array, index) : rest, item);
  return items.every(isItem) && array.demands.every((demand) => isMet(demand, items));
}

function isMet({ claim, min, max, from }: ItemDemand, items: readonly Json[]): boolean {
  const count = items.slice(from).filter((item) => areTrueOf([claim], item)).length;
  return count >= min && count <= max;
}

function hasMembers(object: ObjectFacts, members: JsonObject): boolean {
  const names = Object.keys(members);
  if (names.length < object.min || names.length > object.max || !object.required.every((name) => Object.hasOwn(members, name)))
    return false;
  for (const name of names) {
    if (!allows(object, name) || !areTrueOf(memberClaims(object, name), members[name] ?? null)) return false;
  }
  return object.demands.every((demand) =>
    names.some((name) => meets(object, demand, name) && areTrueOf(demand.claims, members[name] ?? null)),
  );
}
