/** The result of an interaction, from what came of it: fit to be printed. */

import { printPlace } from '../../../core/errors.ts';
import { type Json, readJson } from '../../../core/json.ts';
import { parseBodyPath } from '../../../core/pact-path.ts';
import type { InteractionResult, PactFailure } from '../../../core/pact-verdict.ts';
import { personal } from '../../../core/personal-text.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { checkResponse } from '../../../core/response.ts';
import { type Printing, printCounterexample } from '../../counterexample.ts';
import { elementsAt } from './elements.ts';
import { checkIdentity } from './identity.ts';
import { readMismatches } from './mismatch.ts';
import type { Item, Outcome } from './round.ts';

type Answered = Extract<Outcome, { kind: 'answered' }>;

/** Judges what came of an interaction; without a printing only the verdict counts, and nothing of it may be shown. */
export function judgeOutcome(
  item: Item,
  outcome: Outcome | undefined,
  isHealed: boolean,
  printing: Printing | undefined,
): InteractionResult {
  const { pact, contract, interaction } = item;
  const result = {
    consumer: pact.consumer,
    provider: pact.provider,
    contract: contract.name,
    description: interaction.description,
    states: interaction.states.map(({ name }) => name),
    place: interaction.place,
    isPending: interaction.isPending,
  };
  if (outcome?.kind !== 'answered') {
    const reason = outcome?.reason ?? 'the target could not be judged by the contract';
    return { ...result, verdict: 'not-exercised', reason: printing?.clean(reason) ?? reason, failures: [], notes: [] };
  }
  const failures = failuresOf(item, outcome, printing);
  const verdict = failures.length === 0 ? 'passed' : 'failed';
  if (printing === undefined) return { ...result, verdict, failures, notes: [] };
  const notes = isHealed ? ['it failed at first and passed at the second look: the data had moved'] : [];
  const { exchanges, curl } = printCounterexample(
    printing,
    { kind: 'contradicts', replies: [outcome.reply], expected: '', actual: '', witnesses: [] },
    interaction.place,
  );
  const [exchange] = exchanges;
  const [line] = curl;
  return {
    ...result,
    verdict,
    failures: failures.map((failure) => cleanFailure(printing, failure)),
    notes: [...notes, ...contractNotes(item, outcome, failures.length > 0)].map(printing.clean),
    ...(exchange === undefined ? {} : { exchange }),
    ...(line === undefined ? {} : { curl: line }),
  };
}

function failuresOf({ contract, pact, interaction }: Item, outcome: Answered, printing: Printing | undefined): readonly PactFailure[] {
  const { reply, prepared, mismatches, confirmed } = outcome;
  const shown = printing === undefined ? reply.body : readJson(printing.mask(reply).response.body);
  const code = contract.error === undefined || reply.response.status < 400 ? undefined : fromPointer(contract.error.code);
  const generators: Json | undefined = valueAt(pact.value, `${interaction.pointer}/response/generators`);
  const identity = [...checkIdentity({ contract, interaction, prepared, reply, generators }), ...confirmed];
  return [...readMismatches({ interaction, reply, shown, code }, mismatches), ...identity.map((each) => hide(each, reply.body, shown))];
}

/** What is hidden in the answer is hidden in what is said of it, the value that was asked for included. */
function hide(failure: PactFailure, raw: Json | undefined, shown: Json | undefined): PactFailure {
  const { steps } = parseBodyPath(failure.path) ?? { steps: [] };
  // Of lists and objects only the size and the keys are told.
  const valuesIn = (body: Json | undefined): string =>
    body === undefined
      ? ''
      : elementsAt(body, steps)
          .map(({ value }) => (typeof value === 'object' ? '' : String(value)))
          .join();
  return valuesIn(raw) === valuesIn(shown) ? failure : { ...failure, expected: personal, actual: personal };
}

function cleanFailure({ clean }: Printing, failure: PactFailure): PactFailure {
  const { kind, path, expected, actual, diagnosis } = failure;
  return {
    kind,
    path: clean(path),
    expected: clean(expected),
    actual: clean(actual),
    ...(diagnosis === undefined ? {} : { diagnosis: clean(diagnosis) }),
  };
}

/** So many findings of the contract are told of one answer. */
const notesMost = 3;

/** What the contract says of the answer: whether it agrees with the consumer that something is wrong, or finds what the consumer does not look at. */
function contractNotes({ contract }: Item, { reply }: Answered, isFailed: boolean): readonly string[] {
  const violations = checkResponse(contract, reply);
  if (violations.length === 0) return isFailed ? ['the contract allows this answer'] : [];
  const told = violations
    .slice(0, notesMost)
    .map(({ message, place }) => `the contract does not allow it: ${message} (${printPlace(place)})`);
  return violations.length > notesMost ? [...told, `and ${violations.length - notesMost} more`] : told;
}
