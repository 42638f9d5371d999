/** The live log of requests with its filter and details, and the report on the client. It keeps nothing after the page is closed. */

import { byId, codeBlock, control, copyButton, create, fieldOf, formById, indented, say } from './elements.js';

/**
 * @typedef {import('../control/control-bodies.ts').ControlEvent} ControlEvent
 * @typedef {import('../control/control-bodies.ts').EntryState} EntryState
 * @typedef {import('../journal/journal-types.ts').JournalSummary} Summary
 * @typedef {import('../../core/results/client-result.ts').ClientReport} ClientReport
 * @typedef {import('../../core/results/client-result.ts').ClientFinding} Finding
 * @typedef {{ summary: Summary, item: HTMLElement, rules: string[] }} Row
 */

/** Maximum number of rows; the journal has the earlier ones. */
const rowsMost = 300;

/** Shortest time between two reads of the client report, in milliseconds. */
const reportMs = 1000;

/** Rows by the number of their exchange, the oldest first. @type {Map<number, Row>} */
const rows = new Map();

/** Number of the last exchange. */
let last = 0;

/**
 * Follows the events of the mock. Changes of clock and chaos go to the given functions.
 * @param {{ clock: (state: any) => void, chaos: (state: any) => void }} listeners
 */
export function followRequests({ clock, chaos }) {
  const stream = new EventSource('/__mock/events?after=0');
  const listen = (/** @type {ControlEvent['type']} */ type, /** @type {(data: any) => void} */ action) =>
    stream.addEventListener(type, (event) => action(JSON.parse(event.data)));
  // Browsers make an event of this name too, without data.
  stream.addEventListener('open', () => {
    tell('The log is live.');
    byId('quiet').textContent = 'No request so far. Send one with the command below, or try an operation.';
  });
  listen('exchange', addRow);
  listen('clock', clock);
  listen('chaos', chaos);
  listen('reload', ({ problem }) => say(problem === null ? 'The mock has reloaded its files.' : `The files have an error: ${problem}`));
  stream.addEventListener('error', () => tell('The log is interrupted. It continues when the mock responds again.'));
  formById('filter').addEventListener('input', filterRows);
  formById('filter').addEventListener('submit', (event) => event.preventDefault());
  byId('clear').addEventListener('click', async () => {
    if ((await control('journal', 'DELETE')) !== undefined) clearLog();
  });
  void readReport();
}

/** Removes all rows and findings. */
export function clearLog() {
  rows.clear();
  byId('log').replaceChildren();
  filterRows();
  void readReport();
}

/** @param {string} text */
function tell(text) {
  byId('connection').textContent = text;
}

/** @param {Summary} summary */
function addRow(summary) {
  const { number } = summary;
  // A mock that was started again counts from 1.
  if (number <= last) clearLog();
  last = number;
  const row = { summary, item: create('li', { id: `exchange-${number}` }), rules: [] };
  rows.set(number, row);
  const details = create('details', {}, create('summary'), create('div', {}, 'Reading …'));
  row.item.append(details);
  details.addEventListener('toggle', () => void showDetails(row, details));
  renderRow(row);
  byId('log').prepend(row.item);
  const [oldest] = rows.keys();
  if (rows.size > rowsMost && oldest !== undefined) {
    rows.get(oldest)?.item.remove();
    rows.delete(oldest);
  }
  schedule();
}

let isScheduled = false;

/** Shows the result of many new rows at once, and reads the report on the client, which they may change. */
function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(() => {
    isScheduled = false;
    filterRows();
    void readReport();
  }, reportMs);
  filterRows();
}

/** @param {Row} row */
function renderRow({ summary, item, rules }) {
  const { number, status, method, target, durationMs, role, wallInstant, isCached } = summary;
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'doubtful' : 'good';
  const facts = [
    `#${number}`,
    `${durationMs.toFixed(1)} ms`,
    role ?? 'no API',
    new Date(wallInstant).toLocaleTimeString(),
    ...(isCached ? ['cached'] : []),
  ].join(' · ');
  const why = [...reasonsOf(summary), ...rules];
  item
    .querySelector('summary')
    ?.replaceChildren(
      create('span', { class: `status ${tone}` }, String(status)),
      create('span', { class: 'target' }, ` ${method} ${target} `),
      create('span', { class: 'faint' }, facts),
      ...why.map((text) => create('span', { class: 'why' }, text)),
    );
}

