/** What was seen of an open question, and what it says when all of it is put together. */

import type { Question } from '../../core/profile.ts';
import type { Observation } from '../../core/verdict.ts';

/** One thing that was seen. */
export interface Sight {
  readonly question: Question;
  /** The choices that it does not contradict. */
  readonly suits: readonly string[];
  /** What it was, as a clause in the past: `paid_at was null`. */
  readonly what: string;
}

/** How many different sights a sentence names. */
const named = 3;

/** Every choice of a question whose value passes a test. */
export function choicesWhere(question: Question, passes: (name: string) => boolean): readonly string[] {
  return [...question.choices.keys()].filter(passes);
}

/**
 * Puts everything together that was seen of a question. A choice that nothing contradicts is an answer as soon as another one is contradicted; the
 * only choice of a question is one as soon as something was seen at all.
 */
export function concludeQuestion(question: Question, sights: readonly Sight[]): Observation {
  const { id, source, choices } = question;
  const conclude = (answers: readonly string[], evidence: string): Observation => ({
    ...{ id, question: question.question, source },
    answers,
    evidence,
  });
  if (choices.size === 0) return conclude([], 'This question has no listed answers.');
  if (sights.length === 0) return conclude([], lacking(question));
  const left = choicesWhere(question, (name) => sights.every(({ suits }) => suits.includes(name)));
  const telling = sights.filter(({ suits }) => suits.length < choices.size);
  if (left.length === 0) return conclude([], `None of the listed answers: ${describe(blame(telling))}.`);
  if (telling.length === 0 && choices.size > 1) return conclude([], `What was seen suits every listed answer: ${describe(sights)}.`);
  return conclude(left, `Seen: ${describe(telling.length > 0 ? telling : sights)}.`);
}

/** What would have to be seen, by where a question stands. */
function lacking({ pointers }: Question): string {
  const stands = (place: RegExp): boolean => pointers.some((pointer) => place.test(pointer));
  if (stands(/^\/x-api\/scopes\//)) return 'No documented field of an answer names it.';
  if (stands(/^\/x-api\/precedence/)) return 'No request that fails for two reasons was answered.';
  if (stands(/\/visible\/hidden$/)) return 'No hidden record is known; --hidden KEY names one.';
  if (stands(/\/(x-collection|x-resource|x-invalid)\//))
    return 'No request that shows it was answered; it takes a few more, and records to ask for.';
  return 'No answer had the place that it is about.';
}

/** The sights that suit no choice at all; where each suits some, it is all of them together that suit none. */
function blame(sights: readonly Sight[]): readonly Sight[] {
  const alone = sights.filter(({ suits }) => suits.length === 0);
  return alone.length > 0 ? alone : sights;
}

function describe(sights: readonly Sight[]): string {
  const counts = new Map<string, number>();
  for (const { what } of sights) counts.set(what, (counts.get(what) ?? 0) + 1);
  const pieces = [...counts].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
  return pieces.length <= named ? pieces.join(', ') : `${pieces.slice(0, named).join(', ')} and ${pieces.length - named} more`;
}
