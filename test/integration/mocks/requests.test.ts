/** A sample of generated requests: the mock answers each as its contract says. The campaign `generated-requests` sends many more. */

import { afterAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../../core/annotations/apply-profile.ts';
import { resolveContract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { countUnexpected, sendAllowed, sendBad, sendStrange, sendUnderProfiles } from '../../helpers/generated-traffic.ts';
import { fixture, startJudgedMock } from '../../helpers/judged-mock.ts';

const written = await Promise.all(['business', 'wiki'].map((name) => openContract(contractFile(name))));

describe.each(written.flatMap((contract) => resolveContract(contract).operations))('$id', async (operation) => {
  const mock = await startJudgedMock();
  afterAll(() => mock.close());

  it('answers requests that its contract allows with a documented success, or with 404', () =>
    sendAllowed(mock, operation, { seed: 1, numRuns: 30 }));

  it('answers requests that break a rule of its contract as documented', async () => {
    const rules = await sendBad(mock, operation, { seed: 2, numRuns: 15 });
    expect(rules.size).toBeGreaterThanOrEqual(operation.parameters.length > 1 ? 6 : 2);
  });
});

/** The list operations of a contract that is closed by a profile. */
function listsOf(profile: Profile): readonly Operation[] {
  return written
    .filter(({ questions }) => Object.keys(profile).every((question) => questions.has(question)))
    .flatMap((contract) => resolveContract(contract, profile).operations)
    .filter(({ collection }) => collection !== undefined);
}

describe('under another profile', async () => {
  const ordinary = await startJudgedMock();
  afterAll(() => ordinary.close());

  it.each<{ readonly profile: Profile }>([
    { profile: { 'sloppy-values': 'accepted', precedence: 'query-first' } },
    { profile: { 'sloppy-values': 'ignored' } },
    { profile: { 'bad-parameters': 'ignored', 'page-beyond': 'invalid' } },
    { profile: { 'bad-parameters': 'clamped', 'page-beyond': 'absent' } },
  ])('bad requests to lists are answered as $profile says, and a mock of another profile is found out', async ({ profile }) => {
    await using server = await startJudgedMock({ profile });
    for (const operation of listsOf(profile)) {
      const sample = { seed: 3, numRuns: 8 };
      expect(await countUnexpected(server, operation, sample), operation.id).toBe(0);
      expect(await countUnexpected(ordinary, operation, sample), operation.id).toBeGreaterThan(0);
    }
  });
});

describe.each([...written, await openContract(fixture('library'))])('strange requests at the API $name', (contract) => {
  it('are answered as the contract allows', async () => {
    const seen = await sendStrange(contract, { seed: 1, numRuns: 35 });
    // Control: successes and several kinds of failures occurred.
    expect(seen.get(200)).toBeGreaterThan(4);
    expect(seen.size).toBeGreaterThanOrEqual(contract.name === 'business' ? 5 : 4);
  });

  it('are answered as the contract allows whatever the open questions are answered with', () =>
    sendUnderProfiles(contract, { seed: 2, numRuns: 1 }));
});
