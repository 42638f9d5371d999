/** Search for values that one schema allows and another refuses. Validators confirm every value before it becomes a witness. */

import { type SourceLocation, SpecError } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import { createDocument, type Document } from '../../../core/openapi/document.ts';
import type { Schema } from '../../../core/openapi/schema.ts';
import type { SchemaViolation } from '../../../core/openapi/schema-violation.ts';
import { createValidators, type Validators } from '../../../core/openapi/validator.ts';
import type { ChangeLevel, ChangeWitness, HalfOfExchange } from '../../../core/results/contract-change.ts';
import { createInclusions, type Inclusions, type Separation } from '../../../generators/inclusion.ts';
import type { SchemaUse } from '../difference.ts';
import { FlatSchemas } from '../schemas/flat-schema.ts';
import { type EditEffect, effectOf, type SchemaEdit, type SchemaPair, type SchemaStep } from '../schemas/schema-edit.ts';
import { ClosedSchemas, closedFile, hasReadOrWriteOnly } from './closed-schemas.ts';
import type { SearchOutcome } from './search-outcome.ts';
import { writableAsText, writeAsText } from './witness-exchange.ts';

/** The edit that needs a witness, and where it is used. */
export interface WitnessTarget {
  readonly use: SchemaUse;
  /** The pair with the edit, and its path in the schema of the use. */
  readonly pair: SchemaPair;
  readonly path: readonly SchemaStep[];
  readonly edit: SchemaEdit;
  readonly level: ChangeLevel;
  readonly isNegated: boolean;
  /** True if the body is too large for a full comparison. */
  readonly isLarge: boolean;
}

/** Limit of full comparisons that only prove a compatible change. In large comparisons, breaking changes need the time more. */
const fullComparisonsMax = 10;

/** Limit of separations for each operation. Most are fast, a few take a second. */
const separationsMax = 100;

/** Witness search over the files of both sides. */
export class SchemaWitnessSearch {
  readonly flatSchemas: FlatSchemas;
  readonly #inclusions: Inclusions;
  readonly #closed: ClosedSchemas;
  readonly #validators: Validators;
  readonly #effects = new WeakMap<SchemaPair, EditEffect>();
  readonly #separations = new Map<string, number>();
  #operation = '';
  #fullComparisons = 0;

