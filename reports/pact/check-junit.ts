/** The report of a check of pacts as JUnit's XML: one suite for each pact, one case for each interaction. */

import type { CheckedInteraction, CheckedPact, PactCheck } from '../../core/pact-check.ts';
import { renderJunit, type TestCase } from '../junit.ts';
import { detailsOf } from './check-lines.ts';
import { describeCheck, describePact } from './check-words.ts';

/** Renders a check. An interaction with findings fails, and one that is pending is skipped then. */
export function renderPactCheckJunit(check: PactCheck): string {
  const about = [describeCheck(check), ...check.skipped.map(({ file, reason }) => `not checked: ${file}: ${reason}`)];
  const suites = check.pacts.map((pact) => ({
    name: `${pact.consumer} of ${pact.provider}`,
    cases: pact.interactions.map((interaction) => toCase(pact, interaction)),
    about: [describePact(pact), ...about],
  }));
  return renderJunit('touchstone pact check', suites);
}

function toCase({ consumer, provider }: CheckedPact, interaction: CheckedInteraction): TestCase {
  const { description, states, place, findings, isPending } = interaction;
  // Descriptions are told apart by their states, as in Pact itself.
  const name = states.length === 0 ? description : `${description} (given ${states.join(', ')})`;
  const [first] = findings;
  return {
    className: `${consumer}.${provider}`,
    name,
    place,
    ...(first === undefined ? {} : { outcome: { kind: isPending ? 'skipped' : 'failure', message: first.message, type: first.id } }),
    details: findings.flatMap((finding) => [finding.message, ...detailsOf(finding).map((each) => `  ${each}`)]),
  };
}
