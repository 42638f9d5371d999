/** The lines that a running mock or proxy prints: one for each exchange, and one for the first mistake against each rule. */

import { formatLocation } from '../../core/errors.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { ClientFinding } from '../../core/results/client-result.ts';
import { readErrorMessage } from '../../mocks/handler/error-response.ts';
import type { ServedExchange } from '../../mocks/served-exchange.ts';
import { levelTones } from '../../reports/client/client-report.ts';
import { clip, shortenTarget } from '../../reports/clip-text.ts';
import { printable } from '../../reports/printable-text.ts';
import { createInk } from '../../reports/terminal-text.ts';

/** Renders an exchange: status, method, target, duration, the reason of a refusal, mistakes in the request, and its chaos. */
export function renderExchangeLine(exchange: ServedExchange, contracts: readonly Contract[], decorated: boolean): string {
  const { request, response, durationMs, context } = exchange;
  // No byte of a reset response was sent, so it has no status.
  const text = context?.cut === 'reset' ? '---' : String(response.status);
  const status = createInk(decorated).line({ text, as: response.status >= 500 ? 'bad' : response.status >= 400 ? 'doubtful' : 'good' });
  const notes = notesOf(exchange, contracts);
  const reason = notes.length === 0 ? '' : `  (${notes.join('; ')})`;
  const target = clip(printable(shortenTarget(request.target)), textMax);
  return `${status} ${request.method.padEnd(4)} ${target} ${durationMs.toFixed(1)} ms${reason}\n`;
}

/** True if something about an exchange is worth a line of its own: a refusal, or a mistake in the request. */
export function isNotable({ response, context }: ServedExchange): boolean {
  return response.status >= 400 || (context?.problems.length ?? 0) > 0;
}

/** Renders the first mistake against a rule. */
export function renderFindingLine(finding: ClientFinding, decorated: boolean): string {
  const { rule, level, message, consequence, advice, source } = finding;
  const name = createInk(decorated).line({ text: `${level} ${rule}`, as: levelTones[level] });
  return `    ${name}: ${asOneLine([message, consequence ?? [], advice].flat().join(' '))} (${formatLocation(source)})\n`;
}

/** Reasons of a refusal, mistakes that were not refused, and effects of chaos, without repetitions. */
function notesOf({ response, context }: ServedExchange, contracts: readonly Contract[]): readonly string[] {
  const { chaos = [], setAside = [] } = context ?? {};
  const contractBreaks = (context?.contractBreaks ?? []).map((each) => `the document contradicts itself: ${each}`);
  const problems = [...(context?.problems ?? []).map(({ message }) => message), ...contractBreaks];
  // Chaos and its rule explain a 429 and a 503 better than the response does.
  const contract = contracts.find(({ name }) => name === context?.contract) ?? contracts[0];
  const isByChaos = chaos.length > 0 && [429, 503].includes(response.status);
  const refusal = response.status < 400 || isByChaos ? undefined : readErrorMessage(response.body, contract);
  const reasons = refusal === undefined ? problems : [refusal, ...problems.filter((each) => !refusal.includes(each))];
  return [...reasons, ...setAside, ...chaos].map((note) => asOneLine(note.replace(/\.$/, '')));
}

/** Maximum number of characters of a target or a sentence in a line. */
const textMax = 500;

function asOneLine(text: string): string {
  return clip(text.replaceAll(/\s+/g, ' '), textMax);
}
