/** One change in HTML: what, who breaks, before and after, and what shows it. */

import type { Change, Level } from '../../core/change.ts';
import { clip } from '../excerpt.ts';
import { html, type Markup } from '../html-text.ts';
import { renderSides } from './html-sides.ts';
import { describeWitness } from './witness-lines.ts';
import { describeReason, describeText, describeVerdictSentence, nameOperations } from './words.ts';

const nameMax = 300;
const sentenceMax = 2000;
/** So many lines of JSON are shown of a change. What is new may be a whole operation, and there may be hundreds of them. */
const linesMax: Readonly<Record<Level, number>> = { breaking: 200, risky: 200, compatible: 60, documentation: 60 };
/** So many operations are listed of those that a shared change reaches. */
const operationsMax = 1000;

/** A change as an article. `number` tells it from all others of the page. */
export function renderHtmlChange(change: Change, number: number): Markup {
  const { id, location, reason, level, fingerprint } = change;
  const name = `change-${number}`;
  const verdict = describeVerdictSentence(change);
  const where = location === '' ? '' : ` at ${clip(location, nameMax)}`;
  return html`<article class="${level}" aria-labelledby="${name}">
<h4 id="${name}"><code>${clip(id, nameMax)}</code>${where}</h4>
<p>${clip(describeText(change), sentenceMax)}</p>
${reason === '' ? undefined : html`<p>${clip(describeReason(change), sentenceMax)}</p>`}
${renderReach(change)}
${verdict === undefined ? undefined : html`<p class="faint">${verdict}</p>`}
${renderEvidence(change, number)}
<p class="faint">Fingerprint <code>${clip(fingerprint, nameMax)}</code></p>
</article>
`;
}

/** What shows a breaking change is open; of all others it is folded. */
function renderEvidence(change: Change, number: number): Markup {
  const { before, after, level } = change;
  const hasSides = before.value !== undefined || after.value !== undefined;
  const about = `change ${number}, ${clip(change.id, nameMax)}`;
  const evidence = html`${renderSides(before, after, about, linesMax[level])}
${renderWitness(change, about)}`;
  if (level === 'breaking') return evidence;
  const title = hasSides ? 'Before and after' : 'Places';
  return html`<details><summary>${title}${change.witness === undefined ? '' : ', and the witness'}</summary>
${evidence}
</details>`;
}

function renderReach({ operations }: Change): Markup | undefined {
  if (operations.length < 2) return undefined;
  const listed = operations.slice(0, operationsMax);
  const more = operations.length - listed.length;
  return html`<details><summary>Reaches ${operations.length} operations: ${nameOperations(operations)}</summary>
<ul>${listed.map((operation) => html`<li><code>${clip(operation, nameMax)}</code></li>`)}</ul>
${more === 0 ? undefined : html`<p>And ${more} more.</p>`}</details>`;
}

function renderWitness({ witness }: Change, about: string): Markup | undefined {
  if (witness === undefined) return undefined;
  const { request, response, records, finding } = describeWitness(witness, 'full');
  const block = (title: string, lines: readonly string[]): Markup | undefined =>
    lines.length === 0
      ? undefined
      : html`<figure><figcaption class="faint">${title}</figcaption>
<pre tabindex="0" role="group" aria-label="${title} of ${about}">\n${lines.map((line) => html`${clip(line, sentenceMax)}\n`)}</pre></figure>`;
  return html`<h5>Witness</h5>
${block('Request', request)}${block('Response', response)}${block('Records', records)}
${finding.map((line) => html`<p>${clip(line, sentenceMax)}</p>`)}`;
}
