/** Rules against the mock and the second server: what they say of keys that are lacking, records that are not hidden, chaos, and correct malformed values. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerQuestions } from '../../../core/openapi/contract.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { doubts, falseAlarms, judgeMock, judgeSecond, resultsOf } from '../../helpers/judged-servers.ts';
import { slow as slowly } from '../../second/live-data.ts';

const slow = { timeout: 60_000 };

describe('a correct server', () => {
  it('keeps all rules about keys and tenants, with every mutant killed', slow, async () => {
    const left = doubts(await judgeSecond({ api: 'business' }, { only: ['keys/*', 'tenancy/*'] }));
    // Its menu names nobody.
    expect(left.map((each) => each.split(':', 1)[0])).toEqual([
      'tenancy/named getMenuManifest not-exercised',
      'tenancy/named getMenu not-exercised',
    ]);
  });

  it('is not accused where the order of errors is open and nothing is listed', slow, async () => {
    const options = { api: 'business', data: 'none', choices: { precedence: 'absent-first' } } as const;
    expect(falseAlarms(await judgeSecond(options, { only: ['keys/*'] }))).toEqual([]);
  });

  it('is not accused for weak tags, a 304 without a tag, or reading only one tag', slow, async () => {
    const choices = { etag: 'weak', 'if-none-match': 'one-tag', 'not-modified-tag': 'absent', 'detail-place': 'root', gzip: 'yes' };
    const result = await judgeSecond({ api: 'business', choices }, { only: ['conditional/*'] });
    expect(result.checks.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
    expect(resultsOf(result, 'conditional/bare')[0]?.alive.map(({ id }) => id)).toEqual(['unchanged-other-tag']);
  });

  it('is not accused of an old copy where a change sets the moment of a record back', slow, async () => {
    const choices = { 'entries-order': 'updated', 'q-case': 'exact' };
    const options = { api: 'wiki', data: 'two', calendar: 'leap-day', changes: slowly, seed: 490, choices } as const;
    expect(falseAlarms(await judgeSecond(options, { seed: 490 }))).toEqual([]);
  });

  it('that throttles says when to come back', slow, async () => {
    const options = { api: 'business', rateLimit: 5, choices: { 'retry-after': 'zero' } } as const;
    const result = await judgeSecond(options, { only: ['availability/retry-after', 'keys/missing'] });
    expect(resultsOf(result, 'availability/retry-after', 'holds')).not.toEqual([]);
    expect(falseAlarms(result)).toEqual([]);
  });
});

describe('a stated largest page size', () => {
  it.each([
    ['hundred', 'holds', ''],
    ['none', 'violated', 'meta.limit of a page of 100000 must be 100; meta.limit is 100000'],
  ])('of 100 is compared with a mock whose answer is %s', slow, async (choice, verdict, message) => {
    const contract = answerQuestions(await openContract(contractFile('wiki')), { 'largest-limit': 'hundred' });
    const result = await judgeMock('wiki', { profile: { 'largest-limit': choice } }, { contract, only: ['pages/echo'] });
    expect(result.checks).toMatchObject([{ rule: 'pages/echo', verdict, message }]);
  });
});

describe('what a run needs and does not get', () => {
  it('is a key, which is named', slow, async () => {
    const result = await judgeMock('business', {}, { only: ['keys/expired', 'keys/scopes', 'tenancy/*'], roles: ['full'] });
    expect(resultsOf(result, 'keys/expired', 'not-testable')).toHaveLength(7);
    expect(resultsOf(result, 'keys/scopes')[3]?.message).toBe('a key without the scope orders.read: --key without:orders.read=VARIABLE');
    const messages = resultsOf(result, 'tenancy/*').map(({ message }) => message);
    expect(new Set(messages)).toEqual(new Set(['a key of another tenant: --key other=VARIABLE']));
  });

  it('is a hidden record, or one that is hidden in fact', slow, async () => {
    const without = await judgeMock('wiki', {}, { only: ['visible/*'], hidden: [] });
    expect(without.checks.map(({ rule: id, verdict }) => `${id} ${verdict}`).toSorted()).toEqual([
      'visible/count not-exercised',
      'visible/lists not-exercised',
      'visible/search not-testable',
      'visible/single not-testable',
    ]);
    const { checks: rules } = await judgeMock('wiki', {}, { only: ['visible/single'], hidden: ['città'] });
    expect(rules[0]).toMatchObject({ verdict: 'not-testable', message: expect.stringContaining('città is not hidden') });
  });

  it('is a text of several words, where a search of titles alone is not accused of what it does not search', slow, async () => {
    const entry = { title: 'Rane', type: 'luogo', visibility: 'public', icon_path: 'i/1.png', updated_at: '2026-03-01 12:00:00' };
    const entries = ['palude', 'stagno'].map((slug) => ({ ...entry, slug, body_public: 'Gracidano di notte' }));
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-rules-'));
    const file = join(folder, 'entries.json');
    await writeFile(file, JSON.stringify({ contract: 'wiki', collections: { entries } }));
    const result = await judgeMock('wiki', { data: [file], profile: { 'q-rules': 'title' } }, { only: ['search/finds'] });
    await rm(folder, { recursive: true });
    expect(result.checks).toMatchObject([{ verdict: 'not-exercised', message: expect.stringContaining('a text of several words') }]);
  });

  it('is the scope of a key that is called full: what it cannot see is not testable', slow, async () => {
    const { checks: rules, exitCode } = await judgeSecond({ api: 'business' }, { keyOf: { full: 'without:orders.read' } });
    expect(rules.filter(({ verdict }) => verdict === 'violated').map(({ rule: id, message }) => `${id} ${message}`)).toEqual([]);
    expect(exitCode).toBe(0);
    const untestable = rules.filter(({ verdict, message }) => verdict === 'not-testable' && message.includes('the scope orders.read'));
    expect(new Set(untestable.map(({ operation }) => operation))).toEqual(new Set(['listOrders', 'getOrder']));
  });
});

describe('the report of a violation', () => {
  it('says by which of its names a record of another tenant can be read', slow, async () => {
    const result = await judgeMock('business', { mutants: ['foreign-record-shown:getOrder.code'] }, { only: ['tenancy/single'] });
    const [violation] = resultsOf(result, 'tenancy/single', 'violated');
    expect(violation?.diagnosis).toBe('The server behaves as if code finds the records of every tenant');
  });

  it('shows the field by which a record does not match, where one of two filters is ignored', slow, async () => {
    const mutants = ['filter-ignored-beside-other:listReservations.date_from+status'];
    const result = await judgeMock('business', { mutants }, { only: ['filters/conjunction'], roles: ['full'] });
    expect(resultsOf(result, 'filters/conjunction', 'violated')[0]?.message).toMatch(/; schedule\.date of id \d+ is "/);
  });

  it('tells a tag that is new with each answer from one that is not read', slow, async () => {
    const result = await judgeSecond({ api: 'business', defects: ['tag-per-request'] }, { only: ['conditional/unchanged'] });
    expect(resultsOf(result, 'conditional/unchanged', 'violated')[0]?.diagnosis).toMatch(/each response has a new tag/);
  });

  it('shows a key as its variable', slow, async () => {
    const result = await judgeSecond({ api: 'business', defects: ['bearer-refused'] }, { only: ['keys/carriers'] });
    const [violation] = resultsOf(result, 'keys/carriers', 'violated');
    expect(violation?.counterexample?.curl[1]).toContain('"authorization: Bearer $KEY_FULL"');
  });
});
