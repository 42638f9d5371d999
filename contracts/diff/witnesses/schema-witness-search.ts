/**
 * Searches for values that one schema allows and another refuses. Validators confirm each value before it becomes a witness, and an exhausted budget is never
 * taken for a proof.
 */

import { SpecError } from '../../../core/errors.ts';
import { isObject, type Json, parseJson, printJson } from '../../../core/json.ts';
import { getOrCompute, lazy, memoize } from '../../../core/memo.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import { schemaFor } from '../../../core/openapi/schema-direction.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { SchemaViolation } from '../../../core/openapi/schema-violation.ts';
import { createValidators, type Validators } from '../../../core/openapi/validator.ts';
import { toPointer } from '../../../core/pointer.ts';
import type { ChangeWitness, HalfOfExchange } from '../../../core/results/diff-result.ts';
import { Unsupported, undefinedOn } from '../../../generators/generation-errors.ts';
import { createInclusions, type Inclusions, type Separation } from '../../../generators/schema-inclusion.ts';
import type { PlacedDocument } from '../component-places.ts';
import { printPart } from '../exchange-place.ts';
import { type FlatSchema, FlatSchemaCache } from '../schemas/flat-schema.ts';
import type { SchemaEdit, SchemaPair, SchemaStep } from '../schemas/schema-pair.ts';
import { isBody, type SchemaUse } from '../schemas/schema-use.ts';
import { writableAsText, writeAsText } from './build-witness-exchange.ts';
import { createClosedViews } from './closed-schemas.ts';
import { outcomeOf, type SearchOutcome, unwitnessed } from './search-outcome.ts';
import { keysOfTarget, leadsTo, SimpleInstances } from './simple-instance.ts';
import { forbiddenMember, type RefusingEdit, refusingKeywords, valuesOfEdit } from './values-of-edit.ts';

/** The edit that needs a witness, and where it is used. */
export interface WitnessTarget {
  readonly use: SchemaUse;
  /** The pair with the edit, and its path in the schema of the use. */
  readonly pair: SchemaPair;
  readonly path: readonly SchemaStep[];
  readonly edit: SchemaEdit;
  /** True if the path passes an odd number of `not`. */
  readonly isNegated: boolean;
}

/** Work of one comparison, in pairs of domains: a few seconds. The levels are decided first, then breaking and risky changes get their witnesses. */
const workMax = 300_000;

/** Work of one separation, the search for a value that one schema allows and another refuses. Those that succeed need far less. */
const separationWorkMax = 30_000;

/** Work that any separation counts as, however small its schemas are. */
const leastSeparationWork = 100;

/** Witness search over the files of both sides. */
export class SchemaWitnessSearch {
  readonly flatSchemas: FlatSchemaCache;
  readonly #inclusions: Inclusions;
  readonly #document: PlacedDocument;
  readonly #closedViewOf: (schema: Schema) => Schema;
  /** Validators of single values, by their JSON text. A value is validated by several schemas in turn. */
  readonly #validatorsOf: (value: string) => Validators;
  readonly #instances = new Map<HalfOfExchange, SimpleInstances>();
  readonly #losses: Readonly<Record<HalfOfExchange, WeakMap<SchemaPair, boolean>>> = { request: new WeakMap(), response: new WeakMap() };
  readonly #wholeSearches = new WeakMap<SchemaPair, Map<string, Separation>>();
  readonly #proofs = new WeakMap<object, Map<Schema, boolean>>();
  /** The operations of the searches that the budget did not allow. */
  readonly #unsearched = new Set<string>();
  /** The last operation that needed each schema that no validator can judge, by the mistake with its place. */
  readonly #unusable = new Map<string, string>();
  #operation = '';
  #separationCount = 0;

  constructor(document: PlacedDocument) {
    this.flatSchemas = new FlatSchemaCache(document);
    this.#document = document;
    this.#closedViewOf = createClosedViews(document);
    this.#inclusions = createInclusions(document);
    this.#validatorsOf = memoize((value) => createValidators(document, { only: parseJson(value) }), 2);
  }

  /** Sets the operation that further searches are for. */
  startOperation(operation: string): void {
    this.#operation = operation;
  }

  /** Operations that were not searched completely, since the budget of the comparison was used up. */
  get unsearchedOperations(): readonly string[] {
    return [...this.#unsearched];
  }

  /** The mistakes of schemas that no validator can judge, with their places, and an operation of each. No witness was confirmed there. */
  get unusableSchemas(): ReadonlyMap<string, string> {
    return this.#unusable;
  }

  /** Searches for a value that all `allowing` schemas allow and the `refusing` one refuses; `open` if the budget is used up. */
  #separateWithinBudget(allowing: readonly Schema[], refusing: Schema): Separation {
    const workLeft = workMax - this.#separationCount * leastSeparationWork - this.#inclusions.pairsCompared();
    if (workLeft <= 0) {
      this.#unsearched.add(this.#operation);
      return { kind: 'open', tried: 0, why: 'there is too much to compare' };
    }
    this.#separationCount += 1;
    return this.#inclusions.separate(allowing, refusing, Math.min(separationWorkMax, workLeft));
  }

