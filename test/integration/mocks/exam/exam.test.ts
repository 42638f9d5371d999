/**
 * The exam of a client with one planted mistake: the scenarios that it fails, and each finding at the terminal and in the report. Correct clients pass
 * everything.
 */

import { describe, expect, it } from 'vitest';
import { renderFindingLine } from '../../../../cli/client/traffic-lines.ts';
import type { ClientLevel, ClientRuleId } from '../../../../core/results/client-rule.ts';
import type { ExamReport, ExamScenarioId } from '../../../../core/results/exam-result.ts';
import { type ClientMistake, createExamClient, mistakes } from './mistaken-client.ts';
import { runExamOutOfTime } from './out-of-time.ts';

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
  'repeats a refused request': { pages: ['client/refusal-repeated'] },
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
  'drops the last record of each page': { pages: ['client/records-complete'] },
  'never replaces a record': { pages: ['client/records-current'] },
  'computes days in UTC': { pages: ['client/values-kept'] },
  'drops records with an unknown state': { 'unknown-values': ['client/records-complete'] },
  'fails on an unknown state': { 'unknown-values': ['exit-code'] },
  'fails on an unknown field': { 'unknown-values': ['exit-code'] },
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

const listOf = (mistake: ClientMistake): 'orders' | 'reservations' => (mistake === 'computes days in UTC' ? 'reservations' : 'orders');

describe('a client that', () => {
  it.each(mistakes)('%s', async (mistake) => {
    const client = createExamClient({ list: listOf(mistake), mistake });
    const report = await runExamOutOfTime(1, client);
    expect(failuresOf(report)).toEqual(expected[mistake]);
    expect(report.verdict).toBe('failed');
    for (const finding of report.scenarios.flatMap(({ findings }) => findings)) {
      const { level, rule }: { readonly level: ClientLevel; readonly rule: ClientRuleId } = finding;
      expect(renderFindingLine(finding, false)).toMatch(new RegExp(`^ {4}${level} ${rule}: .+ \\(.+:\\d+:\\d+\\)\\n$`));
    }
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
    const report = await runExamOutOfTime(1, client);
    expect(failuresOf(report)).toEqual(expected[mistake]);
    expect(report.scenarios.find(({ id }) => id === scenario)?.records).toMatchObject([{ source: 'delivered', verdict: 'different' }]);
  });
});

describe('a correct client', () => {
  it.each(['orders', 'reservations'] as const)('of %s passes every scenario', async (list) => {
    const report = await runExamOutOfTime(1, createExamClient({ list }));
    expect(report.scenarios.map(({ id, state }) => [id, state])).toEqual(report.scenarios.map(({ id }) => [id, 'passed']));
  });
});
