import { printJson } from '../../core/json.ts';
import type { RunResult } from '../../core/results/run-result.ts';
import { clip } from '../clip-text.ts';
import { harEntry } from '../har-entry.ts';
import { describeRun, nameOfRun } from './verify-sentences.ts';

/** Maximum number of characters of a sentence. */
const sentenceMax = 2000;

/**
 * Renders the exchanges that show the causes as an HTTP Archive (HAR 1.2), and those of the whole run if it has them. Each cause is a page, which viewers use
 * as a group. Keys and personal data must be hidden already.
 */
export function renderHar(...results: readonly RunResult[]): string {
  const causes = results.flatMap((run) =>
    run.causes.map((cause) => ({
      ...cause,
      target: run.target,
      started: run.started,
      page: results.length === 1 ? cause.id : `${nameOfRun(run, results)} ${cause.id}`,
    })),
  );
  const log = {
    version: '1.2',
    creator: { name: 'Touchstone', version: results[0]?.toolVersion ?? '' },
    pages: causes.map(({ page, started, rule, operations, message }) => ({
      startedDateTime: started,
      id: page,
      title: clip(`${rule} in ${operations.join(', ')}: ${message}`, sentenceMax),
      pageTimings: {},
    })),
    entries: [
      ...causes.flatMap(({ page, started, target, counterexample }) =>
        counterexample.exchanges.map((exchange) => ({ pageref: page, ...harEntry(exchange, target, { started }) })),
      ),
      ...results.flatMap(entriesOfRun),
    ],
    comment: clip(
      `${results.map(describeRun).join('; ')}: the exchanges that show each cause, without times, and those of the run, if it was asked for them`,
      sentenceMax,
    ),
  };
  return `${printJson({ log }, 2)}\n`;
}

function entriesOfRun({ exchanges = [], started, target }: RunResult): readonly ReturnType<typeof harEntry>[] {
  return exchanges.map(({ startedMs, durationMs, ...exchange }) =>
    harEntry(exchange, target, { started: new Date(Date.parse(started) + startedMs).toISOString(), waitMs: durationMs }),
  );
}
