/**
 * Judges an interaction by its response: failures from Pact's mismatches and from `check-response-fits-request.ts`, and notes from the contract, without
 * secrets. `verify-pacts.ts` calls it for each interaction at the end, and `verify-in-rounds.ts` after each round to choose and judge the retries. It sends
 * nothing.
 */

import { formatLocation } from '../../../core/errors.ts';
import { checkResponse } from '../../../core/http/check-response.ts';
import { type Json, type JsonObject, readJson } from '../../../core/json.ts';
import { mapTexts } from '../../../core/map-texts.ts';
import { parseBodyPath, valuesAlong } from '../../../core/pact/body-path.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { personalPlaceholder } from '../../../core/redaction/mask-personal-data.ts';
import type { InteractionResult, PactFailure } from '../../../core/results/pact-verify-result.ts';
import type { Reply } from '../../verify/evidence/call-and-reply.ts';
import { type Printing, printCounterexample, printExchange } from '../../verify/print-redacted-counterexample.ts';
import { checkResponseFitsRequest } from './check-response-fits-request.ts';
import { explainMismatches } from './explain-mismatch.ts';
import type { InteractionTask, PreparedRequest } from './prepare-request.ts';

/** Outcome of an interaction: a response, or the reason for a missing response. */
export type InteractionOutcome = NotExercised | AnsweredInteraction;

/** No request was sent, or there was no usable response. */
export interface NotExercised {
  readonly kind: 'not-exercised';
  readonly reason: string;
  readonly isBlocked: boolean;
}

/** A response with Pact's mismatches and the confirmed failures of cross-checks. */
export interface AnsweredInteraction {
  readonly kind: 'answered';
  readonly reply: Reply;
  readonly prepared: PreparedRequest;
  readonly mismatches: readonly JsonObject[];
  readonly confirmed: readonly PactFailure[];
}

/** Builds the result. Without `printing`, the result is not masked, and only its verdict may be used. */
export function judgeInteraction(
  task: InteractionTask,
  outcome: InteractionOutcome | undefined,
  passedOnRetry: boolean,
  printing: Printing | undefined,
): InteractionResult {
  const { pact, contract, interaction } = task;
  const result = {
    consumer: pact.consumer,
    provider: pact.provider,
    contract: contract.name,
    description: interaction.description,
    states: interaction.states.map(({ name }) => name),
    place: interaction.place,
    pending: interaction.isPending,
  };
  if (outcome?.kind !== 'answered') {
    const reason = outcome?.reason ?? 'the target could not be verified against the contract';
    return { ...result, verdict: 'not-exercised', reason: printing?.clean(reason) ?? reason, failures: [], notes: [] };
  }
  const failures = failuresOf(task, outcome, printing);
  const verdict = failures.length === 0 ? 'passed' : 'failed';
  if (printing === undefined) return { ...result, verdict, failures, notes: [] };
  const notes = passedOnRetry ? ['it failed at first and passed on retry: the data had changed'] : [];
  const { curl } = printCounterexample(
    printing,
    { kind: 'contradicts', replies: [outcome.reply], expected: '', actual: '', recordKeys: [] },
    interaction.place,
  );
  const [line] = curl;
  return {
    ...result,
    verdict,
    failures: mapTexts(failures, printing.clean),
    notes: [...notes, ...contractNotes(task, outcome, failures.length > 0)].map(printing.clean),
    exchange: printExchange(printing, outcome.reply),
    ...(line === undefined ? {} : { curl: line }),
  };
}

function failuresOf(
  { contract, pact, interaction }: InteractionTask,
  outcome: AnsweredInteraction,
  printing: Printing | undefined,
): readonly PactFailure[] {
  const { reply, prepared, mismatches, confirmed } = outcome;
  const masked = printing === undefined ? reply.body : readJson(printing.mask(reply).response.body);
  const code = contract.error === undefined || reply.response.status < 400 ? undefined : fromPointer(contract.error.code);
  const generators: Json | undefined = valueAt(pact.value, `${interaction.pointer}/response/generators`);
  const identity = [...checkResponseFitsRequest({ contract, interaction, prepared, reply, generators }), ...confirmed];
  return [
    ...explainMismatches({ interaction, reply, masked, code }, mismatches),
    ...identity.map((each) => maskFailure(each, reply.body, masked)),
  ];
}

/** Masks a failure at a masked value of the response. */
function maskFailure(failure: PactFailure, raw: Json | undefined, masked: Json | undefined): PactFailure {
  const path = parseBodyPath(failure.path) ?? [];
  // Only sizes and keys of arrays and objects are printed.
  const valuesIn = (body: Json | undefined): string =>
    valuesAlong(body, path)
      .map((value) => (typeof value === 'object' ? '' : String(value)))
      .join();
  return valuesIn(raw) === valuesIn(masked) ? failure : { ...failure, expected: personalPlaceholder, actual: personalPlaceholder };
}

/** Maximum number of contract violations in the notes. */
const maxNotes = 3;

/** Notes on the contract: whether it allows the response, and violations that the consumer does not notice. */
function contractNotes({ contract }: InteractionTask, { reply }: AnsweredInteraction, isFailed: boolean): readonly string[] {
  const violations = checkResponse(contract, reply);
  if (violations.length === 0) return isFailed ? ['the contract allows this response'] : [];
  const listed = violations
    .slice(0, maxNotes)
    .map(({ message, place }) => `the contract does not allow this response: ${message} (${formatLocation(place)})`);
  return violations.length > maxNotes ? [...listed, `and ${violations.length - maxNotes} more`] : listed;
}
