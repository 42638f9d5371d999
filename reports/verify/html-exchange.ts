/** The exchanges of a counterexample in HTML: what was asked and what came beside each other, and the command that asks it again. */

import type { Exchange, HttpHeaders } from '../../core/exchange.ts';
import type { Counterexample } from '../../core/verdict.ts';
import { clip } from '../excerpt.ts';
import { html, type Markup } from '../html-text.ts';
import { indentJson } from '../indented-json.ts';
import { count } from '../layout.ts';

const lineMax = 1000;
const commandMax = 4000;
const bodyMax = 4500;
const linesMax = 400;
const headersMax = 40;
/** So many exchanges are shown, the first and the last ones: a walk through a list may have hundreds. */
const exchangesMax = 12;

/** All exchanges; `about` names the counterexample for those who hear the page, `name` is unique on it. */
export function renderExchanges({ exchanges, curl }: Counterexample, about: string, name: string): Markup {
  const shown = exchanges.map((exchange, index) => ({ exchange, command: curl[index], number: index + 1 }));
  const kept = shown.filter(({ number }) => number <= exchangesMax / 2 || number > exchanges.length - exchangesMax / 2);
  const left = shown.length - kept.length;
  // A few are open, and of many only the last, which most often shows it.
  const isOpen = (number: number): boolean => exchanges.length <= 2 || number === exchanges.length;
  return html`<h4>${count(exchanges.length, 'request')} that ${exchanges.length === 1 ? 'shows' : 'show'} it</h4>
${kept.map(({ exchange, command, number }) => renderExchange(exchange, command, `request ${number} of ${about}`, `${name}-${number}`, isOpen(number)))}
${left === 0 ? undefined : html`<p>And ${count(left, 'more request')} between them: the report in JSON holds them.</p>`}`;
}

function renderExchange(
  { request, response }: Exchange,
  command: string | undefined,
  about: string,
  name: string,
  isOpen: boolean,
): Markup {
  const { method, target } = request;
  const asked = [`${method} ${target}`, ...listHeaders(request.headers)];
  const came = [String(response.status), ...listHeaders(response.headers)];
  const body = response.body === '' ? [] : ['', ...indentJson(clip(response.body, bodyMax)).split('\n')];
  const cut = body.length > linesMax ? [...body.slice(0, linesMax), `… ${body.length - linesMax} more lines`] : body;
  return html`<details${isOpen ? open : undefined}><summary><code>${clip(`${method} ${target}`, lineMax)}</code> → ${response.status}</summary>
<div class="sides exchange">
${renderBlock('Request', asked, about)}
${renderBlock('Response', [...came, ...cut], about)}
</div>
${command === undefined ? undefined : renderCommand(command, about, name)}
</details>
`;
}

const open: Markup = html` open`;

/** The first line break in a pre is not shown, so one is spent on that. What scrolls can be reached by the keyboard. */
function renderBlock(title: string, lines: readonly string[], about: string): Markup {
  return html`<figure><figcaption class="faint">${title}</figcaption>
<pre class="body" tabindex="0" role="group" aria-label="${title}: ${about}">\n${lines.map((line) => html`${clip(line, lineMax)}\n`)}</pre></figure>`;
}

/** The button is there once a script can obey it; a command that is cut would be another one, so it is left out. */
function renderCommand(command: string, about: string, name: string): Markup {
  if (command.length > commandMax) return html`<p>The command is too long to be shown here: the report in JSON holds it.</p>`;
  return html`<div class="command"><pre id="${name}" tabindex="0" role="group" aria-label="Command for ${about}">\n${command}</pre>
<button type="button" class="copy" value="${name}" aria-label="Copy the command for ${about}" hidden>Copy</button></div>`;
}

function listHeaders(headers: HttpHeaders): readonly string[] {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}`),
  );
  return lines.length <= headersMax ? lines : [...lines.slice(0, headersMax), `… ${lines.length - headersMax} more header fields`];
}
