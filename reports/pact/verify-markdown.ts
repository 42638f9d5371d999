/** The report of a verification of pacts as a comment of a pull request: what failed, what was not exercised, and a count for each consumer. */

import { printPlace } from '../../core/errors.ts';
import type { InteractionResult, PactFailure, PactVerification } from '../../core/pact-verdict.ts';
import { cellCode, codeSpan, escapeMarkdown, fence } from '../markdown-text.ts';
import { countResults, describeEnd, describeFailure, groupByConsumer } from './verify-words.ts';

const nameMax = 200;
const sentenceMax = 500;
const curlMax = 2000;
/** So many interactions are told of in each part: a comment has its limits. */
const failuresMost = 25;
const leftOutMost = 60;

/** Renders a verification. */
export function renderPactMarkdown(result: PactVerification): string {
  const { interactions, target, unavailable } = result;
  const failed = interactions.filter(({ verdict }) => verdict === 'failed');
  const left = interactions.filter(({ verdict }) => verdict === 'not-exercised');
  const sections = [
    `## Pacts: ${escapeMarkdown(describeEnd(result), sentenceMax)}`,
    `Verified at ${codeSpan(target, nameMax)}.`,
    ...unavailable.map(({ contract, reason }) => `${codeSpan(contract, nameMax)}: ${escapeMarkdown(reason, sentenceMax)}`),
    renderCounts(interactions),
    ...failed.slice(0, failuresMost).map(renderFailed),
    ...more(failed.length - failuresMost),
    ...(left.length === 0 ? [] : [renderLeftOut(left), ...more(left.length - leftOutMost)]),
  ];
  return `${sections.join('\n\n')}\n`;
}

function renderCounts(interactions: readonly InteractionResult[]): string {
  const rows = groupByConsumer(interactions).map(({ consumer, provider, members }) => {
    const { passed, failed, notExercised } = countResults(members);
    return `| ${escapeMarkdown(consumer, nameMax)} | ${escapeMarkdown(provider, nameMax)} | ${failed} | ${notExercised} | ${passed} |`;
  });
  return ['| Consumer | Provider | Failed | Not exercised | Passed |', '| --- | --- | ---: | ---: | ---: |', ...rows].join('\n');
}

function renderFailed({ description, consumer, states, isPending, failures, notes, curl, place }: InteractionResult): string {
  const given = states.length === 0 ? [] : [`Given ${states.map((state) => escapeMarkdown(state, nameMax)).join(', ')}.`];
  return [
    `### ${escapeMarkdown(description, nameMax)} (${escapeMarkdown(consumer, nameMax)}${isPending ? ', pending' : ''})`,
    ...given,
    ['| | Expected | Actual |', '| --- | --- | --- |', ...failures.map(renderRow)].join('\n'),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${escapeMarkdown(note, sentenceMax)}`).join('\n')]),
    ...(curl === undefined ? [] : [fence([curl.slice(0, curlMax)], 'sh').join('\n')]),
    codeSpan(printPlace(place), nameMax),
  ].join('\n\n');
}

function renderRow(failure: PactFailure): string {
  const { title, expected, actual } = describeFailure(failure);
  return `| ${escapeMarkdown(title, sentenceMax)} | ${cellCode(expected, nameMax)} | ${cellCode(actual, nameMax)} |`;
}

function renderLeftOut(left: readonly InteractionResult[]): string {
  const rows = left
    .slice(0, leftOutMost)
    .map(({ description, consumer, reason = '' }) => `- ${escapeMarkdown(`${description} (${consumer}): ${reason}`, sentenceMax)}`);
  return `<details>\n<summary>Not exercised: ${left.length}</summary>\n\n${rows.join('\n')}\n\n</details>`;
}

function more(number: number): readonly string[] {
  return number <= 0 ? [] : [`… and ${number} more: the report in JSON holds them.`];
}
