import { countNoun } from '../../core/count-noun.ts';
import { formatLocation } from '../../core/errors.ts';
import type { ClientFinding, ClientReport } from '../../core/results/client-result.ts';
import { type ClientLevel, type ClientRuleId, clientLevels } from '../../core/results/client-rule.ts';
import { type Annotation, type Block, code, type Entry, type Fact, type JudgedReport, type TestCase, type Tone } from '../report-model.ts';

/** How reports show each level. */
export const levelTones: Readonly<Record<ClientLevel, Tone>> = { error: 'bad', warning: 'doubtful', advice: 'neutral' };
const annotations: Readonly<Record<ClientLevel, Annotation['level']>> = { error: 'error', warning: 'warning', advice: 'notice' };

const severities = { error: 'critical', warning: 'major', advice: 'info' } as const;

/**
 * Builds the report: each exercised rule is a test, and each finding an annotation. `restart` is the command that starts a stopped mock again, without which
 * nothing repeats a request.
 */
export function reportOfClient(report: ClientReport, restart?: string): JudgedReport {
  const { findings, exercised, notExercised, verdict } = report;
  const tone = verdict === 'clean' ? 'good' : verdict === 'not-exercised' ? 'neutral' : levelTones[verdict];
  const reasons = [...new Set(notExercised.map(({ reason }) => reason))];
  const gaps = reasons.map((reason): Entry => {
    const rules = notExercised.filter((gap) => gap.reason === reason).map(({ rule }) => rule);
    return { name: reason.replace(/\.$/, ''), line: rules.join(', '), tone: 'neutral' };
  });
  return {
    subject: 'Client',
    headline: { text: `${countNoun(report.requests, 'request')} from the client`, as: tone },
    verdict: describeFindings(report),
    tone,
    sections: [
      { id: 'findings', title: 'Findings', tone, entries: findings.map((finding) => entryOf(finding, restart)), full: true, open: true },
      { id: 'gaps', title: 'Not exercised', tone: 'neutral', entries: gaps },
    ],
    command: 'touchstone mock',
    name: 'client',
    tests: [...exercised.map((rule) => testOf(rule, findings)), ...notExercised.map(({ rule, reason }) => testOf(rule, findings, reason))],
    annotations: findings.map((finding) => annotate(finding, blocksOf(finding, restart))),
  };
}

function testOf(rule: ClientRuleId, findings: readonly ClientFinding[], gap: string = ''): TestCase {
  const findingsOfRule = findings.filter((finding) => finding.rule === rule);
  const [first] = findingsOfRule;
  return {
    suite: 'client',
    className: 'client',
    name: rule,
    state: first !== undefined ? 'failed' : gap === '' ? 'passed' : 'skipped',
    message: first?.message ?? gap,
    ...(first === undefined ? {} : { type: first.level }),
    blocks: findingsOfRule.flatMap((finding) => blocksOf(finding)),
  };
}

/** Builds the entry of a finding. */
export function entryOf(finding: ClientFinding, restart?: string): Entry {
  const { rule, level, operation, alsoAt, role, message } = finding;
  return {
    name: [{ text: `${level} ${rule}`, as: 'strong' }],
    title: [...(operation === null ? [] : [operation]), ...alsoAt, `key ${role}`, countNoun(finding.count, 'time')].join(', '),
    tone: levelTones[level],
    line: message,
    blocks: blocksOf(finding, restart),
  };
}

function blocksOf(finding: ClientFinding, restart?: string): readonly Block[] {
  const facts = [...factsOf(finding), ['exchanges', finding.exchanges.join(', ')] as const];
  if (restart !== undefined) facts.push(['start', code(restart)]);
  return [
    { kind: 'facts', facts },
    { kind: 'exchanges', exchanges: [], curl: [finding.curl] },
  ];
}

/** Lists the facts of a finding: the mistake, its consequence, and the correction. */
export function factsOf({ message, consequence, advice, source }: ClientFinding): readonly Fact[] {
  return [
    ['mistake', message],
    ...(consequence === null ? [] : [['effect', consequence] as const]),
    ['fix', advice],
    ['contract', code(formatLocation(source))],
  ];
}

/** Builds the annotation of a finding. */
export function annotate({ level, rule, contract, operation, role, message, source }: ClientFinding, blocks: readonly Block[]): Annotation {
  return {
    level: annotations[level],
    title: rule,
    blocks,
    place: source,
    finding: {
      id: [contract, rule, operation ?? '', role].join(' '),
      rule,
      subject: operation ?? contract,
      message,
      severity: severities[level],
    },
  };
}

/** Describes the result in one line, without a full stop: `12 requests from the client: 1 error, 2 warnings`. */
export function describeClient(report: ClientReport): string {
  return `${countNoun(report.requests, 'request')} from the client: ${describeFindings(report)}`;
}

function describeFindings({ requests, findings, notExercised }: ClientReport): string {
  const nouns = { error: 'error', warning: 'warning', advice: 'piece' } as const;
  const parts = clientLevels.flatMap((level) => {
    const number = findings.filter((finding) => finding.level === level).length;
    return number === 0 ? [] : [countNoun(number, nouns[level]) + (level === 'advice' ? ' of advice' : '')];
  });
  const gaps = requests === 0 || notExercised.length === 0 ? '' : `; ${countNoun(notExercised.length, 'rule')} not exercised`;
  return `${parts.length === 0 ? 'no findings' : parts.join(', ')}${gaps}`;
}
