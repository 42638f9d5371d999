/** What a check of pacts found: as a report for people, and as items for programs. */

import { printPlace } from '../core/errors.ts';
import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding, PactGrade } from '../core/pact/check-result.ts';
import { clip, focus } from './excerpt.ts';
import { count } from './layout.ts';
import { type Block, code, type Entry, faint, type Item, type ItemList, type Report, type Section } from './model.ts';

/** So many interactions with findings a terminal shows in full. */
const fullInteractions = 60;
const manyLines = 100;
const witnessMax = 400;

/** The report of a check. */
export function reportOfCheck(check: PactCheck): Report {
  const { pacts, skipped, count: counts } = check;
  const tone = counts.impossible > 0 ? 'bad' : counts.notGuaranteed > 0 ? 'doubtful' : 'good';
  const wrong = pacts.flatMap((pact) =>
    pact.interactions.filter(({ findings }) => findings.length > 0).map((interaction) => entryOf(interaction, describePact(pact))),
  );
  const lines = { full: 0, lines: manyLines, open: false } as const;
  const others = pacts.flatMap((pact) => [
    ...pact.others.map(({ description, type }) => lineOf(description, `not judged (${type})`)),
    ...pact.interactions.flatMap(({ description, remarks }) =>
      remarks.map(({ message, place }) => lineOf(description, `${message} (${printPlace(place)})`)),
    ),
  ]);
  const left = skipped.map(({ file, reason }) => lineOf(file, reason));
  return {
    subject: 'Pacts',
    headline: { text: describeCheck(check), as: tone },
    verdict: describeCheck(check),
    tone,
    lead: [],
    facts: [],
    sections: [
      { id: 'pacts', title: 'Pacts', tone: 'neutral', entries: [], blocks: tableOf(pacts), full: 0, lines: 0, open: true },
      { id: 'findings', title: 'Findings', tone, entries: wrong, full: fullInteractions, lines: 0, open: true },
      { id: 'others', title: 'Not judged', tone: 'neutral', entries: others, ...lines },
      { id: 'skipped', title: 'Not checked', tone: 'neutral', entries: left, ...lines },
    ] satisfies readonly Section[],
    end: [],
  };
}

function lineOf(name: string, line: string): Entry {
  return { name, line, title: '', tone: 'neutral', blocks: [] };
}

function tableOf(pacts: readonly CheckedPact[]): readonly Block[] {
  const rows = pacts.map((pact) => {
    const findings = pact.interactions.flatMap((interaction) => interaction.findings);
    const graded = (grade: PactGrade): number => findings.filter((each) => each.grade === grade).length;
    const good = pact.interactions.filter((interaction) => interaction.findings.length === 0).length;
    const held = `${good} of ${count(pact.interactions.length, 'interaction')} hold`;
    return {
      cells: [
        describePact(pact),
        code(`${pact.file} against ${pact.contract.file}`),
        held,
        `${graded('impossible')} impossible`,
        `${graded('not-guaranteed')} not guaranteed`,
      ],
    };
  });
  return [{ kind: 'table', columns: ['Pact', 'Files', 'Interactions', 'Impossible', 'Unpromised'], rows }];
}

function entryOf({ description, states, request, status, isPending, findings }: CheckedInteraction, group: string): Entry {
  const given = states.length === 0 ? '' : `, given ${states.map((name) => `"${name}"`).join(' and ')}`;
  return {
    name: [{ text: description, as: 'strong' }, given, isPending ? ', pending' : ''],
    title: `${request} → ${status}`,
    tone: findings.some(({ grade }) => grade === 'impossible') ? 'bad' : 'doubtful',
    line: findings[0]?.message ?? '',
    blocks: findings.map((finding) => ({
      kind: 'facts',
      facts: [
        [finding.grade, [finding.message, faint(` (${finding.id})`)]],
        ['pact', code(printPlace(finding.place))],
        ...(finding.clause === undefined ? [] : [['contract', code(printPlace(finding.clause))] as const]),
        ...(finding.question === undefined ? [] : [['open', describeQuestion(finding.question)] as const]),
        ...(finding.witness === undefined ? [] : [['allowed', code(describeWitness(finding.witness))] as const]),
      ],
    })),
    group,
  };
}

