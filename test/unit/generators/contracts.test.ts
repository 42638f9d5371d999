/** For every schema of the shipped contracts, the validators accept the instances and reject the invalid examples. */

import { describe, expect, it } from 'vitest';
import { isObject } from '../../../core/json.ts';
import { certainSchemas } from '../../../core/openapi/schema-facts.ts';
import { contractFile, listShipped } from '../../../core/shipped-files.ts';
import { Unsatisfiable } from '../../../generators/generation-errors.ts';
import { invalidArbitraryFor, invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { judgeOfContract } from '../../helpers/schema-judge.ts';
import { schemasOf } from './contract-schemas.ts';
import { draw } from './drawing.ts';
import { endsOfShrinking, problemsOfShrinking, problemsOfValidity } from './instance-properties.ts';
import { precisionOf, problemsOfInvalidExample } from './invalid-example-properties.ts';

/** The campaign `shipped-schemas` draws 10,000 of each. */
const drawing = { seed: 11, count: 6 };
const few = { seed: 12, count: 1 };

describe.each(listShipped())('the contract %s', async (name) => {
  const contract = await openContract(contractFile(name));
  const sources = { document: contract.closed };
  const schemas = schemasOf(contract).map(({ title, schema }) => [title, schema] as const);
  /** Schemas that only describe let everything pass. */
  const refusing = schemas.filter(([, schema]) => isObject(schema) && Object.keys(schema).some((keyword) => keyword !== 'description'));

  it('has schemas', () => {
    expect(refusing.length).toBeGreaterThan(20);
  });

  it.each(schemas)('draws valid instances of %s', (_title, schema) => {
    expect(problemsOfValidity(arbitraryFor(schema, sources), judgeOfContract(contract, schema), drawing)).toEqual([]);
  });

  it.each(schemas.filter((_, index) => index % 3 === 0))(
    'shrinks instances of %s to one simplest, through valid ones',
    (_title, schema) => {
      const judge = judgeOfContract(contract, schema);
      const arbitrary = arbitraryFor(schema, sources);
      const refused = problemsOfShrinking(arbitrary, (value) => judge(value).map((each) => `${JSON.stringify(value)} ${each.path}`), few);
      expect([refused, endsOfShrinking(arbitrary, few).length]).toEqual([[], 1]);
    },
  );

  it.each(refusing.filter((_, index) => index % 2 === 0))('draws invalid examples of %s', (_title, schema) => {
    const judge = judgeOfContract(contract, schema);
    const invalidExamples = draw(invalidExampleFor(schema, sources), drawing);
    expect(invalidExamples.flatMap((example) => problemsOfInvalidExample(example, judge))).toEqual([]);
    const { single, confirmed } = precisionOf(invalidExamples, judge);
    // Of alternatives, the judge reports the one that fits best, which may be another one than the invalid example breaks.
    expect(confirmed).toBeGreaterThan(0.8);
    // Of a body that may lie at several places, a judge tells what is missing at each of them.
    const isOpen = certainSchemas(contract.closed, schema).some((part) => isObject(part) && part['anyOf'] !== undefined);
    if (!isOpen) expect(single).toBeGreaterThan(0.9);
  });

  it.each(refusing.filter(([, schema], index) => index % 3 === 0 || (isObject(schema) && schema['format'] !== undefined)))(
    'draws what is invalid even where formats are annotations: %s',
    (_title, schema) => {
      const judge = judgeOfContract(contract, schema);
      try {
        const invalid = draw(invalidArbitraryFor(schema, sources), { seed: 13, count: 4 });
        expect(invalid.filter((value) => judge(value).every(({ keyword }) => keyword === 'format'))).toEqual([]);
      } catch (error) {
        if (!(error instanceof Unsatisfiable)) throw error;
        // Only a schema of nothing but a format has no such instance.
        expect(isObject(schema) && schema['type'] === undefined && schema['format'] !== undefined).toBe(true);
      }
    },
  );
});
