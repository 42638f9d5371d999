/** The profiles of the package: each a whole service that keeps its contracts, and together every answer that is not the mock's own. */

import { afterAll, describe, expect, it } from 'vitest';
import { verify } from '../../../contracts/verify.ts';
import type { Contract } from '../../../core/contract.ts';
import { answersFor, loadProfile } from '../../../core/profile-file.ts';
import { contractFile, listProfiles, listShipped } from '../../../core/shipped.ts';
import { ask } from '../../helpers/client.ts';
import { namedKeys } from '../../helpers/engine.ts';
import { openContract } from '../../helpers/judge.ts';
import { startJudgedMock } from '../../helpers/mock.ts';
import { business, recordsOf, target, walk, wiki, withKey } from '../../helpers/targets.ts';

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

it('are four', () => {
  expect(listProfiles()).toEqual(['lenient', 'other', 'strict', 'terse']);
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

  it('answers as its contract says, closed by the profile', async () => {
    const lists = [business.orders, business.reservations].map((path) => ({
      path,
      items: path.includes('orders') ? '/data/orders' : '/data/reservations',
    }));
    for (const list of lists) {
      const records = (await walkSome(mock, list, full)).slice(0, 40);
      for (const { id } of records)
        expect((await ask(mock, target(list.path.replace('index', 'view'), { id: Number(id) }), full)).status).toBe(200);
      for (const query of ['limit=0', 'status=none', 'updated_after=yesterday', 'status=Pending,', 'id=007', 'cursor=x', 'nothing=1'])
        expect([200, 422]).toContain((await ask(mock, `${list.path}?${query}`, full)).status);
    }
    for (const path of [business.identity, business.manifest, business.menu]) expect((await ask(mock, path, full)).status).toBe(200);
    for (const query of ['', 'page=9999', 'limit=1000', 'limit=abc', 'type=none', 'q=A', 'type=arma&page=2', 'nothing=1', 'page=0'])
      expect([200, 400, 404]).toContain((await ask(mock, `${wiki}?${query}`)).status);
    for (const slug of mock.hiddenSlugs.slice(0, 2)) expect([401, 403, 404]).toContain((await ask(mock, `${wiki}/${slug}`)).status);
    await mock.verify();
  });

  it('is told to wait, and is out of service, as its contract says', async () => {
    for (const [header, status] of [
      ['429 retry-after=5', 429],
      ['503', 503],
    ] as const) {
      expect((await ask(mock, business.orders, { ...full, 'mock-trouble': header })).status).toBe(status);
      expect([401, status]).toContain((await ask(mock, business.orders, { 'mock-trouble': header })).status);
    }
    await mock.verify();
  });

  it.each(contracts.map((contract) => [contract.name, contract] as const))('is found right by the judge of %s', async (name, contract) => {
    const keys = name === 'business' ? namedKeys(mock.keys) : {};
    const { laws, exitCode } = await verify({ contract, target: mock.url, keys, hidden: mock.hiddenSlugs, quick: true }).result;
    expect(laws.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id)).toEqual([]);
    expect(exitCode).toBe(0);
  });
});

/** The records of the first pages of a list. */
async function walkSome(
  mock: { readonly port: number },
  list: { readonly path: string; readonly items: string },
  headers: Readonly<Record<string, string>>,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const pages = await walk([mock], { ...list, query: { limit: 100 } }, headers);
  return pages.flatMap((page) => recordsOf(page, list.items));
}
