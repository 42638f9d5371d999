/** The report of a run as workflow commands of GitHub Actions: what is violated stands beside the line of the contract that states it. */

import type { LawResult, RunResult } from '../../core/verdict.ts';
import { clip } from '../excerpt.ts';
import { type AnnotationLevel, renderAnnotation } from '../workflow-command.ts';
import { describeCounts, describeEffort, describeEnd, describeFacts, describeRun, describeWaiver, lawsIn, placeOf } from './words.ts';

const sentenceMax = 1000;
const nameMax = 200;
/** So many laws get an annotation of each kind: GitHub shows the first ten of a step. */
const annotationsMax = 50;
/** So many command lines stand in one: a walk through a list may have hundreds of requests. */
const commandsMax = 5;

/** Renders a run: violations as errors, what is waived or was not available as warnings, what moved as notices, then notes and the end. */
export function renderVerifyGithub(result: RunResult): string {
  const { unavailable, notes = [] } = result;
  const about = clip(describeRun(result), nameMax);
  const end = [`${describeEnd(result)}.`, describeCounts(result), `${describeEffort(result)}.`].filter((part) => part !== '');
  return [
    ...(unavailable === undefined ? [] : [renderAnnotation('error', about, [clip(unavailable, sentenceMax)])]),
    ...annotateAll('error', lawsIn(result, 'violated'), 'is violated'),
    ...annotateAll('warning', lawsIn(result, 'waived'), 'is violated, and waived'),
    ...annotateAll('warning', lawsIn(result, 'blocked'), 'is blocked'),
    ...annotateAll('notice', lawsIn(result, 'inconclusive'), 'is inconclusive'),
    ...notes.slice(0, annotationsMax).map((note) => renderAnnotation('warning', 'Note of the run', [clip(note, sentenceMax)])),
    renderAnnotation('notice', about, end),
  ].join('');
}

function annotateAll(level: AnnotationLevel, laws: readonly LawResult[], what: string): readonly string[] {
  const more = laws.length - annotationsMax;
  const title = (law: LawResult): string => clip(`${law.id} at ${law.operation} ${what}`, nameMax);
  return [
    ...laws.slice(0, annotationsMax).map((law) => renderAnnotation(level, title(law), describe(law), placeOf(law))),
    ...(more <= 0
      ? []
      : [renderAnnotation(level, `${more} more`, [`${more} further checks: each ${what}. The report in JSON holds them.`])]),
  ];
}

function describe(law: LawResult): readonly string[] {
  const { title, waiver, source, counterexample } = law;
  const commands = counterexample?.curl ?? [];
  const more = commands.length - commandsMax;
  const lines = [
    ...(waiver === undefined ? [] : [`Waived: ${describeWaiver(waiver)}`]),
    title,
    ...describeFacts(law).map(([label, text]) => `${label}: ${text}`),
    ...(counterexample === undefined ? [] : [`from: ${source}`]),
    ...commands.slice(0, commandsMax),
    ...(more <= 0 ? [] : [`… and ${more} more requests`]),
  ];
  return lines.map((line) => clip(line, sentenceMax));
}
