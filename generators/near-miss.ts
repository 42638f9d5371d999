/** Near misses: instances that are wrong on purpose, each in one labelled place, for testing whoever should refuse them. */

import type { Arbitrary } from 'fast-check';
import type { Json } from '../core/json.ts';
import type { Schema } from '../core/schema.ts';
import { holds } from './algebra/evaluate.ts';
import { fails, satisfies } from './algebra/facts.ts';
import { Space } from './algebra/node.ts';
import { DraftArbitrary } from './arbitrary.ts';
import { Instances } from './instances.ts';
import type { Label, MissSource } from './miss/miss-source.ts';
import { Misses } from './miss/misses.ts';
import { Unsatisfiable, Unsupported } from './outcome.ts';
import { equal } from './schema/equality.ts';
import { openSchema, type SchemaSources, type Site } from './schema/site.ts';
import { Dice, type Draft, Exhausted, type Manner, mannerOf, type Source, unlessExhausted } from './source/source.ts';

/** An instance with one fault. */
export interface NearMiss extends Label {
  readonly value: Json;
}

/**
 * An arbitrary of near misses of a schema: each is broken in one place, which it names, and each is confirmed to be invalid.
 * @throws {Unsatisfiable} when nothing is invalid for the schema.
 * @throws {Unsupported} when it cannot be generated from.
 */
export function nearMissesFor(schema: Schema, sources: SchemaSources = {}): Arbitrary<NearMiss> {
  const { confirmed, misses } = openMisses(schema, sources);
  return new DraftArbitrary(confirmed, (draft) => ({ value: draft.value, ...misses.labelOf(draft.parts as Draft) }));
}

/**
 * An arbitrary of the bare values of near misses. Unless asked otherwise they are invalid for every validator, also for one that takes `format` for an
 * annotation (JSON Schema 2020-12 validation §7.2.1 leaves that to it).
 */
export function invalidArbitraryFor(schema: Schema, sources: SchemaSources = {}): Arbitrary<Json> {
  return new DraftArbitrary(openMisses(schema, { formats: 'annotation', ...sources }).confirmed, (draft) => draft.value);
}

function openMisses(schema: Schema, sources: SchemaSources): { readonly confirmed: Source; readonly misses: MissSource } {
  const space = new Space();
  // What is not broken is right in every respect, formats included, whoever judges it.
  const site = openSchema(schema, { ...sources, formats: 'assertion' });
  const kept = sources.formats === 'annotation' ? ['format'] : [];
  const misses = new Misses(new Instances(space), kept).sourceOf(space.node([satisfies(site)]));
  if (misses === undefined) throw new Unsatisfiable(site.path, 'every instance is valid, so there is nothing to break');
  const confirmed = new ConfirmedSource(misses, openSchema(schema, sources));
  refuseWhatIsNotFound(confirmed, space, site);
  return { confirmed, misses };
}

/** The first near miss shows whether there is any. */
function refuseWhatIsNotFound(confirmed: Source, space: Space, site: Site): void {
  if (unlessExhausted(() => confirmed.simplest()) !== undefined) return;
  if (space.height(space.node([fails(site)])) === Infinity)
    throw new Unsatisfiable(site.path, 'every instance is valid, so there is nothing to break');
  throw new Unsupported(site.path, Object.keys(site.keywords)[0] ?? 'schema', 'no instance was found that it refuses');
}

/** How often a near miss is drawn until one is invalid. */
const patience = 40;
/** How many attempts of its parts may fail each time: another fault is found sooner than one that hardly ever comes out right. */
const failures = 50;

/** Lets only what is invalid through. A choice may take what one of its branches refuses. */
class ConfirmedSource implements Source {
  readonly size: number = Infinity;
  readonly #misses: MissSource;
  readonly #site: Site;
  #simplest: Draft | undefined;

  constructor(misses: MissSource, site: Site) {
    this.#misses = misses;
    this.#site = site;
  }

  children(): readonly Source[] {
    return [];
  }

  draw(manner: Manner, fuel: number): Draft {
    for (let attempt = 0; attempt < patience; attempt += 1) {
      const draft = unlessExhausted(() =>
        this.#misses.draw(mannerOf(manner.chance, manner.bias, failures), attempt < patience / 2 ? fuel : 0),
      );
      if (draft !== undefined && !holds(this.#site, draft.value)) return this.#wrap(draft);
    }
    throw new Exhausted(`an instance that ${this.#site.path} refuses`, patience);
  }

  simplest(): Draft {
    this.#simplest ??= this.#findSimplest();
    return this.#simplest;
  }

  #findSimplest(): Draft {
    const first = this.#misses.simplest();
    return holds(this.#site, first.value) ? this.draw(mannerOf(new Dice(1)), 0) : this.#wrap(first);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const simplest = this.simplest();
    if (equal(draft.value, simplest.value)) return;
    yield simplest;
    for (const smaller of this.#misses.shrink(draft.parts as Draft)) {
      if (!holds(this.#site, smaller.value)) yield this.#wrap(smaller);
    }
  }

  #wrap(draft: Draft): Draft {
    return { value: draft.value, source: this, parts: draft };
  }
}