/** A check as items: each interaction is a test, and each finding an annotation. */
export function itemsOfCheck(check: PactCheck): ItemList {
  return {
    command: 'touchstone pact check',
    items: check.pacts.flatMap((pact) => pact.interactions.map((interaction) => itemOf(pact, interaction))),
    about: [describeCheck(check), ...check.skipped.map(({ file, reason }) => `not checked: ${file}: ${reason}`)],
    annotations: [
      ...check.pacts.flatMap((pact) => pact.interactions.flatMap((interaction) => annotate(pact, interaction))),
      ...check.skipped.map(({ file, reason }) => ({ level: 'notice', title: 'Not checked', lines: [`${file}: ${reason}`] }) as const),
      { level: 'notice', title: 'Pacts', lines: [describeCheck(check)] },
    ],
  };
}

/** Each finding stands at its own line. */
function annotate({ consumer }: CheckedPact, { description, findings, isPending }: CheckedInteraction): ItemList['annotations'] {
  return findings.map((finding) => ({
    level: isPending ? 'notice' : finding.grade === 'impossible' ? 'error' : 'warning',
    title: `${consumer}: ${description}`,
    lines: [finding.message, ...detailsOf(finding)],
    place: finding.place,
  }));
}

/** An interaction with findings fails, and one that is pending is skipped then. */
function itemOf({ consumer, provider }: CheckedPact, { description, states, place, findings, isPending }: CheckedInteraction): Item {
  const [first] = findings;
  return {
    suite: `${consumer} of ${provider}`,
    className: `${consumer}.${provider}`,
    // Descriptions are told apart by their states, as in Pact itself.
    name: states.length === 0 ? description : `${description} (given ${states.join(', ')})`,
    place,
    state: first === undefined ? 'passed' : isPending ? 'skipped' : 'failed',
    message: first?.message ?? '',
    ...(first === undefined ? {} : { type: first.id }),
    details: findings.flatMap((finding) => [finding.message, ...detailsOf(finding).map((each) => `  ${each}`)]),
  };
}

function detailsOf({ grade, id, place, clause, question, witness }: PactFinding): readonly string[] {
  return [
    `${grade} (${id}): ${gradeMeanings[grade]}`,
    `pact: ${printPlace(place)}`,
    ...(clause === undefined ? [] : [`contract: ${printPlace(clause)}`]),
    ...(question === undefined ? [] : [`open ${describeQuestion(question)} ${printPlace(question.place)}`]),
    ...(witness === undefined ? [] : [`an allowed answer: ${describeWitness(witness)}`]),
  ];
}

/** An answer that shows a finding, in one line, as far as it is about it. */
function describeWitness({ value, pointer }: NonNullable<PactFinding['witness']>): string {
  return clip(JSON.stringify(focus(value, pointer)), witnessMax);
}

function describeQuestion({ id, source, question }: NonNullable<PactFinding['question']>): string {
  return `question ${id} (${source}): ${question}`;
}

/** The headline: what was checked, and what came of it. */
function describeCheck({ pacts, count: counts }: PactCheck): string {
  const what = `${count(counts.interactions, 'interaction')} of ${count(pacts.length, 'pact')}`;
  const found = counts.impossible + counts.notGuaranteed;
  const rest = counts.pending === 0 ? '' : `; ${count(counts.pending, 'finding')} in what is pending`;
  if (found === 0) return `${what}: everything that is expected is promised${rest}`;
  const parts = [
    ...(counts.impossible === 0 ? [] : [`${counts.impossible} impossible`]),
    ...(counts.notGuaranteed === 0 ? [] : [`${counts.notGuaranteed} not guaranteed`]),
  ];
  return `${what}, ${counts.wrong} with findings: ${parts.join(', ')}${rest}`;
}

/** A pact by those who made it. */
function describePact({ consumer, provider, contract }: CheckedPact): string {
  return `${consumer} → ${provider} (${[contract.title, contract.version].join(' ').trim()})`;
}

/** What each grade means. */
const gradeMeanings: Readonly<Record<PactGrade, string>> = {
  impossible: 'no answer that the contract allows meets it',
  'not-guaranteed': 'some answers that the contract allows do not meet it',
};
