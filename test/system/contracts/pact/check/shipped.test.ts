/** The pacts of the package have no findings, and a copy with a mistake has one. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPacts } from '../../../../../contracts/pact/check/check-pacts.ts';
import { answersFor, loadProfile } from '../../../../../core/annotations/profile-file.ts';
import { answerQuestions, loadUncheckedContract } from '../../../../../core/openapi/contract.ts';
import { readPacts } from '../../../../../core/pact/read-pacts.ts';
import { contractFile, listShipped, pactsFolder, profileFile } from '../../../../../core/shipped-files.ts';
import { findingsIn } from '../../../../unit/contracts/pact/check/boxes.ts';

describe('the pacts of the package', () => {
  it('have no findings, for each contract', async () => {
    const { pacts, skipped } = await readPacts([pactsFolder() ?? '']);
    const pairs = await Promise.all(
      pacts.map(async (pact) => ({ pact, contract: await loadUncheckedContract(contractFile(pact.provider)) })),
    );
    const check = await checkPacts({ pairs, skipped });
    expect(findingsIn(check).map(({ message, place }) => `${place.file}:${place.line} ${message}`)).toEqual([]);
    expect(check.skipped).toEqual([]);
    expect([...new Set(pairs.map(({ pact }) => pact.provider))].toSorted()).toEqual([...listShipped()].toSorted());
    const remarks = check.pacts.flatMap(({ interactions }) => interactions.flatMap((each) => each.remarks));
    // The place of a single record is an open question; everything else is checked completely.
    expect(remarks.map(({ message }) => message.replace(/^the contract leaves this open \((\S+)\): .*The check assumes /, '$1 '))).toEqual([
      'reservation-place $.data.reservation',
      ...Array.from({ length: 3 }, () => 'order-place $.data.order'),
    ]);
  });

  // `strict` leaves each record where the pacts expect it, `terse` does not.
  it.each(['strict', 'terse'])('have only findings about the place of a record under the profile %s', async (name) => {
    const profile = await loadProfile(profileFile(name));
    const { pacts } = await readPacts([pactsFolder() ?? '']);
    const pairs = await Promise.all(
      pacts.map(async (pact) => {
        const unanswered = await loadUncheckedContract(contractFile(pact.provider));
        return { pact, contract: answerQuestions(unanswered, answersFor(profile, unanswered)), unanswered };
      }),
    );
    const found = findingsIn(await checkPacts({ pairs })).map(({ message }) => message.replace(/^the record of \S+ is at (\S+) .*/, '$1'));
    expect(found).toEqual(name === 'strict' ? [] : ['$', '$', '$', '$']);
  });

  it('have a finding if an example is not among the listed values', async () => {
    const [file = ''] = (await readPacts([pactsFolder() ?? ''])).pacts.map((pact) => pact.file);
    const spoiled = readFileSync(file, 'utf8').replaceAll(/"(creature|takeaway)"/g, '"spaceship"');
    const { pacts } = await readPacts([file], async () => spoiled);
    const isSpoiled = (interaction: object): boolean => JSON.stringify(interaction).includes('spaceship');
    const pairs = await Promise.all(
      pacts.map(async (pact) => ({
        pact: { ...pact, interactions: pact.interactions.filter(isSpoiled).slice(0, 2) },
        contract: await loadUncheckedContract(contractFile(pact.provider)),
      })),
    );
    const { count } = await checkPacts({ pairs });
    expect(count.impossible).toBeGreaterThan(0);
  });
});
