/** The validation of the generators and the validators of core agree on every schema of the shipped contracts. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json } from '../../../../core/json.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../core/openapi/schema-facts.ts';
import { contractFile, listShipped } from '../../../../core/shipped-files.ts';
import { isValid } from '../../../../generators/constraints/validate-instance.ts';
import { openSchema } from '../../../../generators/schema/located-schema.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { plausible } from './plausible.ts';

function schemasOf(contract: Contract): readonly (readonly [string, Schema])[] {
  const components = rawOf(contract.document).root['components'];
  const schemas = isObject(components) ? components['schemas'] : undefined;
  return Object.entries(isObject(schemas) ? schemas : {}) as readonly (readonly [string, Schema])[];
}

describe.each(listShipped())('the contract %s', (name) => {
  let contract: Contract;

  beforeAll(async () => {
    contract = await openContract(contractFile(name));
  });

  it('has schemas whose verdicts agree on any instance', () => {
    const verdicts = new Map<string, Set<boolean>>();
    for (const [title, schema] of schemasOf(contract)) {
      const location = openSchema(schema, { document: contract.document });
      const validate = contract.validators.compile(schema);
      const found = new Set<boolean>();
      const agrees = (instance: Json): void => {
        const verdict = isValid(location, instance);
        found.add(verdict);
        expect(verdict, JSON.stringify(instance)).toBe(validate(instance).length === 0);
      };
      fc.assert(fc.property(plausible(contract.document, schema), agrees), { seed: 1, numRuns: 100 });
      verdicts.set(title, found);
    }
    // Agreement shows nothing where every instance has the same verdict. Schemas without constraints accept everything.
    const describing = schemasOf(contract).filter(([, schema]) => isObject(schema) && Object.keys(schema).join() === 'description');
    const undecided = [...verdicts].filter(([, found]) => found.size < 2).map(([title]) => title);
    expect([verdicts.size > 3, undecided]).toEqual([true, describing.map(([title]) => title)]);
  });
});
