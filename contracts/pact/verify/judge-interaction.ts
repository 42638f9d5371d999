/**
 * Judges an interaction by its response: failures that Pact reports, failures that it misses, and notes from the contract. Secrets are hidden in the result.
 */

import { formatLocation } from '../../../core/errors.ts';
import { judgeResponse } from '../../../core/http/check-response.ts';
import { type Json, type JsonObject, readJson } from '../../../core/json.ts';
import { mapTexts } from '../../../core/map-texts.ts';
import { parseBodyPath, valuesAlong } from '../../../core/pact/body-path.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { personalPlaceholder } from '../../../core/redaction/mask-personal-data.ts';
import type { InteractionResult, PactFailure } from '../../../core/results/pact-verify-result.ts';
import { type Printing, printCounterexample, printExchange } from '../../verify/counterexample.ts';
import type { Reply } from '../../verify/evidence/call.ts';
import { checkResponseFitsRequest } from './check-response-fits-request.ts';
import { explainMismatches } from './explain-mismatch.ts';
import type { InteractionTask, PreparedRequest } from './prepare-request.ts';

/** An interaction with the response of the target, and the confirmed failures of cross-checks. */
export interface AnsweredInteraction {
  readonly task: InteractionTask;
  readonly prepared: PreparedRequest;
  readonly reply: Reply;
  readonly confirmed: readonly PactFailure[];
}

/** The result of an interaction whose request was not sent, or had no usable response. */
export function notExercised(task: InteractionTask, reason: string, { clean }: Printing): InteractionResult {
  return { ...describeInteraction(task), verdict: 'not-exercised', reason: clean(reason), failures: [], notes: [] };
}

/** Judges a response by Pact's mismatches, its request and its contract. */
export function judgeInteraction(answered: AnsweredInteraction, mismatches: readonly JsonObject[], printing: Printing): InteractionResult {
  const { task, reply } = answered;
  const failures = failuresOf(answered, mismatches, printing);
  const { curl } = printCounterexample(
    printing,
    { kind: 'contradicts', replies: [reply], expected: '', actual: '', recordKeys: [] },
    task.interaction.place,
  );
  const [line] = curl;
  return {
    ...describeInteraction(task),
    verdict: failures.length === 0 ? 'passed' : 'failed',
    failures: mapTexts(failures, printing.clean),
    notes: contractNotes(answered, failures.length > 0).map(printing.clean),
    exchange: printExchange(printing, reply),
    ...(line === undefined ? {} : { curl: line }),
  };
}

function describeInteraction({ pact, contract, interaction }: InteractionTask): Omit<InteractionResult, 'verdict' | 'failures' | 'notes'> {
  return {
    consumer: pact.consumer,
    provider: pact.provider,
    contract: contract.name,
    description: interaction.description,
    states: interaction.states.map(({ name }) => name),
    place: interaction.place,
    pending: interaction.isPending,
  };
}

function failuresOf(
  { task: { contract, pact, interaction }, prepared, reply, confirmed }: AnsweredInteraction,
  mismatches: readonly JsonObject[],
  printing: Printing,
): readonly PactFailure[] {
  const text = printing.mask(reply).response.body;
  const masked = readJson(text);
  const code = contract.error === undefined || reply.response.status < 400 ? undefined : fromPointer(contract.error.code);
  const generators: Json | undefined = valueAt(pact.value, `${interaction.pointer}/response/generators`);
  const identity = [...checkResponseFitsRequest({ contract, interaction, prepared, reply, generators }), ...confirmed];
  return [
    ...explainMismatches({ interaction, reply, masked, text, code }, mismatches),
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
function contractNotes({ task: { contract }, reply }: AnsweredInteraction, isFailed: boolean): readonly string[] {
  const { violations, notCompared } = judgeResponse(contract, reply);
  if (notCompared !== undefined && violations.length === 0) return [`the body was not compared with the contract: ${notCompared}`];
  if (violations.length === 0) return isFailed ? ['the contract allows this response'] : [];
  const listed = violations
    .slice(0, maxNotes)
    .map(({ message, place }) => `the contract does not allow this response: ${message} (${formatLocation(place)})`);
  return violations.length > maxNotes ? [...listed, `and ${violations.length - maxNotes} more`] : listed;
}
