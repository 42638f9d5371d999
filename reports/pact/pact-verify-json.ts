/** The JSON report of `touchstone pact verify`; its schema is specs/pact-report.schema.json. The command calls it for `--report json`. It shortens nothing. */

import type { ForeignState } from '../../core/pact/unrecognised-state.ts';
import type { InteractionResult, PactFailure, PactVerification } from '../../core/results/pact-verify-result.ts';
import { orNull, printReport, toPlace } from '../print-json.ts';
import { countResults } from './pact-verify-report.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
const pactReportVersion = 'touchstone-pact/1' as const;

/** Renders the report, with keys in the order of the schema and `null` for absent values: two reports can be compared line by line. */
export function renderPactJson(result: PactVerification): string {
  return printReport({
    schema: pactReportVersion,
    verdict: result.verdict,
    exitCode: result.exitCode,
    target: result.target,
    count: countResults(result.interactions),
    required: result.required,
    requests: result.requests,
    budget: result.budget,
    durationMs: result.durationMs,
    unavailable: result.unavailable.map(({ contract, reason }) => ({ contract, reason })),
    states: result.states.map(toForeignState),
    interactions: result.interactions.map(toInteraction),
  });
}

/** Converts a guessed or unknown state. */
export function toForeignState({ name, guess, interactions, place }: ForeignState): object {
  return { name, guess: guess ?? null, interactions, place: toPlace(place) };
}

function toInteraction(result: InteractionResult): object {
  const { consumer, provider, contract, description, states, place, isPending, verdict, reason, failures, notes, exchange, curl } = result;
  return {
    consumer,
    provider,
    contract,
    description,
    states,
    file: place.file,
    line: place.line,
    column: place.column,
    pending: isPending,
    verdict,
    reason: reason ?? null,
    failures: failures.map(toFailure),
    notes,
    exchange: orNull(exchange, ({ request, response }) => ({
      request: { method: request.method, target: request.target, headers: request.headers },
      response: { status: response.status, headers: response.headers, body: response.body },
    })),
    curl: curl ?? null,
  };
}

function toFailure({ kind, path, expected, actual, diagnosis }: PactFailure): object {
  return { kind, path, expected, actual, diagnosis: diagnosis ?? null };
}
