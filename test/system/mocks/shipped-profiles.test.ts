/** The shipped profiles: each is a whole service that keeps its contract, and together they make every choice that the mock does not make by itself. */

import { afterAll, describe, expect, it } from 'vitest';
import { verify } from '../../../contracts/verify/verify.ts';
import { answersFor, loadProfile } from '../../../core/annotations/profile-file.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { contractFile, listProfiles, listShipped } from '../../../core/shipped-files.ts';
import { namedKeys } from '../../helpers/engine.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { startJudgedMock } from '../../helpers/judged-mock.ts';
import { observe } from '../../helpers/observed-choices.ts';
import { ask } from '../../helpers/plain-client.ts';
import { business, cursorLists, recordsOf, target, wiki, withKey } from '../../helpers/request-targets.ts';

const contracts = await Promise.all(listShipped().map((name) => openContract(contractFile(name))));

/** Every choice of a contract that the mock does not make by itself, as `question: choice`. */
function otherChoices({ questions }: Contract): readonly string[] {
  return [...questions.values()].flatMap(({ id, mock, choices }) =>
    [...choices.keys()].filter((choice) => choice !== mock).map((choice) => `${id}: ${choice}`),
  );
}

async function answersOf(profile: string, contract: Contract): Promise<Readonly<Record<string, string>>> {
  return answersFor(await loadProfile(profile), contract);
}

it('are six', () => {
  expect(listProfiles()).toEqual(['absent', 'lenient', 'null', 'other', 'strict', 'terse']);
});

describe.each(contracts.map((contract) => [contract.name, contract] as const))('the profiles for %s', (_, contract) => {
  it('together make every choice that is not the mock’s own', async () => {
    const made = await Promise.all(listProfiles().map((profile) => answersOf(profile, contract)));
    const choices = new Set(made.flatMap((answers) => Object.entries(answers).map(([question, choice]) => `${question}: ${choice}`)));
    expect(otherChoices(contract).filter((choice) => !choices.has(choice))).toEqual([]);
  });

  it('answer every question otherwise in the one that is called other', async () => {
    const answers = await answersOf('other', contract);
    const open = [...contract.questions.values()].filter(({ choices }) => choices.size > 1);
    expect(open.filter(({ id, mock }) => (answers[id] ?? mock) === mock).map(({ id }) => id)).toEqual([]);
  });
});

describe.each(listProfiles())('a mock that is %s', { timeout: 60_000 }, async (profile) => {
  const mock = await startJudgedMock({ profile });
  afterAll(() => mock.close());
  const full = withKey(mock.keys['full']);

  it.each(contracts)(
    'answers as its contract $name says, closed by the profile, and makes each choice of the profile',
    async (contract) => {
      const { name, questions } = contract;
      const answers = await answersOf(profile, contract);
      const wrong: string[] = [];
      for (const { id, mock: own } of [...questions.values()].filter((question) => question.choices.size > 1)) {
        const choice = answers[id] ?? own;
        const seen = choice === null ? choice : await observe(mock, name, id, choice);
        // Under `other` no limit is out of range, so this answer does not show there.
        const isHidden = profile === 'other' && id === 'bad-parameters';
        if (seen !== choice && !isHidden) wrong.push(`${id} is ${choice} and looks like ${seen}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it('answers strange requests and single reads as its contract says', async () => {
    for (const { path, items } of cursorLists) {
      const records = recordsOf(await ask(mock, target(path, { limit: 100 }), full), items);
      for (const { id } of records.filter((_, index) => index % 10 === 0))
        expect((await ask(mock, target(path.replace('index', 'view'), { id: Number(id) }), full)).status).toBe(200);
      for (const query of ['limit=0', 'status=none', 'updated_after=yesterday', 'status=Pending,', 'id=007', 'cursor=x', 'nothing=1'])
        expect([200, 422]).toContain((await ask(mock, `${path}?${query}`, full)).status);
    }
    for (const path of [business.identity, business.manifest, business.menu]) expect((await ask(mock, path, full)).status).toBe(200);
    for (const query of ['', 'page=9999', 'limit=1000', 'limit=abc', 'type=none', 'q=A', 'type=arma&page=2', 'nothing=1', 'page=0'])
      expect([200, 400, 404]).toContain((await ask(mock, `${wiki}?${query}`)).status);
    for (const slug of mock.hiddenRecords.slice(0, 2)) expect([401, 403, 404]).toContain((await ask(mock, `${wiki}/${slug}`)).status);
  });

  it('is told to wait, and is out of service, as its contract says', async () => {
    for (const [header, status] of [
      ['429 retry-after=5', 429],
      ['503', 503],
    ] as const) {
      expect((await ask(mock, business.orders, { ...full, 'mock-chaos': header })).status).toBe(status);
      expect([401, status]).toContain((await ask(mock, business.orders, { 'mock-chaos': header })).status);
    }
  });

  // Runs against the larger API take long; `other` and `strict` together have most of the choices.
  const judged = contracts.filter(({ name }) => name === 'wiki' || ['other', 'strict'].includes(profile));
  it.each(judged)('is found right by the judge of $name', async (contract) => {
    const keys = contract.name === 'business' ? namedKeys(mock.keys) : {};
    const { checks: rules, exitCode } = await verify({ contract, target: mock.url, keys, hidden: mock.hiddenRecords, quick: true }).result;
    expect(rules.filter(({ verdict }) => verdict === 'violated').map(({ rule: id }) => id)).toEqual([]);
    expect(exitCode).toBe(0);
  });
});
