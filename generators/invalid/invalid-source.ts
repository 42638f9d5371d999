/** Draws instances with exactly one fault, out of the faults that it is given. Each instance is validated when it is drawn, and a valid one is dropped. */

import type { Json } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import { getOrCompute } from '../../core/memo.ts';
import { Exhausted, undefinedIfExhausted } from '../generation-errors.ts';
import { type DrawContext, type DrawnInstance, drawContext, type InstanceSource } from '../sources/instance-source.ts';
import { SeededRandom } from '../sources/random-numbers.ts';

/** The fault of an invalid instance. */
export interface FaultLabel {
  /** JSON Pointer into the instance. */
  readonly path: string;
  /** The keyword that is violated there. */
  readonly keyword: string;
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
}

/** A fault at one place of an instance. */
export interface LocatedFault extends FaultLabel {
  /** Each returns a source of whole instances with the fault; `undefined` if there are none. The first with invalid instances is used. */
  readonly sources: readonly (() => InstanceSource | undefined)[];
}

/** Depth budget of an instance: a small one shows the fault as well. */
const maxDepthBudget = 2;
/** Limit of attempts. An attempt fails if its fault has no instances, or a valid one was drawn. */
const maxAttempts = 400;
/** Number of drawn instances, all valid, after which a source counts as useless. */
const trials = 16;
/** Limit of failed attempts inside one attempt. After that, another fault is more likely to succeed. */
const innerRetries = 50;

/** Draws instances with one fault; each fault is equally likely. Each is validated, because a branch of a choice may accept what another rejects. */
export class InvalidSource implements InstanceSource {
  readonly #faults: readonly LocatedFault[];
  readonly #isInvalid: (value: Json) => boolean;
  readonly #sources = new Map<LocatedFault, InstanceSource | undefined>();
  #simplest: DrawnInstance | undefined;

  constructor(faults: readonly LocatedFault[], isInvalid: (value: Json) => boolean) {
    this.#faults = faults;
    this.#isInvalid = isInvalid;
  }

  draw(context: DrawContext, depthBudget: number): DrawnInstance {
    return this.#tryDraw(context, Math.min(depthBudget, maxDepthBudget)) ?? this.simplest();
  }

  #tryDraw({ random, bias }: DrawContext, depthBudget: number): DrawnInstance | undefined {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const fault = this.#faults[random.nextInt(0, this.#faults.length - 1)];
      const context = drawContext(random, bias, innerRetries);
      const instance = fault && this.#tryMake(fault, (source) => source.draw(context, depthBudget));
      if (instance !== undefined) return instance;
    }
    return undefined;
  }

  simplest(): DrawnInstance {
    this.#simplest ??= this.#findSimplest();
    return this.#simplest;
  }

  #findSimplest(): DrawnInstance {
    for (const fault of this.#faults) {
      const instance = this.#tryMake(fault, (source) => source.simplest());
      if (instance !== undefined) return instance;
    }
    const instance = this.#tryDraw(drawContext(new SeededRandom(1)), 1);
    if (instance === undefined) throw new Exhausted('an invalid instance', maxAttempts);
    return instance;
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    const { fault, made } = instance.parts as FaultyInstance;
    const simplest = this.simplest();
    if (equal(instance.value, simplest.value)) return;
    yield simplest;
    const simplestOfKind = this.#simplestOfKind(fault);
    if (simplestOfKind !== undefined && !equal(instance.value, simplestOfKind.value)) yield simplestOfKind;
    for (const smaller of made.source.shrink(made)) if (this.#isInvalid(smaller.value)) yield this.#wrap(fault, smaller);
  }

  /** The simplest instance with the same fault at the first place that can have it. */
  #simplestOfKind({ keyword, problem }: LocatedFault): DrawnInstance | undefined {
    const fault = this.#faults.find((each) => each.keyword === keyword && each.problem === problem);
    return fault && this.#tryMake(fault, (source) => source.simplest());
  }

  /** The fault of an instance of this source. */
  labelOf(instance: DrawnInstance): FaultLabel {
    const { path, keyword, problem } = (instance.parts as FaultyInstance).fault;
    return { path, keyword, problem };
  }

  #tryMake(fault: LocatedFault, make: (source: InstanceSource) => DrawnInstance): DrawnInstance | undefined {
    const source = getOrCompute(this.#sources, fault, ({ sources }) => this.#firstUsable(sources));
    const made = source && undefinedIfExhausted(() => make(source));
    return made !== undefined && this.#isInvalid(made.value) ? this.#wrap(fault, made) : undefined;
  }

  /** A source may have no invalid instance: another branch of an `anyOf` may accept what one rejects, or the fault contradicts the rest of the schema. */
  #firstUsable(sources: LocatedFault['sources']): InstanceSource | undefined {
    const context = drawContext(new SeededRandom(1), undefined, innerRetries);
    const isInvalid = (make: () => DrawnInstance): boolean => {
      const made = undefinedIfExhausted(make);
      return made !== undefined && this.#isInvalid(made.value);
    };
    for (const open of sources) {
      const source = open();
      if (source === undefined) continue;
      const draws = Array.from({ length: trials }, () => () => source.draw(context, 1));
      if ([() => source.simplest(), ...draws].some(isInvalid)) return source;
    }
    return undefined;
  }

  #wrap(fault: LocatedFault, made: DrawnInstance): DrawnInstance {
    return { value: made.value, source: this, parts: { fault, made } satisfies FaultyInstance };
  }
}

interface FaultyInstance {
  readonly fault: LocatedFault;
  readonly made: DrawnInstance;
}
