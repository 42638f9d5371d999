/** The report of a check of pacts as JUnit's XML: one suite for each pact, one case for each interaction. */

import type { CheckedInteraction, CheckedPact, PactCheck } from '../../core/pact-check.ts';
import { clip } from '../excerpt.ts';
import { escapeMarkup } from '../html-text.ts';
import { detailsOf } from './check-lines.ts';
import { describeCheck, describePact } from './check-words.ts';

const sentenceMax = 2000;

/** Renders a check. An interaction with findings fails, and one that is pending is skipped then. */
export function renderPactCheckJunit(check: PactCheck): string {
  const about = [describeCheck(check), ...check.skipped.map(({ file, reason }) => `not checked: ${file}: ${reason}`)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="touchstone pact check" ${countsOf(check.pacts.flatMap(({ interactions }) => interactions))}>`,
    ...check.pacts.flatMap((pact) => renderSuite(pact, about)),
    '</testsuites>',
    '',
  ].join('\n');
}

function renderSuite(pact: CheckedPact, about: readonly string[]): readonly string[] {
  return [
    // Its name stays the same from version to version, or a history of results would end with each.
    `  <testsuite name="${line(`${pact.consumer} of ${pact.provider}`)}" ${countsOf(pact.interactions)}>`,
    ...pact.interactions.flatMap((interaction) => renderCase(pact, interaction)),
    `    <system-out>${[describePact(pact), ...about].map(line).join('\n')}</system-out>`,
    '  </testsuite>',
  ];
}

function countsOf(interactions: readonly CheckedInteraction[]): string {
  const wrong = interactions.filter(({ findings }) => findings.length > 0);
  const skipped = wrong.filter(({ isPending }) => isPending).length;
  return `tests="${interactions.length}" failures="${wrong.length - skipped}" errors="0" skipped="${skipped}" time="0"`;
}

function renderCase({ consumer, provider }: CheckedPact, interaction: CheckedInteraction): readonly string[] {
  const { description, states, place, findings, isPending } = interaction;
  // Descriptions are told apart by their states, as in Pact itself.
  const name = states.length === 0 ? description : `${description} (given ${states.join(', ')})`;
  const names = `classname="${line(`${consumer}.${provider}`)}" name="${line(name)}"`;
  const start = `    <testcase ${names} file="${line(place.file)}" line="${place.line}" time="0"`;
  const [first] = findings;
  if (first === undefined) return [`${start}/>`];
  const text = findings.flatMap((finding) => [finding.message, ...detailsOf(finding).map((each) => `  ${each}`)]);
  const message = `message="${line(first.message)}"`;
  const outcome = isPending
    ? [`      <skipped ${message}/>`, `      <system-out>${text.map(line).join('\n')}</system-out>`]
    : [`      <failure ${message} type="${line(first.id)}">${text.map(line).join('\n')}</failure>`];
  return [`${start}>`, ...outcome, '    </testcase>'];
}

/** One line of text, for content and attributes alike. */
function line(text: string): string {
  return escapeMarkup(clip(text, sentenceMax));
}
