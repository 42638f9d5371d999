/** Rules for keywords about what values are made of: members of objects, named or not, and items of arrays. */

import type { Place } from '../../core/errors.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import {
  alone,
  demanding,
  effectOf,
  effectOfVerb,
  isSchema,
  mapIn,
  provedEffect,
  type SchemaEdit,
  type Step,
  saysNothing,
  schemasOf,
  show,
  sides,
  type Two,
  toKebab,
  type Verb,
  type View,
  valuesOf,
  verbOf,
} from './schema-edit.ts';

/** Compares what is said of named members, and goes on below those that both sides name. */
export function compareProperties(two: Two): void {
  const [old, next] = [namesOf(two, two.old), namesOf(two, two.new)];
  const memberOf = (name: string, schema: Schema): Member => {
    return { name, schema, wasRequired: old.required.has(name), isRequired: next.required.has(name) };
  };
  for (const [name, before] of old.named) {
    const after = next.named.get(name);
    if (after === undefined) reportRemoved(two, memberOf(name, before));
    else
      two.below(
        // What the new contract says of the half of the exchange that carries it counts.
        { kind: 'property', name, isReadOnly: isMarked(two, after, 'readOnly'), isWriteOnly: isMarked(two, after, 'writeOnly') },
        before,
        after,
      );
  }
  for (const [name, after] of next.named) if (!old.named.has(name)) reportAdded(two, memberOf(name, after));
  compareRequired(two, old, next);
}

/** What a view says of members by their names. */
interface Names {
  readonly named: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
}

function namesOf({ views }: Two, view: View): Names {
  const named = [...mapIn(view, 'properties')].map(([name, schemas]) => [name, views.join(schemas)] as const);
  const lists = valuesOf(view, 'required').map((value) => (Array.isArray(value) ? (value as readonly Json[]) : []));
  return { named: new Map(named), required: new Set(lists.flat().map(String)) };
}

function isMarked({ views, old }: Two, schema: Schema | undefined, keyword: 'readOnly' | 'writeOnly'): boolean {
  return schema !== undefined && valuesOf(views.of(schema, old.place), keyword).includes(true);
}

/** Whether an object may have no member but those that are named. */
function closes(view: View): boolean {
  return ['additionalProperties', 'unevaluatedProperties'].some((keyword) => valuesOf(view, keyword).includes(false));
}

/** A member that one side names and the other does not. */
interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly wasRequired: boolean;
  readonly isRequired: boolean;
}

/** Where a member is described: at its schema, or at its name where the schema is `true` and has no place. */
function placeOf({ views }: Two, view: View, name: string, schema: Schema): Place {
  if (isObject(schema)) return views.of(schema, view.place).place;
  const holder = valuesOf(view, 'properties').find((value) => isObject(value) && name in value);
  return isObject(holder) ? views.placeIn(holder, name) : view.place;
}

function reportRemoved(two: Two, { name, schema, wasRequired, isRequired }: Member): void {
  const isLost = wasRequired && !isRequired;
  const isForbidden = closes(two.new);
  two.report({
    before: { value: schema, place: placeOf(two, two.old, name, schema) },
    after: { value: undefined, place: two.views.placeOf(two.new, 'properties') },
    subject: name,
    rule: wasRequired ? 'required-property-removed' : 'property-removed',
    effect: effectOf(isForbidden, isLost || !isForbidden),
    text: `the ${wasRequired ? 'required ' : ''}property ${name} is gone`,
    demands: {
      old: isLost ? { required: [name] } : { properties: { [name]: schema } },
      ...(isForbidden ? { new: { not: { required: [name] } } } : {}),
    },
    levels: {
      request: isMarked(two, schema, 'readOnly') ? 'compatible' : isForbidden ? 'breaking' : 'risky',
      response: isMarked(two, schema, 'writeOnly') ? 'compatible' : isLost ? 'breaking' : 'risky',
    },
    reason: isLost
      ? 'A client that reads it finds nothing there.'
      : isForbidden
        ? 'A request that has it is refused now.'
        : 'It may still be there, but nothing is said of it any more.',
  });
}

