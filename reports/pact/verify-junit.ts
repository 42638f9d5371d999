/** The report of a verification of pacts as JUnit's XML, for what keeps a history of test results: one suite for each pact, one case for each interaction. */

import { printPlace } from '../../core/errors.ts';
import type { InteractionResult, PactVerification } from '../../core/pact-verdict.ts';
import { clip } from '../excerpt.ts';
import { escapeMarkup } from '../html-text.ts';
import { countResults, describeEnd, describeFailure, groupByConsumer } from './verify-words.ts';

const sentenceMax = 2000;

/** Renders a verification. What failed fails, what was not exercised or is pending is skipped. */
export function renderPactJunit(result: PactVerification): string {
  const { interactions, unavailable, durationMs } = result;
  const about = [describeEnd(result), ...unavailable.map(({ contract, reason }) => `${contract}: ${reason}`)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="touchstone pact verify" ${countsOf(interactions)} time="${(durationMs / 1000).toFixed(3)}">`,
    ...groupByConsumer(interactions).flatMap(({ consumer, provider, members }) => [
      `  <testsuite name="${line(`${consumer} of ${provider}`)}" ${countsOf(members)} time="0">`,
      ...members.flatMap((each) => renderCase(each)),
      `    <system-out>${about.map(line).join('\n')}</system-out>`,
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function countsOf(results: readonly InteractionResult[]): string {
  const failed = results.filter(({ verdict, isPending }) => verdict === 'failed' && !isPending).length;
  const { passed } = countResults(results);
  return `tests="${results.length}" failures="${failed}" errors="0" skipped="${results.length - failed - passed}"`;
}

function renderCase(result: InteractionResult): readonly string[] {
  const { consumer, provider, description, place, verdict, reason, isPending, failures } = result;
  const names = `classname="${line(`${consumer}.${provider}`)}" name="${line(nameOf(result))}"`;
  const start = `    <testcase ${names} file="${line(place.file)}" line="${place.line}" time="0"`;
  if (verdict === 'passed') return [`${start}/>`];
  const [first] = failures.map((failure) => describeFailure(failure).title);
  const body = describe(result).map(line).join('\n');
  const outcome =
    verdict === 'not-exercised'
      ? [`      <skipped message="${line(`not exercised: ${reason ?? ''}`)}"/>`]
      : isPending
        ? [`      <skipped message="${line(`pending, and failed: ${first ?? ''}`)}"/>`, `      <system-out>${body}</system-out>`]
        : [`      <failure message="${line(first ?? description)}" type="${failures[0]?.kind ?? 'other'}">${body}</failure>`];
  return [`${start}>`, ...outcome, '    </testcase>'];
}

/** Descriptions are told apart by their states, as in Pact itself. */
function nameOf({ description, states }: InteractionResult): string {
  return states.length === 0 ? description : `${description} (given ${states.join(', ')})`;
}

function describe({ failures, notes, curl, place }: InteractionResult): readonly string[] {
  return [
    ...failures.flatMap((failure) => {
      const { title, expected, actual } = describeFailure(failure);
      return [title, `  expected: ${expected}`, `  actual: ${actual}`];
    }),
    ...notes,
    ...(curl === undefined ? [] : [curl]),
    printPlace(place),
  ];
}

/** One line of text, for content and attributes alike. */
function line(text: string): string {
  return escapeMarkup(clip(text, sentenceMax));
}
