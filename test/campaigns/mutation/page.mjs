/** docs/mutation.md: what became of every mutant that was tested so far, and what is to be said of those that nothing notices. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCompiler } from './compile.mjs';

/** Writes the page; the share of mutants that are noticed, as a percentage. */
export function writePage(root) {
  const report = JSON.parse(readFileSync(join(root, '.touchstone/stryker.json'), 'utf8'));
  const types = Object.values(report.testFiles ?? {})
    .flatMap(({ tests }) => tests)
    .find(({ name }) => name === 'the type checker')?.id;
  const judge = createVerdicts(root, types);
  const files = Object.entries(report.files)
    .map(([file, { source, mutants }]) => ({ file, mutants: mutants.map((mutant) => judge(file, source, mutant)).filter(Boolean) }))
    .filter(({ mutants }) => mutants.length > 0)
    .toSorted((left, right) => (left.file < right.file ? -1 : 1));
  judge.keep();
  const share = shareOf(files.flatMap(({ mutants }) => mutants));
  const untested = listMutated(root).filter((file) => !(file in report.files));
  writeFileSync(join(root, 'docs/mutation.md'), renderPage(files, untested));
  console.log(`${share.all} mutants, ${share.percent} % noticed`);
  return Number(share.percent);
}

/** The files that are mutated, as stryker.config.json says. */
function listMutated(root) {
  const laws = readdirSync(join(root, 'contracts/laws'), { recursive: true }).map((file) => `contracts/laws/${file.replaceAll('\\', '/')}`);
  return [...laws.filter((file) => /\/.+\/.+\/.+\.ts$/.test(file)), 'core/query.ts'].toSorted();
}

function shareOf(mutants) {
  const count = (verdict) => mutants.filter((each) => each.verdict === verdict).length;
  const [all, noticed, refused, same, open] = [mutants.length, count('noticed'), count('refused'), count('same'), count('open')];
  return { all, noticed, refused, same, open, percent: ((100 * (noticed + refused)) / Math.max(1, all)).toFixed(1) };
}

/** What is to be said of each mutant; mutants that no world comes by did not meet the type checker yet. It is noticed by a world, refused by the type checker, explained by hand, or open. */
function createVerdicts(root, types) {
  const reasons = JSON.parse(readFileSync(join(root, 'test/mutation/survivors.json'), 'utf8'));
  const cache = join(root, '.touchstone/types.json');
  const known = existsSync(cache) ? JSON.parse(readFileSync(cache, 'utf8')) : {};
  let compiles;
  const isRefused = (file, source, mutant) => {
    const place = JSON.stringify([file, source, mutant.location, mutant.replacement]);
    const key = createHash('sha256').update(place).digest('hex').slice(0, 16);
    compiles ??= createCompiler(join(root, 'tsconfig.json'));
    known[key] ??= !compiles(file, source, mutant);
    return known[key];
  };
  const judge = (file, source, mutant) => {
    const { status, killedBy = [] } = mutant;
    if (status === 'Killed' && killedBy.some((id) => id === types)) return { verdict: 'refused' };
    if (status === 'Killed' || status === 'Timeout') return { verdict: 'noticed' };
    if (status !== 'Survived' && status !== 'NoCoverage') return undefined;
    if (isRefused(file, source, mutant)) return { verdict: 'refused' };
    const change = describeChange(source, mutant);
    const found = reasons.find((each) => explains(each, file, change));
    return { verdict: found === undefined ? 'open' : 'same', ...change, reason: found?.reason, isMet: status === 'Survived' };
  };
  return Object.assign(judge, { keep: () => writeFileSync(cache, JSON.stringify(known)) });
}

/** A reason is about a file or a folder, a line, what stands there, and what stands there instead; what it does not name may be anything. */
function explains({ file = '', line = '', from, to }, path, change) {
  const isThere = path.startsWith(file) && change.text.includes(line);
  return isThere && (from === undefined || change.from === from) && (to === undefined || change.to === to);
}

function describeChange(source, { location: { start, end }, mutatorName, replacement }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const code = [...lines.slice(0, -1), lines.at(-1).slice(0, end.column - 1)].join('\n').slice(start.column - 1);
  const flat = (part) => part.replaceAll(/\s+/g, ' ').trim();
  return { text: lines[0], line: start.line, column: start.column, mutator: mutatorName, from: flat(code), to: flat(replacement) };
}

