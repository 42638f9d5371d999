import { countNoun } from '../../core/count-noun.ts';
import { formatLocation } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding, PactGrade } from '../../core/results/pact-check-result.ts';
import { describeWaiver } from '../../core/results/run-result.ts';
import { clip } from '../clip-text.ts';
import { printReport } from '../print-json.ts';
import { type Annotation, type Block, code, type Entry, faint, type JudgedReport, paragraph, type TestCase } from '../report-model.ts';
import { focus } from '../shorten-value.ts';
import { statesSection } from './states-section.ts';

/** Maximum number of characters of a witness. */
const witnessMax = 400;

/** Version of the JSON format. A removed or changed field makes a new version, a new field does not. */
const pactCheckReportVersion = 'touchstone-pact-check/1' as const;

/** Renders the result as JSON; its schema is specs/pact-check-report.schema.json. */
export function renderPactCheckJson(check: PactCheck): string {
  const { impossible, notGuaranteed } = check.count;
  return printReport({ schema: pactCheckReportVersion, holds: impossible + notGuaranteed === 0, ...check });
}

/** Builds the report: each interaction is a test, and each finding an annotation. */
export function reportOfCheck(check: PactCheck): JudgedReport {
  const { pacts, states, skipped, notes, count: counts } = check;
  const tone = counts.impossible > 0 ? 'bad' : counts.notGuaranteed > 0 ? 'doubtful' : 'good';
  const entries = (isWanted: (finding: PactFinding) => boolean): readonly Entry[] =>
    pacts.flatMap((pact) =>
      pact.interactions.flatMap(({ findings, ...interaction }) => {
        const wanted = findings.filter(isWanted);
        return wanted.length === 0 ? [] : [entryOf({ ...interaction, findings: wanted }, describePact(pact))];
      }),
    );
  const others = pacts.flatMap((pact) => [
    ...pact.others.map(({ description, type }) => lineEntry(description, `not checked (${type})`)),
    ...pact.interactions.flatMap(({ description, remarks }) =>
      remarks.map(({ message, place }) => lineEntry(description, `${message} (${formatLocation(place)})`)),
    ),
  ]);
  const skippedFiles = skipped.map(({ file, reason }) => lineEntry(file, reason));
  return {
    subject: 'Pacts',
    headline: [{ text: 'Pacts', as: 'strong' }, ` of ${[...new Set(pacts.map(({ consumer }) => consumer))].join(', ')}`],
    verdict: describeCheck(check),
    tone,
    sections: [
      { id: 'pacts', title: 'Pacts', tone: 'neutral', blocks: tableOf(pacts), open: true },
      { id: 'findings', title: 'Findings', tone, entries: entries(isUnwaived), full: true, open: true },
      { id: 'waived', title: 'Waived', tone: 'neutral', entries: entries(({ waiver }) => waiver !== undefined) },
      { id: 'notes', title: 'Notes', tone: 'neutral', blocks: notes.length === 0 ? [] : [{ kind: 'list', items: notes }] },
      { id: 'others', title: 'Notes on the check', tone: 'neutral', entries: others },
      statesSection(states),
      { id: 'skipped', title: 'Skipped files', tone: 'neutral', entries: skippedFiles },
    ],
    end: [assumption],
    command: 'touchstone pact check',
    name: 'pacts',
    tests: pacts.flatMap((pact) => pact.interactions.map((interaction) => testOf(pact, interaction))),
    annotations: [
      ...pacts.flatMap((pact) => pact.interactions.flatMap((interaction) => annotate(pact, interaction))),
      ...skipped.map(({ file, reason }) => ({ level: 'notice', title: 'Not checked', blocks: [paragraph(`${file}: ${reason}`)] }) as const),
    ],
  };
}

/** What Pact refuses, and nearly every contract allows without meaning it. */
const assumption = 'Empty texts and integers of more than 64 bits count only where a contract lists them.';

function isUnwaived({ waiver }: PactFinding): boolean {
  return waiver === undefined;
}

function lineEntry(name: string, line: string): Entry {
  return { name, line, tone: 'neutral' };
}

function tableOf(pacts: readonly CheckedPact[]): readonly Block[] {
  const rows = pacts.map((pact) => {
    const findings = pact.interactions.flatMap((interaction) => interaction.findings).filter(isUnwaived);
    const countGrade = (grade: PactGrade): number => findings.filter((each) => each.grade === grade).length;
    const good = pact.interactions.filter((interaction) => !interaction.findings.some(isUnwaived)).length;
    const goodOfAll = `${good} of ${countNoun(pact.interactions.length, 'interaction')} hold`;
    return {
      cells: [
        describePact(pact),
        code(`${pact.file} against ${pact.contract.file}`),
        goodOfAll,
        `${countGrade('impossible')} impossible`,
        `${countGrade('not-guaranteed')} not guaranteed`,
      ],
    };
  });
  return [{ kind: 'table', columns: ['Pact', 'Files', 'Interactions', 'Impossible', 'Not guaranteed'], rows }];
}

