/** Each kind of fault about answers, keys and tenants is reported by the law that it names, with evidence. */

import { expect, test } from 'vitest';
import { faultsOfGroups, judgeFault, lacksOf, sendersFor, violationsOf } from './faults.ts';

test.each(faultsOfGroups('response', 'keys', 'tenancy').map((fault) => ({ ...fault, fault })))(
  '$contract $id breaks $law',
  { timeout: 60_000 },
  async ({ fault }) => {
    const result = await judgeFault(fault, [fault.law, ...sendersFor(fault)]);
    const violations = violationsOf(result, fault.law);
    expect(violations.length, result.unavailable ?? JSON.stringify(result.laws.map(({ id, message }) => [id, message]))).toBeGreaterThan(0);
    expect(violations.flatMap(lacksOf)).toEqual([]);
    expect(result.exitCode).toBe(1);
  },
);
