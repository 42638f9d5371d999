import { capitalize } from '../core/capitalize.ts';
import { countNoun } from '../core/count-noun.ts';
import { formatLocation } from '../core/errors.ts';
import { excerptBody, printExcerpt, type TextExcerpt } from '../core/excerpt.ts';
import type { Exchange, HttpHeaders } from '../core/http/exchange.ts';
import { clip } from './clip-text.ts';
import { type ChangedLine, type ComparedRow, compareLines } from './compare-value-lines.ts';
import { describeStatus } from './describe-http-status.ts';
import { renderPage, renderThemes } from './html-page-frame.ts';
import { breakable, html, type Markup } from './html-template.ts';
import { indentJson } from './indent-json.ts';
import {
  type Block,
  type Cell,
  type Entry,
  type Fact,
  type FilledSection,
  plain,
  type Report,
  type Row,
  type Span,
  sectionsFor,
  spansOf,
  type Text,
  type Tone,
} from './report-model.ts';

/** Maximum numbers of characters of names, sentences, commands, lines and bodies. */
const nameMax = 300;
const sentenceMax = 2000;
const commandMax = 4000;
const lineMax = 1000;
const bodyMax = 4500;
/** Maximum number of lines of a body, of compared values, and of other listings. */
const linesMax = 400;
const valueLinesMax = 200;
const headersMax = 40;
/** Maximum number of exchanges, the first and the last ones. A pagination may have hundreds. */
const exchangesMax = 12;
const itemsMax = 1000;
/** Maximum size of a section in bytes: of its full entries, and of all its entries. The page stays below a megabyte. */
const sectionMax = { full: 280_000, all: 310_000 };
const pageMax = 900_000;

/** Sign of each tone. No information depends on colour alone. */
const toneSigns: Readonly<Record<Tone, string>> = { bad: '✗', doubtful: '~', good: '✓', neutral: '○' };

/** Renders a report as a page below a megabyte: entries that do not fit become lines, and then a count. */
export function renderHtml(report: Report): string {
  const { headline, verdict, tone, shares = [], lead = [], facts = [], end = [] } = report;
  const names = new ElementIds();
  let bytesLeft = pageMax;
  const sections = sectionsFor(report, 'page').map((section) => {
    const content = renderSection(section, Math.min(bytesLeft, sectionMax.all), names);
    bytesLeft -= sizeOf(content);
    return { section, content };
  });
  const title = clip(plain(headline), nameMax);
  return renderPage({
    title: clip(`${verdict.split(':')[0] ?? ''}: ${title}`, nameMax),
    states: names.states,
    body: html`<a class="skip" href="#report">Skip to the report</a>
<header>
<h1>${breakable(title)}</h1>
<p class="verdict ${tone}"><span aria-hidden="true">${toneSigns[tone]}</span> <strong>${breakable(clip(verdict, sentenceMax))}.</strong></p>
${renderShares(shares)}
${lead.map((text) => html`<p>${renderText(text)}</p>\n`)}
</header>
<nav aria-label="Parts of the report">
<ul>
${sections.map(({ section }) => html`<li><a href="#${section.id}">${headingOf(section)}</a></li>\n`)}${facts.length === 0 ? undefined : html`<li><a href="#run">The run</a></li>\n`}</ul>
</nav>
<main id="report">
${sections.map(({ content }) => content)}
${facts.length === 0 ? undefined : html`<section id="run" aria-labelledby="run-title">\n<h2 id="run-title">The run</h2>\n${renderFacts(facts)}\n</section>`}
</main>
<footer>
<p id="said" role="status" class="hidden-text"></p>
${facts.length > 0 ? undefined : end.map((text) => html`<p class="faint">${renderText(text)}</p>\n`)}
${renderThemes()}
</footer>`,
  });
}

/** Creates unique element ids for links and scripts, and collects the row states for the filter. */
class ElementIds {
  readonly states: string[] = [];
  private last = 0;

  next(): string {
    this.last += 1;
    return `part-${this.last}`;
  }

  state(word: string): string {
    const name = word.replaceAll(/[^a-z]+/g, '-');
    if (!this.states.includes(name)) this.states.push(name);
    return name;
  }
}

function headingOf({ title, entries }: FilledSection): string {
  return entries.length === 0 ? title : `${title} (${entries.length})`;
}

