/** Each kind of fault about answers, keys and tenants is reported by the law that it names, with evidence. */

import { expect, test } from 'vitest';
import { strayDiagnoses, testMockFaults } from './mock-faults.ts';

testMockFaults('response', 'keys', 'tenancy');

test('every diagnosis that is written down is of a kind that there is', () => {
  expect(strayDiagnoses()).toEqual([]);
});
