/** Rules for the members of objects that are named: `properties` and `required`. */

import type { Place } from '../../core/errors.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { effectOf, type SchemaEdit, type Step, sides, type Two } from './schema-edit.ts';
import { mapIn, saysNothing, type View } from './schema-view.ts';

/** Compares what is said of named members, and goes on below those that both sides name. */
export function compareProperties(two: Two): void {
  const [old, next] = [namesOf(two, two.old), namesOf(two, two.new)];
  for (const [name, before] of old.named) {
    const after = next.named.get(name);
    if (after === undefined)
      reportRemoved(two, { name, schema: before, wasRequired: old.required.has(name), isRequired: next.required.has(name) });
    else two.below(stepTo(two, name, after), before, after);
  }
  for (const [name, after] of next.named)
    if (!old.named.has(name))
      reportAdded(two, { name, schema: after, wasRequired: old.required.has(name), isRequired: next.required.has(name) });
  compareRequired(two, old, next);
}

/** What a view says of members by their names. */
interface Names {
  readonly named: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
}

function namesOf({ views }: Two, view: View): Names {
  const named = [...mapIn(view, 'properties')].map(([name, schemas]) => [name, views.join(schemas)] as const);
  const lists = (view.keywords.get('required') ?? []).map(({ value }) => (Array.isArray(value) ? (value as readonly Json[]) : []));
  return { named: new Map(named), required: new Set(lists.flat().map(String)) };
}

/** The step to a member; what the new contract says of the half of the exchange that carries it counts. */
function stepTo(two: Two, name: string, schema: Schema): Step {
  return { kind: 'property', name, isReadOnly: isMarked(two, schema, 'readOnly'), isWriteOnly: isMarked(two, schema, 'writeOnly') };
}

function isMarked({ views, old }: Two, schema: Schema | undefined, keyword: 'readOnly' | 'writeOnly'): boolean {
  return schema !== undefined && (views.of(schema, old.place).keywords.get(keyword) ?? []).some(({ value }) => value === true);
}

/** Whether an object may have no member but those that are named. */
function closes(view: View): boolean {
  return ['additionalProperties', 'unevaluatedProperties'].some((keyword) =>
    (view.keywords.get(keyword) ?? []).some(({ value }) => value === false),
  );
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
  const holder = (view.keywords.get('properties') ?? []).map(({ value }) => value).find((value) => isObject(value) && name in value);
  return isObject(holder) ? views.placeIn(holder, name) : view.place;
}

function reportRemoved(two: Two, { name, schema, wasRequired, isRequired }: Member): void {
  const isLost = wasRequired && !isRequired;
  const isForbidden = closes(two.new);
  const ruled = { request: isForbidden ? 'breaking' : 'risky', response: isLost ? 'breaking' : 'risky' } as const;
  const reasons = {
    lost: 'A client that reads it finds nothing there.',
    forbidden: 'A request that has it is refused now.',
    untold: 'It may still be there, but nothing is said of it any more.',
  };
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
      request: isMarked(two, schema, 'readOnly') ? 'compatible' : ruled.request,
      response: isMarked(two, schema, 'writeOnly') ? 'compatible' : ruled.response,
    },
    reason: reasons[isLost ? 'lost' : isForbidden ? 'forbidden' : 'untold'],
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
    ...additionLevels(wasForbidden, isDemanded, isMarked(two, schema, 'readOnly'), saysNothing(schema)),
  });
}

function additionLevels(
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

/** Of members that come or go altogether is told elsewhere. */
function compareRequired(two: Two, old: Names, next: Names): void {
  const sidesOf = (name: string): ReturnType<typeof sides> =>
    sides(two, 'required', (value) => Array.isArray(value) && value.includes(name));
  for (const name of next.required)
    if (!old.required.has(name) && !(next.named.has(name) && !old.named.has(name)))
      two.report({
        ...sidesOf(name),
        rule: 'property-became-required',
        effect: 'narrower',
        subject: name,
        text: `${JSON.stringify(name)} is required now`,
        demands: { new: { required: [name] } },
        ...levelWhereHidden(isMarked(two, next.named.get(name), 'readOnly'), 'request'),
      });
  for (const name of old.required)
    if (!next.required.has(name) && !(old.named.has(name) && !next.named.has(name)))
      two.report({
        ...sidesOf(name),
        rule: 'property-became-optional',
        effect: 'wider',
        subject: name,
        text: `${JSON.stringify(name)} is no longer required`,
        demands: { old: { required: [name] } },
        ...levelWhereHidden(isMarked(two, old.named.get(name), 'writeOnly'), 'response'),
        reason: 'A client that reads it without looking finds nothing there at times.',
      });
}

/** What only the other half of an exchange carries is demanded there only (OpenAPI 3.0 §4.7.24.2, JSON Schema validation §9.4). */
function levelWhereHidden(isHidden: boolean, direction: 'request' | 'response'): Pick<SchemaEdit, 'levels'> {
  return isHidden ? { levels: { [direction]: 'compatible' } } : {};
}