  constructor(document: Document) {
    this.flatSchemas = new FlatSchemas(document);
    this.#closed = new ClosedSchemas(this.flatSchemas, [...document.files.values()].some(hasReadOrWriteOnly));
    const combined = createDocument(document.file, new Map([...document.files, [closedFile, this.#closed.root]]));
    this.#inclusions = createInclusions(combined);
    this.#validators = createValidators(combined);
  }

  /** Sets the operation whose budget further searches use. */
  startOperation(operation: string): void {
    this.#operation = operation;
  }

  /** Operations that exceeded their budget. */
  get exhaustedOperations(): readonly string[] {
    return [...this.#separations].flatMap(([operation, count]) => (count > separationsMax ? [operation] : []));
  }

  #separateWithinBudget(allowed: readonly Schema[], refused: Schema): Separation {
    const count = (this.#separations.get(this.#operation) ?? 0) + 1;
    this.#separations.set(this.#operation, count);
    if (count > separationsMax) return { kind: 'open', tried: 0, why: 'there is too much to compare' };
    return this.#inclusions.separate(allowed, refused);
  }

  /** True if it is proved that `sup` allows every value of `sub`. */
  includes(sub: Schema, sup: Schema): boolean {
    return this.#separateWithinBudget([sub], sup).kind === 'none';
  }

  /** Effect of the change between two full schemas. Values that are not proved to be kept count as lost. */
  compareFully(pair: SchemaPair): EditEffect {
    const known = this.#effects.get(pair);
    if (known !== undefined) return known;
    const { old, new: next } = pair;
    const isLost = this.#separateByDeclared(this.#senderAndReader(old.schema, next.schema, 'request')).kind !== 'none';
    const isGained = this.#separateByDeclared(this.#senderAndReader(next.schema, old.schema, 'response')).kind !== 'none';
    const effect = effectOf(isLost, isGained);
    this.#effects.set(pair, effect);
    return effect;
  }

  /** Searches for a witness of an edit. */
  findWitness(target: WitnessTarget): SearchOutcome {
    const { use, pair, edit, level } = target;
    this.startOperation(use.operation);
    const isRequest = (use.direction === 'request') !== target.isNegated;
    const local = isRequest ? pair.old.schema : pair.new.schema;
    const constraint = isRequest ? (edit.constraints?.new ?? pair.new.schema) : (edit.constraints?.old ?? pair.old.schema);
    if (level !== 'compatible' && level !== 'documentation') return this.#search(target, constraint);
    const separation = isMonotone(target.path) ? this.#separateWithinBudget([local], constraint) : this.#compareRoot(target);
    return separation.kind === 'none'
      ? { verdict: 'proved' }
      : { verdict: 'unwitnessed', tried: separation.kind === 'open' ? separation.tried : 1 };
  }

  /** Compares the full schemas: below some keywords, a wider part makes the whole narrower. */
  #compareRoot({ use, isLarge }: WitnessTarget): Separation {
    this.#fullComparisons += 1;
    if (isLarge || this.#fullComparisons > fullComparisonsMax) return { kind: 'open', tried: 0, why: 'there is too much to compare' };
    const { allowing, refusing } = this.#partiesOf(use);
    return this.#separateWithinBudget([allowing], refusing);
  }

  /** Tries a value refused because of this edit first, then any refused value. */
  #search({ use, path, isNegated }: WitnessTarget, constraint: Schema): SearchOutcome {
    const sides = this.#partiesOf(use);
    const atPath = isNegated ? undefined : constraintAtPath(path, constraint);
    // Parameters and headers travel as text, so the value must have a text form.
    const shape: readonly Schema[] = use.idPrefix.endsWith('-body') ? [] : [writableAsText];
    let tried = 0;
    for (const refusing of atPath === undefined ? [sides.refusing] : [atPath, sides.refusing]) {
      const named = this.#separateByDeclared({ ...sides, refusing }, shape);
      const found = named.kind === 'found' ? named : this.#separateWithinBudget([sides.allowing, ...shape], refusing);
      tried += found.kind === 'open' ? found.tried : 1;
      const witness = found.kind === 'found' ? this.#confirm(use, found.value) : undefined;
      if (witness !== undefined) return { verdict: 'witnessed', witness };
    }
    return { verdict: 'unwitnessed', tried };
  }

  /** Prefers a value with declared properties only. The simplest value of the original schema usually is one, and is found faster. */
  #separateByDeclared({ allowing, closed, refusing }: SenderAndReader, shape: readonly Schema[] = []): Separation {
    const found = this.#separateWithinBudget([allowing, ...shape], refusing);
    if (found.kind === 'none' || (found.kind === 'found' && this.#inclusions.allows(closed, found.value))) return found;
    return this.#separateWithinBudget([closed, ...shape], refusing);
  }

  /** Searches for any value that clients lose, or any that is new to them; only with declared properties. */
  findAnyWitness(use: SchemaUse, isLoss: boolean): SearchOutcome {
    const found = this.#separateByDeclared(this.#partiesOf(use, isLoss));
    if (found.kind === 'none') return { verdict: 'proved' };
    const witness = found.kind === 'found' ? this.#confirm(use, found.value, isLoss) : undefined;
    if (witness !== undefined) return { verdict: 'witnessed', witness };
    return { verdict: 'unwitnessed', tried: found.kind === 'open' ? found.tried : 1 };
  }

  /** Turns a value into a witness, if validators confirm that only one side allows it. */
  #confirm(use: SchemaUse, value: Json, isLoss = true): ChangeWitness | undefined {
    const { allowing, refusing } = this.#partiesOf(use, isLoss);
    const isAllowed = this.#validate(allowing, value)?.length ?? (this.#inclusions.allows(allowing, value) ? 0 : 1);
    const refused = this.#validate(refusing, value);
    const violation = refused === undefined ? this.#evaluate(refusing, value) : refused[0];
    if (isAllowed > 0 || violation === undefined) return undefined;
    // Parameters and headers travel as text, and the text form may be allowed where the value is not.
    if (
      !use.idPrefix.endsWith('-body') &&
      (!this.#inclusions.allows(writableAsText, value) || this.#validate(refusing, writeAsText(value))?.length === 0)
    )
      return undefined;
    return {
      exchange: use.toExchange(value),
      pointer: violation.path,
      value: violation.found,
      refusedBy: isNewRefusing(use, isLoss) ? 'new' : 'old',
      keyword: violation.keyword,
      message: violation.message,
      place: violation.place,
    };
  }

  /** Violation from our own evaluator, for schemas that no validator can compile. */
  #evaluate(
    schema: Schema,
    value: Json,
  ): (Omit<SchemaViolation, 'place' | 'unknownKey'> & { readonly place: SourceLocation | undefined }) | undefined {
    if (this.#inclusions.allows(schema, value)) return undefined;
    return { path: '', keyword: 'schema', message: 'must match the schema', found: value, place: undefined };
  }

  /** Violations by a compiled validator; `undefined` if compiling fails or does not end. */
  #validate(schema: Schema, value: Json): readonly SchemaViolation[] | undefined {
    try {
      return this.#validators.compile(schema)(value);
    } catch (error) {
      // ajv generates failing code for some recursive schemas.
      if (error instanceof SpecError || error instanceof RangeError || error instanceof TypeError) return undefined;
      throw error;
    }
  }

  #partiesOf(use: SchemaUse, isLoss = true): SenderAndReader {
    const { direction, old, new: next } = use;
    return isNewRefusing(use, isLoss) ? this.#senderAndReader(old, next, direction) : this.#senderAndReader(next, old, direction);
  }

  #senderAndReader(sender: Schema, reader: Schema, half: HalfOfExchange): SenderAndReader {
    return {
      allowing: this.#closed.withoutOtherHalf(sender, half),
      closed: this.#closed.close(sender, half),
      refusing: this.#closed.withoutOtherHalf(reader, half),
    };
  }
}

/** Schema of the sender, the same with declared properties only, and schema of the reader. */
interface SenderAndReader {
  readonly allowing: Schema;
  readonly closed: Schema;
  readonly refusing: Schema;
}

/**
 * True if the new contract is the refusing one. The server reads requests, so its new contract refuses lost ones; clients read responses by
 * the old contract.
 */
function isNewRefusing({ direction }: SchemaUse, isLoss: boolean): boolean {
  return (direction === 'request') === isLoss;
}

/** True if allowing more at the end of the path always allows more at the root. */
function isMonotone(path: readonly SchemaStep[]): boolean {
  return path.every((step) => step.kind !== 'contains' && step.kind !== 'negated' && !(step.kind === 'same' && step.keyword === 'oneOf'));
}

/**
 * A root schema that is violated exactly where the schema at the end of the path violates the constraint; `undefined` below `contains`,
 * `not` or unnamed properties. Branches of a choice are treated as their parent, so the full schema must be checked too.
 */
function constraintAtPath(path: readonly SchemaStep[], constraint: Schema): Schema | undefined {
  return path.toReversed().reduce<Schema | undefined>((inner, step) => (inner === undefined ? undefined : wrap(step, inner)), constraint);
}

function wrap(step: SchemaStep, inner: Schema): Schema | undefined {
  switch (step.kind) {
    case 'property':
      return { properties: { [step.name]: inner } };
    case 'items':
      return { items: inner };
    case 'element':
      return { prefixItems: [...Array.from({ length: step.index }, () => true), inner] };
    case 'matching':
      return { patternProperties: { [step.pattern]: inner } };
    case 'names':
      return { propertyNames: inner };
    case 'same':
      return inner;
    case 'others':
    case 'contains':
    case 'negated':
      return undefined;
  }
}