  /** True if it is proved that `sup` allows every value of `sub`. */
  includes(sub: Schema, sup: Schema): boolean {
    if (!isObject(sub)) return this.#separateWithinBudget([sub], sup).kind === 'none';
    const proofs = getOrCompute(this.#proofs, sub, () => new Map<Schema, boolean>());
    return getOrCompute(proofs, sup, () => this.#separateWithinBudget([sub], sup).kind === 'none');
  }

  /**
   * True unless it is proved that the reader of one half of an exchange, the new contract of requests and the old one of responses, allows every value of the
   * other contract. Simple instances of the changed branches often show a loss without a search.
   */
  isLossPossible(pair: SchemaPair, half: HalfOfExchange): boolean {
    return getOrCompute(this.#losses[half], pair, () => this.#canLose(pair, half));
  }

  #canLose({ old, new: next, edits }: SchemaPair, half: HalfOfExchange): boolean {
    const [from, to] = half === 'request' ? [old, next] : [next, old];
    const compared = this.#compared(from.schema, to.schema, half);
    const branches = edits.flatMap(({ branch }) => (branch === undefined ? [] : [branch]));
    const instances = this.#instancesFor(half);
    const isLost = branches.some((branch) => {
      const value = instances.instanceOf([from.schema, branch]);
      return (
        value !== undefined &&
        this.#allows(this.#closedViewOf(compared.allowing), value) === true &&
        this.#allows(compared.refusing, value) === false
      );
    });
    return isLost || this.#separateDeclared(compared).kind !== 'none';
  }

  /** Tries the values that the edit names. Only below `not` and `propertyNames`, where they lead nowhere, searches the whole schemas. */
  findWitness(target: WitnessTarget): SearchOutcome {
    const { use, path } = target;
    this.startOperation(use.operation);
    if (!path.some(({ kind }) => kind === 'negated' || kind === 'names')) return outcomeOf(this.#tryNamedValues(target));
    // Parameters and headers travel as text, so the value must have a text form.
    const separation = this.#separateDeclared(this.#comparedIn(use), isBody(use) ? [] : [writableAsText]);
    if (separation.kind !== 'found') return unwitnessed;
    return outcomeOf(this.#confirm(use, separation.value, true, (each) => isOfTarget(target, each)));
  }

  /**
   * Puts each value that the edit names into an instance that both contracts allow otherwise. Only the edit can then be the reason of a refusal at its place.
   * If no value keeps to all other edits of its schema, one keeps to those that would refuse it by the same keyword.
   */
  #tryNamedValues(target: WitnessTarget): ChangeWitness | undefined {
    const { use, pair, path, edit } = target;
    const isNewRefusing = refusesByNew(use, true);
    const [allowing, refusing] = isNewRefusing ? [pair.old, pair.new] : [pair.new, pair.old];
    const side = isNewRefusing ? 'new' : 'old';
    const constraint = edit.constraints?.[side];
    // Nothing refuses a property that the other side merely does not declare.
    if (edit.property !== undefined && constraint === undefined) return undefined;
    const instances = this.#instancesFor(use.direction);
    const leftOut = this.#editsLeftOut(target, [allowing.schema, refusing.schema], constraint);
    // Added branches of one choice have the same constraint.
    const others = pair.edits.filter(
      (other) => other.constraints !== edit.constraints && other.effect !== 'none' && !leftOut.includes(other),
    );
    const held = others.flatMap((other) => {
      const each = other.constraints?.[side];
      return each === undefined ? [] : [{ constraint: each, keywords: ownKeywords(refusing, other, each) }];
    });
    const { refusing: refusingRoot } = this.#comparedIn(use);
    const isRestAllowed = lazy(() =>
      [[allowing.schema, refusing.schema], [refusing.schema]].some((schemas) => {
        const control = instances.instanceWith([use.old, use.new], { path, make: () => instances.instanceOf(schemas) });
        return control !== undefined && this.#allows(refusingRoot, control) === true;
      }),
    );
    const tryHolding = (holding: typeof held, keywords: readonly string[]): ChangeWitness | undefined =>
      this.#tryValues(
        target,
        {
          edit,
          allowing,
          refusing,
          constraint,
          held: holding.map((each) => each.constraint),
          leftOut: leftOut.flatMap(({ property }) => property ?? []),
        },
        keywords,
        isRestAllowed,
      );
    const witness = tryHolding(held, refusingKeywords({ edit, constraint }));
    const own = ownKeywords(refusing, edit, constraint);
    const rivals = held.filter(({ keywords }) => keywords.length === 0 || keywords.some((keyword) => own.includes(keyword)));
    return witness ?? (own.length === 0 || rivals.length === held.length ? undefined : tryHolding(rivals, own));
  }

  /** Edits like that of a required member whose own member another change refuses. A value leaves it out, as the edit does. */
  #editsLeftOut({ use, pair, edit }: WitnessTarget, schemas: readonly Schema[], constraint: Schema | undefined): readonly SchemaEdit[] {
    if (!isObject(constraint) || !Array.isArray(constraint['required'])) return [];
    const instances = this.#instancesFor(use.direction);
    const isPossible = (name: string): boolean | undefined =>
      undefinedOn(() => instances.canHaveMember(schemas, name), Unsupported, RangeError);
    return pair.edits.filter(
      ({ rule, property }) => rule === edit.rule && property !== undefined && property !== edit.property && isPossible(property) === false,
    );
  }

  #tryValues(
    { use, path }: WitnessTarget,
    named: RefusingEdit,
    keywords: readonly string[],
    isRestAllowed: () => boolean,
  ): ChangeWitness | undefined {
    const instances = this.#instancesFor(use.direction);
    const forbidden = forbiddenMember(named.constraint);
    const separate = (schemas: readonly Schema[], refused: Schema): Json | undefined => {
      const separation = this.#separateWithinBudget([...schemas, ...(isBody(use) ? [] : [writableAsText])], refused);
      return separation.kind === 'found' ? separation.value : undefined;
    };
    for (const value of valuesOfEdit(named, { instances, separate })) {
      const instance = instances.instanceWith([use.old, use.new], { path, make: () => value });
      if (instance === undefined || !named.held.every((constraint) => this.#inclusions.allows(constraint, value))) continue;
      const pointer = toPointer(keysOfTarget(path, instance));
      const isInside = ({ path: at }: ViolationPlace): boolean => at === pointer || at.startsWith(`${pointer}/`);
      // A member whose schema is `false` is refused at its own place.
      const isOfEdit = ({ path: at, keyword }: ViolationPlace): boolean =>
        keywords.length === 0
          ? isInside({ path: at, keyword })
          : keywords.includes(keyword) && at === (keyword === 'false' ? `${pointer}${toPointer([forbidden ?? ''])}` : pointer);
      const witness = this.#confirm(
        use,
        instance,
        true,
        // A refusal elsewhere, such as by a choice around the value, may have another reason.
        (violation, _, all) =>
          isOfEdit(violation) && !named.leftOut.includes(violation.missingKey ?? '') && (all.every(isInside) || isRestAllowed()),
      );
      if (witness !== undefined) return witness;
    }
    return undefined;
  }

  #instancesFor(half: HalfOfExchange): SimpleInstances {
    return getOrCompute(
      this.#instances,
      half,
      () =>
        new SimpleInstances(this.flatSchemas, half, {
          scalarOf: (schema) => {
            const separation = this.#inclusions.separate([schema], false);
            return separation.kind === 'found' ? separation.value : undefined;
          },
          allows: (schema, value) => this.#inclusions.allows(schema, value),
        }),
    );
  }

