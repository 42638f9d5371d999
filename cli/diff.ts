/** `touchstone diff`: compares two versions of a contract, and tells what the change breaks. */

import { compareSides, openSide, type Side } from '../contracts/diff/compare.ts';
import type { ContractComparison } from '../core/change.ts';
import { SpecError, UsageError } from '../core/errors.ts';
import { renderDiffTerminal } from '../reports/diff/terminal.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { settleNotes, showComparison } from './diff-names.ts';
import { countFindings, type DiffOptions, diffOptions, readDiffOptions } from './diff-options.ts';
import { findPairs, type Pair } from './diff-pairs.ts';
import { readDiffReports, renderDiff, writeDiffReports } from './diff-report.ts';
import { createSources, type Sources, showError } from './diff-source.ts';

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
  const texts = comparisons.map((comparison) => renderDiffTerminal(comparison, { decorated }));
  return texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`));
}

function renderEnd(written: readonly string[], findings: number, failOn: DiffOptions['failOn'], code: number): string {
  const counted = findings === 0 ? 'no change counts' : findings === 1 ? '1 change counts' : `${findings} changes count`;
  const files = written.length === 0 ? '' : `Written: ${written.join(', ')}.\n`;
  return `${files}With --fail-on ${failOn}, ${counted}. Exit code ${code}.\n`;
}
