/** The rules know no API: contracts of other APIs are judged by their annotations alone, and so are their mutants. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../../contracts/verify/verify.ts';
import { type Contract, loadContract } from '../../../core/openapi/contract.ts';
import type { RunResult } from '../../../core/results/run-result.ts';
import { mutantsOf } from '../../../mocks/mutants/find-mutants.ts';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { fixture } from '../../helpers/judged-mock.ts';

function keysOf(mock: RunningMock): Readonly<Record<string, { readonly variable: string; readonly value: string }>> {
  return Object.fromEntries(
    Object.entries(mock.keys).map(([role, value]) => [role, { variable: `KEY_${role.replaceAll(/\W/g, '_')}`, value }]),
  );
}

function judge(contract: Contract, mock: RunningMock, only: readonly string[] = []): Promise<RunResult> {
  return verify({ contract, target: mock.url, keys: keysOf(mock), only }).result;
}

/** Rules for which the examples of a contract are too few. */
const unshown: Readonly<Record<string, readonly string[]>> = {
  library: ['pages/beyond', 'response/error-envelope', 'response/error-code'],
  parcels: ['tenancy/single', 'tenancy/lists', 'pages/beyond'],
};

describe.each(['library', 'parcels'])('the contract of %s', async (name) => {
  const contract = await loadContract(fixture(name));
  let mock: RunningMock;
  beforeAll(async () => {
    mock = await startMock({ contracts: [fixture(name)] });
  });
  afterAll(() => mock.close());

  it('is kept by its mock, rule by rule', async () => {
    const { verdict, checks: rules, unavailable } = await judge(contract, mock);
    expect(unavailable).toBeUndefined();
    expect(rules.filter((rule) => rule.verdict === 'violated').map((rule) => `${rule.rule}: ${rule.message}`)).toEqual([]);
    expect(verdict).toBe('holds');
    const open = new Set(
      rules.filter((rule) => rule.verdict !== 'holds' && !rule.rule.startsWith('availability/')).map((rule) => rule.rule),
    );
    expect([...open].filter((id) => unshown[name]?.includes(id) !== true)).toEqual([]);
  });

  // Its few records can show these.
  const telling = mutantsOf(contract).filter(({ rule }) =>
    ['filters/sound', 'filters/union', 'ranges/inclusive', 'pages/echo', 'keys/missing', 'keys/expired'].includes(rule),
  );
  it('has mutants', () => expect(telling.length).toBeGreaterThan(1));

  it.each(telling)('is broken by its mutant $id', async ({ id, rule }) => {
    await using faulty = await startMock({ contracts: [fixture(name)], mutants: [id] });
    const { checks } = await judge(contract, faulty, [rule]);
    expect(checks.map(({ verdict }) => verdict)).toContain('violated');
  });
});