  /** Whether a schema allows a value; `undefined` if the generators cannot judge it. */
  #allows(schema: Schema, value: Json): boolean | undefined {
    return undefinedOn(() => this.#inclusions.allows(schema, value), Unsupported, RangeError);
  }

  /** Searches for a value with declared properties only. The schema as it is comes first: it is faster, and often gives such a value. */
  #separateDeclared({ allowing, refusing }: ComparedSchemas, also: readonly Schema[] = []): Separation {
    const separation = this.#separateWithinBudget([allowing, ...also], refusing);
    if (separation.kind === 'none') return separation;
    const closed = this.#closedViewOf(allowing);
    if (separation.kind === 'found' && this.#inclusions.allows(closed, separation.value)) return separation;
    return this.#separateWithinBudget([closed, ...also], refusing);
  }

  /** Searches the whole schemas of a use for any value that clients lose (`isLoss`) or gain. Uses of one pair share the search. */
  findAnyWitness(use: SchemaUse, pair: SchemaPair, isLoss: boolean): SearchOutcome {
    this.startOperation(use.operation);
    const ofPair = getOrCompute(this.#wholeSearches, pair, () => new Map<string, Separation>());
    const separation = getOrCompute(ofPair, `${use.direction} ${isLoss}`, () => this.#separateDeclared(this.#comparedIn(use, isLoss)));
    if (separation.kind === 'none') return { verdict: 'proved' };
    return outcomeOf(separation.kind === 'found' ? this.#confirm(use, separation.value, isLoss) : undefined);
  }

  /** Turns a value into a witness. Returns `undefined` unless validators confirm that only one side allows the value. */
  #confirm(
    use: SchemaUse,
    value: Json,
    isLoss = true,
    isShown: (violation: SchemaViolation, index: number, all: readonly SchemaViolation[]) => boolean = () => true,
  ): ChangeWitness | undefined {
    const { allowing, refusing } = this.#comparedIn(use, isLoss);
    // The generators judge faster, without compiling anything. What they let pass, the validators confirm.
    if (this.#allows(allowing, value) === false || this.#allows(refusing, value) === true) return undefined;
    const violation = this.#validate(refusing, value)?.find(isShown);
    if (violation === undefined || this.#validate(allowing, value)?.length !== 0) return undefined;
    // Parameters and headers travel as text, and the text form may be allowed where the value is not.
    const isRefusedAsText =
      isBody(use) || (this.#inclusions.allows(writableAsText, value) && this.#validate(refusing, writeAsText(value))?.length !== 0);
    if (!isRefusedAsText) return undefined;
    return {
      exchange: use.toExchange(value),
      ...(isBody(use) ? {} : { part: printPart(use.at.part) }),
      pointer: violation.path,
      value: violation.found,
      refusedBy: refusesByNew(use, isLoss) ? 'new' : 'old',
      keyword: violation.keyword,
      message: violation.message,
      place: violation.place,
    };
  }

  /** Violations found by a compiled validator; `undefined` if the schema cannot be compiled, or takes too long. */
  #validate(schema: Schema, value: Json): readonly SchemaViolation[] | undefined {
    try {
      return this.#validatorsOf(printJson(value)).compile(schema)(value);
    } catch (error) {
      // For some recursive schemas, ajv overflows the call stack or generates code that fails.
      const isOfAjv = error instanceof RangeError || error instanceof TypeError;
      if (!(error instanceof SpecError || isOfAjv)) throw error;
      const place = this.#document.place(isObject(schema) ? schema : rawOf(this.#document).root);
      const mistake = isOfAjv ? new SpecError(place, 'this schema validates nothing, since ajv fails on it') : error;
      this.#unusable.set(mistake.message, this.#operation);
      return undefined;
    }
  }

  #comparedIn(use: SchemaUse, isLoss = true): ComparedSchemas {
    const { direction, old, new: next } = use;
    return refusesByNew(use, isLoss) ? this.#compared(old, next, direction) : this.#compared(next, old, direction);
  }

  #compared(allowing: Schema, refusing: Schema, half: HalfOfExchange): ComparedSchemas {
    return { allowing: schemaFor(this.#document, allowing, half), refusing: schemaFor(this.#document, refusing, half) };
  }
}

type ViolationPlace = Pick<SchemaViolation, 'path' | 'keyword'>;

/** The schemas of one search, for one direction. A witness is a value that `allowing` allows and `refusing` refuses. */
interface ComparedSchemas {
  readonly allowing: Schema;
  readonly refusing: Schema;
}

/** The keywords of a schema that refuse the values of an edit; for a branch, the choice itself. */
function ownKeywords({ keywords: stated }: FlatSchema, edit: SchemaEdit, constraint: Schema | undefined): readonly string[] {
  const keywords = refusingKeywords({ edit, constraint });
  if (keywords.length === 0) return isObject(constraint) ? Object.keys(constraint) : [];
  const found = keywords.filter((keyword) => stated.has(keyword));
  return found.length > 0 ? found : keywords;
}

/** True if a refusal is of an edit below `not` or `propertyNames`: `not` refuses at its own place, and names by the keywords of the edit. */
function isOfTarget({ path, edit, use }: WitnessTarget, { path: pointer, keyword }: ViolationPlace): boolean {
  const negatedAt = path.findIndex(({ kind }) => kind === 'negated');
  if (negatedAt !== -1) return leadsTo(path.slice(0, negatedAt), pointer) !== 'elsewhere';
  const keywords = refusingKeywords({ edit, constraint: edit.constraints?.[refusesByNew(use, true) ? 'new' : 'old'] });
  const reached = leadsTo(path, pointer);
  return keywords.length === 0 ? reached !== 'elsewhere' : keywords.includes(keyword) && reached === 'at';
}

/**
 * True if the new contract is the refusing one. The server reads requests by the new contract, so it refuses the lost ones. Clients read
 * responses by the old contract, so they refuse the gained ones.
 */
function refusesByNew({ direction }: SchemaUse, isLoss: boolean): boolean {
  return (direction === 'request') === isLoss;
}