function entryOf({ description, states, request, status, pending, findings }: CheckedInteraction, group: string): Entry {
  const statesText = states.length === 0 ? '' : `, given ${states.map((name) => `"${name}"`).join(' and ')}`;
  return {
    name: [{ text: description, as: 'strong' }, statesText, pending ? ', pending' : ''],
    title: `${request} → ${status}`,
    tone: findings.some(({ grade }) => grade === 'impossible') ? 'bad' : 'doubtful',
    line: findings
      .slice(0, 1)
      .map(({ message, waiver }) => (waiver === undefined ? message : `${message}; waived: ${describeWaiver(waiver)}`))
      .join(''),
    blocks: findings.map(blockOf),
    group,
  };
}

function blockOf(finding: PactFinding): Block {
  const { id, fingerprint, grade, message, place, clause, question, witness, waiver } = finding;
  return {
    kind: 'facts',
    facts: [
      ['finding', [`${grade.replace('-', ' ')}: ${message}`, faint(` (${id}, ${fingerprint})`)]],
      ...(waiver === undefined ? [] : [['waived', describeWaiver(waiver)] as const]),
      ['pact', code(formatLocation(place))],
      ...(clause === undefined ? [] : [['contract', code(formatLocation(clause))] as const]),
      ...(question === undefined ? [] : [['question', `${question.id} (${question.source}): ${question.question}`] as const]),
      ...(witness === undefined ? [] : [['allowed', code(describeWitness(witness))] as const]),
    ],
  };
}

/** Creates one annotation per finding, at its line. */
function annotate({ consumer }: CheckedPact, { description, findings, pending }: CheckedInteraction): readonly Annotation[] {
  const subject = `${consumer}: ${description}`;
  return findings.map((finding) => {
    const { id, grade, message, fingerprint, place, waiver } = finding;
    const [level, severity] =
      pending || waiver !== undefined
        ? (['notice', 'info'] as const)
        : grade === 'impossible'
          ? (['error', 'critical'] as const)
          : (['warning', 'major'] as const);
    return {
      level,
      title: subject,
      blocks: [blockOf(finding)],
      place,
      finding: { id: fingerprint, rule: id, subject, message, severity, ...(waiver === undefined ? {} : { accepted: waiver.reason }) },
    };
  });
}

/** Converts an interaction to a test. An interaction with findings fails; a pending interaction with findings is skipped. */
function testOf({ consumer, provider }: CheckedPact, { description, states, findings, pending }: CheckedInteraction): TestCase {
  const open = findings.filter(isUnwaived);
  const [first = findings[0]] = open;
  return {
    suite: `${consumer} with ${provider}`,
    className: `${consumer}.${provider}`,
    // As in Pact, equal descriptions differ in their states.
    name: states.length === 0 ? description : `${description} (given ${states.join(', ')})`,
    state: first === undefined ? 'passed' : pending || open.length === 0 ? 'skipped' : 'failed',
    message: first?.message ?? '',
    ...(first === undefined ? {} : { type: first.id }),
    blocks: findings.map(blockOf),
  };
}

/** Prints the part of a witness that shows the finding. */
function describeWitness({ value, pointer }: NonNullable<PactFinding['witness']>): string {
  return clip(printJson(focus(value, pointer)), witnessMax);
}

/** Returns the headline. */
function describeCheck(check: PactCheck): string {
  const { pacts, count: counts } = check;
  const checked = `${countNoun(counts.interactions, 'interaction')} of ${countNoun(pacts.length, 'pact')}`;
  const open = describeOpen(check);
  const rest = [
    ...(counts.pending === 0 ? [] : [`; ${countNoun(counts.pending, 'finding')} in pending interactions`]),
    ...(counts.waived === 0 ? [] : [`; ${countNoun(counts.waived, 'waived finding')}`]),
  ].join('');
  if (counts.impossible + counts.notGuaranteed === 0)
    return `${checked}: the contract guarantees ${open ?? `every ${counts.waived === 0 ? '' : 'other '}expectation`}${rest}`;
  const parts = [
    ...(counts.impossible === 0 ? [] : [`${counts.impossible} impossible`]),
    ...(counts.notGuaranteed === 0 ? [] : [`${counts.notGuaranteed} not guaranteed`]),
  ];
  return `${checked}, ${counts.wrong} with findings: ${parts.join(', ')}${open === undefined ? '' : `; the contract guarantees ${open}`}${rest}`;
}

/** Maximum number of parts that the headline names. */
const maxNamed = 3;

/** Counts what is guaranteed and names what was not compared; `undefined` if everything was. */
function describeOpen({ pacts, expectations }: PactCheck): string | undefined {
  const remarks = pacts.flatMap((pact) => pact.interactions.flatMap((each) => each.remarks));
  const subjects = [...new Set(remarks.flatMap(({ kind, subject }) => (kind === 'not-compared' ? [subject] : [])))];
  if (subjects.length === 0) return undefined;
  const named = `${subjects.slice(0, maxNamed).join(', ')}${subjects.length > maxNamed ? ', …' : ''}`;
  return `${expectations.guaranteed} of ${countNoun(expectations.total, 'expectation')}; ${expectations.notCompared} not compared: ${named}`;
}

/** Names a pact by its consumer, provider and contract. */
function describePact({ consumer, provider, contract }: CheckedPact): string {
  return `${consumer} → ${provider} (${[contract.title, contract.version].join(' ').trim()})`;
}
