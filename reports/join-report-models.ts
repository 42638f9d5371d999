/** Joins the reports of several runs, such as those of two contracts, into one. It joins what is shown, not results. */

import {
  type Block,
  type Entry,
  type Fact,
  type FilledSection,
  fillSection,
  plain,
  type Report,
  type Section,
  type Tone,
} from './report-model.ts';

const tonesByWeight: readonly Tone[] = ['bad', 'doubtful', 'good', 'neutral'];

/** Joins reports. Sections of one kind become one section, whose entries are grouped by the subject of their report. */
export function joinReports(reports: readonly Report[]): Report {
  const [first, ...others] = reports;
  if (first === undefined) throw new TypeError('there is no report to join');
  if (others.length === 0) return first;
  const worstFirst = reports.toSorted((left, right) => tonesByWeight.indexOf(left.tone) - tonesByWeight.indexOf(right.tone));
  const facts = reports.flatMap((report) => (report.facts ?? []).map((fact) => nameFact(fact, report, reports)));
  const factTexts = facts.map(([label, text]) => `${label}: ${plain(text)}`);
  return {
    subject: reports.map(({ subject }) => subject).join(', '),
    headline: { text: `${reports.length} runs: ${reports.map(({ subject }) => subject).join(', ')}`, as: 'strong' },
    verdict: worstFirst.map(({ subject, verdict }) => verdict.replace(': ', `: ${subject}, `)).join('; '),
    tone: worstFirst[0]?.tone ?? first.tone,
    shares: joinShares(reports),
    lead: reports.flatMap(({ headline, lead = [] }) => [headline, ...lead]),
    facts: facts.filter((_, index) => factTexts.indexOf(factTexts[index] ?? '') === index),
    sections: joinSections(reports),
    end: reports.flatMap(({ subject, end = [] }) => end.map((text) => [`${subject}: `, ...[text].flat()])),
  };
}

/** Puts the subject before the label of a fact, unless all reports have the same fact. */
function nameFact([label, text]: Fact, { subject }: Report, reports: readonly Report[]): Fact {
  const isShared = reports.every(({ facts = [] }) => facts.some((each) => each[0] === label && plain(each[1]) === plain(text)));
  return [isShared ? label : `${label} (${subject})`, text];
}

function joinShares(reports: readonly Report[]): NonNullable<Report['shares']> {
  const shares = reports.flatMap((report) => report.shares ?? []);
  const words = [...new Map(shares.map((share) => [share.word, share])).values()];
  return words.map((share) => ({
    ...share,
    number: shares.reduce((sum, { word, number }) => sum + (word === share.word ? number : 0), 0),
  }));
}

function joinSections(reports: readonly Report[]): readonly Section[] {
  const sectionsBySubject = reports.flatMap(({ subject, sections }) =>
    sections.map((section) => ({ subject, section: fillSection(section) })),
  );
  return [...new Map(sectionsBySubject.map(({ section }) => [section.id, section])).values()].map((sample) => {
    const sameSections = sectionsBySubject.filter(({ section }) => section.id === sample.id);
    return {
      ...sample,
      entries: sameSections.flatMap(({ subject, section }) => section.entries.map((entry): Entry => ({ group: subject, ...entry }))),
      blocks: joinBlocks(sameSections),
      open: sameSections.some(({ section }) => section.open),
      isDetail: sameSections.some(({ section }) => section.isDetail),
    };
  });
}

/** Tables with filters become one table, filtered by subject too. Any other block follows the subject of its report. */
function joinBlocks(sectionsBySubject: readonly { readonly subject: string; readonly section: FilledSection }[]): readonly Block[] {
  const tables = sectionsBySubject.flatMap(({ subject, section: { blocks } }) =>
    blocks.flatMap((block) => (block.kind === 'table' && block.find === true ? [{ subject, block }] : [])),
  );
  const [table] = tables;
  const otherBlocks = sectionsBySubject.flatMap(({ subject, section: { blocks } }): readonly Block[] => {
    const ownBlocks = blocks.filter((block) => block.kind !== 'table' || block.find !== true);
    return ownBlocks.length === 0 ? [] : [{ kind: 'paragraph', text: { text: subject, as: 'strong' } }, ...ownBlocks];
  });
  const rows = tables.flatMap(({ subject, block }) =>
    block.rows.map((row) => ({ ...row, labels: [['Contract', subject] as const, ...(row.labels ?? [])] })),
  );
  return [...otherBlocks, ...(table === undefined ? [] : [{ ...table.block, rows }])];
}
