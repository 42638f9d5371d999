/**
 * The exam of a client with one planted mistake: the scenarios that it fails, and each finding at the terminal and in the report. Correct clients pass
 * everything.
 */

import { describe, expect, it, vi } from 'vitest';
import { renderFindingLine } from '../../../../cli/client/traffic-lines.ts';
import type { ClientLevel, ClientRuleId } from '../../../../core/results/client-rule.ts';
import type { ExamReport, ExamScenarioId } from '../../../../core/results/exam-result.ts';
import type { ExamRun, ExamRunEnd } from '../../../../mocks/exam/exam.ts';
import { runExamOutOfTime } from '../../../helpers/out-of-time.ts';
import { type ClientMistake, createExamClient, type habits, mistakes } from './mistaken-client.ts';

vi.setConfig({ testTimeout: 60_000 });

/** The scenarios that a client fails, each with its new findings; `exit-code` for a run that failed. */
type Expected = Partial<Record<ExamScenarioId, readonly (ClientRuleId | 'exit-code')[]>>;

const expected: Readonly<Record<ClientMistake, Expected>> = {
  'stores the checkpoint after the first page': { unavailable: ['client/checkpoint-after-last-page', 'client/records-complete'] },
  'adds a second to the checkpoint': { pages: ['client/checkpoint-served'], 'same-second': ['client/records-current'] },
  'drops changes in the second of the checkpoint': { 'same-second': ['client/records-current'] },
  'uses its own clock as the checkpoint': { pages: ['client/records-current', 'client/checkpoint-served'] },
  'takes the checkpoint from a request after the last page': {
    'change-while-paging': ['client/checkpoint-after-last-page', 'client/records-complete'],
  },
  'reads the first page only': { pages: ['client/checkpoint-after-last-page', 'client/records-complete'] },
  'stops at the first record that it knows': { unavailable: ['client/records-complete'] },
  'adds a filter on the second page': { pages: ['client/filters-kept', 'exit-code'] },
  'makes a cursor of its own': { pages: ['client/cursor-given', 'exit-code'] },
  'takes an error for the last page': { unavailable: ['client/checkpoint-after-last-page', 'client/records-complete'] },
  'retries at once after a 429': { throttled: ['client/retry-after'] },
  'retries at once after a 503': { unavailable: ['client/pause-after-503'] },
  'repeats a rejected request': { pages: ['client/valid-requests', 'client/refusal-repeated'] },
  'misspells a parameter': { pages: ['client/declared-parameters'] },
  'sends the key in the URL too': { pages: ['client/key-in-header', 'client/declared-parameters'] },
  'runs in a web page': { pages: ['client/key-on-server'] },
  'sends two keys': { pages: ['client/one-key'] },
  'sends an instant without offset': { pages: ['client/offset-given', 'exit-code'] },
  'does not encode the plus sign': { pages: ['client/offset-encoded', 'exit-code'] },
  'removes the quotes of an ETag': { pages: ['client/tag-quoted'] },
  'sends the ETag of another record': { pages: ['client/tag-owner'] },
  'reads a record again and again without its ETag': { pages: ['client/tag-sent'] },
  'sends parameters that exclude each other': { pages: ['client/parameter-rules'] },
  'polls without a pause': { pages: ['client/polling'] },
  'inserts a changed record again': { pages: ['client/records-real'] },
  'drops the last record of each page': { pages: ['client/records-current'] },
  'never replaces a record': { pages: ['client/records-current'] },
  'computes days in UTC': { pages: ['client/values-kept'] },
  'drops records with an unknown state': { 'unknown-values': ['client/records-complete'] },
  'fails on an unknown state': { 'unknown-values': ['exit-code'] },
  'fails on an unknown field': { 'unknown-values': ['exit-code'] },
  'takes Retry-After for milliseconds': { throttled: ['client/retry-after'] },
  'reads Retry-After as a number only': { throttled: ['client/retry-after'] },
  'drops the filter after the first page': { pages: ['client/filters-kept', 'exit-code'] },
  'drops the filter by open states after the first page': {
    pages: ['client/unfiltered-changes'],
    'left-filter': ['client/filters-kept', 'exit-code'],
  },
  'drops the checkpoint after the first page': { pages: ['client/filters-kept', 'exit-code'] },
  'stops after two pages': { pages: ['client/checkpoint-after-last-page'], unavailable: ['client/records-complete'] },
  'adds a millisecond to the checkpoint': { pages: ['client/checkpoint-served'], 'same-second': ['client/records-current'] },
  'reads changes of some states only': { pages: ['client/unfiltered-changes'], 'left-filter': ['client/records-real'] },
  'cuts instants to days in UTC': { pages: ['client/values-kept'] },
  'takes a phone number for granted': { 'null-members': ['exit-code'] },
  'takes an absent member for null': { 'absent-members': ['exit-code'] },
  'takes the day of the newest change as the checkpoint': { midnight: ['client/records-current', 'client/checkpoint-served'] },
  'compares instants as texts': { 'clock-change': ['client/records-current'] },
  'stores the checkpoint after each page, and takes it back after an error': {
    killed: ['client/checkpoint-after-last-page', 'client/records-complete'],
  },
  'never removes what left its filter': { 'left-filter': ['client/records-real'] },
  'retries when its key has lost a scope': { 'lost-scope': ['client/refusal-repeated'] },
};

