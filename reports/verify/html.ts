/** The report of a run as one page of HTML: the verdict, what is violated, the verdicts by operation, what was lacking, and what was observed. */

import type { Observation, RunResult } from '../../core/verdict.ts';
import { clip } from '../excerpt.ts';
import { describeLaws, type Gap, gatherGaps } from '../gaps.ts';
import { renderPage, renderThemes } from '../html-page.ts';
import { html, type Markup } from '../html-text.ts';
import { count } from '../layout.ts';
import { fitMarkup, type Room } from './html-fitting.ts';
import { renderOperations, renderOverview } from './html-operations.ts';
import { signs } from './html-state.ts';
import { script, style } from './html-style.ts';
import { renderBriefViolation, renderHtmlViolation } from './html-violation.ts';
import { describeCounts, describeEffort, describeEnd, describeRun, lawsIn, type State } from './words.ts';

const nameMax = 300;
const sentenceMax = 2000;
/** How many bytes each part may have, so that the page stays below a megabyte whatever a run holds. */
const room = {
  violated: { full: 300_000, all: 350_000 },
  waived: { full: 50_000, all: 70_000 },
  gaps: { full: 20_000, all: 20_000 },
  observations: { full: 45_000, all: 45_000 },
  notes: { full: 20_000, all: 20_000 },
} satisfies Record<string, Room>;

/** A part of the page, with what leads to it. */
interface Part {
  readonly name: string;
  readonly link: string;
  readonly content: Markup;
}

/** Renders a run. */
export function renderVerifyHtml(result: RunResult): string {
  const parts = listParts(result);
  return renderPage({
    title: clip(`${describeEnd(result).split(':')[0]}: ${describeRun(result)}`, nameMax),
    style,
    script,
    body: html`<a class="skip" href="#report">Skip to the report</a>
${renderHeader(result)}
<nav aria-label="Parts of the report">
<ul>
${parts.map(({ name, link }) => html`<li><a href="#${name}">${link}</a></li>\n`)}</ul>
</nav>
<main id="report">
${parts.map(({ content }) => content)}
</main>
<footer>
<p id="said" role="status" class="hidden-text"></p>
<p class="faint">${describeEffort(result)}. Exit code ${result.exitCode}.</p>
</footer>`,
  });
}

function renderHeader(result: RunResult): Markup {
  const { contract, target, unavailable, seed, requests, budget } = result;
  const state = stateOfRun(result);
  const facts: readonly (readonly [string, string])[] = [
    ['Contract', `${contract.title} ${contract.version} (${contract.name})`],
    ['Target', target],
    ['Requests', `${requests} of at most ${budget}`],
    ['Seed', String(seed)],
  ];
  return html`<header>
<h1>${clip(describeRun(result), nameMax)}</h1>
<p class="verdict state-${state}"><span aria-hidden="true">${signs[state]}</span> <strong>${describeEnd(result)}.</strong></p>
${result.laws.length === 0 ? undefined : html`<p>${describeCounts(result)}</p>`}
${unavailable === undefined ? undefined : html`<p>${clip(unavailable, sentenceMax)}</p>`}
<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${clip(value, nameMax)}</dd>\n`)}</dl>
${renderThemes()}
</header>`;
}

function stateOfRun({ exitCode }: RunResult): State {
  return ({ 0: 'holds', 1: 'violated', 3: 'blocked', 4: 'not-exercised', 130: 'inconclusive' } as const)[exitCode];
}

/** Every part that has something to say, what is most urgent first. */
function listParts(result: RunResult): readonly Part[] {
  const { laws, observations, notes = [] } = result;
  const [violated, waived] = [lawsIn(result, 'violated'), lawsIn(result, 'waived')];
  const links = new Map([...violated, ...waived].map((law, index) => [law, `violation-${index + 1}`]));
  const article = (write: typeof renderHtmlViolation) => (law: (typeof laws)[number]) => write(law, links.get(law) ?? '');
  const data = gatherGaps(lawsIn(result, 'not-exercised'));
  const settings = gatherGaps(lawsIn(result, 'not-testable'));
  const [overview, operations] = [renderOverview(laws), renderOperations(laws, links)];
  return [
    ...(overview === undefined ? [] : [{ name: 'overview', link: 'Overview', content: overview }]),
    ...section('violated', 'Violated', violated, room.violated, article(renderHtmlViolation), article(renderBriefViolation)),
    ...section('notes', 'Notes', notes, room.notes, (note) => html`<p>${clip(note, sentenceMax)}</p>\n`),
    ...section('waived', 'Waived', waived, room.waived, article(renderHtmlViolation), article(renderBriefViolation)),
    ...(operations === undefined ? [] : [{ name: 'operations', link: 'Verdicts by operation', content: operations }]),
    ...section('missing', 'Not exercised, for lack of', data, room.gaps, renderGap),
    ...section('settings', 'Not testable without', settings, room.gaps, renderGap),
    ...section('observed', 'Observed', observations, room.observations, renderObservation),
  ];
}

function section<T>(
  name: string,
  title: string,
  items: readonly T[],
  limits: Room,
  write: (item: T) => Markup,
  brief: (item: T) => Markup = write,
): readonly Part[] {
  if (items.length === 0) return [];
  const { kept, left } = fitMarkup(items, limits, write, brief);
  const content = html`<section id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title">${title} (${items.length})</h2>
${kept}
${left === 0 ? undefined : html`<p>There is no room for ${left} more here: the report in JSON holds them.</p>`}
</section>
`;
  return [{ name, link: `${title} (${items.length})`, content }];
}

function renderGap({ missing, laws }: Gap): Markup {
  return html`<details><summary>${clip(missing, nameMax)} (${count(laws.length, 'check')})</summary><p>${clip(describeLaws(laws), sentenceMax)}</p></details>
`;
}

function renderObservation({ id, question, answers, evidence, source }: Observation): Markup {
  const answer = answers.length === 0 ? 'stays open' : clip(answers.join(' or '), nameMax);
  return html`<details><summary><code>${clip(id, nameMax)}</code>: <strong>${answer}</strong></summary>
<p>${clip(question, sentenceMax)} <span class="faint">${clip(source, nameMax)}</span></p>
<p>${clip(evidence, sentenceMax)}</p></details>
`;
}
