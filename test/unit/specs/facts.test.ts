/** The contract files state what the documents of the APIs say: each value here is one that a document allows or rules out. */

import { beforeAll, describe, expect, it } from 'vitest';
import { businessFacts } from './business-facts.ts';
import { absent, type ContractFile, contractNames, edited, type Given, type RecordFacts, readContract } from './contract-file.ts';
import { wikiFacts } from './wiki-facts.ts';

const facts: Readonly<Record<(typeof contractNames)[number], readonly RecordFacts[]>> = { business: businessFacts, wiki: wikiFacts };

function print(value: Given): string {
  return value === absent ? 'no value' : JSON.stringify(value).slice(0, 80);
}

describe.each(contractNames)('the bodies of the %s API', (name) => {
  let contract: ContractFile;
  beforeAll(async () => {
    contract = await readContract(name);
  });

  describe.each(facts[name].map((each) => ({ ...each, title: each.schema.split('/').at(-1) })))('$title', ({ schema, record, fields }) => {
    it.each(fields)('as %s says, %s has these values and no others', (_source, field, accepts, refuses) => {
      for (const value of accepts) expect(contract.judge(schema, edited(record, field, value)), print(value)).toEqual([]);
      for (const value of refuses) {
        const objections = contract.judge(schema, edited(record, field, value));
        // It must be this field that is refused, not something else in the record; a body with alternatives may object elsewhere.
        expect(
          objections.some((objection) => concerns(objection, field)),
          print(value),
        ).toBe(true);
      }
    });

    if (fields.every(([, field]) => field !== '')) {
      it('accepts the record that the values are put into', () => {
        expect(contract.judge(schema, record)).toEqual([]);
      });
    }
  });
});

/**
 * True for an objection about a field: at it, inside it, or at the object that should have it. Of a field that may stand in several objects, the
 * objection may be at any of them.
 */
function concerns(objection: string, field: string): boolean {
  const path = objection.slice(0, objection.indexOf(':'));
  const [parent, name] = [field.slice(0, Math.max(0, field.lastIndexOf('/'))), field.slice(field.lastIndexOf('/') + 1)];
  return path === parent || path === field || path.startsWith(`${field}/`) || objection.includes(`'${name}'`);
}
