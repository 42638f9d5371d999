/**
 * The report of `touchstone proxy`: mistakes in requests and responses, and those of the client that only their sequence shows. `proxy-command.ts` builds it at
 * its end, for the summary and for each report file. It leaves the part on the client to `client-report.ts`, and judges nothing.
 */

import { countNoun } from '../../core/count-noun.ts';
import { formatLocation } from '../../core/errors.ts';
import type { ProxyFinding, ProxyReport } from '../../core/results/proxy-result.ts';
import { code, type Entry, type ItemList, type Report } from '../report-model.ts';
import { describeClient, itemsOfClient, reportOfClient } from './client-report.ts';

/** Maximum number of findings of one half in full, and of lines. */
const [fullMax, linesMax] = [40, 40];

/** Builds the report for people. */
export function reportOfProxy(report: ProxyReport): Report {
  const client = reportOfClient(report.client);
  const tone = report.findings.length > 0 ? 'bad' : client.tone;
  const section = (half: ProxyFinding['half'], title: string): Report['sections'][number] => {
    const entries = report.findings.filter((finding) => finding.half === half).map(entryOf);
    return { id: `${half}s`, title, tone: 'bad', entries, full: fullMax, lines: linesMax, open: true };
  };
  return {
    ...client,
    subject: 'Proxy',
    headline: { text: describeProxy(report), as: tone },
    verdict: describeProxy(report),
    tone,
    sections: [section('response', 'Responses of the target'), section('request', 'Requests of the client'), ...client.sections],
  };
}

function entryOf({ operation, subject, message, source, count: number, exchange }: ProxyFinding): Entry {
  return {
    name: [{ text: operation ?? 'no operation', as: 'strong' }],
    title: `${subject}, ${countNoun(number, 'time')}`,
    tone: 'bad',
    line: message,
    blocks: [
      {
        kind: 'facts',
        facts: [
          ['mistake', message],
          ['contract', code(formatLocation(source))],
          ['exchange', String(exchange)],
        ],
      },
    ],
  };
}

/** Builds the items: each finding is a failed test, beside those of the client. */
export function itemsOfProxy(report: ProxyReport): ItemList {
  const client = itemsOfClient(report.client);
  const mistakes = report.findings.map(({ half, contract, operation, subject, message, source }) => {
    const name = `${half} of ${operation ?? 'no operation'}: ${subject}`;
    return {
      item: { suite: half, className: contract, name, state: 'failed' as const, message, type: half, details: [message], evidence: [] },
      annotation: { level: 'error' as const, title: name, lines: [message], place: source },
    };
  });
  return {
    ...client,
    command: 'touchstone proxy',
    subject: 'proxy',
    suite: 'proxy',
    items: [...mistakes.map(({ item }) => item), ...client.items],
    about: [describeProxy(report)],
    annotations: [...mistakes.map(({ annotation }) => annotation), ...client.annotations],
  };
}

/** Describes the result in one line, without a full stop. */
function describeProxy({ exchanges, unanswered, findings, client }: ProxyReport): string {
  const halves = (['request', 'response'] as const).map((half) => findings.filter((finding) => finding.half === half).length);
  const [inRequests = 0, inResponses = 0] = halves;
  const unansweredText = unanswered === 0 ? '' : `, ${unanswered} without a response of the target`;
  const mistakes = `${countNoun(inRequests, 'mistake')} in requests, ${countNoun(inResponses, 'mistake')} in responses`;
  return `${countNoun(exchanges, 'exchange')}${unansweredText}: ${mistakes}; ${describeClient(client)}`;
}
