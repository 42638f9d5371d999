/** `touchstone diff`: compares two versions of a contract, and tells what the change breaks. */

import { type Acceptance, fits, readAcceptances } from '../contracts/diff/acceptance.ts';
import { compareSides, openSide, type Side } from '../contracts/diff/compare.ts';
import { type Change, type Side as ChangeSide, type ContractComparison, type Level, levels, type Witness } from '../core/change.ts';
import { nearest, type Place, printPlace, SpecError, UsageError } from '../core/errors.ts';
import { readTextFileNow } from '../core/text-file.ts';
import { reportOfComparison } from '../reports/diff.ts';
import { renderTerminal } from '../reports/terminal.ts';
import type { Arguments, Command, OptionSpec, Terminal } from './command.ts';
import { formatNames, readDiffReports, renderDiff, writeDiffReports } from './diff-report.ts';
import { createSources, findPairs, type Pair, type Sources, showError } from './diff-source.ts';

/** The file of accepted changes that is read when it exists and no other is named. */
const usualFile = '.touchstone-accepted.yaml';

/** The options, in the order of the help. */
const diffOptions: readonly OptionSpec[] = [
  {
    name: 'fail-on',
    value: 'LEVEL',
    summary: `Exit with 1 when a change that is not accepted has this level or a graver one: ${levels.join(', ')}, or never. Default breaking.`,
  },
  {
    name: 'report',
    value: 'FORMAT=FILE',
    repeatable: true,
    summary: `Write a report: ${formatNames.join(', ')}. The file - is standard output, in place of the summary. May be given several times.`,
  },
  {
    name: 'accept',
    value: 'FILE',
    summary: `Changes that may pass, each with its reason. Default ${usualFile} in the current folder, when there is one.`,
  },
];
/** The command. */
export const diffCommand: Command = {
  name: 'diff',
  positionals: 'OLD [NEW]',
  summary: 'Tell what a change of a contract breaks.',
  description: [
    'Compares two versions of an OpenAPI file, 3.0 or 3.1, and tells of each change whether it breaks those who rely on the old one: with the lines of both files and, where there is one, an exchange that the one allows and the other refuses. OLD and NEW are files, or REF:PATH for a file as it stands in a commit; both paths begin in the current folder.',
    'With a commit alone, every specs/*.openapi.yaml of the current folder is compared with its version in that commit. Where these are several, a report in a format that holds only one goes to a file for each: diff.json becomes diff.NAME.json.',
    'A change may be accepted: a YAML file lists, under accepted, entries with an id, a reason, at least one of operation, location (both may hold *) and fingerprint, and optionally expires, the last day on which it is accepted. specs/diff-acceptances.schema.json describes it, and specs/diff-report.schema.json the report in JSON.',
  ],
  options: diffOptions,
  examples: [
    { line: 'touchstone diff old.yaml new.yaml', about: 'two files' },
    { line: 'touchstone diff main:api.yaml api.yaml', about: 'what has changed since the branch main' },
    {
      line: 'touchstone diff origin/main --report github=- --report markdown=diff.md',
      about: 'notes at the changed lines, and a comment for the pull request',
    },
    { line: 'touchstone diff v1.0.0:api.yaml v2.0.0:api.yaml --fail-on never --report changelog=-', about: 'what to tell in a changelog' },
  ],
  run: runDiff,
};

/** What came of comparing. */
interface Compared {
  /** By the name of the contract. */
  readonly comparisons: ReadonlyMap<string, ContractComparison>;
  /** Why other contracts could not be compared. */
  readonly failures: readonly string[];
  /** Whether the user stopped it before everything was compared. */
  readonly isInterrupted: boolean;
}

