/**
 * Makes a document readable for everything else, while it is opened: every reference becomes a path with a JSON Pointer and has a target, and every keyword of
 * a schema has a meaning. What cannot be read is left out and listed.
 */

import { withoutUndefined } from '../../drop-undefined.ts';
import { formatLocation, type SourceLocation, SpecError } from '../../errors.ts';
import { describeJson, isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../../json.ts';
import { getOrCompute } from '../../memo.ts';
import { fromPointer, toPointer, valueAt } from '../../pointer.ts';
import type { Document } from '../document.ts';
import { isTextFile, type LoadedFiles } from '../loading/load-document.ts';
import { createDocument, rawOf } from '../raw-document.ts';
import { copyOrigin } from '../source-positions.ts';
import { Circles, mostSteps } from './circles.ts';
import { deepReferences, mostLevels } from './deep-references.ts';
import { DynamicReferences } from './dynamic-references.ts';
import { isReferable, type MemberShape, methods, type ObjectKind, shapeOfMember } from './object-kinds.ts';
import { ReferenceTargets } from './reference-targets.ts';
import { isExpression, mistakesOfSchema } from './schema-mistakes.ts';
import { messageOf, operationLabel, type Remark, type SetAside } from './set-aside.ts';

/** Mends a document. `unread` has the mistakes of referenced files that could not be read. */
export function mendDocument({ document, unread }: LoadedFiles): Document {
  const visitor = new Visitor(document, unread);
  visitor.visitRoot();
  const { mistakes, edits, reached, operations } = visitor;
  const remarks = [...document.remarks, ...visitor.remarks];
  const mended = edits.size === 0 ? document : applyEdits(document, edits);
  return { ...mended, remarks, setAside: mistakes.length === 0 ? [] : listSetAside(mistakes, reached, operations) };
}

/** Number of objects in one another that are visited by recursion. */
const mostVisits = 400;

const streamRemark = 'itemSchema (OpenAPI 3.2) is not read: the items of the stream are neither generated nor checked';

/** A part of the document that is read by itself: an operation, a path item, or the target of a reference. */
type Unit = object;

interface Mistake {
  readonly unit: Unit;
  readonly place: SourceLocation;
  readonly message: string;
}

/** New values of the members of an object or array; `undefined` removes a member. */
type Edits = Map<object, Map<string | number, Json | undefined>>;

/** Visits a document from its root, along all references. */
class Visitor {
  readonly mistakes: Mistake[] = [];
  readonly remarks: Remark[] = [];
  readonly edits: Edits = new Map();
  /** The units that a unit refers to or contains. */
  readonly reached = new Map<Unit, Set<Unit>>();
  readonly operations: { readonly label: string; readonly units: readonly Unit[] }[] = [];
  private readonly document: Document;
  private readonly unread: LoadedFiles['unread'];
  private readonly targets = new ReferenceTargets();
  private readonly boundSchemas = new Map<JsonObject, JsonObject>();
  private readonly dynamicReferences = new DynamicReferences({
    follow: (holder) => this.attempt(holder, () => this.followAll(holder)),
    asPointer: (holder, key) => this.targets.asPointer(holder, key, this.document.place(holder, key)) ?? String(holder[key]),
    toAnchored: (schema) => this.targets.toAnchored(schema),
  });
  private readonly circles = new Circles({
    targetOf: (reference) => this.targetOf(reference),
    edit: (holder, key, value) => this.edit(holder, key, value),
    editAlike: (copy, schema) =>
      this.edits.set(
        copy,
        getOrCompute(this.edits, schema, () => new Map()),
      ),
    setAside: (schema, reference, message) => this.setAside(schema, this.document.place(reference, '$ref'), message),
    remark: (reference, message) => this.remarks.push({ place: this.document.place(reference, '$ref'), message }),
  });
  private readonly unitsByKind = new Map<ObjectKind, Map<JsonObject, Unit>>();
  /** The end of each chain of references that was followed, or why it has none. */
  private readonly ends = new Map<JsonObject, Json | SpecError>();
  /** Number of objects around the visited one, and targets that lie deeper than the recursion goes. */
  private depth = 0;
  private readonly postponed: { readonly value: JsonObject; readonly kind: ObjectKind }[] = [];

  constructor(document: Document, unread: LoadedFiles['unread']) {
    this.document = document;
    this.unread = unread;
    for (const [file, root] of rawOf(document).files) this.targets.add(file, root);
  }

  visitRoot(): void {
    const { root } = rawOf(this.document);
    this.inlineInformation(root);
    this.visit(root, 'document', root);
    for (let next = this.postponed.pop(); next !== undefined; next = this.postponed.pop()) this.visit(next.value, next.kind, next.value);
    const error = objectOrEmpty(root['x-api'])['error'];
    if (isObject(error) && typeof error['schema'] === 'string') this.visitReference(error, 'schema', 'schema', root);
    this.leaveOutDeepReferences();
    const paths = this.valueOf(root, 'paths');
    for (const [path, entry] of Object.entries(objectOrEmpty(paths)))
      this.listOperations(path, isObject(entry) ? this.targetOf(entry) : entry);
  }

  private leaveOutDeepReferences(): void {
    const schemas = this.unitsByKind.get('schema') ?? new Map<JsonObject, Unit>();
    const tools = {
      valueOf: (holder: object, key: string | number): Json | undefined => this.valueOf(holder, key),
      targetOf: (reference: JsonObject): Json | undefined => this.targetOf(reference),
    };
    for (const schema of deepReferences(schemas.keys(), tools)) {
      const message = `${String(schema['$ref'])} continues more than ${mostLevels} schemas and references inside one another; make them fewer`;
      this.setAside(schemas.get(schema) ?? schema, this.document.place(schema, '$ref'), message);
      this.edit(schema, '$ref', undefined);
    }
  }

  /** Replaces references in the parts of a file that are no schema and no operation, such as `tags` or the description of the API. */
  private inlineInformation(value: Json, depth = 0): void {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      const isRead = depth === 0 && ['paths', 'webhooks', 'components'].includes(key);
      if (isRead || key.startsWith('x-')) continue;
      const member = this.inline(value, isArray(value) ? Number(key) : key, rawOf(this.document).root);
      if (member !== undefined) this.inlineInformation(member, depth + 1);
    }
  }

  private visit(value: JsonObject, kind: ObjectKind, unit: Unit): void {
    const units = getOrCompute(this.unitsByKind, kind, () => new Map<JsonObject, Unit>());
    const earlierUnit = units.get(value);
    if (earlierUnit !== undefined) {
      this.connect(unit, earlierUnit);
      return;
    }
    units.set(value, unit);
    this.depth += 1;
    if (kind === 'schema') this.mendSchema(value, unit);
    if (kind === 'media' && value['itemSchema'] !== undefined)
      this.remarks.push({ place: this.document.place(value, 'itemSchema'), message: streamRemark });
    for (const key of Object.keys(value)) {
      const shape = shapeOfMember(kind, key);
      if (this.isEdited(value, key)) continue;
      if (shape?.as === 'one') this.visitMember(value, key, shape.kind, unit);
      else if (shape !== undefined) this.visitMembers(value, key, shape, unit);
      else if (key === 'description' || key === 'summary') this.inline(value, key, unit);
    }
    this.depth -= 1;
  }

  /** Visits the elements of a list, or the values of a map. */
  private visitMembers(holder: JsonObject, key: string, { as, kind }: MemberShape, unit: Unit): void {
    const elements = this.inline(holder, key, unit);
    if (elements === undefined) return;
    if (as === 'list' ? !isArray(elements) : !isObject(elements)) {
      this.setAside(
        unit,
        this.document.place(holder, key),
        `${key} must be ${as === 'list' ? 'a list' : 'an object'}; here it is ${describeJson(elements)}`,
      );
      this.edit(holder, key, undefined);
      return;
    }
    for (const name of Object.keys(elements as object)) {
      if (as === 'open-map' && name.startsWith('x-')) continue;
      this.visitMember(elements as object, as === 'list' ? Number(name) : name, kind, unit, key);
    }
  }

  /** Visits a member that is an object of a kind, or a reference to one. `keyword` is the member around a list or map. */
  private visitMember(holder: object, key: string | number, kind: ObjectKind, unit: Unit, keyword: string | number = key): void {
    const own = isReferable(kind) ? (holder as JsonObject)[key] : this.inline(holder, key, unit);
    if (own === undefined || (kind === 'schema' && typeof own === 'boolean')) return;
    const value = kind === 'schema' && isObject(own) ? this.bindAt(holder, key, own) : own;
    const ownUnit = kind === 'operation' || kind === 'pathItem' ? (value as object) : unit;
    if (!isObject(value)) {
      this.setAside(unit, this.document.place(holder, key), `${key} must be an object; here it is ${describeJson(value)}`);
      this.leaveOut(holder, key, kind, keyword);
    } else if (!isReferable(kind) || !this.hasReference(value) || this.visitReference(value, '$ref', kind, ownUnit)) {
      this.visit(value, kind, ownUnit);
    } else if (kind === 'schema' && !strictContexts.has(String(keyword))) {
      // The keywords beside the reference stay.
      this.edit(value, '$ref', undefined);
      this.visit(value, kind, ownUnit);
    } else this.leaveOut(holder, key, kind, keyword);
  }

  private hasReference(value: JsonObject): boolean {
    return typeof value['$ref'] === 'string' && this.valueOf(value, '$ref') !== undefined;
  }

  /** Visits the target of a reference. Returns false, and notes the mistake, if it leads nowhere. */
  private visitReference(holder: JsonObject, key: string, kind: ObjectKind, unit: Unit): boolean {
    const place = this.document.place(holder, key);
    const found = this.attempt(unit, () => {
      const target = this.follow(holder, key);
      if (isObject(target) && typeof target['$ref'] === 'string') this.followAll(target);
      if (isObject(target) || (kind === 'schema' && typeof target === 'boolean')) return target;
      throw new SpecError(place, `${String(holder[key])} leads to ${describeJson(target)}, which is not a ${kind}; correct the reference`);
    });
    if (found === undefined) return false;
    const pointer = this.targets.asPointer(holder, key, place);
    if (pointer !== undefined && pointer !== holder[key]) this.edit(holder, key, pointer);
    if (!isObject(found)) return true;
    const target = kind === 'schema' ? this.bindTarget(holder, key, found) : found;
    this.connect(unit, target);
    const isKnown = this.unitsByKind.get(kind)?.has(target) === true;
    if (!isKnown && typeof target['$ref'] === 'string' && !this.visitReference(target, '$ref', kind, target))
      this.edit(target, '$ref', undefined);
    this.visitTarget(target, kind);
    return true;
  }

  /** Visits the target of a reference, or postpones it below many others. */
  private visitTarget(value: JsonObject, kind: ObjectKind): void {
    if (this.depth >= mostVisits) this.postponed.push({ value, kind });
    else this.visit(value, kind, value);
  }

  /** Returns a member, or the end of its chain of references, which then replaces it: nobody follows references at such places. */
  private inline(holder: object, key: string | number, unit: Unit): Json | undefined {
    const value = this.valueOf(holder, key);
    if (!isObject(value) || typeof value['$ref'] !== 'string') return value;
    const target = this.attempt(unit, () => this.followAll(value));
    this.edit(holder, key, target);
    return target;
  }

  /** Returns the end of a chain of references. */
  private followAll(value: Json): Json {
    const seen = new Set<JsonObject>();
    let current = value;
    while (isObject(current) && typeof current['$ref'] === 'string' && !this.ends.has(current)) {
      if (seen.has(current) || seen.size >= mostSteps) {
        const problem = seen.has(current)
          ? `${current['$ref']} refers to itself; replace one reference in the cycle with a value`
          : `${current['$ref']} continues a chain of more than ${mostSteps} references; refer to its end`;
        const error = new SpecError(this.document.place(current, '$ref'), problem);
        for (const reference of seen) this.ends.set(reference, error);
        throw error;
      }
      seen.add(current);
      current = this.follow(current, '$ref');
    }
    const end = isObject(current) ? (this.ends.get(current) ?? current) : current;
    for (const reference of seen) this.ends.set(reference, end);
    if (end instanceof SpecError) throw end;
    return end;
  }

  /** Returns the target of a reference; of a file of text, its text. */
  private follow(holder: JsonObject, key: string): Json {
    const place = this.document.place(holder, key);
    const { file, pointer } = this.targets.find(holder, key, place);
    const unread = this.unread.get(file);
    if (unread !== undefined) throw unread;
    const text = isTextFile(file) ? this.document.texts.get(file) : undefined;
    const target = text ?? valueAt(rawOf(this.document).files.get(file), pointer);
    if (target !== undefined) return target;
    throw new SpecError(
      place,
      `${String(holder[key])} cannot be resolved: ${file} has nothing at ${pointer || 'its root'}; correct the reference or add its target`,
    );
  }

  private mendSchema(schema: JsonObject, unit: Unit): void {
    for (const { keyword, message } of mistakesOfSchema(schema)) {
      this.setAside(unit, this.document.place(schema, keyword), message);
      this.edit(schema, keyword, undefined);
    }
    const patterns = objectOrEmpty(schema['patternProperties']);
    for (const pattern of Object.keys(patterns).filter((each) => !isExpression(each))) {
      this.setAside(unit, this.document.place(patterns, pattern), `${pattern} is not a regular expression; correct the pattern`);
      this.edit(patterns, pattern, undefined);
    }
    this.circles.break(schema);
    // References are pointers now, and an identifier would change what they are relative to.
    if (typeof schema['$id'] === 'string') this.edit(schema, '$id', undefined);
    if (typeof schema['$dynamicRef'] === 'string') this.mendDynamicReference(schema, unit);
    if (schema['$dynamicAnchor'] !== undefined) this.edit(schema, '$dynamicAnchor', undefined);
  }

  /** The end of a chain of references; `undefined` if it has none, which is told where the reference is visited. */
  private targetOf(reference: JsonObject): Json | undefined {
    try {
      return this.followAll(reference);
    } catch (error) {
      if (error instanceof SpecError) return undefined;
      throw error;
    }
  }

  /** Returns a schema with its dynamic references bound, and puts it in the place of the original. */
  private bindAt(holder: object, key: string | number, schema: JsonObject): JsonObject {
    if (!this.targets.areDynamic) return schema;
    const bound = getOrCompute(this.boundSchemas, schema, () => this.dynamicReferences.bind(schema));
    if (bound !== schema) this.edit(holder, key, bound);
    return bound;
  }

  /** Binds the schema that a reference leads to. */
  private bindTarget(holder: JsonObject, key: string, target: JsonObject): JsonObject {
    const { file, pointer } = this.targets.find(holder, key, this.document.place(holder, key));
    const keys = fromPointer(pointer);
    const parent = valueAt(rawOf(this.document).files.get(file), toPointer(keys.slice(0, -1)));
    return typeof parent === 'object' && parent !== null ? this.bindAt(parent, keys.at(-1) ?? '', target) : target;
  }

  /** Where no schema around it has another anchor of its name, `$dynamicRef` means the same as `$ref` (JSON Schema 2020-12 core §8.2.3.2). */
  private mendDynamicReference(schema: JsonObject, unit: Unit): void {
    const isFound = this.visitReference(schema, '$dynamicRef', 'schema', unit);
    const reference = { $ref: this.valueOf(schema, '$dynamicRef') ?? '' };
    this.edit(schema, '$dynamicRef', undefined);
    if (!isFound) return;
    if (schema['$ref'] === undefined) this.edit(schema, '$ref', reference.$ref);
    else this.edit(schema, 'allOf', [...(isArray(schema['allOf']) ? schema['allOf'] : []), copyOrigin(schema, reference)]);
  }

  private listOperations(path: string, item: Json | undefined): void {
    if (!isObject(item)) return;
    for (const method of methods) {
      const operation = this.valueOf(item, method);
      if (isObject(operation)) this.operations.push({ label: operationLabel(method, path), units: [operation, item] });
    }
    const furtherMethods = { ...(isObject(item['query']) ? { query: item['query'] } : {}), ...objectOrEmpty(item['additionalOperations']) };
    for (const [method, operation] of Object.entries(furtherMethods)) {
      if (!isObject(operation)) continue;
      this.operations.push({ label: operationLabel(method, path), units: [operation] });
      this.setAside(
        operation,
        this.document.place(operation),
        `operations of the method ${method.toUpperCase()} (OpenAPI 3.2) are not supported yet`,
      );
    }
  }

  /** Leaves out a value. An unknown schema or response accepts anything, and so does a schema with an unknown branch. */
  private leaveOut(holder: object, key: string | number, kind: ObjectKind, keyword: string | number): void {
    if (kind === 'schema') this.edit(holder, key, keyword === 'not' ? false : unknownSchema());
    else this.edit(holder, key, kind === 'response' ? {} : undefined);
  }

  /** Runs a step, and notes its mistake. */
  private attempt<T>(unit: Unit, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      this.setAside(unit, error.place, messageOf(error));
      return undefined;
    }
  }

  private setAside(unit: Unit, place: SourceLocation, message: string): void {
    this.mistakes.push({ unit, place, message });
  }

  private connect(from: Unit, to: Unit): void {
    if (from !== to) getOrCompute(this.reached, from, () => new Set<Unit>()).add(to);
  }

  private edit(holder: object, key: string | number, value: Json | undefined): void {
    getOrCompute(this.edits, holder, () => new Map()).set(key, value);
  }

  private isEdited(holder: object, key: string | number): boolean {
    return this.edits.get(holder)?.has(key) === true;
  }

  private valueOf(holder: object, key: string | number): Json | undefined {
    return this.isEdited(holder, key) ? this.edits.get(holder)?.get(key) : (holder as JsonObject)[key];
  }
}

