/** What a client may expect of a body: an example with the matching rules that the contract promises, and nothing else. */

import { compileExpression } from '../../core/bounded-expression.ts';
import type { Document } from '../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { fromPointer } from '../../core/pointer.ts';
import type { Schema } from '../../core/schema.ts';
import { type JsonType, type Promised, readPromise, typeOf } from './promise.ts';
import { textMatchers } from './text-matcher.ts';

/** A matching rule as a pact has it. */
export interface Rule {
  readonly combine: 'AND' | 'OR';
  readonly matchers: readonly JsonObject[];
}

/** An example with the rules that stand for it, each with its path. */
export interface Expectation {
  readonly example: Json;
  readonly rules: readonly (readonly [string, Rule])[];
}

/** What is known of an answer besides its schema, by JSON Pointer; `*` stands for every element. */
export interface Knowledge {
  /** Lists that have at least so many elements. */
  readonly least: ReadonlyMap<string, number>;
  /** Values that are known. */
  readonly known: ReadonlyMap<string, Json>;
  /** Members that are there although the schema leaves them out, with what holds for them. */
  readonly present: ReadonlyMap<string, Schema>;
}

/** Nothing is known but the schema. */
export const nothingKnown: Knowledge = { least: new Map(), known: new Map(), present: new Map() };

/** A place in a body. */
interface Place {
  readonly schema: Schema;
  readonly pointer: string;
  readonly path: string;
}

/**
 * What may be expected of a body that the contract describes by a schema. `undefined` when nothing is promised, or when the body is not what the
 * schema says.
 */
export function expect(document: Document, schema: Schema, body: Json, knowledge: Knowledge = nothingKnown): Expectation | undefined {
  return new Reader(document, knowledge).read({ schema, pointer: '', path: '$' }, body);
}

class Reader {
  private readonly document: Document;
  private readonly knowledge: Knowledge;

  constructor(document: Document, knowledge: Knowledge) {
    this.document = document;
    this.knowledge = knowledge;
  }