async function runDiff(given: Arguments, terminal: Terminal): Promise<number> {
  const options = readDiffOptions(given);
  const sources = createSources();
  const { pairs, read, remarks } = await findPairs(given.positionals, sources);
  const reports = readDiffReports(
    given.lists['report'] ?? [],
    pairs.map(({ shown }) => shown),
  );
  for (const remark of remarks) terminal.error(`${remark}\n`);
  if (pairs.length === 0) {
    terminal.error(`Nothing was compared${reports.files.length > 0 ? ', and no report is written' : ''}.\n`);
    return 0;
  }
  const compared = await compareAll(pairs, options, { ...sources, read }, terminal);
  const comparisons = [...compared.comparisons.values()];
  const saved = writeDiffReports(reports.files, compared.comparisons);
  const failures = [...compared.failures, ...saved.failures];
  const findings = comparisons.reduce((sum, comparison) => sum + countFindings(comparison, options.failOn), 0);
  const code = findings > 0 ? 1 : compared.isInterrupted ? 130 : failures.length > 0 ? 2 : 0;
  if (reports.standard !== undefined) terminal.out(renderDiff(reports.standard, comparisons));
  else terminal.out([...renderSummaries(comparisons, terminal), renderEnd(saved.written, findings, options.failOn, code)].join('\n'));
  if (compared.isInterrupted) terminal.error(`Interrupted in contract ${comparisons.length} of ${pairs.length}.\n`);
  for (const failure of failures) terminal.error(`touchstone: ${failure}\n`);
  return code;
}

/** Compares each pair. A mistake in one of several contracts must not hide what is found in the others. */
async function compareAll(pairs: readonly Pair[], options: DiffOptions, sources: Sources, terminal: Terminal): Promise<Compared> {
  const found = new Map<string, ContractComparison>();
  const failures: string[] = [];
  let isInterrupted = false;
  for (const pair of pairs) {
    if (isInterrupted) break;
    try {
      const [old, next] = [await openSide(pair.old, sources.read), await openSide(pair.next, sources.read)];
      // Until both files are read nothing is lost, and a signal ends the process by itself.
      const interrupted = terminal.interrupted.then(() => {
        isInterrupted = true;
      });
      found.set(pair.shown, await compareOne(pair, [old, next], { ...options, interrupted }, sources, terminal));
    } catch (error) {
      const shown = showError(error, sources.show);
      const isMistake = shown instanceof SpecError || shown instanceof UsageError;
      if (pairs.length === 1 || !isMistake) throw shown;
      failures.push(shown.message);
    }
  }
  return { comparisons: settleNotes(found, options.acceptances), failures, isInterrupted };
}

/** The clock is read here and nowhere below: whether an acceptance has expired is decided by the day in UTC. */
async function compareOne(
  pair: Pair,
  [old, next]: readonly [Side, Side],
  { acceptances, interrupted }: DiffOptions & { readonly interrupted: Promise<void> },
  sources: Sources,
  terminal: Terminal,
): Promise<ContractComparison> {
  const today = new Date().toISOString().slice(0, 10);
  const isRewritable = terminal.columns !== undefined;
  if (isRewritable) terminal.error(`Comparing ${sources.show(pair.old)} with ${sources.show(pair.next)} …`);
  try {
    return showComparison(await compareSides(old, next, { today, acceptances, interrupted }), sources.show);
  } finally {
    if (isRewritable) terminal.error('\r\u001b[K');
  }
}

