/** The keywords of JSON Schema that judge a value by itself, without the help of other schemas. */

import { checksNumber, checksText } from '../../core/format.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { canonical, equal } from './equality.ts';
import { countOf, expressionOf, flagOf, namesByNameOf, namesOf, numberOf, textOf, typesOf, valuesOf } from './keyword.ts';
import type { Site } from './site.ts';

/** Judges a value. */
export type Test<Value> = (value: Value) => boolean;

/**
 * One test for all keywords of a schema that judge a value by itself.
 * @throws {Unsupported} when the value of a keyword is malformed.
 */
export function compileAssertions(site: Site): Test<Json> {
  const every = [typeTest(site), constantTest(site), listedTest(site)].filter((test) => test !== undefined);
  const [number, text, list, object] = [numberTests(site), textTests(site), listTests(site), objectTests(site)];
  return (value) => {
    if (!passes(every, value)) return false;
    if (typeof value === 'string') return passes(text, value);
    if (typeof value === 'number') return passes(number, value);
    if (typeof value !== 'object' || value === null) return true;
    return Array.isArray(value) ? passes(list, value) : passes(object, value as JsonObject);
  };
}

/** Whether a number is a multiple of another as ajv sees it. */
export function isMultiple(value: number, divisor: number): boolean {
  // In exact decimal arithmetic 0.3 is a multiple of 0.1, and in doubles 0.3 / 0.1 is 2.9999999999999996. Where the two readings differ, ajv's is
  // taken, since ajv judges bodies everywhere else. It compares a quotient with the whole digits of its text, and from 1e21 on that text has an
  // exponent: no such quotient counts as whole.
  const quotient = value / divisor;
  return Number.isInteger(quotient) && Math.abs(quotient) < 1e21;
}

/** How many code points a text has: JSON Schema counts those. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index + 1 < text.length; index += 1) if ((text.codePointAt(index) ?? 0) > 0xffff) length -= 1;
  return length;
}

function passes<Value>(tests: readonly Test<Value>[], value: Value): boolean {
  for (const test of tests) if (!test(value)) return false;
  return true;
}

const typeChecks: Readonly<Record<string, Test<Json>>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  object: isObject,
};

function typeTest(site: Site): Test<Json> | undefined {
  const [first, ...others] = (typesOf(site) ?? []).map((name) => typeChecks[name]).filter((check) => check !== undefined);
  return first === undefined || others.length === 0 ? first : (value) => first(value) || others.some((check) => check(value));
}

function constantTest(site: Site): Test<Json> | undefined {
  const constant = site.keywords['const'];
  return constant === undefined ? undefined : (value) => equal(value, constant);
}

function listedTest(site: Site): Test<Json> | undefined {
  const listed = valuesOf(site, 'enum');
  if (listed === undefined) return undefined;
  const plain = new Set<Json>(listed.filter((member) => typeof member !== 'object'));
  const others = listed.filter((member) => typeof member === 'object');
  return (value) => plain.has(value) || others.some((member) => equal(value, member));
}

function numberTests(site: Site): readonly Test<number>[] {
  const {
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf: divisor,
  } = Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((keyword) => [keyword, numberOf(site, keyword)]),
  );
  const tests: Test<number>[] = [];
  if (minimum !== undefined) tests.push((value) => value >= minimum);
  if (maximum !== undefined) tests.push((value) => value <= maximum);
  if (exclusiveMinimum !== undefined) tests.push((value) => value > exclusiveMinimum);
  if (exclusiveMaximum !== undefined) tests.push((value) => value < exclusiveMaximum);
  if (divisor !== undefined && divisor <= 0) throw site.unsupported('multipleOf', `${divisor} is not greater than 0`);
  if (divisor !== undefined) tests.push((value) => isMultiple(value, divisor));
  return [...tests, ...formatTests(site, checksNumber)];
}

function textTests(site: Site): readonly Test<string>[] {
  const [least, most, pattern] = [countOf(site, 'minLength'), countOf(site, 'maxLength'), textOf(site, 'pattern')];
  const tests: Test<string>[] = [];
  // A text has at most as many code points as code units, which are counted already.
  if (least !== undefined) tests.push((value) => value.length >= least && lengthOf(value) >= least);
  if (most !== undefined) tests.push((value) => value.length <= most || lengthOf(value) <= most);
  if (pattern !== undefined) {
    const expression = expressionOf(site, 'pattern', pattern);
    tests.push((value) => expression.test(value));
  }
  return [...tests, ...formatTests(site, checksText)];
}

function formatTests<Value>(site: Site, checks: (format: string) => Test<Value> | undefined): readonly Test<Value>[] {
  const format = textOf(site, 'format');
  const test = format === undefined || !site.assertsFormat ? undefined : checks(format);
  return test === undefined ? [] : [test];
}

function listTests(site: Site): readonly Test<readonly Json[]>[] {
  const [least, most] = [countOf(site, 'minItems'), countOf(site, 'maxItems')];
  const tests: Test<readonly Json[]>[] = [];
  if (least !== undefined) tests.push((value) => value.length >= least);
  if (most !== undefined) tests.push((value) => value.length <= most);
  return flagOf(site, 'uniqueItems') === true ? [...tests, isUnique] : tests;
}

function isUnique(list: readonly Json[]): boolean {
  if (list.length < 2) return true;
  const plain = new Set<Json>();
  const texts = new Set<string>();
  for (const member of list) {
    if (typeof member === 'object' && member !== null) texts.add(canonical(member));
    else plain.add(member);
  }
  return plain.size + texts.size === list.length;
}

function objectTests(site: Site): readonly Test<JsonObject>[] {
  const [least, most, required] = [countOf(site, 'minProperties'), countOf(site, 'maxProperties'), namesOf(site, 'required')];
  const tests: Test<JsonObject>[] = [];
  if (required !== undefined) tests.push((value) => hasAll(value, required));
  if (least !== undefined) tests.push((value) => Object.keys(value).length >= least);
  if (most !== undefined) tests.push((value) => Object.keys(value).length <= most);
  for (const [name, others] of namesByNameOf(site, 'dependentRequired'))
    tests.push((value) => !Object.hasOwn(value, name) || hasAll(value, others));
  return tests;
}

function hasAll(value: JsonObject, names: readonly string[]): boolean {
  for (const name of names) if (!Object.hasOwn(value, name)) return false;
  return true;
}
