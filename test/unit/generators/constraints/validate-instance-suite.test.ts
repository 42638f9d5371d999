/** The validation of the generators agrees with the official test suite of JSON Schema. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import type { Schema } from '../../../../core/openapi/schema-facts.ts';
import { isValid } from '../../../../generators/constraints/validate-instance.ts';
import { openSchema } from '../../../../generators/schema/located-schema.ts';
import { readSuite, withoutSuite } from '../suite.ts';

const suite = readSuite(process.env);

/** In the suite `format` is an annotation; here it is an assertion. Its cases are validated without the keyword. */
function withoutFormat(schema: Schema): Schema {
  const { format: _remark, ...others } = schema as Readonly<Record<string, Json>>;
  return others;
}

describe('the official suite', () => {
  it.for([...(suite?.files.keys() ?? ['any file'])])('%s', (file, context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    const wrong: string[] = [];
    for (const { description, schema, tests } of suite.files.get(file) ?? []) {
      const location = openSchema(file === 'format' ? withoutFormat(schema) : schema, { remotes: suite.remotes });
      for (const test of tests) if (isValid(location, test.data) !== test.valid) wrong.push(`${description}: ${test.description}`);
    }
    expect(wrong).toEqual([]);
  });

  it('has as many cases as it should', (context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    const tests = [...suite.files.values()].flat().flatMap((each) => each.tests);
    expect(suite.files.size).toBeGreaterThanOrEqual(46);
    expect(tests.length).toBeGreaterThanOrEqual(1299);
  });
});
