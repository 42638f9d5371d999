/**
 * The JSON report of `touchstone pact check`; its schema is specs/pact-check-report.schema.json. `pact-check-command.ts` passes it to `report-option.ts`,
 * which calls it for `--report json` at the end of the command. It shortens nothing.
 */

import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding } from '../../core/results/pact-check-result.ts';
import { orNull, pick, pickOrNull, printReport, toPlace } from '../json-report-parts.ts';
import { unrecognisedStateToJson } from './report-unrecognised-states.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
const pactCheckReportVersion = 'touchstone-pact-check/1' as const;

/** Renders the report, with keys in the order of the schema and `null` for absent values. */
export function renderPactCheckJson({ count, pacts, states, skipped, notes }: PactCheck): string {
  return printReport({
    schema: pactCheckReportVersion,
    holds: count.impossible + count.notGuaranteed === 0,
    count: pick(count, 'interactions', 'wrong', 'impossible', 'notGuaranteed', 'pending', 'waived'),
    pacts: pacts.map(toPact),
    states: states.map(unrecognisedStateToJson),
    skipped: skipped.map((file) => pick(file, 'file', 'reason')),
    notes,
  });
}

function toPact(pact: CheckedPact): object {
  return {
    ...pick(pact, 'file', 'consumer', 'provider'),
    contract: pick(pact.contract, 'name', 'title', 'version', 'file'),
    interactions: pact.interactions.map(toInteraction),
    others: pact.others.map((other) => ({ ...pick(other, 'description', 'type'), place: toPlace(other.place) })),
  };
}

function toInteraction(interaction: CheckedInteraction): object {
  return {
    ...pick(interaction, 'description', 'states', 'request', 'status'),
    pending: interaction.isPending,
    ...pickOrNull(interaction, 'operation', 'pointer'),
    place: toPlace(interaction.place),
    findings: interaction.findings.map(toFinding),
    remarks: interaction.remarks.map((remark) => ({ ...pick(remark, 'message', 'pointer'), place: toPlace(remark.place) })),
  };
}

function toFinding(finding: PactFinding): object {
  return {
    ...pick(finding, 'id', 'fingerprint', 'grade', 'message', 'pointer'),
    place: toPlace(finding.place),
    clause: orNull(finding.clause, toPlace),
    question: orNull(finding.question, (asked) => ({ ...pick(asked, 'id', 'question', 'source'), place: toPlace(asked.place) })),
    witness: orNull(finding.witness, (shown) => pick(shown, 'pointer', 'value')),
    promised: orNull(finding.promised, (earlier) => pick(earlier, 'version', 'file')),
    waiver: orNull(finding.waiver, (waiver) => pickOrNull(waiver, 'reason', 'expires')),
  };
}
