/** Profiles in files: what they answer, and each mistake with its line. */

import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../core/contract.ts';
import { SpecError, UsageError } from '../../../core/errors.ts';
import type { Profile } from '../../../core/profile.ts';
import { answersFor, loadProfile, rejectLeftovers } from '../../../core/profile-file.ts';
import { contractFile, listProfiles, profileFile } from '../../../core/shipped.ts';
import { openContract } from '../../helpers/judge.ts';

const contracts = await Promise.all(['business', 'wiki'].map((name) => openContract(contractFile(name))));
const [business, wiki] = contracts as [Contract, Contract];

/** What a file answers each contract, once it has been checked whole. */
async function read(text: string, asking: readonly Contract[] = contracts, file = 'mine.yaml'): Promise<readonly Profile[]> {
  const profile = await loadProfile(file, async () => text);
  const answers = asking.map((contract) => answersFor(profile, contract));
  rejectLeftovers(profile, asking);
  return answers;
}

describe('a profile', () => {
  it('answers each question wherever it is asked', async () => {
    expect(await read('undeclared-parameters: refused\npage-beyond: last\n')).toEqual([
      { 'undeclared-parameters': 'refused' },
      { 'undeclared-parameters': 'refused', 'page-beyond': 'last' },
    ]);
  });

  it('answers a contract by its name, which goes before', async () => {
    const text = 'undeclared-parameters: refused\nwiki:\n  undeclared-parameters: ignored\n';
    expect(await read(text)).toEqual([{ 'undeclared-parameters': 'refused' }, { 'undeclared-parameters': 'ignored' }]);
  });

  it('may be JSON, and may answer for contracts of the package that are not served', async () => {
    expect(await read('{ "business": { "unpaid": "absent" }, "wiki": { "page-beyond": "last" } }', [business], 'mine.json')).toEqual([
      { unpaid: 'absent' },
    ]);
  });

  it('may name a choice that YAML takes for something else', async () => {
    expect(await read('unpaid: null\n', [business])).toEqual([{ unpaid: 'null' }]);
  });
});

describe('a mistake in a profile', () => {
  it.each<[text: string, asking: readonly Contract[], message: string]>([
    [
      'wiki:\n  page-beyond: lst\n',
      contracts,
      'mine.yaml:2:3: "lst" is no choice of page-beyond; the choices are empty, absent, invalid, last',
    ],
    ['wiki:\n  page-beyond: [last]\n', contracts, 'mine.yaml:2:3: ["last"] is no choice of page-beyond'],
    ['wiki:\n  page-beyonds: last\n', contracts, 'mine.yaml:2:3: wiki does not ask page-beyonds; is page-beyond meant?'],
    ['wiki:\n  unpaid: absent\n', contracts, 'mine.yaml:2:3: wiki does not ask unpaid; there are updated-at-zone'],
    ['business:\n  events: none\n', contracts, 'mine.yaml:2:3: events has no choices: it is only asked'],
    ['\nunpade: absent\n', contracts, 'mine.yaml:2:1: no contract asks unpade; is unpaid meant?'],
    ['wikki:\n  page-beyond: last\n', contracts, 'mine.yaml:1:1: no contract is called wikki; is wiki meant?'],
    ['page-beyond: last\n', [business], 'mine.yaml:1:1: no contract asks page-beyond'],
    ['page-beyond: last\npage-beyond: empty\n', [wiki], 'mine.yaml:2:1'],
    ['- last\n', contracts, 'mine.yaml:1:1'],
  ])('is told with its place: %j', async (text, asking, message) => {
    await expect(read(text, asking)).rejects.toThrow(SpecError);
    await expect(read(text, asking)).rejects.toThrow(message);
  });

  it.each(['{}', 'wiki: { page-beyond: last }', 'business: {}'])('is to answer nothing that is asked: %s', async (text) => {
    await expect(read(text, [business])).rejects.toThrow(UsageError);
    await expect(read(text, [business])).rejects.toThrow('the profile mine.yaml answers nothing that is asked by business');
  });
});

describe('a profile of the package', () => {
  it.each(listProfiles())('is found by its name, and read whole: %s', async (name) => {
    const profile = await loadProfile(name);
    expect(profile.file.endsWith(`/specs/profiles/${name}.yaml`)).toBe(true);
    expect(() => rejectLeftovers(profile, contracts)).not.toThrow();
  });

  it.each([
    ['strikt', 'strikt is neither a profile of this package nor a file; is strict meant?'],
    ['./nowhere.yaml', 'name a file, or one of lenient, other, strict, terse'],
  ])('that is none is told: %s', (name, message) => {
    expect(() => profileFile(name)).toThrow(UsageError);
    expect(() => profileFile(name)).toThrow(message);
  });
});