function reportAdded(two: Two, { name, schema, wasRequired, isRequired }: Member): void {
  const isDemanded = isRequired && !wasRequired;
  const wasForbidden = closes(two.old);
  two.report({
    before: { value: undefined, place: two.views.placeOf(two.old, 'properties') },
    after: { value: schema, place: placeOf(two, two.new, name, schema) },
    subject: name,
    rule: isDemanded ? 'required-property-added' : 'property-added',
    effect: effectOf(isDemanded || !wasForbidden, wasForbidden),
    text: `the ${isRequired ? 'required' : 'optional'} property ${name} is new`,
    demands: {
      new: isDemanded ? { required: [name] } : { properties: { [name]: schema } },
      ...(wasForbidden ? { old: { not: { required: [name] } } } : {}),
    },
    ...judgeAddition(wasForbidden, isDemanded, isMarked(two, schema, 'readOnly'), saysNothing(schema)),
  });
}

function judgeAddition(
  wasForbidden: boolean,
  isDemanded: boolean,
  isHidden: boolean,
  isSilent: boolean,
): Pick<SchemaEdit, 'levels' | 'reason'> {
  const response = wasForbidden ? 'breaking' : 'compatible';
  if (isDemanded && !isHidden) return { levels: { request: 'breaking', response } };
  if (wasForbidden)
    return { levels: { request: 'compatible', response }, reason: 'It was forbidden before: an answer that has it is refused.' };
  if (isHidden || isSilent) return { levels: { request: 'compatible', response } };
  return {
    levels: { request: 'risky', response },
    reason: 'Only a request that had a member of this name already, untold, may be refused.',
  };
}

/**
 * Of members that come or go altogether is told elsewhere. What only the other half of an exchange carries is demanded there only (OpenAPI 3.0
 * §4.7.24.2, JSON Schema validation §9.4).
 */
function compareRequired(two: Two, old: Names, next: Names): void {
  const report = (name: string, edit: Omit<SchemaEdit, 'before' | 'after' | 'subject'>): unknown =>
    two.report({ ...sides(two, 'required', (value) => Array.isArray(value) && value.includes(name)), subject: name, ...edit });
  for (const name of requiredBeyond(next, old))
    report(name, {
      rule: 'property-became-required',
      effect: 'narrower',
      text: `${JSON.stringify(name)} is required now`,
      demands: { new: { required: [name] } },
      ...(isMarked(two, next.named.get(name), 'readOnly') ? { levels: { request: 'compatible' } } : {}),
    });
  for (const name of requiredBeyond(old, next))
    report(name, {
      rule: 'property-became-optional',
      effect: 'wider',
      text: `${JSON.stringify(name)} is no longer required`,
      demands: { old: { required: [name] } },
      ...(isMarked(two, old.named.get(name), 'writeOnly') ? { levels: { response: 'compatible' } } : {}),
      reason: 'A client that reads it without looking finds nothing there at times.',
    });
}

/** The members that one side requires and the other does not, though it names them or neither does. */
function requiredBeyond(side: Names, other: Names): readonly string[] {
  return [...side.required].filter((name) => !other.required.has(name) && (!side.named.has(name) || other.named.has(name)));
}

/** Compares what is said of members that are not named: those that match a pattern, all others, and what the presence of one demands. */
export function compareMembers(two: Two): void {
  comparePatterned(two);
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) compareSingle(two, keyword, { kind: 'others' });
  compareSingle(two, 'propertyNames', { kind: 'names' });
  compareDependencies(two, 'dependentRequired', 'dependent-required');
  compareDependencies(two, 'dependentSchemas', 'dependent-schema');
}

function comparePatterned(two: Two): void {
  const [old, next] = [mapIn(two.old, 'patternProperties'), mapIn(two.new, 'patternProperties')];
  for (const pattern of new Set([...old.keys(), ...next.keys()])) {
    const [before, after] = [old.get(pattern), next.get(pattern)];
    if (before !== undefined && after !== undefined)
      two.below({ kind: 'matching', pattern }, two.views.join(before), two.views.join(after));
    else
      two.report({
        ...demanding(two, 'patternProperties'),
        rule: after === undefined ? 'pattern-property-removed' : 'pattern-property-added',
        effect: after === undefined ? 'wider' : 'narrower',
        subject: pattern,
        text:
          after === undefined
            ? `nothing is said any more of members whose names match ${pattern}`
            : `members whose names match ${pattern} are described now`,
      });
  }
}

