/** The schemas of the official test suite, each with a validator that agrees with the suite and with facts about its instances. */

import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { isValid } from '../../../generators/constraints/validate-instance.ts';
import { openSchema, type SchemaSources } from '../../../generators/schema/located-schema.ts';
import { judgeOf, type SchemaJudge } from '../../helpers/schema-judge.ts';
import { typesAmong } from './instance-properties.ts';
import { probes } from './random-schema.ts';
import type { Suite, SuiteCase } from './suite.ts';

/** One schema of the suite. */
export interface SuiteSchema {
  readonly title: string;
  readonly schema: Schema;
  readonly sources: SchemaSources;
  readonly judge: SchemaJudge;
  /** True when ajv validates; where it contradicts the suite, our validation does. */
  readonly isJudgedByAjv: boolean;
  /** The types of the instances that the suite accepts; none when nothing is known to be valid. */
  readonly types: ReadonlySet<string>;
  /** True when an invalid instance is known. */
  readonly isRefutable: boolean;
}

/**
 * `$schema` may name a dialect that leaves vocabularies out, which ajv does not know. Schemas without a valid example may still have instances: simple
 * values are tried.
 */
export function schemasOfSuite(suite: Suite): readonly SuiteSchema[] {
  return [...suite.files.values()].flat().map((each) => describeCase(each, suite));
}

function describeCase({ file, description, schema, tests }: SuiteCase, { remotes }: Suite): SuiteSchema {
  // To the suite, `format` is a remark.
  const sources: SchemaSources = { remotes, formats: 'annotation' };
  const location = openSchema(schema, sources);
  const own: SchemaJudge = (instance) => (isValid(location, instance) ? [] : [{ path: '', keyword: 'unknown' }]);
  const ajv = judgeByAjv(schema, sources);
  const isJudgedByAjv = ajv !== undefined && tests.every(({ data, valid }) => (ajv(data).length === 0) === valid);
  const judge = isJudgedByAjv ? ajv : own;
  const accepted = tests.filter(({ valid }) => valid).map(({ data }) => data);
  const known: readonly Json[] = accepted.length > 0 ? accepted : probes.filter((probe) => judge(probe).length === 0).slice(0, 1);
  return {
    title: `${file}: ${description}`,
    schema,
    sources,
    judge,
    isJudgedByAjv,
    types: typesAmong(known),
    isRefutable: tests.some(({ valid }) => !valid),
  };
}

/** ajv, unless it cannot read the schema. */
function judgeByAjv(schema: Schema, sources: SchemaSources): SchemaJudge | undefined {
  // ajv compares with the wrong dialect or never ends where references are dynamic; the suite's own tests find only some of these cases.
  if (JSON.stringify(schema).includes('$dynamicRef')) return undefined;
  try {
    return judgeOf(schema, sources);
  } catch {
    // This concerns schemas with their own dialects, or with identifiers that clash with a remote document. Our validation decides there.
    return undefined;
  }
}
