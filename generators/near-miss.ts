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
import { openSchema, type SchemaSources } from './schema/site.ts';
import { unlessExhausted } from './source/source.ts';

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
  const misses = openMisses(schema, sources);
  return new DraftArbitrary(misses, (draft) => ({ value: draft.value, ...misses.labelOf(draft) }));
}

/**
 * An arbitrary of the bare values of near misses. Unless asked otherwise they are invalid for every validator, also for one that takes `format` for an
 * annotation (JSON Schema 2020-12 validation §7.2.1 leaves that to it).
 */
export function invalidArbitraryFor(schema: Schema, sources: SchemaSources = {}): Arbitrary<Json> {
  return new DraftArbitrary(openMisses(schema, { formats: 'annotation', ...sources }), (draft) => draft.value);
}

/** A choice may take what one of its branches refuses, so each near miss is judged by the whole schema. */
function openMisses(schema: Schema, sources: SchemaSources): MissSource {
  const space = new Space();
  // What is not broken is right in every respect, formats included, whoever judges it.
  const site = openSchema(schema, { ...sources, formats: 'assertion' });
  const judge = openSchema(schema, sources);
  const kept = sources.formats === 'annotation' ? ['format'] : [];
  const misses = new Misses(new Instances(space), kept).rootOf(space.node([satisfies(site)]), (value) => !holds(judge, value));
  // The first near miss shows whether there is any.
  if (misses !== undefined && unlessExhausted(() => misses.simplest()) !== undefined) return misses;
  if (misses === undefined || space.height(space.node([fails(site)])) === Infinity)
    throw new Unsatisfiable(site.path, 'every instance is valid, so there is nothing to break');
  throw new Unsupported(site.path, Object.keys(site.keywords)[0] ?? 'schema', 'no instance was found that it refuses');
}
