/** HTTP archives: valid by an outside schema whatever a target sends, one page for each cause, and no secrets. */

import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../../../core/results/run-result.ts';
import { renderHar } from '../../../../reports/verify/render-har.ts';
import { harMistakes } from '../../../helpers/reports/har-mistakes.ts';
import { resultOf } from '../../../helpers/reports/sample-results.ts';
import { hugeRun, mixedRun, runs } from '../../../helpers/reports/sample-runs.ts';

interface Archive {
  readonly log: {
    readonly pages: readonly { readonly id: string; readonly title: string }[];
    readonly entries: readonly {
      readonly pageref: string;
      readonly request: { readonly url: string; readonly queryString: readonly object[]; readonly headers: readonly object[] };
      readonly response: { readonly status: number; readonly content: { readonly text: string; readonly mimeType: string } };
    }[];
  };
}

const read = (result: RunResult): Archive => JSON.parse(renderHar(result)) as Archive;

describe('the archive', () => {
  it.each(runs)('is valid HAR 1.2: %s', (_, result) => {
    expect(harMistakes(read(result))).toEqual([]);
  });

  it('is refused by the test without its essentials', () => {
    expect(harMistakes({ log: { version: '1.2', entries: [] } })).not.toEqual([]);
  });

  it('has a page for each cause with its exchanges', () => {
    const { pages, entries } = read(mixedRun()).log;
    expect(pages.map(({ title }) => title.split(':')[0])).toEqual(['filters/sound in listNotes', 'order/within in listNotes']);
    expect(entries.map(({ pageref }) => pageref)).toEqual([pages[0]?.id, pages[0]?.id, pages[1]?.id, pages[1]?.id]);
    expect(entries[0]).toMatchObject({
      request: {
        url: 'http://127.0.0.1:8080/v1/notes?tag=red',
        queryString: [{ name: 'tag', value: 'red' }],
        headers: [
          { name: 'accept', value: 'application/json' },
          { name: 'x-key', value: '$FULL_KEY' },
        ],
      },
      response: { status: 200, content: { text: '{"data":[{"id":4}]}', mimeType: 'application/json' } },
    });
  });

  it('has no entry without a cause', () => {
    expect(read(resultOf()).log.entries).toEqual([]);
  });

  it('has every exchange of a run that was asked for them, with its time', () => {
    const [exchange] = mixedRun().causes.flatMap(({ counterexample }) => counterexample.exchanges);
    if (exchange === undefined) throw new Error('the sample has no exchange');
    const run = { ...resultOf(), started: '2026-03-01T10:00:00.000Z', exchanges: [{ ...exchange, startedMs: 1500, durationMs: 20 }] };
    expect(harMistakes(read(run))).toEqual([]);
    expect(read(run).log.entries).toMatchObject([{ startedDateTime: '2026-03-01T10:00:01.500Z', time: 20 }]);
  });

  it('stays bounded, however long the texts are', () => {
    expect(renderHar(hugeRun(1, 'x'.repeat(5000))).length).toBeLessThan(2_000_000);
  });
});
