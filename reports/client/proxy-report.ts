/** The report of `touchstone proxy`: mistakes in requests and responses, and those of the client that only a sequence of requests shows. */

import { countNoun } from '../../core/count-noun.ts';
import { formatLocation } from '../../core/errors.ts';
import type { NotCompared, ProxyFinding, ProxyReport } from '../../core/results/proxy-result.ts';
import { type Annotation, type Block, code, type Entry, type JudgedReport, type Report, type TestCase } from '../report-model.ts';
import { describeClient, reportOfClient } from './client-report.ts';

/** Builds the report: each finding is a failed test, beside those of the client. */
export function reportOfProxy(report: ProxyReport): JudgedReport {
  const client = reportOfClient(report.client);
  const tone = report.findings.length > 0 ? 'bad' : client.tone;
  const section = (half: ProxyFinding['half'], title: string): Report['sections'][number] => {
    const entries = report.findings.filter((finding) => finding.half === half).map(entryOf);
    return { id: `${half}s`, title, tone: 'bad', entries, full: true, open: true };
  };
  return {
    ...client,
    subject: 'Proxy',
    headline: { text: describeProxy(report), as: tone },
    verdict: describeProxy(report),
    tone,
    sections: [
      section('response', 'Responses from the target'),
      section('request', 'Requests from the client'),
      { id: 'not-compared', title: 'Bodies not compared', tone: 'doubtful', entries: report.notCompared.map(entryOfNotCompared) },
      ...client.sections,
    ],
    command: 'touchstone proxy',
    name: 'proxy',
    tests: [...report.findings.map(testOf), ...client.tests],
    annotations: [...report.findings.map(annotate), ...client.annotations],
  };
}

function entryOf(finding: ProxyFinding): Entry {
  const { operation, subject, message, count: number } = finding;
  return {
    name: [{ text: operation ?? 'no operation', as: 'strong' }],
    title: `${subject}, ${countNoun(number, 'time')}`,
    tone: 'bad',
    line: message,
    blocks: blocksOf(finding),
  };
}

function entryOfNotCompared({ half, operation, reason, count: number }: NotCompared): Entry {
  return { name: operation ?? 'no operation', title: `${countNoun(number, half)}`, tone: 'doubtful', line: reason };
}

function blocksOf({ message, source, exchange }: ProxyFinding): readonly Block[] {
  return [
    {
      kind: 'facts',
      facts: [
        ['mistake', message],
        ['contract', code(formatLocation(source))],
        ['exchange', String(exchange)],
      ],
    },
  ];
}

function testOf(finding: ProxyFinding): TestCase {
  const { half, contract, message } = finding;
  return { suite: half, className: contract, name: nameOf(finding), state: 'failed', message, type: half, blocks: blocksOf(finding) };
}

function annotate(finding: ProxyFinding): Annotation {
  const { half, contract, operation, subject, message, source } = finding;
  return {
    level: 'error',
    title: nameOf(finding),
    blocks: blocksOf(finding),
    place: source,
    finding: {
      id: [contract, half, operation ?? '', subject].join(' '),
      rule: `proxy/${half}`,
      subject: operation ?? contract,
      message,
      severity: 'critical',
    },
  };
}

function nameOf({ half, operation, subject }: ProxyFinding): string {
  return `${half} of ${operation ?? 'no operation'}: ${subject}`;
}

/** Describes the result in one line, without a full stop. */
function describeProxy({ exchanges, unanswered, findings, notCompared, client }: ProxyReport): string {
  const halves = (['request', 'response'] as const).map((half) => findings.filter((finding) => finding.half === half).length);
  const [inRequests = 0, inResponses = 0] = halves;
  const unansweredText = unanswered === 0 ? '' : `, ${unanswered} without a response from the target`;
  const mistakes = `${countNoun(inRequests, 'mistake')} in requests, ${countNoun(inResponses, 'mistake')} in responses`;
  const bodies = notCompared.reduce((sum, { count: number }) => sum + number, 0);
  const bodiesText = bodies === 0 ? '' : `, ${bodies} ${bodies === 1 ? 'body' : 'bodies'} not compared`;
  return `${countNoun(exchanges, 'exchange')}${unansweredText}: ${mistakes}${bodiesText}; ${describeClient(client)}`;
}
