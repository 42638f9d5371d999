/** What became of counterexamples, for a terminal: what each request was answered with before, and what now. */

import type { HttpResponse } from '../../core/exchange.ts';
import type { Replay, ReplayedExchange, ReplayedLaw, ReplayVerdict } from '../../core/replay.ts';
import { createInk, type Ink } from '../ink.ts';
import { count, cut, printable, wrap } from '../layout.ts';

const headings: Readonly<Record<ReplayVerdict, string>> = { stands: 'Still stands', gone: 'Gone', unknown: 'Cannot be told' };
const order: readonly ReplayVerdict[] = ['stands', 'unknown', 'gone'];
const indent = '               ';

/** Renders a replay: what still stands first. */
export function renderReplay(replay: Replay, decorated: boolean): string {
  const ink = createInk(decorated);
  const sections = order.flatMap((verdict) => {
    const laws = replay.laws.filter((law) => law.verdict === verdict);
    return laws.length === 0 ? [] : ['', ink.strong(headings[verdict]), ...laws.flatMap((law) => renderLaw(law, ink))];
  });
  const numbers = order.map((verdict) => [replay.laws.filter((law) => law.verdict === verdict).length, verdict] as const);
  const [stand, unknown, gone] = numbers.map(([number]) => number);
  const head = replay.unavailable === undefined ? [] : ['', ...wrap(printable(replay.unavailable), '')];
  const summary = `${count(replay.laws.length, 'counterexample')} at ${printable(replay.target)}: ${stand} still stand, ${gone} gone, ${unknown} cannot be told. Exit code ${replay.exitCode}.`;
  return `${[...head, ...sections, '', ink.strong(summary)].join('\n').replace(/^\n/, '')}\n`;
}

function renderLaw({ before, verdict, message, exchanges }: ReplayedLaw, ink: Ink): readonly string[] {
  const paint = verdict === 'stands' ? ink.bad : verdict === 'gone' ? ink.good : ink.doubtful;
  return [
    `  ${paint(printable(before.id))} at ${printable(before.operation)}  ${ink.faint(printable(before.title))}`,
    ...wrap(printable(message), indent, '    result     '),
    ...wrap(printable(before.message), indent, '    found was  '),
    ...exchanges.flatMap(renderExchange),
  ];
}

function renderExchange({ before, now, reason }: ReplayedExchange): readonly string[] {
  const later = now === undefined ? `not sent: ${reason ?? ''}` : describe(now.response);
  const isEqual = now !== undefined && describe(before.response) === later && before.response.body === now.response.body;
  return [
    `    request    ${printable(`${before.request.method} ${before.request.target}`)}`,
    cut(`      before   ${printable(describe(before.response))}`),
    cut(`      now      ${isEqual ? 'the same' : printable(later)}`),
  ];
}

function describe({ status, body }: HttpResponse): string {
  return `${status} ${body}`.trimEnd();
}
