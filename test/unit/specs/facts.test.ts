/** The contract files state what the documents of the APIs say: each value here is one that a document allows or rules out. */

import { beforeAll, describe, expect, it } from 'vitest';
import { bodyFacts } from './body-facts.ts';
import { absent, type ContractFile, contractNames, edited, readContract } from './contract-file.ts';
import { orderFacts } from './order-facts.ts';
import type { FieldFacts, Given, RecordFacts } from './record-facts.ts';
import { reservationFacts } from './reservation-facts.ts';
import { wikiFacts } from './wiki-facts.ts';

const facts: Readonly<Record<(typeof contractNames)[number], readonly RecordFacts[]>> = {
  business: [...bodyFacts, ...orderFacts, ...reservationFacts],
  wiki: wikiFacts,
};

/** One value of one field, and what the contract should make of it. */
interface Case {
  readonly source: string;
  readonly field: string;
  readonly value: Given;
  readonly verdict: 'accepts' | 'refuses';
  readonly shown: string;
}

function toCases({ source, field, accepts, refuses }: FieldFacts): readonly Case[] {
  return [
    ...accepts.map((value): Case => ({ source, field, value, verdict: 'accepts', shown: print(value) })),
    ...refuses.map((value): Case => ({ source, field, value, verdict: 'refuses', shown: print(value) })),
  ];
}

function print(value: Given): string {
  return value === absent ? 'no value' : JSON.stringify(value).slice(0, 80);
}

describe.each(contractNames)('the bodies of the %s API', (name) => {
  let contract: ContractFile;
  beforeAll(async () => {
    contract = await readContract(name);
  });

  describe.each(facts[name].map((each) => ({ ...each, title: each.schema.split('/').at(-1) })))('$title', ({ schema, record, fields }) => {
    it.each(fields.flatMap(toCases))('$field $verdict $shown ($source)', ({ field, value, verdict }) => {
      const objections = contract.judge(schema, edited(record, field, value));
      if (verdict === 'accepts') expect(objections).toEqual([]);
      // It must be this field that is refused, not something else in the record; a body with alternatives may object elsewhere.
      else expect(objections.some((objection) => concerns(objection, field))).toBe(true);
    });

    if (fields.every(({ field }) => field !== '')) {
      it('accepts the record that the values are put into', () => {
        expect(contract.judge(schema, record)).toEqual([]);
      });
    }
  });
});

/** Whether an objection is about a field: at it, inside it, or at the object that should have it. */
function concerns(objection: string, field: string): boolean {
  const path = objection.slice(0, objection.indexOf(':'));
  const parent = field.slice(0, Math.max(0, field.lastIndexOf('/')));
  return path === parent || path === field || path.startsWith(`${field}/`);
}