/** Renders numbers of results as a bar. Its widths are attributes, because the content security policy refuses styles of elements. */
function renderShares(shares: NonNullable<Report['shares']>): Markup | undefined {
  const present = shares.filter(({ number }) => number > 0);
  const total = present.reduce((sum, { number }) => sum + number, 0);
  if (total === 0) return undefined;
  let start = 0;
  const rects = present.map(({ tone, number }) => {
    // Even one violation among thousands of checks can be seen.
    const [x, width] = [start, Math.max(1, (100 * number) / total)];
    start += width;
    return html`<rect class="${tone}" x="${x.toFixed(1)}%" width="${width.toFixed(1)}%" height="100%"/>`;
  });
  const label = present.map(({ word, number }) => `${number} ${word}`).join(', ');
  return html`<svg class="bar" role="img" aria-label="${label}">${rects}</svg>`;
}

function renderSection(section: FilledSection, limit: number, names: ElementIds): Markup {
  const { id, title, tone, entries, blocks, open } = section;
  const { included, omitted } = takeFitting(entries, limit, names);
  const content = html`${blocks.map((block) => renderBlock(block, title, names))}
${wrapItems(included)}
${omitted === 0 ? undefined : html`<p>${omitted} more are not shown here; the JSON report has them.</p>`}`;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title" class="${tone}">${headingOf(section)}</h2>
${open ? content : html`<details><summary>Show ${countNoun(entries.length + blocks.reduce((sum, block) => sum + sizeOfBlock(block), 0), 'item')}</summary>\n${content}</details>`}
</section>
`;
}

function sizeOfBlock(block: Block): number {
  return block.kind === 'table' ? block.rows.length : block.kind === 'list' ? block.items.length : 1;
}

/** Puts consecutive one-line entries into one list. */
function wrapItems(included: readonly Markup[]): readonly Markup[] {
  const isItem = ({ markup }: Markup): boolean => markup.startsWith('<li>');
  const items = included.filter(isItem);
  return [...included.filter((each) => !isItem(each)), ...(items.length === 0 ? [] : [html`<ul>${items}</ul>`])];
}

/** Renders entries within the size limit: first in full, then as lines, then as a count. */
function takeFitting(
  entries: readonly Entry[],
  limit: number,
  names: ElementIds,
): { readonly included: readonly Markup[]; readonly omitted: number } {
  const included: Markup[] = [];
  const fullMax = Math.min(limit, sectionMax.full);
  let usedBytes = 0;
  for (const [index, entry] of entries.entries()) {
    const hasDetails = (entry.blocks ?? []).length > 0 && usedBytes < fullMax;
    const full = hasDetails ? renderEntry(entry, entries[index - 1]?.group, names) : undefined;
    const markup = full !== undefined && usedBytes + sizeOf(full) <= fullMax ? full : renderLine(entry);
    usedBytes += sizeOf(markup);
    if (usedBytes > limit) return { included, omitted: entries.length - index };
    included.push(markup);
  }
  return { included, omitted: 0 };
}

function sizeOf({ markup }: Markup): number {
  return Buffer.byteLength(markup);
}

function renderLine({ name, line: shortForm }: Entry): Markup {
  return html`<li>${renderText(name)}${shortForm === '' ? undefined : html`: ${breakable(clip(shortForm, sentenceMax))}`}</li>\n`;
}

function renderEntry(entry: Entry, groupBefore: string | undefined, names: ElementIds): Markup {
  const { name, title = '', tone, blocks = [], group, id } = entry;
  const heading = id ?? names.next();
  const isGrouped = group !== undefined;
  const nameText = clip(plain(name), nameMax);
  const link = id === undefined ? undefined : html` <a class="here" href="#${id}" aria-label="Link to ${nameText}">#</a>`;
  const label = html`<span class="${tone}" aria-hidden="true">${toneSigns[tone]}</span> ${renderText(name)}${link}`;
  return html`${isGrouped && group !== groupBefore ? html`<h3>${breakable(clip(group, nameMax))}</h3>\n` : undefined}<article class="${tone}" id="${heading}" aria-labelledby="${heading}-title">
${isGrouped ? html`<h4 id="${heading}-title">${label}</h4>` : html`<h3 id="${heading}-title">${label}</h3>`}
${title === '' ? undefined : html`<p>${breakable(clip(title, sentenceMax))}</p>`}
${blocks.map((block) => renderBlock(block, nameText, names))}
<button type="button" class="quote" aria-label="Copy ${nameText} as text" hidden>Copy as text</button>
</article>
`;
}

