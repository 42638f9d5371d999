/** HTTP Archive of the exchanges that show the causes. Each cause is a page, which viewers use as a group. */

import type { RunResult } from '../../core/results/run-result.ts';
import { clip } from '../excerpt.ts';
import { harEntry } from '../har-entry.ts';
import { describeRun } from './verify-words.ts';

/** Maximum number of characters of a sentence. */
const sentenceMax = 2000;

/** Renders the exchanges of a run. Keys and personal data are hidden in them already. */
export function renderHar(result: RunResult): string {
  const { causes, target, started, toolVersion } = result;
  const log = {
    version: '1.2',
    creator: { name: 'Touchstone', version: toolVersion },
    pages: causes.map(({ id, rule, operations, message }) => ({
      startedDateTime: started,
      id,
      title: clip(`${rule} at ${operations.join(', ')}: ${message}`, sentenceMax),
      pageTimings: {},
    })),
    entries: causes.flatMap(({ id, counterexample }) =>
      counterexample.exchanges.map((exchange) => ({ pageref: id, ...harEntry(exchange, target, { started }) })),
    ),
    comment: clip(`${describeRun(result)}: the exchanges that show each cause. Their times were not measured.`, sentenceMax),
  };
  return `${JSON.stringify({ log }, undefined, 2)}\n`;
}
