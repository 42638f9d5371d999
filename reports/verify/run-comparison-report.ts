import type { RunComparison } from '../../core/results/run-comparison.ts';
import { type Cause, describeWaiver } from '../../core/results/run-result.ts';
import { printReport } from '../print-json.ts';
import { type Block, code, type Entry, type Report, type Tone } from '../report-model.ts';
import { versusOf } from './verify-sentences.ts';

const parts = [
  ['found', 'New', 'bad'],
  ['still', 'Still there', 'doubtful'],
  ['unknown', 'Not checked again', 'doubtful'],
  ['gone', 'Gone', 'good'],
] as const satisfies readonly (readonly [keyof RunComparison, string, Tone])[];

/** Builds the report of a comparison. New causes come first, with the requests that show them. */
export function reportOfRunComparison(comparison: RunComparison): Report {
  const { before, after, exitCode } = comparison;
  const { title, version } = after.contract;
  return {
    subject: 'Comparison',
    headline: [{ text: `${title} ${version}`.trim(), as: 'strong' }, ` at ${after.target}, compared with ${before.target}`],
    verdict: parts.map(([name, word]) => `${comparison[name].length} ${word.toLowerCase()}`).join(', '),
    tone: exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'doubtful',
    lead: [`Runs of ${before.started} and ${after.started}.`],
    sections: parts.map(([name, heading, tone]) => ({
      id: name,
      title: heading,
      tone,
      full: name === 'found',
      open: true,
      entries: comparison[name].map((cause) => entryOf(cause, tone)),
    })),
  };
}

function entryOf({ id, rule, operations, title, message, counterexample, waiver }: Cause, tone: Tone): Entry {
  const blocks: readonly Block[] = [
    versusOf(counterexample),
    { kind: 'facts', facts: [['cause', code(id)], ...(waiver === undefined ? [] : [['waived', describeWaiver(waiver)] as const])] },
    { kind: 'exchanges', ...counterexample },
  ];
  return { name: [{ text: rule, as: tone }, ` in ${operations.join(', ')}`], title, tone, line: message, blocks };
}

/** Renders a comparison as JSON, with the facts by which each cause is recognised. */
export function renderComparisonJson({ exitCode, before, after, found, still, unknown, gone }: RunComparison): string {
  const list = (causes: readonly Cause[]): readonly object[] =>
    causes.map(({ id, rule, operations, severity, message, waiver }) => ({ id, rule, operations, severity, message, waiver }));
  return printReport({ exitCode, before, after, new: list(found), still: list(still), notJudged: list(unknown), gone: list(gone) });
}
