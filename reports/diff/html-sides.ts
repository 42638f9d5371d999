/** Before and after beside each other in HTML, with the changed part of each line marked. */

import type { Side } from '../../core/change.ts';
import { printPlace } from '../../core/errors.ts';
import { clip } from '../excerpt.ts';
import { html, type Markup } from '../html-text.ts';
import { count } from '../layout.ts';
import { type ChangedLine, type ComparedRow, compareLines } from './compared-lines.ts';

const placeMax = 300;

/** Both sides of a change in at most so many lines; `about` names it for those who hear the page. */
export function renderSides(before: Side, after: Side, about: string, most: number): Markup {
  const rows = compareLines(before.value, after.value, most);
  return html`<div class="sides">
${renderSide('Before', before, rows.map(renderBefore), about)}
${renderSide('After', after, rows.map(renderAfter), about)}
</div>`;
}

/** Each line is an element of its own, so that lines stay beside each other. What scrolls can be reached by the keyboard. */
function renderSide(title: string, { value, place }: Side, lines: readonly Markup[], about: string): Markup {
  // The first line break in a pre is not shown, so one is spent on that.
  const caption = html`<figcaption class="faint">${title}: <code>${clip(printPlace(place), placeMax)}</code></figcaption>`;
  if (value === undefined) return html`<figure>${caption}<p>Nothing.</p></figure>`;
  return html`<figure>${caption}<pre tabindex="0" role="group" aria-label="${title}: ${about}">\n${lines}</pre></figure>`;
}

function renderBefore(row: ComparedRow): Markup {
  if (row.kind === 'changed') return row.before === undefined ? blank : html`<del>- ${renderLine(row.before)}</del>\n`;
  return row.kind === 'same' ? html`  ${row.before}\n` : renderSkipped(row.lines);
}

function renderAfter(row: ComparedRow): Markup {
  if (row.kind === 'changed') return row.after === undefined ? blank : html`<ins>+ ${renderLine(row.after)}</ins>\n`;
  return row.kind === 'same' ? html`  ${row.after}\n` : renderSkipped(row.lines);
}

/** A line that has no counterpart has an empty one beside it. */
const blank: Markup = html`\n`;

function renderSkipped(lines: number): Markup {
  return html`<span class="faint">  … ${count(lines, 'more line')}</span>\n`;
}

function renderLine({ start, changed, end }: ChangedLine): Markup {
  // A line that changed as a whole needs no mark on top.
  if (start.trim() === '' && end === '') return html`${start}${changed}`;
  return changed === '' ? html`${start}${end}` : html`${start}<mark>${changed}</mark>${end}`;
}
