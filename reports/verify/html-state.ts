/** States in HTML: a word and a sign, so that nobody needs the colour. */

import { html, type Markup } from '../html-text.ts';
import { type State, stateWords } from './words.ts';

/** A sign for each state. */
export const signs: Readonly<Record<State, string>> = {
  violated: '✗',
  waived: '⊘',
  blocked: '■',
  inconclusive: '~',
  'not-testable': '?',
  'not-exercised': '○',
  holds: '✓',
};

/** A state as a sign and a word; the sign is not read aloud. */
export function renderState(state: State): Markup {
  return html`<span class="state state-${state}"><span aria-hidden="true">${signs[state]}</span> ${stateWords[state]}</span>`;
}
