/** Counterexamples of a comparison: it reports nothing breaking, yet one side sends a value that the other refuses. */

import fc from 'fast-check';
import { compareContracts } from '../../../../../contracts/diff/compare-contracts.ts';
import type { Json, JsonObject } from '../../../../../core/json.ts';
import type { Schema } from '../../../../../core/openapi/schema-facts.ts';
import type { Change, ChangeConsequence, HalfOfExchange } from '../../../../../core/results/diff-result.ts';
import { isValid } from '../../../../../generators/constraints/validate-instance.ts';
import { Unsatisfiable, Unsupported } from '../../../../../generators/generation-errors.ts';
import { openSchema } from '../../../../../generators/schema/located-schema.ts';
import { arbitraryFor } from '../../../../../generators/schema-arbitrary.ts';
import { judgeOf } from '../../../../helpers/schema-judge.ts';
import { isObject } from '../../../../scenario/scenario-values.ts';
import { probes } from '../../../generators/random-schema.ts';

import { closeNamed } from '../witnesses/close-named.ts';
import type { SchemaChange } from './random-pairs.ts';

/** A counterexample. */
export interface Contradiction {
  readonly direction: HalfOfExchange;
  /** Claim of the comparison: everything is proved, or nothing breaks. */
  readonly claim: 'proved' | 'compatible';
  readonly instance: Json;
  readonly changes: readonly string[];
}

/** Result for one pair. */
export interface Trial {
  /** Number of instances checked. */
  readonly tries: number;
  /** Claims of the comparison, one for each direction without a breaking change. */
  readonly claims: readonly Contradiction['claim'][];
  readonly contradictions: readonly Contradiction[];
}

/** Compares two documents that receive and return the schemas, and checks instances in each direction. */
export async function tryPair(pair: SchemaChange, drawn: number): Promise<Trial> {
  const { changes } = await compareContracts('old.json', 'new.json', {
    today: '2026-11-21',
    acceptances: [],
    read: (file) => Promise.resolve(JSON.stringify(documentOf(file.startsWith('old') ? pair.old : pair.new))),
  });
  const trials = (['request', 'response'] as const).map((direction) => holdAgainst(pair, direction, changes, drawn));
  return {
    tries: trials.reduce((sum, { tries }) => sum + tries, 0),
    claims: trials.flatMap(({ claims }) => claims),
    contradictions: trials.flatMap(({ contradictions }) => contradictions),
  };
}

/** A contract with one operation that receives and returns a schema. Definitions of the schema become components. */
export function documentOf(schema: Schema): JsonObject {
  const { $defs, ...main } = isObject(schema) ? schema : {};
  const components = { ...(isObject($defs) ? $defs : {}), main: isObject(schema) ? main : schema };
  const text = JSON.stringify(components)
    .replaceAll('"#/$defs/', '"#/components/schemas/')
    .replaceAll('"$ref":"#"', '"$ref":"#/components/schemas/main"');
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/main' } } };
  return {
    openapi: '3.1.0',
    info: { title: 'pair', version: '1.0.0' },
    paths: { '/things': { post: { requestBody: { required: true, content }, responses: { '200': { description: 'ok', content } } } } },
    components: { schemas: JSON.parse(text) as Json },
  };
}

/** Checks simple and generated instances of the sender's schema. */
export function holdAgainst(pair: SchemaChange, direction: HalfOfExchange, changes: readonly Change[], drawn: number): Trial {
  // One edit in both directions is one change, with the other direction as its consequence.
  const found = changes.flatMap(({ consequences, ...change }) => [change, ...consequences]).filter(isOf(direction));
  if (found.some(({ level }) => level === 'breaking' || level === 'risky')) return { tries: 0, claims: [], contradictions: [] };
  const [sender, reader] = direction === 'request' ? [pair.old, pair.new] : [pair.new, pair.old];
  const claim = found.every((each) => ('verdict' in each && each.verdict === 'proved') || each.level === 'documentation')
    ? 'proved'
    : 'compatible';
  // A proof holds for every value; compatibility holds for values whose members are named.
  const allowed = claim === 'proved' ? sender : closeNamed(sender);
  const [sends, reads] = [verdictsOn(allowed), verdictsOn(reader)];
  // A new property restricts only values with a member of this name, and such a member is not named yet.
  const addsProperty = found.some(({ id }) => id.endsWith('/property-added'));
  const counts = (instance: Json): boolean => claim === 'proved' || !addsProperty || hasNamedMembers(instance, JSON.stringify(sender));
  const instances = [...draw(allowed, drawn), ...probes].filter((each) => sends(each).every((verdict) => verdict) && counts(each));
  // A reader of `oneOf` takes the first branch that matches, so without a proof, a value that matches several of them says nothing.
  const judge = judgeOf(withAnyBranch(reader));
  const isSecondMatch = (instance: Json): boolean => claim === 'compatible' && judge(instance).length === 0;
  const refused = instances.filter((instance) => reads(instance).every((verdict) => !verdict) && !isSecondMatch(instance));
  const summaryOf = found.map(
    (each) => `${each.id} (${each.location}): ${each.text}; ${('verdict' in each && each.verdict) || 'no verdict'}`,
  );
  return {
    tries: instances.length,
    claims: [claim],
    contradictions: refused.slice(0, 1).map((instance) => ({ direction, claim, instance, changes: summaryOf })),
  };
}

/** True for changes, and for consequences of changes, in one direction. A consequence shows its direction in its id. */
function isOf(direction: HalfOfExchange): (found: Omit<Change, 'consequences'> | ChangeConsequence) => boolean {
  return (found) => ('direction' in found ? found.direction === direction : found.id.startsWith(`${direction}-body`));
}

/** True if a text names each member of the objects in a value. */
function hasNamedMembers(instance: Json, text: string): boolean {
  if (typeof instance !== 'object' || instance === null) return true;
  const names = isObject(instance) ? Object.keys(instance) : [];
  return (
    names.every((name) => text.includes(JSON.stringify(name))) &&
    Object.values(instance).every((each) => hasNamedMembers(each as Json, text))
  );
}

/** A schema whose choices of one branch accept several. */
function withAnyBranch(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value: Json) => {
    if (!isObject(value) || !Array.isArray(value['oneOf'])) return value;
    const { oneOf, allOf, ...others } = value;
    return { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), { anyOf: oneOf }] };
  }) as Schema;
}

/** True if both validators accept a value. ajv is wrong on some schemas with `unevaluatedItems`, so both must agree. */
function verdictsOn(schema: Schema): (instance: Json) => readonly boolean[] {
  const [judge, location] = [judgeOf(schema), openSchema(schema)];
  return (instance) => [judge(instance).length === 0, isValid(location, instance)];
}

function draw(schema: Schema, count: number): readonly Json[] {
  try {
    return fc.sample(arbitraryFor(schema), { seed: 1, numRuns: count });
  } catch (error) {
    if (error instanceof Unsatisfiable || error instanceof Unsupported) return [];
    throw error;
  }
}
