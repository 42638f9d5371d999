/** One violation in HTML: what was expected beside what came, the line of the contract, and the requests that show it. */

import { printPlace } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { LawResult } from '../../core/verdict.ts';
import { clip, excerpt } from '../excerpt.ts';
import { html, type Markup } from '../html-text.ts';
import { renderExchanges } from './html-exchange.ts';
import { renderState } from './html-state.ts';
import { describeFurther, describeWaiver, stateOf } from './words.ts';

const nameMax = 300;
const sentenceMax = 2000;
const recordsMax = 5;

/** A violation with its requests. `name` is unique on the page. */
export function renderHtmlViolation(law: LawResult, name: string): Markup {
  const { counterexample } = law;
  const about = clip(`${law.id} at ${law.operation}`, nameMax);
  return renderArticle(law, name, counterexample === undefined ? undefined : renderExchanges(counterexample, about, name));
}

/** A violation where there is no more room for its requests. */
export function renderBriefViolation(law: LawResult, name: string): Markup {
  return renderArticle(law, name, html`<p>There is no room for its requests here: the report in JSON holds them.</p>`);
}

function renderArticle(law: LawResult, name: string, evidence: Markup | undefined): Markup {
  const { id, operation, title, diagnosis, waiver, counterexample, message, further = [] } = law;
  const state = stateOf(law);
  return html`<article class="${state}" id="${name}" aria-labelledby="${name}-title">
<h3 id="${name}-title">${renderState(state)} <code>${clip(id, nameMax)}</code> at <code>${clip(operation, nameMax)}</code></h3>
<p>${clip(title, sentenceMax)}</p>
${waiver === undefined ? undefined : html`<p><strong>Waived:</strong> ${clip(describeWaiver(waiver), sentenceMax)}</p>`}
${counterexample === undefined ? html`<p>${clip(message, sentenceMax)}</p>` : renderSides(counterexample)}
${diagnosis === undefined ? undefined : html`<p><strong>Diagnosis:</strong> ${clip(diagnosis, sentenceMax)}</p>`}
${further.length === 0 ? undefined : html`<ul>${further.map((each) => html`<li>Also: ${clip(describeFurther(each), sentenceMax)}</li>\n`)}</ul>`}
<p class="faint">${renderOrigin(law)}</p>
${counterexample === undefined ? undefined : renderRecords(counterexample.records, `${name}-records`)}
${evidence}
</article>
`;
}

function renderSides({ expected, actual }: { readonly expected: string; readonly actual: string }): Markup {
  const side = (title: string, text: string): Markup =>
    html`<figure class="seen"><figcaption class="faint">${title}</figcaption><p>${clip(text, sentenceMax)}</p></figure>\n`;
  return html`<div class="sides">
${side('Expected', expected)}${side('Actual', actual)}</div>`;
}

/** Where a document other than the contract requires it, that is said too. */
function renderOrigin({ counterexample, source, strength, fingerprint }: LawResult): Markup {
  const place = counterexample === undefined ? source : printPlace(counterexample.clause);
  return html`Clause: <code>${clip(place, nameMax)}</code>${place === source ? '' : `, from ${clip(source, nameMax)}`} (${strength})${fingerprint === undefined ? '' : html`, fingerprint <code>${fingerprint}</code>`}`;
}

function renderRecords(records: readonly Json[], name: string): Markup | undefined {
  if (records.length === 0) return undefined;
  const lines = records.slice(0, recordsMax).flatMap((record) => JSON.stringify(excerpt(record), undefined, 2).split('\n'));
  const more = records.length - recordsMax;
  return html`<details><summary>Records that it is about: ${records.length}</summary>
<pre class="body" id="${name}" tabindex="0" role="group" aria-label="Records">\n${lines.map((line) => html`${clip(line, nameMax)}\n`)}${more <= 0 ? '' : `… and ${more} more`}</pre></details>`;
}
