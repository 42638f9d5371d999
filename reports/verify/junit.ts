/** The report of a run as JUnit's XML: one suite for each operation, one test case for each law at it. */

import { printPlace } from '../../core/errors.ts';
import type { LawResult, RunResult } from '../../core/verdict.ts';
import { clip } from '../excerpt.ts';
import { renderJunit, type TestCase, type TestSuite } from '../junit.ts';
import {
  describeCounts,
  describeEffort,
  describeEnd,
  describeFacts,
  describeRun,
  describeWaiver,
  groupByOperation,
  placeOf,
  stateOf,
  stateWords,
} from './words.ts';

/** So many exchanges of a counterexample are told with their bodies, the first and the last ones, and so much of each body. */
const exchangesMax = 6;
const bodyMax = 1000;
const commandsMax = 20;

/** Renders a run. What is violated fails; what is waived, or could not be shown, is skipped with its reason. */
export function renderVerifyJunit(result: RunResult): string {
  const { contract, laws, durationMs, notes = [] } = result;
  const about = [describeRun(result), describeEnd(result), describeCounts(result), describeEffort(result), ...notes];
  const suites = groupByOperation(laws).map(
    ({ operation, members }, index): TestSuite => ({
      name: `${contract.name}: ${operation}`,
      cases: members.map(toCase),
      ...(index === 0 ? { about } : {}),
    }),
  );
  return renderJunit('touchstone verify', [...suiteOfRun(result), ...suites], durationMs);
}

/** A run that ended otherwise than by judging is an error of its own: skipped cases alone would pass for a good run. */
function suiteOfRun(result: RunResult): readonly TestSuite[] {
  const { contract, exitCode, unavailable, notes = [] } = result;
  if (exitCode === 0 || exitCode === 1) return [];
  const outcome = { kind: 'error', message: describeEnd(result), type: `exit code ${exitCode}` } as const;
  const details = [...(unavailable === undefined ? [] : [unavailable]), ...notes];
  return [{ name: `${contract.name}: the run`, cases: [{ className: contract.name, name: 'the run', outcome, details }] }];
}

function toCase(law: LawResult): TestCase {
  const names = { className: law.operation, name: law.id, place: placeOf(law) };
  const state = stateOf(law);
  if (state === 'holds') return names;
  if (state === 'violated')
    return { ...names, outcome: { kind: 'failure', message: law.message || law.title, type: law.id }, details: describe(law) };
  const reason = law.waiver === undefined ? law.message : describeWaiver(law.waiver);
  return {
    ...names,
    outcome: { kind: 'skipped', message: `${stateWords[state]}: ${reason}` },
    details: law.counterexample === undefined ? [] : describe(law),
  };
}

function describe(law: LawResult): readonly string[] {
  const { title, source, counterexample } = law;
  const facts = describeFacts(law).map(([label, text]) => `${label}: ${text}`);
  if (counterexample === undefined) return [title, ...facts, `source: ${source}`];
  const { exchanges, clause, curl } = counterexample;
  const kept = exchanges.filter((_, index) => index < exchangesMax / 2 || index >= exchanges.length - exchangesMax / 2);
  return [
    title,
    ...facts,
    `clause: ${printPlace(clause)}, from ${source}`,
    ...curl.slice(0, commandsMax),
    ...(curl.length <= commandsMax ? [] : [`… and ${curl.length - commandsMax} more requests`]),
    ...kept.flatMap(({ request, response }) => [
      `${request.method} ${request.target} gave ${response.status}`,
      ...(response.body === '' ? [] : [clip(response.body, bodyMax)]),
    ]),
    ...(kept.length === exchanges.length ? [] : [`… and ${exchanges.length - kept.length} more exchanges: the report in JSON holds them`]),
  ];
}
