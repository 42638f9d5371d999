/**
 * When a contract is loaded, lists the examples that break their schema. It changes none, and in a large file judges only the first ones, those of bodies and
 * parameters: an example is no promise.
 */

import { SpecError } from '../../errors.ts';
import { isJsonType } from '../../http/media-type.ts';
import { isArray, isObject, type Json, type JsonObject } from '../../json.ts';
import { getOrCompute } from '../../memo.ts';
import type { Document } from '../document.ts';
import type { Operation } from '../operation.ts';
import { follow, valueBehind } from '../raw-document.ts';
import { type Direction, schemaFor } from '../schema-direction.ts';
import { isSchema, type Schema } from '../schema-facts.ts';
import { deepestViolation, keysToViolation } from '../schema-violation.ts';
import { placeBelow } from '../source-positions.ts';
import type { Validators } from '../validator.ts';
import { type MemberShape, type ObjectKind, shapeOfMember } from './object-kinds.ts';
import type { Remark } from './set-aside.ts';

/**
 * Maximum number of examples judged in one file, since each may need a schema to be compiled. A number, not a time, so that a file gets the same remarks on
 * every machine.
 */
const maxExamples = 100;

/** What the examples of a contract are judged by. */
interface Judged {
  readonly closed: Document;
  readonly validators: Validators;
  readonly operations: readonly Operation[];
}

/** Lists the examples of the operations of a contract that break their schema, with the place of the wrong value. */
export function listBrokenExamples(contract: Judged): readonly Remark[] {
  const collector = new Collector(contract.closed);
  for (const { document, pointer } of contract.operations) collector.visit(valueBehind(document, pointer) ?? null, 'operation', 'request');
  const remarks = new Map<string, Remark>();
  for (const example of [...collector.stated, ...collector.ofSchemas].slice(0, maxExamples)) {
    const remark = judge(contract, example);
    if (remark !== undefined) remarks.set(`${remark.place.file}:${remark.place.line}:${remark.place.column}`, remark);
  }
  return [...remarks.values()];
}

/** An example, at a member of its holder. */
interface Example {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly kind: ObjectKind;
  readonly holder: object;
  readonly key: string | number;
}

/** Collects the examples of operations, each once for each direction. */
class Collector {
  /** Examples of bodies, parameters and headers. */
  readonly stated: Example[] = [];
  /** Examples in schemas. */
  readonly ofSchemas: Example[] = [];
  private readonly document: Document;
  private readonly visited = new Map<Direction, Set<object>>();

  constructor(document: Document) {
    this.document = document;
  }

  visit(entry: Json, kind: ObjectKind, direction: Direction, isJson = true): void {
    const value = kind === 'operation' ? entry : follow(this.document, entry);
    if (!isObject(value)) return;
    const visited = getOrCompute(this.visited, direction, () => new Set<object>());
    if (visited.has(value)) return;
    visited.add(value);
    const schema = kind === 'schema' ? value : value['schema'];
    if (isSchema(schema) && isJson) this.add(value, { schema, direction, kind });
    for (const [key, member] of Object.entries(value)) {
      const shape = shapeOfMember(kind, key);
      // The directions of a callback are those of another server.
      if (shape !== undefined && key !== 'callbacks') this.visitMember(member, shape, key === 'responses' ? 'response' : direction);
    }
  }

  private visitMember(member: Json, { as, kind }: MemberShape, direction: Direction): void {
    if (as === 'one') this.visit(member, kind, direction);
    else if (typeof member === 'object' && member !== null)
      for (const [name, each] of Object.entries(member)) this.visit(each, kind, direction, kind !== 'media' || isJsonType(name));
  }

  private add(value: JsonObject, given: Pick<Example, 'schema' | 'direction' | 'kind'>): void {
    const { kind } = given;
    const list = kind === 'schema' ? this.ofSchemas : this.stated;
    const { example, examples } = value;
    if (example !== undefined) list.push({ ...given, holder: value, key: 'example' });
    if (isArray(examples)) list.push(...examples.map((_, key) => ({ ...given, holder: examples, key })));
    if (!isObject(examples) || kind === 'schema') return;
    for (const entry of Object.values(examples)) {
      const named = follow(this.document, entry);
      if (isObject(named) && named['value'] !== undefined) list.push({ ...given, holder: named, key: 'value' });
    }
  }
}

function judge({ closed, validators }: Judged, example: Example): Remark | undefined {
  const { direction, kind, holder, key } = example;
  const schema = schemaFor(closed, example.schema, direction);
  const value = (holder as JsonObject)[key] ?? null;
  try {
    // For the body of a request, this validator is compiled already.
    const validate = direction === 'request' && kind === 'media' ? validators.compileFirst(schema) : validators.compile(schema);
    const violation = deepestViolation(validate(value));
    if (violation === undefined) return undefined;
    const keys = keysToViolation(violation);
    const place = typeof value === 'object' && keys.length > 0 ? placeBelow(closed.file, value, keys) : closed.place(holder, key);
    return { place, message: `the example breaks its schema: ${violation.path === '' ? 'it' : violation.path} ${violation.message}` };
  } catch (error) {
    // What cannot be compiled or takes too long is told elsewhere.
    if (error instanceof SpecError) return undefined;
    throw error;
  }
}
