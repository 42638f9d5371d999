/** A finding in a pact as lines of text: what is wrong, where both files say so, and an answer that shows it. */

import { printPlace } from '../../core/errors.ts';
import type { PactFinding } from '../../core/pact-check.ts';
import { clip, focus } from '../excerpt.ts';
import { gradeMeanings } from './check-words.ts';

const witnessMost = 400;

/** The lines of a finding, but for its sentence. */
export function detailsOf(finding: PactFinding): readonly string[] {
  const { grade, id, place, clause, question } = finding;
  const witness = describeWitness(finding);
  return [
    `${grade} (${id}): ${gradeMeanings[grade]}`,
    `pact: ${printPlace(place)}`,
    ...(clause === undefined ? [] : [`contract: ${printPlace(clause)}`]),
    ...(question === undefined
      ? []
      : [`open question ${question.id} (${question.source}): ${question.question} ${printPlace(question.place)}`]),
    ...(witness === undefined ? [] : [`an allowed answer: ${witness}`]),
  ];
}

/** The answer that shows a finding, in one line, as far as it is about it. */
export function describeWitness({ witness }: PactFinding): string | undefined {
  return witness && clip(JSON.stringify(focus(witness.value, witness.pointer)), witnessMost);
}
