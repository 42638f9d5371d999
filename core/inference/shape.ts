/** What is known of the values at a place, by schemas and examples together: types, members and elements. It is wider than the schema, never narrower. */

import { isArray, isObject, type Json, type JsonObject, jsonTypeOf } from '../json.ts';
import { lazy } from '../memo.ts';
import type { Document } from '../openapi/document.ts';
import { type Operation, schemaOfSuccess } from '../openapi/operation.ts';
import { propertiesOf, type Schema, schemasAt, typesOf } from '../openapi/schema-facts.ts';
import { fromPointer } from '../pointer.ts';

/** The values that may stand at a place. */
export class Shape {
  /** All schemas that may apply, alternatives included. */
  readonly schemas: readonly JsonObject[];
  /** Example values of the place. */
  readonly examples: readonly Json[];
  readonly #members: () => ReadonlyMap<string, Shape>;
  readonly #element: () => Shape | undefined;

  constructor(document: Document, schemas: readonly Schema[], examples: readonly Json[]) {
    this.schemas = schemas.flatMap((schema) => schemasAt(document, schema, '')).filter(isObject);
    this.examples = examples.slice(0, maxExamples);
    this.#members = lazy(() => {
      const properties = propertiesOf(this.schemas);
      const objects = this.examples.filter(isObject);
      const names = new Set([...properties.keys(), ...(properties.size === 0 ? objects.flatMap((object) => Object.keys(object)) : [])]);
      const ownExamples = [...objects, ...this.schemas.map(({ example }) => example).filter(isObject)];
      return new Map(
        [...names].map((name) => {
          const values = ownExamples.flatMap((object) => object[name] ?? []);
          return [name, new Shape(document, properties.get(name) ?? [], values)];
        }),
      );
    });
    this.#element = lazy(() => {
      // An example of another type is a mistake of the file.
      if (this.types.size > 0 && !this.types.has('array')) return undefined;
      const items = this.schemas.flatMap(({ items: each }) => (isObject(each) ? [each] : []));
      const elements = this.examples.filter(isArray).flatMap((list) => list.slice(0, maxExamples));
      return items.length === 0 && elements.length === 0 && this.types.size === 0 ? undefined : new Shape(document, items, elements);
    });
  }

  /** The types of the values; empty if nothing is known. */
  get types(): ReadonlySet<string> {
    const types = new Set(this.schemas.flatMap(typesOf));
    if (this.schemas.some(({ properties }) => properties !== undefined)) types.add('object');
    if (this.schemas.some(({ items }) => items !== undefined)) types.add('array');
    if (types.size === 0) for (const value of this.listed) types.add(jsonTypeOf(value));
    if (types.size === 0) for (const example of this.examples) types.add(jsonTypeOf(example));
    return types;
  }

  get members(): ReadonlyMap<string, Shape> {
    return this.#members();
  }

  /** The elements of an array; `undefined` if the values are no arrays. */
  get element(): Shape | undefined {
    return this.#element();
  }

  /** The listed values, if all alternatives list some. */
  get listed(): readonly Json[] {
    return this.schemas.flatMap((schema) =>
      isArray(schema['enum']) ? schema['enum'] : schema['const'] === undefined ? [] : [schema['const']],
    );
  }

  get format(): string | undefined {
    return this.schemas.map(({ format }) => format).find((format) => typeof format === 'string') as string | undefined;
  }

  get description(): string {
    return this.schemas
      .map(({ description }) => description)
      .filter((text) => typeof text === 'string')
      .join(' ');
  }

  /** True for a text or a number. */
  get isScalar(): boolean {
    const { types } = this;
    return !types.has('object') && !types.has('array') && (types.has('string') || types.has('integer') || types.has('number'));
  }

  /** The shape at a pointer; `undefined` if it leads nowhere. Indexes lead to elements. */
  at(pointer: string): Shape | undefined {
    let current: Shape | undefined = this;
    for (const key of fromPointer(pointer)) current = current?.members.get(key) ?? (/^\d+$/.test(key) ? current?.element : undefined);
    return current;
  }
}

/** Number of examples that are read at a place. */
const maxExamples = 5;

/** The shape of the successful responses of an operation. */
export function shapeOfSuccess(operation: Operation): Shape {
  const successes = [...operation.responses.values()].filter(({ status }) => status.startsWith('2'));
  const examples = successes.flatMap((response) => [...response.examples.values()].map(({ value }) => value));
  return new Shape(operation.document, [schemaOfSuccess(operation.responses) ?? true], examples);
}
