/** Verdicts in HTML: a table of all operations and all groups of laws, and a table of the laws of each operation with their evidence. */

import type { LawResult, OpenRival, Rival } from '../../core/verdict.ts';
import { clip } from '../excerpt.ts';
import { html, type Markup } from '../html-text.ts';
import { count } from '../layout.ts';
import { fitMarkup } from './html-fitting.ts';
import { renderState, signs } from './html-state.ts';
import { describeCounts, groupByOperation, stateOf, states, stateWords } from './words.ts';

const nameMax = 300;
const sentenceMax = 600;
const rivalsMax = 40;
const room = { full: 250_000, all: 330_000 };
const matrixRoom = { full: 60_000, all: 60_000 };

/** The section of all operations. `links` has the name of the article of each law that has one. */
export function renderOperations(laws: readonly LawResult[], links: ReadonlyMap<LawResult, string>): Markup | undefined {
  if (laws.length === 0) return undefined;
  const groups = groupByOperation(laws);
  const numbers = new Map(groups.map(({ operation }, index) => [operation, index + 1]));
  const rows = fitMarkup(
    laws,
    room,
    (law) => renderLaw(law, links.get(law), true),
    (law) => renderLaw(law, links.get(law), false),
  );
  const written = new Map(rows.kept.map((row, index) => [laws[index], row]));
  return html`<section id="operations" aria-labelledby="operations-title">
<h2 id="operations-title">Verdicts by operation</h2>
${renderFilters(laws)}
${groups.map(({ operation, members }) => renderOperation(operation, members, numbers.get(operation) ?? 0, written))}
${rows.left === 0 ? undefined : html`<p>There is no room for ${count(rows.left, 'more check')} here: the report in JSON holds them.</p>`}
</section>
`;
}

/** The section of the table of all operations. */
export function renderOverview(laws: readonly LawResult[]): Markup | undefined {
  if (laws.length === 0) return undefined;
  return html`<section id="overview" aria-labelledby="overview-title">
<h2 id="overview-title">Overview</h2>
${renderMatrix(groupByOperation(laws))}
</section>
`;
}

function renderMatrix(groups: ReturnType<typeof groupByOperation>): Markup {
  const topics = [...new Set(groups.flatMap(({ members }) => members.map(topicOf)))].slice(0, 30);
  const present = states.filter((state) => groups.some(({ members }) => members.some((law) => stateOf(law) === state)));
  const legend = present.map((state) => `${signs[state]} ${stateWords[state]}`).join(', ');
  const rows = fitMarkup(
    groups,
    matrixRoom,
    ({ operation, members }, index) => html`<tr><th scope="row"><a href="#operation-${index + 1}">${clip(operation, nameMax)}</a></th>
${topics.map((topic) => renderCell(members.filter((law) => topicOf(law) === topic)))}</tr>
`,
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table of operations and groups of checks">
<table class="matrix"><caption>The gravest verdict of each group of checks, and how many hold: ${legend}.</caption>
<thead><tr><th scope="col">Operation</th>${topics.map((topic) => html`<th scope="col">${clip(topic, nameMax)}</th>`)}</tr></thead>
<tbody>
${rows.kept}</tbody></table></div>`;
}

function topicOf({ id }: LawResult): string {
  return id.split('/')[0] ?? id;
}

function renderCell(laws: readonly LawResult[]): Markup {
  const gravest = states.find((state) => laws.some((law) => stateOf(law) === state));
  if (gravest === undefined) return html`<td><span class="hidden-text">none</span></td>`;
  const held = laws.filter((law) => stateOf(law) === 'holds').length;
  return html`<td class="state-${gravest}"><span aria-hidden="true">${signs[gravest]} ${held}/${laws.length}</span><span class="hidden-text">${stateWords[gravest]}, ${held} of ${laws.length} hold</span></td>`;
}

/** The boxes work without a script; what finds words is hidden until one is there. */
function renderFilters(laws: readonly LawResult[]): Markup {
  const present = states.filter((state) => laws.some((law) => stateOf(law) === state));
  return html`<fieldset><legend>Show checks that are</legend>
${present.map((state) => html`<label><input type="checkbox" id="show-${state}" checked autocomplete="off"> ${renderState(state)} (${laws.filter((law) => stateOf(law) === state).length})</label>\n`)}</fieldset>
<div class="tools" id="tools" hidden><label>Find <input type="search" id="find" autocomplete="off"></label>
<button type="button" id="unfold">Open all evidence</button> <button type="button" id="fold">Close all evidence</button> <span id="found" class="faint"></span></div>`;
}

function renderOperation(
  operation: string,
  laws: readonly LawResult[],
  number: number,
  written: ReadonlyMap<LawResult | undefined, Markup>,
): Markup {
  const name = `operation-${number}`;
  return html`<section id="${name}" aria-labelledby="${name}-title">
<h3 id="${name}-title">${clip(operation, nameMax)}</h3>
<details open><summary>${describeCounts({ laws })}</summary>
<table class="laws"><thead><tr><th scope="col">Check</th><th scope="col">Verdict</th><th scope="col">Evidence</th></tr></thead>
<tbody>
${laws.flatMap((law) => written.get(law) ?? [])}</tbody></table></details>
</section>
`;
}

function renderLaw(law: LawResult, link: string | undefined, isFull: boolean): Markup {
  const state = stateOf(law);
  const { id, operation, title, message } = law;
  return html`<tr class="${state}" data-about="${clip(operation, nameMax)}"><th scope="row"><code>${clip(id, nameMax)}</code><br>${clip(title, nameMax)}</th>
<td>${renderState(state)}</td>
<td>${state === 'holds' ? undefined : html`${clip(message, isFull ? sentenceMax : 100)}<br>`}${link === undefined ? undefined : html`<a href="#${link}">What shows it</a><br>`}${renderEvidence(law, isFull)}</td></tr>
`;
}

/** How many observations agreed, which rivals they contradicted, and what stayed open for lack of what. */
function renderEvidence({ instances, refuted, open, source, strength }: LawResult, isFull: boolean): Markup {
  const summary = [
    count(instances, 'observation'),
    `${count(refuted.length, 'rival')} refuted`,
    ...(open.length === 0 ? [] : [`${open.length} left open`]),
  ].join(', ');
  if (!isFull) return html`${summary}`;
  return html`<details><summary>${summary}</summary>
${refuted.length === 0 ? undefined : html`<p>Refuted, by what was seen:</p>\n${renderRivals(refuted)}`}
${open.length === 0 ? undefined : html`<p>Left open, for lack of data:</p>\n${renderRivals(open)}`}
<p class="faint">From <code>${clip(source, nameMax)}</code> (${strength})</p></details>`;
}

function renderRivals(rivals: readonly (Rival | OpenRival)[]): Markup {
  const more = rivals.length - rivalsMax;
  return html`<ul>${rivals.slice(0, rivalsMax).map((rival) => html`<li>${clip(rival.title, nameMax)}${'missing' in rival ? html`: it would take <strong>${clip(rival.missing, nameMax)}</strong>` : undefined}</li>\n`)}${more <= 0 ? undefined : html`<li>and ${more} more</li>`}</ul>`;
}