/** Keywords that an unknown schema turns around: it would refuse everything, or match where another branch does. */
const strictContexts: ReadonlySet<string> = new Set(['not', 'if', 'oneOf']);

/** Schemas that stand for one that cannot be read. */
const unknownSchemas = new WeakSet<object>();

function unknownSchema(): JsonObject {
  const schema: JsonObject = {};
  unknownSchemas.add(schema);
  return schema;
}

/** Removes what an unknown schema would decide: with an unknown branch, several branches may match, and an unknown condition may be true or false. */
function withoutUnknown(members: JsonObject): JsonObject {
  const isUnknown = (schema: Json | undefined): boolean => isObject(schema) && unknownSchemas.has(schema);
  const { oneOf, if: condition, then, else: otherwise, ...rest } = members as Record<string, Json>;
  if (!isUnknown(condition) && !(isArray(oneOf) && oneOf.some(isUnknown))) return members;
  const branches = isArray(oneOf) && oneOf.some(isUnknown) ? { anyOf: oneOf } : withoutUndefined({ oneOf });
  const conditional = isUnknown(condition) ? {} : withoutUndefined({ if: condition, then, else: otherwise });
  return { ...branches, ...rest, ...conditional };
}

/** Copies a document with its edits. Unchanged values are shared, and copies keep their positions. */
function applyEdits(document: Document, edits: Edits): Document {
  const copies = new Map<object, Json>();
  const open = new Set<object>();
  const copy = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    // A value that replaces a reference inside itself would never end.
    if (open.has(value)) return {};
    const earlierCopy = copies.get(value);
    if (earlierCopy !== undefined) return earlierCopy;
    open.add(value);
    const result = copyMembers(value as JsonObject | readonly Json[]);
    open.delete(value);
    copies.set(value, result);
    return result;
  };
  const copyMembers = (value: JsonObject | readonly Json[]): Json => {
    const own = edits.get(value);
    const keys: (string | number)[] = isArray(value) ? [...value.keys()] : Object.keys(value);
    for (const key of own?.keys() ?? []) if (!keys.includes(key)) keys.push(key);
    const members = keys.flatMap((key): readonly (readonly [string | number, Json])[] => {
      const member = own?.has(key) === true ? own.get(key) : (value as JsonObject)[key];
      return member === undefined ? [] : [[key, copy(member)]];
    });
    const isSame = members.length === keys.length && members.every(([key, member]) => member === (value as JsonObject)[key]);
    if (isSame) return value;
    return copyOrigin(value, isArray(value) ? members.map(([, member]) => member) : withoutUnknown(Object.fromEntries(members)));
  };
  const files = new Map([...rawOf(document).files].map(([file, root]) => [file, copy(root) as JsonObject]));
  return createDocument(document.file, files, document.texts);
}

function listSetAside(
  mistakes: readonly Mistake[],
  reached: ReadonlyMap<Unit, ReadonlySet<Unit>>,
  operations: Visitor['operations'],
): readonly SetAside[] {
  const labelsByUnit = new Map<Unit, Set<string>>();
  for (const { label, units } of operations) {
    const seen = new Set<Unit>(units);
    for (const unit of seen) {
      getOrCompute(labelsByUnit, unit, () => new Set<string>()).add(label);
      for (const next of reached.get(unit) ?? []) seen.add(next);
    }
  }
  const byText = new Map<string, { readonly place: SourceLocation; readonly message: string; readonly operations: Set<string> }>();
  for (const { unit, place, message } of mistakes) {
    const entry = getOrCompute(byText, `${formatLocation(place)} ${message}`, () => ({ place, message, operations: new Set<string>() }));
    for (const label of labelsByUnit.get(unit) ?? []) entry.operations.add(label);
  }
  return [...byText.values()].map((entry) => ({ ...entry, operations: [...entry.operations] }));
}