/** Renders a block; `about` names its entry for screen readers. */
function renderBlock(block: Block, about: string, names: ElementIds): Markup {
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${renderText(block.text)}</p>\n`;
    case 'facts':
      return renderFacts(block.facts);
    case 'versus':
      return html`<div class="sides">\n${[block.left, block.right].map(([label, text]) => html`<figure class="seen"><figcaption class="faint">${label}</figcaption><p>${renderText(text)}</p></figure>\n`)}</div>`;
    case 'list':
      return renderList(block);
    case 'table':
      return renderTable(block, about, names);
    case 'listing':
      return html`<div>${block.parts.map(({ title, lines }) => renderLines(title, lines, about))}
${block.conclusion.map((line) => html`<p>${breakable(clip(line, sentenceMax))}</p>`)}</div>`;
    case 'sides':
      return renderSides(block, about);
    case 'fold':
      return html`<details><summary>${block.title}</summary>\n${block.blocks.map((each) => renderBlock(each, about, names))}</details>\n`;
    case 'excerpt':
      return html`<figure><figcaption class="faint">The ${block.label}</figcaption>\n${renderExcerpt(printExcerpt(block.excerpt), `Excerpt of the ${block.label}: ${about}`)}</figure>`;
    case 'exchanges':
      return renderExchanges(block, about);
  }
}

function renderText(text: Text): readonly Markup[] {
  return spansOf(text).map(renderSpan);
}

function renderSpan(span: Span): Markup {
  if (typeof span === 'string') {
    // Sentences quote names in backticks, as Markdown does.
    const parts = clip(span, sentenceMax).split(/`([^`]+)`/);
    return html`${parts.map((part, index) => (index % 2 === 0 ? breakable(part) : html`<code>${breakable(part)}</code>`))}`;
  }
  const { text, as, href, copy } = span;
  if (copy !== undefined) return renderCommand(text, copy);
  const clipped = breakable(clip(text, as === 'code' ? nameMax : sentenceMax));
  const formatted =
    as === undefined
      ? clipped
      : as === 'code'
        ? html`<code>${clipped}</code>`
        : as === 'strong'
          ? html`<strong>${clipped}</strong>`
          : html`<span class="${as}">${clipped}</span>`;
  return href === undefined ? formatted : html`<a href="#${href}">${formatted}</a>`;
}

function renderFacts(facts: readonly Fact[]): Markup {
  return html`<dl class="facts">${facts.map(([label, text]) => html`<dt>${label}</dt><dd>${renderText(text)}</dd>\n`)}</dl>`;
}

function renderList({ title, items }: Extract<Block, { kind: 'list' }>): Markup {
  const omitted = items.length - itemsMax;
  return html`${title === undefined ? undefined : html`<p>${title}:</p>`}<ul>${items.slice(0, itemsMax).map((item) => html`<li>${renderText(item)}</li>\n`)}${omitted > 0 ? html`<li>and ${omitted} more</li>` : undefined}</ul>`;
}

function renderTable({ columns, rows, find }: Extract<Block, { kind: 'table' }>, about: string, names: ElementIds): Markup {
  const included: Markup[] = [];
  let usedBytes = 0;
  for (const row of rows) {
    const markup = renderRow(row, about, names);
    usedBytes += sizeOf(markup);
    if (usedBytes > sectionMax.full) break;
    included.push(markup);
  }
  const omitted = rows.length - included.length;
  return html`${find === true ? renderFilters(rows, names) : undefined}<div class="scroll" tabindex="0" role="group" aria-label="Table: ${about}">
<table${find === true ? html` class="found"` : undefined}><thead><tr>${columns.map((column) => html`<th scope="col">${breakable(clip(column, nameMax))}</th>`)}</tr></thead>
<tbody>
${included}</tbody></table></div>
${omitted === 0 ? undefined : html`<p>${countNoun(omitted, 'more row')} ${omitted === 1 ? 'is' : 'are'} not shown here; the JSON report has them.</p>`}`;
}

/** Name of the attribute for a label. */
function dataName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

function renderRow({ cells, state, labels = [] }: Row, about: string, names: ElementIds): Markup {
  const [first, ...rest] = cells;
  const data = labels.map(([name, value]) => html` data-${{ markup: dataName(name) }}="${clip(value, nameMax)}"`);
  return html`<tr${state === undefined ? undefined : html` class="row-${names.state(state.word)}"`}${data}>${first === undefined ? undefined : html`<th scope="row">${renderCell(first, about, names)}</th>`}${rest.map((cell) => html`<td>${renderCell(cell, about, names)}</td>`)}</tr>
`;
}

