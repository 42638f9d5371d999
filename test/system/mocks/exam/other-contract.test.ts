/** The exam with a contract that has no data generator: everything follows from its annotations. */

import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import type { ExamRun, ExamRunEnd } from '../../../../mocks/exam/exam.ts';
import { runExamOutOfTime } from '../../../helpers/out-of-time.ts';

interface NoticePage {
  readonly notices: readonly JsonObject[];
  readonly next: string | null;
}

/** Settings of the client: the mistake that it makes. */
interface NoticeSettings {
  readonly isExclusive?: boolean;
  readonly swallows?: boolean;
}

/** A client that keeps a copy of the notices. */
class NoticeCopy {
  readonly notices = new Map<string, JsonObject>();
  private readonly url: string;
  private readonly settings: NoticeSettings;
  private checkpoint = '';

  constructor(url: string, settings: NoticeSettings) {
    this.url = url;
    this.settings = settings;
  }

  async synchronise(): Promise<void> {
    const { isExclusive = false, swallows = false } = this.settings;
    let newest = this.checkpoint;
    let after: string | null = null;
    do {
      const page: NoticePage | undefined = await this.readPage(after);
      if (page === undefined && !swallows) throw new Error('the page cannot be read');
      for (const notice of page?.notices ?? []) {
        if (isExclusive && notice['modified'] === this.checkpoint) continue;
        this.notices.set(String(notice['ref']), notice);
        newest = [newest, String(notice['modified'])].sort()[1] ?? newest;
      }
      after = page?.next ?? null;
    } while (after !== null);
    this.checkpoint = newest;
  }

  private async readPage(after: string | null): Promise<NoticePage | undefined> {
    const query = new URLSearchParams();
    if (this.checkpoint !== '') query.set('since', this.checkpoint);
    if (after !== null) query.set('after', after);
    const response = await fetch(`${this.url}/notices?${query}`);
    return response.ok ? ((await response.json()) as NoticePage) : undefined;
  }
}

function createClient(settings: NoticeSettings): (run: ExamRun) => Promise<ExamRunEnd> {
  let copy = new NoticeCopy('', settings);
  return async ({ run, mock }) => {
    if (run === 1) copy = new NoticeCopy(mock.url, settings);
    const code = await copy.synchronise().then(
      () => 0,
      () => 1,
    );
    mock.compare({ records: [...copy.notices.values()] });
    return { code, output: '' };
  };
}

const contracts = ['test/fixtures/notices.openapi.yaml'];

it('a correct client passes what it meets', async () => {
  const { scenarios } = await runExamOutOfTime(createClient({}), { contracts });
  expect(scenarios.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(scenarios.filter(({ state }) => state === 'passed')).toHaveLength(8);
  expect(scenarios[0]?.records).toMatchObject([{ collection: 'notices', expected: 8, correct: 8, source: 'posted' }]);
});

it.each([
  ['drops the second of its checkpoint', { isExclusive: true }, 'same-second'],
  ['takes an error for the end', { swallows: true }, 'unavailable'],
] as const)('a client that %s fails there only', async (_, settings, failed) => {
  const { scenarios } = await runExamOutOfTime(createClient(settings), { contracts, scenarios: ['pages', 'unavailable', 'same-second'] });
  expect(scenarios.filter(({ state }) => state === 'failed').map(({ id }) => id)).toEqual([failed]);
});

it('says which scenarios a client did not exercise, such as one that reads a first page', async () => {
  const client = async ({ mock }: ExamRun): Promise<ExamRunEnd> => {
    await (await fetch(`${mock.url}/notices`)).text();
    return { code: 0, output: '' };
  };
  const { scenarios, verdict } = await runExamOutOfTime(client, { contracts });
  expect(Object.fromEntries(scenarios.map(({ id, state, reason }) => [id, reason ?? state]))).toEqual({
    pages: 'The client did not read three pages of any list.',
    unavailable: 'The client requested no second page, did not give up within 20 s, or did not read that list again in its second run.',
    killed: 'The client requested no second page, or did not read that list again in its second run.',
    throttled: 'After a 429, the client did not send the request again: neither in its first run nor, if that failed, in its second.',
    'same-second': 'passed',
    'change-while-paging': 'passed',
    'unknown-values': 'passed',
    'null-members': 'No list was read, or the contract leaves no member open.',
    'absent-members': 'No list was read, or the contract leaves no member open.',
    'left-filter': 'passed',
    details: 'No individual record or document was read in both runs.',
    midnight: 'No list whose times have an offset was read in both runs.',
    'clock-change': 'No list whose times have an offset was read in both runs.',
    'lost-scope':
      'No list that needs a scope was read beyond its first page, the client did not give up within 20 s, or that list was not read again.',
  });
  expect(verdict).toBe('passed');
});

it('without requests has no result', async () => {
  const { scenarios, verdict } = await runExamOutOfTime(() => Promise.resolve({ code: 0, output: '' }), { contracts });
  expect([verdict, ...scenarios.map(({ state }) => state)]).toEqual(Array.from({ length: 15 }, () => 'not-exercised'));
});

interface WikiPage {
  readonly data?: readonly JsonObject[];
  readonly meta?: { readonly total: number };
}

/** Settings of a client of the wiki: its mistake. */
interface WikiSettings {
  readonly pagesMost?: number;
  readonly swallows?: boolean;
  readonly hurries?: boolean;
  /** False for a client that does not say what it stored. */
  readonly compares?: boolean;
}

/** Reads all entries of the wiki. */
async function readWiki(
  url: string,
  { pagesMost = Number.POSITIVE_INFINITY, swallows = false, hurries = false }: WikiSettings,
): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = [];
  let hasMore = true;
  for (let page = 1; hasMore && page <= pagesMost; page += 1) {
    let response = await fetch(`${url}/api/v1/wiki?limit=100&page=${page}`);
    if (hurries && response.status === 429) {
      await response.text();
      response = await fetch(response.url);
    }
    if (!response.ok && !swallows) throw new Error(`${response.status}`);
    const { data = [], meta } = (await response.json()) as WikiPage;
    entries.push(...data);
    hasMore = response.ok && entries.length < (meta?.total ?? 0);
  }
  return entries;
}

/** A client that copies the whole wiki each time. */
function createWikiClient(settings: WikiSettings): (run: ExamRun) => Promise<ExamRunEnd> {
  return async ({ mock }) => {
    const code = await readWiki(mock.url, settings).then(
      (records) => {
        if (settings.compares !== false) mock.compare({ records });
        return 0;
      },
      () => 1,
    );
    return { code, output: '' };
  };
}

it.each([
  ['makes no mistake', {}, []],
  ['stops after two pages', { pagesMost: 2 }, ['pages']],
  ['takes an error for the end', { swallows: true }, ['unavailable']],
  ['does so, and names no records', { swallows: true, compares: false }, ['unavailable']],
  ['retries at once', { hurries: true }, ['throttled']],
] as const)('the wiki alone, by a client that %s', async (_, settings, failed) => {
  const { scenarios } = await runExamOutOfTime(createWikiClient(settings), { contracts: ['wiki'] });
  expect(scenarios.filter(({ state }) => state === 'failed').map(({ id }) => id)).toEqual(failed);
});
