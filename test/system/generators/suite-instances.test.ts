/** The official test suite: satisfiable schemas give valid instances of every possible type; unsatisfiable ones are refused. */

import { describe, expect, it } from 'vitest';
import { Unsatisfiable } from '../../../generators/generation-errors.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { draw } from '../../unit/generators/drawing.ts';
import { problemsOfRepetition, problemsOfShrinking, typesAmong, unfaithful } from '../../unit/generators/instance-properties.ts';
import { readSuite, withoutSuite } from '../../unit/generators/suite.ts';
import { schemasOfSuite } from '../../unit/generators/suite-schemas.ts';

const suite = readSuite(process.env);
const schemas = suite === undefined ? [] : schemasOfSuite(suite);
const possible = schemas.filter(({ types }) => types.size > 0);
const files = suite === undefined ? ['any file'] : [...suite.files.keys()];

describe('valid instances of the official suite', () => {
  it.for(files)('%s', (file, context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    const own = possible.filter((each) => each.title.startsWith(`${file}: `));
    for (const [index, { title, schema, sources, judge, types }] of own.entries()) {
      const arbitrary = arbitraryFor(schema, sources);
      const isFine = (value: Parameters<typeof judge>[0]): readonly string[] =>
        judge(value).map(({ path }) => `${JSON.stringify(value)} ${path}`);
      const values = draw(arbitrary, { seed: 1, count: 40 });
      expect(
        values.flatMap((value) => [...isFine(value), ...unfaithful(value)]),
        title,
      ).toEqual([]);
      const reached = typesAmong(values);
      expect(
        [...types].filter((type) => !reached.has(type)),
        `${title}: types that never come`,
      ).toEqual([]);
      expect(problemsOfShrinking(arbitrary, isFine, { seed: 3, count: 1 }), title).toEqual([]);
      // Opening a schema takes long, so a second time one in four is opened.
      if (index % 4 !== 1) continue;
      expect(
        problemsOfRepetition(() => arbitraryFor(schema, sources), { seed: 2, count: 5 }, arbitrary),
        title,
      ).toEqual([]);
    }
  });

  it('are refused where there are none', (context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    const impossible = schemas.filter(({ types }) => types.size === 0);
    expect(impossible.map(({ title }) => title)).toHaveLength(11);
    for (const { title, schema, sources } of impossible) expect(() => arbitraryFor(schema, sources), title).toThrow(Unsatisfiable);
  });

  it('are judged by ajv nearly always', (context) => {
    if (suite === undefined) return context.skip(withoutSuite);
    expect(schemas.filter(({ isJudgedByAjv }) => isJudgedByAjv).length).toBeGreaterThan(0.85 * schemas.length);
    expect(possible.length).toBeGreaterThanOrEqual(372);
  });
});
