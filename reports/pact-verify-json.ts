/** The report of a verification of pacts as JSON, for programs; specs/pact-report.schema.json says what it holds. */

import type { InteractionResult, PactFailure, PactVerification } from '../core/pact/verify-result.ts';
import { orNull, printReport } from './json-report.ts';
import { countResults } from './pact-verify.ts';

/** The version of the report's shape. A field that goes or changes its meaning makes a new version, a new field does not. */
export const pactReportSchema = 'touchstone-pact/1' as const;

/** Renders a verification. The keys stand in the order of the schema, and what is absent is `null`, so that two reports compare line by line. */
export function renderPactJson(result: PactVerification): string {
  return printReport({
    schema: pactReportSchema,
    verdict: result.verdict,
    exitCode: result.exitCode,
    target: result.target,
    count: countResults(result.interactions),
    required: result.required,
    requests: result.requests,
    budget: result.budget,
    durationMs: result.durationMs,
    unavailable: result.unavailable.map(({ contract, reason }) => ({ contract, reason })),
    interactions: result.interactions.map(toInteraction),
  });
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
