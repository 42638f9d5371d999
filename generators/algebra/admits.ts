/** Whether a value is of a form: for values that come from elsewhere, and for smaller ones that take the place of a drawn one. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { canonical, equal } from '../schema/equality.ts';
import { holds } from '../schema/evaluate.ts';
import type { Claim } from './claim.ts';
import type { Alternative, ItemDemand } from './facts.ts';
import { itemClaims, memberClaims } from './members.ts';
import type { Space } from './node.ts';
import { bitOfValue } from './prune.ts';
import { numbersOf, textsOf } from './scalars.ts';

/** Whether a value is of a form. */
export function admits(space: Space, form: Alternative, value: Json): boolean {
  if ((form.types & bitOfValue(value)) === 0) return false;
  if (form.values !== undefined && !form.values.some((each) => equal(each, value))) return false;
  if (form.except.some((each) => equal(each, value))) return false;
  if (!areTrueOf(form.checked, value)) return false;
  if (typeof value === 'number') return admitsNumber(form, value);
  if (typeof value === 'string') return admitsText(form, value);
  if (Array.isArray(value)) return admitsItems(form, value as readonly Json[]);
  return isObject(value) ? admitsMembers(space, form, value) : true;
}

/** Whether a form says something of arrays and objects that is only known to be true when the whole is looked at. */
export function hasChecks({ checked, except }: Alternative): boolean {
  return checked.length > 0 || except.some((value) => typeof value === 'object' && value !== null);
}

/** Whether what a form says of the whole is true of an array or object. */
export function passesChecks({ checked, except }: Alternative, value: Json): boolean {
  return areTrueOf(checked, value) && !except.some((each) => equal(each, value));
}

/** Whether claims are true of a value. */
export function areTrueOf(claims: readonly Claim[], value: Json): boolean {
  return claims.every((claim) => holds(claim.site, value) === claim.holds);
}

function admitsNumber(form: Alternative, value: number): boolean {
  const outcome = numbersOf(form);
  return outcome.kind === 'source' && outcome.source.accepts(value);
}

function admitsText(form: Alternative, value: string): boolean {
  const outcome = textsOf(form);
  return outcome.kind === 'source' && outcome.source.accepts(value);
}

function admitsItems({ array }: Alternative, items: readonly Json[]): boolean {
  if (items.length < array.min || items.length > array.max) return false;
  if (array.unique || array.repeated) {
    const isUnique = new Set(items.map(canonical)).size === items.length;
    if (isUnique ? array.repeated : array.unique) return false;
  }
  return items.every((item, index) => areTrueOf(itemClaims(array, index), item)) && array.demands.every((demand) => isMet(demand, items));
}

function isMet({ claim, min, max, from }: ItemDemand, items: readonly Json[]): boolean {
  const count = items.slice(from).filter((item) => areTrueOf([claim], item)).length;
  return count >= min && count <= max;
}

function admitsMembers(space: Space, form: Alternative, members: JsonObject): boolean {
  const { object } = form;
  const names = Object.keys(members);
  if (names.length < object.min || names.length > object.max) return false;
  if (!object.required.every((name) => Object.hasOwn(members, name))) return false;
  const known = space.names(form);
  if (!names.every((name) => known.allows(name) && areTrueOf(memberClaims(object, name), members[name] ?? null))) return false;
  return object.demands.every((demand) =>
    names.some((name) => known.meets(demand, name) && areTrueOf(demand.claims, members[name] ?? null)),
  );
}