function renderPage(files, untested) {
  const { all, noticed, refused, same, open, percent } = shareOf(files.flatMap(({ mutants }) => mutants));
  const strict = ((100 * noticed) / Math.max(1, all - refused - same)).toFixed(1);
  const rows = files.map(({ file, mutants }) => {
    const own = shareOf(mutants);
    return `| ${file} | ${own.all} | ${own.noticed} | ${own.refused} | ${own.same} | ${own.open} | ${own.percent} |`;
  });
  return `# The judge judged

Generated by \`node test/night/mutation.mjs\`: every mutant of the laws and of \`core/query.ts\` (Stryker, texts left out) meets the exchanges of thousands of
servers that were written down: the mock as it is, with every kind of fault, with other answers to open questions, unwell, and with small mistakes that were
drawn by chance; a second server with little data and with data that changes; and contracts that say something else than the mock does. \`core/query.ts\` also answers lists that were
drawn by chance. A mutant is noticed when the verdict of some law, its evidence, its words or its requests change, or what such a list answers. What nothing
notices is then given to the type checker: a change that it refuses cannot be made by mistake.

${all} mutants: ${noticed} noticed by a world, ${refused} refused by the type checker, ${same} that make no difference, ${open} that nothing notices.
Noticed or refused: **${percent} %** of all. As Stryker counts, without those that do not compile and those that make no difference: ${strict} %.
${untested.length === 0 ? '' : `\nNot tested yet (and what stands beside these files in the same folder may be tested in part): ${untested.join(', ')}.\n`}
| file | mutants | noticed | refused | no difference | open | % |
|---|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

## What makes no difference

${renderSurvivors(files, 'same')}

## What nothing notices

${renderOpen(files)}
`;
}

/** Why mutants live, the first that applies: what kind of world would be needed to notice them. */
const causes = [
  {
    title: 'How much is asked or shown',
    why: 'They change how many examples are tried, or how many records or exchanges a report shows; what is judged stays as it is.',
    applies: ({ from, text }) => /\.slice\([^()]*(\([^()]*\))?[^()]*\)$/.test(from) || /\.slice\(.*\.length [*/] 2/.test(text),
  },
  {
    title: 'Why nothing is concluded',
    why: 'They change what is said of answers that nothing is concluded from: answers that failed, that were lost or that moved meanwhile.',
    applies: ({ text }) => /kind: '(obscured|moved)'|untestable:/.test(text),
  },
  {
    title: 'At the very boundary',
    why: 'They differ for a single number, and no world has exactly that.',
    applies: ({ from, to }) => boundary(from) === boundary(to) && /[<>]/.test(from) && from !== to,
  },
  {
    title: 'Conditions that every world answers alike',
    why: 'What the condition keeps out does not come in any world, or is judged the same when it is let in.',
    applies: ({ to, mutator }) =>
      ['true', 'false', '() => undefined'].includes(to) ||
      ['LogicalOperator', 'EqualityOperator', 'MethodExpression', 'BooleanLiteral'].includes(mutator),
  },
  { title: 'Other values', why: 'No world has data for which the other value gives another answer.', applies: () => true },
];

/** A comparison without what tells `<` from `<=`. */
function boundary(text) {
  return text.replaceAll(/([<>])=/g, '$1');
}

function renderOpen(files) {
  const causeOf = (mutant) => causes.findIndex(({ applies }) => applies(mutant));
  const parts = causes.map(({ title, why }, index) => {
    const own = files.map(({ file, mutants }) => ({
      file,
      mutants: mutants.filter((each) => each.verdict === 'open' && causeOf(each) === index),
    }));
    const count = own.reduce((sum, { mutants }) => sum + mutants.length, 0);
    return count === 0 ? '' : `### ${title}: ${count}\n\n${why}\n\n${renderSurvivors(own, 'open', '####')}`;
  });
  return parts.filter((part) => part !== '').join('\n\n') || 'None.';
}

function renderSurvivors(files, verdict, level = '###') {
  const parts = files.map(({ file, mutants }) => {
    const own = mutants.filter((each) => each.verdict === verdict);
    const lines = own.map(({ line, column, from, to, reason, isMet }) => {
      const change = `- ${line}:${column} ${code(from)} → ${code(to)}`;
      return `${change}${reason === undefined ? '' : `: ${reason}`}${isMet ? '' : ' (no world comes here)'}`;
    });
    return lines.length === 0 ? '' : `${level} ${file}\n\n${lines.join('\n')}`;
  });
  return parts.filter((part) => part !== '').join('\n\n') || 'None.';
}

function code(text) {
  const short = text.length > 90 ? `${text.slice(0, 88)} …` : text;
  const fence = short.includes('`') ? '``' : '`';
  return `${fence}${fence === '`' ? short : ` ${short} `}${fence}`;
}
