import { isArray, type Json, type JsonObject } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import type { DrawContext, DrawnInstance, InstanceSource } from '../sources/instance-source.ts';

/** The drawn instances of which one is composed. */
interface Replacement {
  readonly whole: DrawnInstance;
  readonly part: DrawnInstance;
}

/** Draws arrays or objects that are valid except for one part, which comes from another source. */
export class ReplacedPartSource implements InstanceSource {
  readonly #whole: InstanceSource;
  readonly #key: string | number;
  readonly #part: InstanceSource;

  /** All instances of `whole` have the part `key`. */
  constructor(whole: InstanceSource, key: string | number, part: InstanceSource) {
    this.#whole = whole;
    this.#key = key;
    this.#part = part;
  }

  draw(context: DrawContext, depthBudget: number): DrawnInstance {
    return this.#wrap({ part: this.#part.draw(context, depthBudget - 1), whole: this.#whole.draw(context, depthBudget - 1) });
  }

  simplest(): DrawnInstance {
    return this.#wrap({ part: this.#part.simplest(), whole: this.#whole.simplest() });
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    const { whole, part } = instance.parts as Replacement;
    for (const smallerWhole of whole.source.shrink(whole)) {
      const smaller = this.#wrap({ whole: smallerWhole, part });
      // If only the replaced part became smaller, nothing has changed.
      if (!equal(smaller.value, instance.value)) yield smaller;
    }
    for (const smallerPart of part.source.shrink(part)) yield this.#wrap({ whole, part: smallerPart });
  }

  #wrap({ whole, part }: Replacement): DrawnInstance {
    const copy: Json = isArray(whole.value) ? [...whole.value] : { ...(whole.value as JsonObject) };
    // Assigning to `__proto__` would set the prototype.
    Object.defineProperty(copy, this.#key, { value: part.value, enumerable: true, configurable: true, writable: true });
    return { value: copy, source: this, parts: { whole, part } satisfies Replacement };
  }
}
