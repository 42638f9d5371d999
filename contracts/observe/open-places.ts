/** The open places of a schema, and what stands at each of them in an answer. */

import type { Contract } from '../../core/contract.ts';
import { referred } from '../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { type Position, positionOf } from '../../core/traverse.ts';

/** An open place that an instance has. */
export interface OpenPlace {
  /** The question's identifier. */
  readonly id: string;
  /** The schema that the question stands beside. */
  readonly schema: JsonObject;
  /** What the place is called: the member's name. */
  readonly name: string;
  /** What stands there; `undefined` when it could stand there and does not. */
  readonly value: Json | undefined;
}

/** Tells of every open place of a value. */
export type Visit = (value: Json | undefined, name: string, tell: (place: OpenPlace) => void) => void;

/** Finds the open places of values, by the schemas of one contract; each schema is looked through once. */
export class OpenPlaces {
  private readonly contract: Contract;
  private readonly known = new Map<JsonObject, Visit | undefined>();

  constructor(contract: Contract) {
    this.contract = contract;
  }

  /** What to do with values of a schema; `undefined` when nothing in it is open. */
  visitorOf(schema: Schema | Json | undefined): Visit | undefined {
    if (!isObject(schema)) return undefined;
    if (this.known.has(schema)) return this.known.get(schema);
    const visitor = this.isTelling(schema) ? this.compile(schema) : undefined;
    this.known.set(schema, visitor);
    return visitor;
  }

  /** Parts are looked through when a value first comes to them, so that a schema may lead back to itself. */
  private compile(schema: JsonObject): Visit {
    const id = schema['x-unspecified'];
    const target = referred(this.contract.closed, schema);
    const always = [...(target === undefined ? [] : [target]), ...listOf(schema['allOf'])];
    const visitMembers = this.memberVisitor(schema);
    return (value, name, tell) => {
      if (typeof id === 'string') tell({ id, schema, name, value });
      for (const part of always) this.visitorOf(part)?.(value, name, tell);
      if (value === undefined) return;
      for (const branch of this.branchesFor(schema, value)) this.visitorOf(branch)?.(value, name, tell);
      visitMembers(value, name, tell);
    };
  }

  private memberVisitor(schema: JsonObject): Visit {
    const members = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
    const required = listOf(schema['required']);
    return (value, name, tell) => {
      for (const element of listOf(value)) this.visitorOf(schema['items'])?.(element, name, tell);
      if (!isObject(value)) return;
      for (const [key, member] of members) {
        // What is required and not there is a mistake, and no way to say that there is nothing.
        const isThere = Object.hasOwn(value, key);
        if (isThere || !required.includes(key)) this.visitorOf(member)?.(isThere ? value[key] : undefined, key, tell);
      }
    };
  }

  /** The branches of a schema that hold for a value: of alternatives those that it satisfies. */
  private branchesFor(schema: JsonObject, value: Json): readonly Json[] {
    const alternatives = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
    const telling = alternatives.filter((branch) => this.visitorOf(branch) !== undefined && this.holds(branch, value));
    const condition = schema['if'];
    if (condition === undefined) return telling;
    const branch = schema[this.holds(condition, value) ? 'then' : 'else'];
    return branch === undefined ? telling : [...telling, branch];
  }

  private holds(schema: Json, value: Json): boolean {
    return this.contract.validators.compile(schema as Schema)(value).length === 0;
  }

  /** Whether a question stands in a schema or in anything that it leads to. */
  private isTelling(schema: JsonObject): boolean {
    const seen = new Set<Json>();
    const waiting: (readonly [Json, Position])[] = [[schema, 'keywords']];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [value, position] = next;
      if (position === 'data' || position === 'extension' || seen.has(value)) continue;
      seen.add(value);
      if (position === 'keywords' && isObject(value) && typeof value['x-unspecified'] === 'string') return true;
      waiting.push(...this.partsOf(value, position));
    }
    return false;
  }

  private partsOf(value: Json, position: Position): readonly (readonly [Json, Position])[] {
    if (typeof value !== 'object' || value === null) return [];
    const target = position === 'keywords' && isObject(value) ? referred(this.contract.closed, value) : undefined;
    const members = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as JsonObject);
    const parts = members.map(([key, member]) => [member, positionOf(position, key, member)] as const);
    return target === undefined ? parts : [...parts, [target, 'keywords']];
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