  read(place: Place, value: Json): Expectation | undefined {
    const promised = readPromise(this.document, place.schema);
    const type = typeOf(value);
    if (!promised.types.has(type)) return undefined;
    const known = this.knowledge.known.get(place.pointer);
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(value)) return alone(place, value, [{ match: 'equality' }]);
    if (isObject(value)) return this.readObject(place, promised, value);
    if (Array.isArray(value)) return this.readArray(place, promised, value as readonly Json[]);
    return readScalar(place, promised, value);
  }

  private readObject(place: Place, promised: Promised, value: JsonObject): Expectation | undefined {
    const own = ruleBeside(promised, 'object');
    if (own === undefined) return undefined;
    const names = new Set([...promised.required, ...this.presentBelow(place.pointer)]);
    const members = [...names].toSorted(byCodeUnits).flatMap((name) => {
      const found = this.readMember(place, promised, name, value[name]);
      return found === undefined ? [] : [[name, found] as const];
    });
    // An empty example would say nothing; its type says that an object is expected.
    const type: readonly Rule[] = members.length === 0 && own.length === 0 ? [{ combine: 'AND', matchers: [{ match: 'type' }] }] : own;
    return {
      example: Object.fromEntries(members.map(([name, { example }]) => [name, example])),
      rules: [...type.map((rule) => [place.path, rule] as const), ...members.flatMap(([, { rules }]) => rules)],
    };
  }

  private readMember(place: Place, promised: Promised, name: string, value: Json | undefined): Expectation | undefined {
    const step = memberStep(name);
    if (value === undefined || step === undefined) return undefined;
    const pointer = `${place.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const schema = this.knowledge.present.get(pointer) ?? promised.members.get(name) ?? true;
    return this.read({ schema, pointer, path: `${place.path}${step}` }, value);
  }

  /** The first element stands for all of them. */
  private readArray(place: Place, promised: Promised, value: readonly Json[]): Expectation | undefined {
    const beside = ruleBeside(promised, 'array');
    if (beside === undefined) return undefined;
    const [first] = value;
    const element =
      first === undefined
        ? undefined
        : this.read({ schema: promised.elements, pointer: `${place.pointer}/*`, path: `${place.path}[*]` }, first);
    const least = Math.max(promised.minItems, this.knowledge.least.get(place.pointer) ?? 0);
    if (element === undefined) return { example: [], rules: [[place.path, withNull(beside, { match: 'type', min: 0 })]] };
    return {
      example: [element.example],
      rules: [[place.path, withNull(beside, { match: 'type', min: Math.min(least, 1) })], ...element.rules],
    };
  }

  private presentBelow(pointer: string): readonly string[] {
    const depth = fromPointer(pointer).length;
    return [...this.knowledge.present.keys()].flatMap((each) => {
      const keys = fromPointer(each);
      return keys.length === depth + 1 && each.startsWith(`${pointer}/`) ? [keys.at(-1) ?? ''] : [];
    });
  }
}

/** A rule beside which an object or an array may be something else: none, `null`, or what no rule can say (`undefined`). */
function ruleBeside({ types }: Promised, type: JsonType): readonly Rule[] | undefined {
  const others = [...types].filter((each) => each !== type);
  if (others.length === 0) return [];
  return others.join() === 'null' ? [{ combine: 'OR', matchers: [{ match: 'type' }, { match: 'null' }] }] : undefined;
}

function withNull(beside: readonly Rule[], matcher: JsonObject): Rule {
  return beside.length === 0 ? { combine: 'AND', matchers: [matcher] } : { combine: 'OR', matchers: [matcher, { match: 'null' }] };
}

function readScalar(place: Place, promised: Promised, value: Json): Expectation | undefined {
  if (!isKept(promised, value)) return undefined;
  const [only, ...others] = promised.values ?? [];
  if (only !== undefined && others.length === 0) return alone(place, value, [{ match: 'equality' }]);
  const types = [...promised.types].filter((type) => type !== 'integer' || !promised.types.has('number'));
  const matchers = types.map((type) => matchersOf(type, promised, value));
  if (matchers.some((each) => each === undefined)) return undefined;
  const [first = [], ...rest] = matchers.flatMap((each) => (each === undefined ? [] : [each]));
  if (rest.length === 0) return alone(place, value, first);
  // Of several texts one is said by its first rule, which promises less than all of them.
  const either = [first, ...rest].map(([matcher = { match: 'type' }]) => matcher);
  return { example: value, rules: [[place.path, { combine: 'OR', matchers: either }]] };
}

/** Whether a value keeps the promise of its lists and patterns; content of one's own may not. */
function isKept({ values, patterns }: Promised, value: Json): boolean {
  if (values !== undefined && !values.some((each) => each === value)) return false;
  return typeof value !== 'string' || patterns.every((pattern) => compileExpression(pattern).test(value));
}

/** How a type is said, whatever the example is; `undefined` when only an example of that type could say it. */
function matchersOf(type: JsonType, promised: Promised, value: Json): readonly JsonObject[] | undefined {
  if (type === 'null' || type === 'integer' || type === 'number' || type === 'boolean')
    return [{ match: type === typeOf(value) && type === 'boolean' ? 'type' : type }];
  if (type !== 'string') return undefined;
  const matchers = textMatchers(promised);
  if (matchers.length > 0) return matchers;
  return typeof value === 'string' ? [{ match: 'type' }] : undefined;
}

function alone({ path }: Place, example: Json, matchers: readonly JsonObject[]): Expectation {
  return { example, rules: [[path, { combine: 'AND', matchers }]] };
}

/** A member in a path of Pact; `undefined` for a name that cannot be written there. */
function memberStep(name: string): string | undefined {
  if (/^[A-Za-z_]\w*$/.test(name)) return `.${name}`;
  return /^[^'"\\[\]]+$/.test(name) ? `['${name}']` : undefined;
}

function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
