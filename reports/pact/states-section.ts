import { countNoun } from '../../core/count-noun.ts';
import { formatLocation } from '../../core/errors.ts';
import type { UnrecognisedState } from '../../core/pact/interpret-state.ts';
import type { Entry, Section } from '../report-model.ts';

/** Lists provider states without a known form. Each has one line, however many interactions need it. */
export function statesSection(states: readonly UnrecognisedState[]): Section {
  const entries = states.map(({ name, guess, interactions, place }): Entry => {
    const meaning = guess === undefined ? 'unknown; give its meaning' : `read as "${guess}"; confirm it`;
    const line = `${meaning} under states in touchstone.config.yaml (${countNoun(interactions, 'interaction')}, ${formatLocation(place)})`;
    return { name: `"${name}"`, line, tone: 'doubtful' };
  });
  return { id: 'states', title: 'Guessed or unknown provider states', tone: 'doubtful', entries };
}
