/**
 * Lines about requests: what was refused and why, and the first mistake of a client against each rule. `touchstone mock` and `touchstone proxy` print
 * them for each exchange. They judge nothing.
 */

import { styleText } from 'node:util';
import { formatLocation } from '../../core/errors.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { ClientFinding } from '../../core/results/client-report.ts';
import type { ServedExchange } from '../../mocks/control/user-listeners.ts';
import { messageOfFailure } from '../../mocks/handler/failure.ts';
import { shortenTarget } from '../../reports/clip-text.ts';

/** Renders an exchange: status, method, target, duration, the reason of a refusal, mistakes in the request, and its chaos. */
export function renderLine(exchange: ServedExchange, contracts: readonly Contract[], decorated: boolean): string {
  const { request, response, durationMs, context } = exchange;
  const colour = response.status >= 500 ? 'red' : response.status >= 400 ? 'yellow' : 'green';
  // No byte of a reset answer was sent, so it has no status.
  const shown = context?.cut === 'reset' ? '---' : String(response.status);
  const status = decorated ? styleText(colour, shown, { validateStream: false }) : shown;
  const notes = notesOf(exchange, contracts);
  const reason = notes.length === 0 ? '' : `  (${notes.join('; ')})`;
  return `${status} ${request.method.padEnd(4)} ${printable(shortenTarget(request.target))} ${durationMs.toFixed(1)} ms${reason}\n`;
}

/** True if something about an exchange is worth a line of its own: a refusal, or a mistake in the request. */
export function isNotable({ response, context }: ServedExchange): boolean {
  return response.status >= 400 || (context?.problems.length ?? 0) > 0;
}

/** Renders the first mistake against a rule. */
export function renderFinding({ rule, level, message, consequence, advice, source }: ClientFinding, decorated: boolean): string {
  const colour = level === 'error' ? 'red' : level === 'warning' ? 'yellow' : 'cyan';
  const name = decorated ? styleText(colour, `${level} ${rule}`, { validateStream: false }) : `${level} ${rule}`;
  const sentences = [message, ...(consequence === null ? [] : [consequence]), advice].join(' ');
  return `    ${name}: ${shorten(sentences.replaceAll(/\s+/g, ' '))} (${formatLocation(source)})\n`;
}

/** Reasons of a refusal, mistakes that were not refused, and effects of chaos, without repetitions. */
function notesOf({ response, context }: ServedExchange, contracts: readonly Contract[]): readonly string[] {
  const chaos = context?.chaos ?? [];
  const problems = (context?.problems ?? []).map(({ message }) => message);
  // Chaos and its rule explain a 429 and a 503 better than the response does.
  const contract = contracts.find(({ name }) => name === context?.contract) ?? contracts[0];
  const refused = response.status < 400 || chaos.length > 0 ? undefined : messageOfFailure(response.body, contract);
  const notes =
    refused === undefined ? [...problems, ...chaos] : [refused, ...problems.filter((each) => !refused.includes(each)), ...chaos];
  // The terminal removes control characters; a line break would make a second line.
  return notes.map((note) => shorten(note.replace(/\.$/, '').replaceAll(/\s+/g, ' ')));
}

/** Maximum number of characters of a target or a sentence in a line. */
const textMax = 500;

/** Escapes control characters as in JSON, because a terminal would execute them. */
function printable(text: string): string {
  // The test is fast, and most targets need no escape.
  const shown = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text) ? text : JSON.stringify(text).slice(1, -1);
  return shorten(shown);
}

function shorten(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}