/** What an exam does not count: the advice that it gives instead, or the reason why it is no mistake. */
const notCounted: Readonly<Record<(typeof habits)[number], string>> = {
  'asks for the day of its own clock': 'Advice of touchstone mock (client/clock): the client is right, and the mock lives on another day.',
  'reads each record twice without its ETag': 'Advice of touchstone mock (client/conditional-reads): the API allows it.',
  'stores a cursor that it never sends': 'No request shows it, and nothing is lost.',
  'writes instants in UTC': 'It is the same instant.',
  'stores some fields only': 'The API does not say which fields a client needs.',
};

/** The failed scenarios with their mistakes. */
function failuresOf({ scenarios }: ExamReport): Expected {
  const failed = scenarios.filter(({ state }) => state === 'failed');
  return Object.fromEntries(
    failed.map(({ id, findings, reason, repeated }) => [
      id,
      [
        ...new Set(findings.map(({ rule }) => rule)),
        ...(reason !== null && !repeated.includes('exit-code') ? (['exit-code'] as const) : []),
      ],
    ]),
  );
}

const scenariosOf = (mistake: ClientMistake): readonly ExamScenarioId[] => Object.keys(expected[mistake]) as readonly ExamScenarioId[];

const listOf = (mistake: ClientMistake): 'orders' | 'reservations' => (mistake === 'computes days in UTC' ? 'reservations' : 'orders');

/** The client that plays every scenario, so that a mistake is seen to be reported once. All others play those that they fail. */
const wholeExam: ClientMistake = 'adds a second to the checkpoint';

describe('a client that', () => {
  it.each(mistakes)('%s', async (mistake) => {
    const client = createExamClient({ list: listOf(mistake), mistake });
    const report = await runExamOutOfTime(client, mistake === wholeExam ? {} : { scenarios: scenariosOf(mistake) });
    expect(failuresOf(report)).toEqual(expected[mistake]);
    expect(report.verdict).toBe('failed');
    for (const finding of report.scenarios.flatMap(({ findings }) => findings)) {
      const { level, rule }: { readonly level: ClientLevel; readonly rule: ClientRuleId } = finding;
      expect(renderFindingLine(finding, false)).toMatch(new RegExp(`^ {4}${level} ${rule}: .+ \\(.+:\\d+:\\d+\\)\\n$`));
    }
  });
});

describe('a client is not accused, though it', () => {
  it.each(Object.entries(notCounted) as readonly [(typeof habits)[number], string][])('%s: %s', async (habit) => {
    const list = habit === 'asks for the day of its own clock' ? 'reservations' : 'orders';
    expect(failuresOf(await runExamOutOfTime(createExamClient({ list, mistake: habit }), { scenarios: ['pages'] }))).toEqual({});
  });
});

/** Reads a page, again and again for as many tries as the client has, or until it is killed. The clock of the test goes on between tries. */
async function readPatiently({ mock, killed }: ExamRun, query: Readonly<Record<string, string>>, tries: number): Promise<OrderPage> {
  const target = `${mock.url}/api/integrations/v1/orders/index.php?${new URLSearchParams(query)}`;
  const response = await fetch(target, { headers: { 'X-SERVICE-API-Key': mock.keys['full'] ?? '' }, signal: killed });
  if (response.ok) return (await response.json()) as OrderPage;
  if (tries === 0) throw new Error(`${response.status}`);
  vi.advanceTimersByTime(300);
  killed.throwIfAborted();
  return readPatiently({ mock, killed } as ExamRun, query, tries - 1);
}

