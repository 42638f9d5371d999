/** The search for witnesses: values that one contract allows and the other refuses, confirmed by compiled validators. */

import type { HalfOfExchange, Level, Witness } from '../../core/change.ts';
import { createDocument, type Document } from '../../core/document.ts';
import { type Place, SpecError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { createValidators, type Validators } from '../../core/validator.ts';
import type { Violation } from '../../core/violation.ts';
import { createInclusions, type Inclusions, type Separation } from '../../generators/inclusion.ts';
import { ClosedWorld, closedFile, hasMarks } from './closed-world.ts';
import { writable, write } from './description.ts';
import type { Evidence, Use } from './draft.ts';
import { type Effect, effectOf, type SchemaEdit, type SchemaPair, type Step, Views } from './schema-edit.ts';

/** What a witness is looked for. */
export interface Quarry {
  readonly use: Use;
  /** The pair that the edit belongs to, and the way to it. */
  readonly pair: SchemaPair;
  readonly path: readonly Step[];
  readonly edit: SchemaEdit;
  readonly level: Level;
  readonly isTurned: boolean;
  /** Whether the body is so large that it is not searched as a whole only to prove what rules say. */
  readonly isLarge: boolean;
}

/** How often whole schemas are compared only to prove that a compatible change is one: in a large comparison, that time is better spent on what breaks. */
const wholesMost = 10;

/** How often schemas of one operation are told apart: a few take a second each, and most none. */
const separationsMost = 100;

/** Searches in the schemas of both sides; one document holds the files of both. */
export class Search {
  readonly views: Views;
  readonly #inclusions: Inclusions;
  readonly #closed: ClosedWorld;
  readonly #validators: Validators;
  readonly #effects = new WeakMap<SchemaPair, Effect>();
  readonly #separations = new Map<string, number>();
  #operation = '';
  #wholesAsked = 0;

  constructor(document: Document) {
    this.views = new Views(document);
    this.#closed = new ClosedWorld(this.views, [...document.files.values()].some(hasMarks));
    const whole = createDocument(document.file, new Map([...document.files, [closedFile, this.#closed.root]]));
    this.#inclusions = createInclusions(whole);
    this.#validators = createValidators(whole);
  }

  /** Names the operation that further questions are for. */
  begin(operation: string): void {
    this.#operation = operation;
  }

  /** The operations that needed more work than an operation is given. */
  get exhausted(): readonly string[] {
    return [...this.#separations].flatMap(([operation, count]) => (count > separationsMost ? [operation] : []));
  }

  #ask(allowed: readonly Schema[], refused: Schema): Separation {
    const count = (this.#separations.get(this.#operation) ?? 0) + 1;
    this.#separations.set(this.#operation, count);
    if (count > separationsMost) return { kind: 'open', tried: 0, why: 'there is too much to compare' };
    return this.#inclusions.separate(allowed, refused);
  }

  /** Whether it is proved that every instance of one schema is an instance of the other. */
  includes(sub: Schema, sup: Schema): boolean {
    return this.#ask([sub], sup).kind === 'none';
  }

  /** What became of the values of a pair as a whole; what is not proved to be kept counts as lost. */
  compareWhole(pair: SchemaPair): Effect {
    const known = this.#effects.get(pair);
    if (known !== undefined) return known;
    const { old, new: next } = pair;
    const isLost = this.#separate(this.#sides(old.schema, next.schema, 'request')).kind !== 'none';
    const isGained = this.#separate(this.#sides(next.schema, old.schema, 'response')).kind !== 'none';
    const effect = effectOf(isLost, isGained);
    this.#effects.set(pair, effect);
    return effect;
  }

  /** Looks for what shows an edit where it is used. */
  find(quarry: Quarry): Evidence {
    const { use, pair, edit, level } = quarry;
    this.begin(use.operation);
    const isRequest = (use.direction === 'request') !== quarry.isTurned;
    const local = isRequest ? pair.old.schema : pair.new.schema;
    const demand = isRequest ? (edit.demands?.new ?? pair.new.schema) : (edit.demands?.old ?? pair.old.schema);
    if (level !== 'compatible' && level !== 'documentation') return this.#seek(quarry, demand);
    const kept = isMonotone(quarry.path) ? this.#ask([local], demand) : this.#keptWhole(quarry);
    return kept.kind === 'none' ? { verdict: 'proved' } : { verdict: 'unwitnessed', tried: kept.kind === 'open' ? kept.tried : 1 };
  }

  /** Whether nothing is lost in the whole: below some keywords, more allowed in a part can mean less allowed in the whole. */
  #keptWhole({ use, isLarge }: Quarry): Separation {
    this.#wholesAsked += 1;
    if (isLarge || this.#wholesAsked > wholesMost) return { kind: 'open', tried: 0, why: 'there is too much to compare' };
    const { allowing, refusing } = this.#sidesOf(use);
    return this.#ask([allowing], refusing);
  }

  /** Tries what is most telling first: a value that is refused for this edit; then any value that is refused. */
  #seek({ use, path, isTurned }: Quarry, demand: Schema): Evidence {
    const sides = this.#sidesOf(use);
    const along = isTurned ? undefined : demandAlong(path, demand);
    // What is no body travels as text, so only what a text can hold is looked for.
    const shape: readonly Schema[] = use.subject.endsWith('-body') ? [] : [writable];
    let tried = 0;
    for (const refusing of along === undefined ? [sides.refusing] : [along, sides.refusing]) {
      const named = this.#separate({ ...sides, refusing }, shape);
      const found = named.kind === 'found' ? named : this.#ask([sides.allowing, ...shape], refusing);
      tried += found.kind === 'open' ? found.tried : 1;
      const witness = found.kind === 'found' ? this.#confirm(use, found.value) : undefined;
      if (witness !== undefined) return { verdict: 'witnessed', witness };
    }
    return { verdict: 'unwitnessed', tried };
  }

  /**
   * Separates two sides by a value with named members only. The simplest value of the schema as it is written has no others most of the time, and is
   * found sooner.
   */
  #separate({ allowing, closed, refusing }: Sides, shape: readonly Schema[] = []): Separation {
    const found = this.#ask([allowing, ...shape], refusing);
    if (found.kind === 'none' || (found.kind === 'found' && this.#inclusions.allows(closed, found.value))) return found;
    return this.#ask([closed, ...shape], refusing);
  }

  /** Looks for any value that is lost to those who use the schemas, or new to them, among those with named members only. */
  findAny(use: Use, isLoss: boolean): Evidence {
    const found = this.#separate(this.#sidesOf(use, isLoss));
    if (found.kind === 'none') return { verdict: 'proved' };
    const witness = found.kind === 'found' ? this.#confirm(use, found.value, isLoss) : undefined;
    if (witness !== undefined) return { verdict: 'witnessed', witness };
    return { verdict: 'unwitnessed', tried: found.kind === 'open' ? found.tried : 1 };
  }

  /** The witness that a value is, when validators agree that the one side allows it and the other refuses it. */
  #confirm(use: Use, value: Json, isLoss = true): Witness | undefined {
    const { allowing, refusing } = this.#sidesOf(use, isLoss);
    const isAllowed = this.#judge(allowing, value)?.length ?? (this.#inclusions.allows(allowing, value) ? 0 : 1);
    const refused = this.#judge(refusing, value);
    const violation = refused === undefined ? this.#unexplained(refusing, value) : refused[0];
    if (isAllowed > 0 || violation === undefined) return undefined;
    // What is no body travels as text, and a text may be allowed where the value is not.
    if (!use.subject.endsWith('-body') && (!this.#inclusions.allows(writable, value) || this.#judge(refusing, write(value))?.length === 0))
      return undefined;
    return {
      exchange: use.expose(value),
      pointer: violation.path,
      value: violation.found,
      refusedBy: isNewRefusing(use, isLoss) ? 'new' : 'old',
      keyword: violation.keyword,
      message: violation.message,
      place: violation.place,
    };
  }

  /** What our own evaluator says where no validator can be compiled: that it is refused, and no more. */
  #unexplained(schema: Schema, value: Json): (Omit<Violation, 'place' | 'unknownKey'> & { readonly place: Place | undefined }) | undefined {
    if (this.#inclusions.allows(schema, value)) return undefined;
    return { path: '', keyword: 'schema', message: 'must be as the schema says', found: value, place: undefined };
  }

  /** What a compiled validator says; `undefined` where it cannot be compiled, or does not come to an end. */
  #judge(schema: Schema, value: Json): readonly Violation[] | undefined {
    try {
      return this.#validators.compile(schema)(value);
    } catch (error) {
      // ajv makes code of some schemas that contain themselves which fails as it runs.
      if (error instanceof SpecError || error instanceof RangeError || error instanceof TypeError) return undefined;
      throw error;
    }
  }

  #sidesOf(use: Use, isLoss = true): Sides {
    const { direction, old, new: next } = use;
    return isNewRefusing(use, isLoss) ? this.#sides(old, next, direction) : this.#sides(next, old, direction);
  }

  #sides(sender: Schema, reader: Schema, half: HalfOfExchange): Sides {
    return {
      allowing: this.#closed.carry(sender, half),
      closed: this.#closed.close(sender, half),
      refusing: this.#closed.carry(reader, half),
    };
  }
}

/** The schema of the side that sends, the same with named members only, and that of the side that must understand. */
interface Sides {
  readonly allowing: Schema;
  readonly closed: Schema;
  readonly refusing: Schema;
}

/** Requests are lost when the new contract refuses them; answers break their readers when the old contract does. What is gained is the reverse. */
function isNewRefusing({ direction }: Use, isLoss: boolean): boolean {
  return (direction === 'request') === isLoss;
}

/** Whether a way leads only through keywords below which allowing more in a part allows more in the whole. */
function isMonotone(path: readonly Step[]): boolean {
  return path.every((step) => step.kind !== 'contains' && step.kind !== 'negated' && !(step.kind === 'same' && step.keyword === 'oneOf'));
}

/**
 * The schema that fails exactly where a part at the end of a path fails a demand; `undefined` where no schema says that, because the way leads through
 * `contains`, `not` or members without names. A branch of a choice is passed through: whether the whole fails with it must be looked at.
 */
function demandAlong(path: readonly Step[], demand: Schema): Schema | undefined {
  return path.toReversed().reduce<Schema | undefined>((inner, step) => (inner === undefined ? undefined : wrap(step, inner)), demand);
}

function wrap(step: Step, inner: Schema): Schema | undefined {
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
