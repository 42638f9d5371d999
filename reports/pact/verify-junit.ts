/** The report of a verification of pacts as JUnit's XML: one suite for each pact, one case for each interaction. */

import { printPlace } from '../../core/errors.ts';
import type { InteractionResult, PactVerification } from '../../core/pact-verdict.ts';
import { renderJunit, type TestCase } from '../junit.ts';
import { describeEnd, describeFailure, groupByConsumer } from './verify-words.ts';

/** Renders a verification. What failed fails, what was not exercised or is pending is skipped. */
export function renderPactJunit(result: PactVerification): string {
  const { interactions, unavailable, durationMs } = result;
  const about = [describeEnd(result), ...unavailable.map(({ contract, reason }) => `${contract}: ${reason}`)];
  const suites = groupByConsumer(interactions).map(({ consumer, provider, members }) => ({
    name: `${consumer} of ${provider}`,
    cases: members.map(toCase),
    about,
  }));
  return renderJunit('touchstone pact verify', suites, durationMs);
}

function toCase(result: InteractionResult): TestCase {
  const { consumer, provider, description, place, verdict, reason, isPending, failures } = result;
  const names = { className: `${consumer}.${provider}`, name: nameOf(result), place };
  if (verdict === 'passed') return names;
  if (verdict === 'not-exercised') return { ...names, outcome: { kind: 'skipped', message: `not exercised: ${reason ?? ''}` } };
  const [first] = failures.map((failure) => describeFailure(failure).title);
  const outcome = isPending
    ? ({ kind: 'skipped', message: `pending, and failed: ${first ?? ''}` } as const)
    : ({ kind: 'failure', message: first ?? description, type: failures[0]?.kind ?? 'other' } as const);
  return { ...names, outcome, details: describe(result) };
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