/** A client of orders that retries patiently, and stores its checkpoint after each page or at the end. */
function createPatientClient(storesEarly: boolean, triesMax: number): (run: ExamRun) => Promise<ExamRunEnd> {
  let checkpoint = '';
  const synchronise = async (run: ExamRun): Promise<void> => {
    let query: Readonly<Record<string, string>> = { limit: '100', ...(checkpoint !== '' && { updated_after: checkpoint }) };
    let newest = checkpoint;
    for (let hasMore = true; hasMore; ) {
      const { data } = await readPatiently(run, query, triesMax);
      newest = [newest, ...data.orders.map(({ changed_at }) => changed_at)].sort().at(-1) ?? '';
      if (storesEarly) checkpoint = newest;
      hasMore = data.page.has_more;
      query = { ...query, cursor: data.page.next_cursor ?? '' };
    }
    checkpoint = newest;
  };
  return (run) =>
    synchronise(run)
      .then(() => ({ code: 0, output: '' }))
      .catch(() => ({ code: 1, output: '' }));
}

interface OrderPage {
  readonly data: {
    readonly orders: readonly { readonly changed_at: string }[];
    readonly page: { readonly has_more: boolean; readonly next_cursor?: string | null };
  };
}

describe.each([
  // How a client gives up is unknown if it was killed before.
  ['unavailable', 'not-exercised'],
  ['killed', 'passed'],
] as const)('in the scenario %s', (scenario, stateOfPatient) => {
  it.each([
    ['a client that stores its checkpoint after each page fails, however patient it is', true, 3, 'failed'],
    ['so does one that never gives up', true, 10_000, 'failed'],
    ['a client that stores it at the end passes', false, 3, 'passed'],
    [`one that never gives up and stores it at the end is ${stateOfPatient}`, false, 10_000, stateOfPatient],
  ] as const)('%s', async (_title, storesEarly, triesMax, expectedState) => {
    const client = createPatientClient(storesEarly, triesMax);
    const report = await runExamOutOfTime(client, { scenarios: [scenario] });
    expect(report.scenarios.map(({ state }) => state)).toEqual([expectedState]);
  });
});

it('fails a client that ends with 0 although it has given up, and names no records', async () => {
  const client = createPatientClient(false, 3);
  const report = await runExamOutOfTime((run) => client(run).then((end) => ({ ...end, code: 0 })), { scenarios: ['unavailable'] });
  expect(failuresOf(report)).toEqual({ unavailable: ['client/records-complete'] });
});

describe('in the scenario lost-scope', () => {
  it.each([
    [undefined, 'passed'],
    ['takes an error for the last page', 'failed'],
  ] as const)('a client that %s is %s', async (mistake, expectedState) => {
    const client = createExamClient({ list: 'orders', mistake });
    const { scenarios } = await runExamOutOfTime(client, { scenarios: ['lost-scope'] });
    expect(scenarios.map(({ id, state }) => [id, state])).toEqual([['lost-scope', expectedState]]);
  });
});

describe('a client that names no records', () => {
  it.each([
    ['stores the checkpoint after the first page', 'unavailable'],
    ['takes an error for the last page', 'unavailable'],
    ['uses its own clock as the checkpoint', 'pages'],
    ['adds a second to the checkpoint', 'same-second'],
    ['takes the checkpoint from a request after the last page', 'change-while-paging'],
  ] as const)('and %s is judged by what was delivered to it', async (mistake, scenario) => {
    const client = createExamClient({ list: 'orders', mistake, compares: false });
    const report = await runExamOutOfTime(client, { scenarios: scenariosOf(mistake) });
    expect(failuresOf(report)).toEqual(expected[mistake]);
    expect(report.scenarios.find(({ id }) => id === scenario)?.records).toMatchObject([{ source: 'delivered', verdict: 'different' }]);
  });
});

describe('a correct client', () => {
  it.each(['orders', 'reservations'] as const)('of %s passes every scenario', async (list) => {
    const report = await runExamOutOfTime(createExamClient({ list }));
    // The client reads details of orders only.
    const stateOf = (id: ExamScenarioId): string => (id === 'details' && list === 'reservations' ? 'not-exercised' : 'passed');
    expect(report.scenarios.map(({ id, state }) => [id, state])).toEqual(report.scenarios.map(({ id }) => [id, stateOf(id)]));
  });
});
