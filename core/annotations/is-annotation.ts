/** Tells, while a contract is loaded, an annotation from an extension of another tool that has the same name. Does not check the annotation. */

import { nearest } from '../did-you-mean.ts';
import { isArray, isObject, type Json } from '../json.ts';

/** The members that tell an annotation from an extension of another tool with the same name. */
const tellingMembers: Readonly<Record<string, readonly string[]>> = {
  'x-api': ['error', 'tenancy', 'scopes', 'precedence'],
  'x-collection': ['items', 'key', 'version', 'head', 'order', 'page', 'filters', 'visible'],
  'x-resource': ['at', 'by', 'view'],
  'x-invalid': ['malformed', 'out-of-range', 'unknown-value', 'broken-rule', 'damaged-cursor', 'sloppy', 'undeclared'],
  'x-parameter-rules': ['exactly-one-of', 'ordered'],
};

/** True for an annotation, even one with mistakes; false for an extension of another tool, which has none of the members of ours. */
export function isAnnotation(keyword: string, value: Json | undefined): boolean {
  if (value === undefined) return false;
  const telling = tellingMembers[keyword];
  if (telling === undefined) return true;
  const holders = isArray(value) ? value : [value];
  return holders.some((holder) => isObject(holder) && Object.keys(holder).some((member) => nearest(member, telling) !== undefined));
}

/** True for an extension of another tool with the name of an annotation. */
export function isForeign(keyword: string, value: Json): boolean {
  return tellingMembers[keyword] !== undefined && !isAnnotation(keyword, value);
}
