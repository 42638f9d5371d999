/**
 * The JSON report of `touchstone pact verify`; its schema is specs/pact-report.schema.json. `pact-verify-command.ts` passes it to `report-option.ts`, which
 * calls it for `--report json` at the end of the command. It shortens nothing.
 */

import { countResults, type InteractionResult, type PactVerification } from '../../core/results/pact-verify-result.ts';
import { orNull, pick, pickOrNull, printReport } from '../json-report-parts.ts';
import { unrecognisedStateToJson } from './report-unrecognised-states.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
const pactVerifyReportVersion = 'touchstone-pact/1' as const;

/** Renders the report, with keys in the order of the schema and `null` for absent values: two reports can be compared line by line. */
export function renderPactVerifyJson(result: PactVerification): string {
  return printReport({
    schema: pactVerifyReportVersion,
    ...pick(result, 'verdict', 'exitCode', 'target'),
    count: countResults(result.interactions),
    ...pick(result, 'required', 'requests', 'budget', 'durationMs'),
    unavailable: result.unavailable.map((each) => pick(each, 'contract', 'reason')),
    states: result.states.map(unrecognisedStateToJson),
    interactions: result.interactions.map(toInteraction),
  });
}

function toInteraction(result: InteractionResult): object {
  return {
    ...pick(result, 'consumer', 'provider', 'contract', 'description', 'states'),
    ...pick(result.place, 'file', 'line', 'column'),
    pending: result.isPending,
    ...pickOrNull(result, 'verdict', 'reason'),
    failures: result.failures.map((failure) => pickOrNull(failure, 'kind', 'path', 'expected', 'actual', 'diagnosis')),
    notes: result.notes,
    exchange: orNull(result.exchange, ({ request, response }) => ({
      request: pick(request, 'method', 'target', 'headers'),
      response: pick(response, 'status', 'headers', 'body'),
    })),
    ...pickOrNull(result, 'curl'),
  };
}