/** Compares a keyword that holds one schema, which demands nothing where it is absent. */
function compareSingle(two: Two, keyword: string, step: Step): void {
  const [before = true, after = true] = [two.old, two.new].map((view) => two.views.join(schemasOf(view, keyword)));
  if (before === after) return;
  if (isObject(before) && isObject(after)) {
    two.below(step, before, after);
    return;
  }
  const [wasFree, isFree] = [saysNothing(before), saysNothing(after)];
  if (wasFree && isFree) return;
  const verb = wasFree ? 'added' : isFree ? 'removed' : 'changed';
  two.report({
    ...sides(two, keyword),
    rule: `${toKebab(keyword)}-${verb}`,
    effect: after === false || wasFree ? 'narrower' : 'wider',
    text: { added: `${keyword} is said now`, removed: `${keyword} is no longer said`, changed: `${keyword} changed` }[verb],
  });
}

function compareDependencies(two: Two, keyword: 'dependentRequired' | 'dependentSchemas', word: string): void {
  const [old, next] = [dependenciesIn(two.old, keyword), dependenciesIn(two.new, keyword)];
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const [before, after] = [old.get(name), next.get(name)];
    if (keyword === 'dependentSchemas' && isSchema(before) && isSchema(after)) {
      two.below({ kind: 'same', keyword, label: `with ${name}` }, before, after);
      continue;
    }
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    const verb: Verb = verbOf(before, after);
    two.report({
      ...demanding(two, keyword),
      rule: `${word}-${verb}`,
      effect: effectOfVerb[verb],
      subject: name,
      text: `what the presence of ${name} demands ${{ added: 'is new', removed: 'is gone', changed: 'changed' }[verb]}`,
    });
  }
}

function dependenciesIn(view: View, keyword: string): ReadonlyMap<string, Json> {
  return new Map(valuesOf(view, keyword).flatMap((value) => Object.entries(isObject(value) ? value : {})));
}

/** Compares what is said of items. */
export function compareItems(two: Two): void {
  compareElements(two);
  compareSingle(two, 'items', { kind: 'items' });
  compareSingle(two, 'unevaluatedItems', { kind: 'items' });
  compareSingle(two, 'contains', { kind: 'contains' });
  compareUnique(two);
}

function elementsIn(view: View): readonly Schema[] {
  const [list] = valuesOf(view, 'prefixItems');
  return Array.isArray(list) ? (list as readonly Json[]).filter(isSchema) : [];
}

function compareElements(two: Two): void {
  const [old, next] = [elementsIn(two.old), elementsIn(two.new)];
  for (const [index, schema] of old.entries()) {
    const after = next[index];
    if (after !== undefined) two.below({ kind: 'element', index }, schema, after);
  }
  if (old.length === next.length) return;
  const isLonger = next.length > old.length;
  // What becomes of the items beyond is up to `items`.
  const words = ['prefixItems', 'items'];
  const demands = { old: alone(two.old, words), new: alone(two.new, words) };
  two.report({
    ...sides(two, 'prefixItems'),
    rule: isLonger ? 'prefix-items-added' : 'prefix-items-removed',
    effect: provedEffect(two, demands),
    text: `${Math.abs(next.length - old.length)} of the items at fixed places ${isLonger ? 'are new' : 'are gone'}`,
    demands,
  });
}

function compareUnique(two: Two): void {
  const [old = false, next = false] = [two.old, two.new].map((view) => valuesOf(view, 'uniqueItems').includes(true));
  if (old === next) return;
  two.report({
    ...demanding(two, 'uniqueItems'),
    rule: next ? 'unique-items-added' : 'unique-items-removed',
    effect: next ? 'narrower' : 'wider',
    text: `uniqueItems changed from ${show(old)} to ${show(next)}`,
  });
}