function renderCell(cell: Cell, about: string, names: ElementIds): Markup | readonly Markup[] {
  if (typeof cell !== 'object' || !('line' in cell)) return renderText(cell);
  const { line, summary, blocks } = cell;
  const isEmpty = plain(line) === '';
  return html`${isEmpty ? undefined : html`${renderText(line)}<br>`}<details><summary>${summary}</summary>
${blocks.map((block) => renderBlock(block, about, names))}</details>`;
}

/** Renders the row filter. Checkboxes work without a script; the search is hidden without one. */
function renderFilters(rows: readonly Row[], names: ElementIds): Markup {
  const states = [...new Map(rows.flatMap(({ state }) => (state === undefined ? [] : [[state.word, state] as const]))).values()];
  const countOf = (word: string): number => rows.filter(({ state }) => state?.word === word).length;
  const labels = new Map<string, Set<string>>();
  for (const [name, value] of rows.flatMap((row) => row.labels ?? [])) labels.set(name, (labels.get(name) ?? new Set()).add(value));
  const choices = [...labels].map(
    ([name, values]) =>
      html`<label>${name} <select data-label="${dataName(name)}" autocomplete="off"><option value="">all</option>${[...values].slice(0, itemsMax).map((value) => html`<option>${clip(value, nameMax)}</option>`)}</select></label>\n`,
  );
  return html`<fieldset><legend>Show checks that are</legend>
${states.map(({ word, tone }) => html`<label><input type="checkbox" id="rows-${names.state(word)}" checked autocomplete="off"> <span class="${tone}">${toneSigns[tone]} ${word}</span> (${countOf(word)})</label>\n`)}</fieldset>
<div class="tools" id="tools" hidden>${choices}<label>Find <input type="search" id="find" autocomplete="off"></label>
<button type="button" id="unfold">Open all evidence</button> <button type="button" id="fold">Close all evidence</button> <span id="found" class="faint"></span></div>`;
}

/** Renders lines in a `pre`, which drops its first line break. `tabindex` lets the keyboard scroll it. */
function renderLines(title: string, lines: readonly string[], about: string): Markup {
  const includedLines = lines.length > linesMax ? [...lines.slice(0, linesMax), `… ${lines.length - linesMax} more lines`] : lines;
  return lines.length === 0
    ? html``
    : html`<figure><figcaption class="faint">${title}</figcaption>
<pre class="body" tabindex="0" role="group" aria-label="${title}: ${about}">\n${includedLines.map((line) => html`${clip(line, lineMax)}\n`)}</pre></figure>
`;
}

/** Renders two values side by side. Each line is an element, so that lines stay aligned. */
function renderSides({ before, after }: Extract<Block, { kind: 'sides' }>, about: string): Markup {
  const rows = compareLines(before.value, after.value, valueLinesMax);
  const side = (title: string, { value, place }: typeof before, lines: readonly Markup[]): Markup => {
    const caption = html`<figcaption class="faint">${title}: <code>${breakable(clip(formatLocation(place), nameMax))}</code></figcaption>`;
    if (value === undefined) return html`<figure>${caption}<p>Nothing.</p></figure>\n`;
    return html`<figure>${caption}<pre tabindex="0" role="group" aria-label="${title}: ${about}">\n${lines}</pre></figure>\n`;
  };
  return html`<div class="sides">
${side(
  'Before',
  before,
  rows.map((row) => renderComparedRow(row, 'before')),
)}${side(
  'After',
  after,
  rows.map((row) => renderComparedRow(row, 'after')),
)}</div>`;
}

/** Renders one side of a row; an empty line if it has no counterpart. */
function renderComparedRow(row: ComparedRow, side: 'before' | 'after'): Markup {
  if (row.kind === 'skipped') return html`<span class="faint">  … ${countNoun(row.lines, 'more line')}</span>\n`;
  if (row.kind === 'same') return html`  ${row[side]}\n`;
  const line = row[side];
  if (line === undefined) return html`\n`;
  return side === 'before' ? html`<del>- ${renderChanged(line)}</del>\n` : html`<ins>+ ${renderChanged(line)}</ins>\n`;
}