/** What is wrong with an exchange: the refusal, other mistakes in the request, what the contract leaves unsaid, and chaos. @param {Summary} summary */
function reasonsOf({ reason, problems, setAside = [], chaos }) {
  const others = problems.map(({ message }) => message).filter((message) => !(reason ?? '').includes(message));
  return [...(reason === null ? [] : [reason]), ...others, ...setAside, ...chaos];
}

function filterRows() {
  const form = formById('filter');
  const words = fieldOf(form, 'words').toLowerCase().split(/\s+/);
  const kind = fieldOf(form, 'kind');
  let shown = 0;
  for (const { summary, item, rules } of rows.values()) {
    const isKind = kind === 'all' || (kind === 'refused' ? summary.status >= 400 : rules.length + reasonsOf(summary).length > 0);
    const text = [item.textContent, summary.operation, ...rules].join(' ').toLowerCase();
    item.hidden = !isKind || !words.every((word) => text.includes(word));
    shown += item.hidden ? 0 : 1;
  }
  byId('count').textContent = rows.size === 0 ? '' : `${shown} of ${rows.size}`;
  byId('quiet').hidden = rows.size > 0;
  byId('first').hidden = rows.size > 0;
}

/** @param {Row} row @param {HTMLElement} details */
async function showDetails({ summary, rules }, details) {
  if (!(details instanceof HTMLDetailsElement) || !details.open) return;
  /** @type {EntryState | undefined} */
  const entry = await control(`journal/${summary.number}`);
  if (entry === undefined) return;
  const { operation, contract, instant, cursor, requestHeaders, responseHeaders, body, bodyLength } = entry;
  const facts = [
    operation === null ? 'No operation has this path and method.' : `Operation ${operation} of ${contract}.`,
    `The mock's clock was at ${instant}.`,
    ...(cursor === undefined ? [] : [cursor.kind === 'given' ? `The cursor comes from exchange ${cursor.by}.` : `Cursor: ${cursor.kind}.`]),
    ...entry.problems.map(({ class: kind, message }) => `${kind}: ${message}`),
    ...rules.map((rule) => `It breaks the rule ${rule}.`),
  ];
  details
    .querySelector('div')
    ?.replaceChildren(
      ...facts.map((fact) => create('p', {}, fact)),
      create('h3', {}, 'Request'),
      codeBlock('Request', [`${entry.method} ${entry.target}`, ...printHeaders(requestHeaders)].join('\n')),
      create('h3', {}, 'Response'),
      codeBlock('Response headers', [String(entry.status), ...printHeaders(responseHeaders)].join('\n')),
      body === null ? create('p', {}, `The body of ${bodyLength} bytes is not kept.`) : codeBlock('Response body', indented(body)),
    );
}

/** @param {EntryState['requestHeaders']} headers */
function printHeaders(headers) {
  return Object.entries(headers).map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`);
}

async function readReport() {
  /** @type {ClientReport | undefined} */
  const report = await control('client');
  if (report === undefined) return;
  const { requests, findings, notExercised } = report;
  const gaps = notExercised.length === 0 ? '' : ` ${countNoun(notExercised.length, 'rule')} not exercised.`;
  const found = findings.length === 0 ? 'No mistake so far.' : `${countNoun(findings.length, 'finding')}.`;
  byId('verdict').textContent =
    requests === 0 ? 'No request has been checked so far.' : `${countNoun(requests, 'request')} checked. ${found}${gaps}`;
  byId('findings').replaceChildren(...findings.map(toArticle));
  for (const row of rows.values()) {
    const rules = findings.filter(({ exchanges }) => exchanges.includes(row.summary.number)).map(({ rule }) => rule);
    if (rules.join() === row.rules.join()) continue;
    row.rules = rules;
    renderRow(row);
  }
  filterRows();
}

/** A number with its noun. @param {number} number @param {string} noun */
function countNoun(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** @param {Finding} finding */
function toArticle({ level, rule, operation, role, count, message, consequence, advice, exchanges, curl }) {
  const links = exchanges.flatMap((number) => [' ', create('a', { href: `#exchange-${number}` }, String(number))]);
  const times = count === 1 ? 'once' : `${count} times`;
  return create(
    'article',
    { class: level },
    create('h3', {}, `${level} ${rule}`),
    create('p', { class: 'faint' }, [...(operation === null ? [] : [operation]), `key ${role}`, times].join(', ')),
    create('p', {}, message),
    ...(consequence === null ? [] : [create('p', { class: 'bad' }, consequence)]),
    create('p', {}, advice),
    create('p', {}, 'Exchanges:', ...links),
    create(
      'div',
      { class: 'row' },
      codeBlock('The request as a command', curl),
      copyButton('Copy the command', () => curl),
    ),
  );
}
