/** The report of a comparison as one page of HTML that asks for nothing from outside and can be read without its script. */

import type { Change, ContractComparison, Level } from '../../core/change.ts';
import { levels } from '../../core/change.ts';
import { clip } from '../excerpt.ts';
import { renderPage, renderThemes } from '../html-page.ts';
import { html, type Markup } from '../html-text.ts';
import { count } from '../layout.ts';
import { renderHtmlChange } from './html-change.ts';
import { script, style } from './html-style.ts';
import { describeAdvice, describeComparison, groupByOperation, levelTitles, openChanges } from './words.ts';

const nameMax = 300;
const sentenceMax = 2000;

/** Renders a comparison. */
export function renderDiffHtml(comparison: ContractComparison): string {
  const title = describeComparison(comparison);
  return renderPage({
    title,
    style,
    script,
    body: html`<a class="skip" href="#changes">Skip to the changes</a>
${renderHeader(comparison, title)}
${renderNavigation(comparison)}
<main id="changes">
${renderLevels(comparison)}
${renderAccepted(comparison)}
${renderNotes(comparison)}
</main>`,
  });
}

function renderHeader({ old, new: next, version }: ContractComparison, title: string): Markup {
  return html`<header>
<h1>${title}</h1>
<p><code>${clip(old.file, nameMax)}</code> → <code>${clip(next.file, nameMax)}</code></p>
<p>${describeAdvice(version)}</p>
${renderThemes()}
</header>`;
}

function renderNavigation({ count: counts, accepted, notes }: ContractComparison): Markup {
  const present = levels.filter((level) => counts[level] > 0);
  const link = (target: string, name: string): Markup => html`<li><a href="#${target}">${name}</a></li>\n`;
  const others = [
    ...(accepted.length === 0 ? [] : [link('accepted', `${accepted.length} accepted`)]),
    ...(notes.length === 0 ? [] : [link('notes', count(notes.length, 'note'))]),
  ];
  return html`<nav aria-label="Parts of the report">
<ul>
${present.map((level) => link(level, `${counts[level]} ${level}`))}${others}</ul>
</nav>
${present.length === 0 ? undefined : renderSwitches(present)}`;
}

/** Hidden until the script is there to obey them. */
function renderSwitches(present: readonly Level[]): Markup {
  return html`<fieldset id="levels" hidden><legend>Show</legend>
${present.map((level) => html`<label><input type="checkbox" value="${level}" checked autocomplete="off"> ${levelTitles[level]}</label>\n`)}</fieldset>`;
}

/** A number runs through all changes, so that each heading has a name of its own. */
function renderLevels(comparison: ContractComparison): readonly Markup[] {
  let number = 0;
  const next = (): number => {
    number += 1;
    return number;
  };
  return levels.map((level) => renderLevel(level, openChanges(comparison, level), next));
}

/** Grave changes are open; thousands of others would bury them. */
function renderLevel(level: Level, changes: readonly Change[], next: () => number): Markup {
  if (changes.length === 0) return html``;
  const groups = groupByOperation(changes).map(
    ({ title, changes: members }) => html`<section>
<h3>${title}</h3>
${members.map((change) => renderHtmlChange(change, next()))}</section>
`,
  );
  const isGrave = level === 'breaking' || level === 'risky';
  const content = isGrave ? groups : html`<details><summary>Show ${count(changes.length, 'change')}</summary>\n${groups}</details>`;
  return html`<section id="${level}" aria-labelledby="${level}-title">
<h2 id="${level}-title" class="level-${level}">${levelTitles[level]} (${changes.length})</h2>
${content}
</section>
`;
}

function renderAccepted({ accepted }: ContractComparison): Markup | undefined {
  if (accepted.length === 0) return undefined;
  const items = accepted.map(({ change, reason, expires }) => {
    const where = [change.operation ?? 'The contract as a whole', change.location].filter((part) => part !== '').join(', ');
    return html`<li><code>${clip(change.id, nameMax)}</code> at ${clip(where, nameMax)} (${change.level}): ${clip(change.text, sentenceMax)}
<br>Accepted: ${clip(reason, sentenceMax)}${expires === undefined ? '' : ` (until ${clip(expires, nameMax)})`}</li>
`;
  });
  return html`<section id="accepted" aria-labelledby="accepted-title">
<h2 id="accepted-title">Accepted (${accepted.length})</h2>
<ul>${items}</ul>
</section>`;
}

function renderNotes({ notes }: ContractComparison): Markup | undefined {
  if (notes.length === 0) return undefined;
  return html`<section id="notes" aria-labelledby="notes-title">
<h2 id="notes-title">Notes</h2>
<ul>${notes.map((note) => html`<li>${clip(note, sentenceMax)}</li>\n`)}</ul>
</section>`;
}