function renderChanged({ start, changed, end }: ChangedLine): Markup {
  // A line that changed completely needs no mark.
  if (start.trim() === '' && end === '') return html`${start}${changed}`;
  return changed === '' ? html`${start}${end}` : html`${start}<mark>${changed}</mark>${end}`;
}

/** Renders the request that shows a violation best: the lines of its response that matter, and its command. All requests follow, folded. */
function renderExchanges(block: Extract<Block, { kind: 'exchanges' }>, about: string): Markup {
  const { exchanges, curl, best = exchanges.length - 1, excerpts } = block;
  const numberedExchanges = exchanges.map((exchange, index) => ({
    exchange,
    number: index + 1,
    // The excerpt and the command of the best request stand above.
    ...(index === best ? {} : { command: curl[index], excerpt: excerpts?.[index] }),
  }));
  const included = numberedExchanges.filter(({ number }) => number <= exchangesMax / 2 || number > exchanges.length - exchangesMax / 2);
  const omitted = numberedExchanges.length - included.length;
  const bestExchange = exchanges[best];
  const name = `request ${Math.max(0, best) + 1} of ${about}`;
  const command = curl[Math.max(0, best)];
  const lines = bestExchange === undefined ? [] : printExcerpt(excerpts?.[best] ?? excerptBody(bestExchange.response.body));
  return html`${bestExchange === undefined ? undefined : html`<p><code>${breakable(clip(`${bestExchange.request.method} ${bestExchange.request.target}`, nameMax))}</code> → ${describeStatus(bestExchange.response)}</p>`}
${lines.length === 0 ? undefined : renderExcerpt(lines, `Excerpt of the response: ${name}`)}
${command === undefined ? undefined : renderCommand(command, `the command for ${name}`)}
${
  exchanges.length === 0
    ? undefined
    : html`<details><summary>${countNoun(exchanges.length, 'request')} with headers</summary>
${included.map(({ number, ...each }) => renderExchange(each, `request ${number} of ${about}`, exchanges.length === 1))}
${omitted === 0 ? undefined : html`<p>${countNoun(omitted, 'more request')} between them ${omitted === 1 ? 'is' : 'are'} not shown; the JSON report has them.</p>`}</details>`
}`;
}

/** Renders the lines of an excerpt. */
function renderExcerpt(lines: readonly string[], label: string): Markup {
  return html`<pre class="body" tabindex="0" role="group" aria-label="${label}">\n${lines.map((line) => (line.startsWith('>') ? html`<mark>${clip(line, lineMax)}</mark>\n` : html`${clip(line, lineMax)}\n`))}</pre>`;
}

/** An exchange with its command, and the lines of its body that matter. */
interface ShownExchange {
  readonly exchange: Exchange;
  readonly command?: string | undefined;
  readonly excerpt?: TextExcerpt | undefined;
}

function renderExchange({ exchange: { request, response }, command, excerpt }: ShownExchange, about: string, isUnfolded: boolean): Markup {
  const { method, target } = request;
  const requestLines = [`${method} ${target}`, ...listHeaders(request.headers)];
  const bodyLines = response.body === '' ? [] : indentJson(clip(response.body, bodyMax)).split('\n');
  const lines = excerpt === undefined ? bodyLines : printExcerpt(excerpt);
  const body = lines.length === 0 ? [] : ['', ...lines];
  const responseLines = [describeStatus(response), ...listHeaders(response.headers), ...body];
  return html`<details${isUnfolded ? html` open` : undefined}><summary><code>${breakable(clip(`${method} ${target}`, lineMax))}</code> → ${describeStatus(response)}</summary>
<div class="sides exchange">
${renderLines('Request', requestLines, about)}${renderLines('Response', responseLines, about)}</div>
${command === undefined ? undefined : renderCommand(command, `the command for ${about}`)}
</details>
`;
}

/** Renders a command with a copy button, which the script reveals. A command is never cut: a long one is left out. */
function renderCommand(command: string, about: string): Markup {
  if (command.length > commandMax) return html`<p>The command is too long to be shown here; the JSON report has it.</p>`;
  return html`<span class="command"><code tabindex="0" role="group" aria-label="${capitalize(about)}">${breakable(command)}</code>
<button type="button" class="copy" aria-label="Copy ${about}" hidden>Copy</button></span>`;
}

function listHeaders(headers: HttpHeaders): readonly string[] {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}`),
  );
  return lines.length <= headersMax ? lines : [...lines.slice(0, headersMax), `… ${lines.length - headersMax} more header fields`];
}
