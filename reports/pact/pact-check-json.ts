/** The JSON report of `touchstone pact check`; its schema is specs/pact-check-report.schema.json. The command calls it for `--report json`. It shortens nothing. */

import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding } from '../../core/results/pact-check-result.ts';
import { orNull, printReport, toPlace } from '../print-json.ts';
import { toForeignState } from './pact-verify-json.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
const pactCheckReportVersion = 'touchstone-pact-check/1' as const;

/** Renders the report, with keys in the order of the schema and `null` for absent values. */
export function renderPactCheckJson({ count, pacts, states, skipped, notes }: PactCheck): string {
  return printReport({
    schema: pactCheckReportVersion,
    holds: count.impossible + count.notGuaranteed === 0,
    count: {
      interactions: count.interactions,
      wrong: count.wrong,
      impossible: count.impossible,
      notGuaranteed: count.notGuaranteed,
      pending: count.pending,
      waived: count.waived,
    },
    pacts: pacts.map(toPact),
    states: states.map(toForeignState),
    skipped: skipped.map(({ file, reason }) => ({ file, reason })),
    notes,
  });
}

function toPact({ file, consumer, provider, contract, interactions, others }: CheckedPact): object {
  return {
    file,
    consumer,
    provider,
    contract: { name: contract.name, title: contract.title, version: contract.version, file: contract.file },
    interactions: interactions.map(toInteraction),
    others: others.map(({ description, type, place }) => ({ description, type, place: toPlace(place) })),
  };
}

function toInteraction({
  description,
  states,
  request,
  status,
  isPending,
  operation,
  pointer,
  place,
  findings,
  remarks,
}: CheckedInteraction): object {
  return {
    description,
    states,
    request,
    status,
    pending: isPending,
    operation: operation ?? null,
    pointer,
    place: toPlace(place),
    findings: findings.map(toFinding),
    remarks: remarks.map((remark) => ({ message: remark.message, pointer: remark.pointer, place: toPlace(remark.place) })),
  };
}

function toFinding({ id, fingerprint, grade, message, pointer, place, clause, question, witness, promised, waiver }: PactFinding): object {
  return {
    id,
    fingerprint,
    grade,
    message,
    pointer,
    place: toPlace(place),
    clause: orNull(clause, toPlace),
    question: orNull(question, (asked) => ({ id: asked.id, question: asked.question, source: asked.source, place: toPlace(asked.place) })),
    witness: orNull(witness, (shown) => ({ pointer: shown.pointer, value: shown.value })),
    promised: orNull(promised, ({ version, file }) => ({ version, file })),
    waiver: orNull(waiver, ({ reason, expires }) => ({ reason, expires: expires ?? null })),
  };
}