function renderSummaries(comparisons: readonly ContractComparison[], { decorated }: Terminal): readonly string[] {
  const texts = comparisons.map((comparison) => renderTerminal(reportOfComparison(comparison), { decorated }));
  return texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`));
}

function renderEnd(written: readonly string[], findings: number, failOn: DiffOptions['failOn'], code: number): string {
  const counted = findings === 0 ? 'no change counts' : findings === 1 ? '1 change counts' : `${findings} changes count`;
  const files = written.length === 0 ? '' : `Written: ${written.join(', ')}.\n`;
  return `${files}With --fail-on ${failOn}, ${counted}. Exit code ${code}.\n`;
}

/** A comparison with the names of files as they are shown. Values of the contracts stay as they are. */
function showComparison(comparison: ContractComparison, show: (text: string) => string): ContractComparison {
  const showSide = (side: ChangeSide): ChangeSide => ({ ...side, place: showPlace(side.place, show) });
  const showWitness = (witness: Witness): Witness => ({ ...witness, place: witness.place && showPlace(witness.place, show) });
  const showChange = (change: Change): Change => ({
    ...change,
    before: showSide(change.before),
    after: showSide(change.after),
    witness: change.witness && showWitness(change.witness),
  });
  return {
    ...comparison,
    old: { ...comparison.old, file: show(comparison.old.file) },
    new: { ...comparison.new, file: show(comparison.new.file) },
    changes: comparison.changes.map(showChange),
    accepted: comparison.accepted.map((each) => ({ ...each, change: showChange(each.change) })),
    notes: comparison.notes.map(show),
  };
}

/**
 * Comparisons of several contracts, by name, that were made with one list of acceptances: one that fits a change of one contract needs no note at the
 * others, and one that fits nothing needs a single note.
 */
function settleNotes(
  comparisons: ReadonlyMap<string, ContractComparison>,
  acceptances: readonly Acceptance[],
): ReadonlyMap<string, ContractComparison> {
  const all = [...comparisons.values()];
  const settle = (comparison: ContractComparison): ContractComparison => {
    const isElsewhere = (acceptance: Acceptance): boolean =>
      !fitsAny(acceptance, comparison) && (comparison !== all[0] || all.some((other) => fitsAny(acceptance, other)));
    const starts = acceptances.filter(isElsewhere).map(({ place }) => `${printPlace(place)}: `);
    return { ...comparison, notes: comparison.notes.filter((note) => !starts.some((start) => note.startsWith(start))) };
  };
  return new Map([...comparisons].map(([name, comparison]) => [name, settle(comparison)]));
}

function fitsAny(acceptance: Acceptance, { changes, accepted }: ContractComparison): boolean {
  return [...changes, ...accepted.map(({ change }) => change)].some((change) => fits(acceptance, change));
}

function showPlace(place: Place, show: (text: string) => string): Place {
  return { ...place, file: show(place.file) };
}

/** Options that have been read. */
interface DiffOptions {
  /** The mildest level that counts as a finding; `never` when none does. */
  readonly failOn: Level | 'never';
  readonly acceptances: readonly Acceptance[];
}

/**
 * Reads the options, but for the reports.
 * @throws {UsageError} for a level that does not exist, or a file that cannot be read.
 * @throws {SpecError} for a mistake in the file of accepted changes.
 */
function readDiffOptions(given: Arguments): DiffOptions {
  return { failOn: readLevel(given.values['fail-on'] ?? 'breaking'), acceptances: readAccepted(given.values['accept']) };
}

/** How many changes, of those that nobody accepted, count as findings. */
function countFindings({ count }: ContractComparison, failOn: DiffOptions['failOn']): number {
  if (failOn === 'never') return 0;
  return levels.slice(0, levels.indexOf(failOn) + 1).reduce((sum, level) => sum + count[level], 0);
}

function readLevel(text: string): Level | 'never' {
  const known = [...levels, 'never'] as const;
  const level = known.find((each) => each === text);
  if (level !== undefined) return level;
  const meant = nearest(text, known);
  throw new UsageError(`--fail-on ${text} is no level; ${meant === undefined ? `levels are ${known.join(', ')}` : `is ${meant} meant?`}`);
}

function readAccepted(named: string | undefined): readonly Acceptance[] {
  const file = named ?? usualFile;
  try {
    return readAcceptances(file, readTextFileNow(file));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    // Nobody asked for the usual file, so it may be missing; one that is there and cannot be read would be missed.
    if (named === undefined && code === 'ENOENT') return [];
    throw new UsageError(`the accepted changes in ${file} cannot be read (${code}); name a YAML file that lists them`, { cause: error });
  }
}
