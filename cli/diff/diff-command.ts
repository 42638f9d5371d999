import { type Acceptance, explainAcceptances, readAcceptances, refuseFormerFingerprints } from '../../contracts/diff/acceptance.ts';
import { compareLoadedContracts } from '../../contracts/diff/compare-contracts.ts';
import type { LevelSetting } from '../../contracts/diff/level-settings.ts';
import { areSame, asContract, type LoadedContractPair, loadContractPair } from '../../contracts/diff/load-contract-pair.ts';
import { checkPacts } from '../../contracts/pact/check/check-pacts.ts';
import { today } from '../../contracts/system-clock.ts';
import { didYouMean } from '../../core/did-you-mean.ts';
import { type SourceLocation, SpecError, UsageError } from '../../core/errors.ts';
import type { StateMeanings } from '../../core/pact/interpret-state.ts';
import type { Pact } from '../../core/pact/pact.ts';
import { readPacts } from '../../core/pact/read-pacts.ts';
import {
  type Change,
  type ChangeLevel,
  type ChangeSide,
  type ChangeWitness,
  type ContractComparison,
  changeLevels,
} from '../../core/results/diff-result.ts';
import type { PactCheck } from '../../core/results/pact-check-result.ts';
import { reportOfComparison } from '../../reports/diff/diff-report.ts';
import { renderTerminal } from '../../reports/render-terminal.ts';
import type { Arguments, CommandBody, OptionSpec, Terminal } from '../command.ts';
import { strictOption, warnAbout } from '../open-contract.ts';
import { pactsOf } from '../pact/open-pacts.ts';
import { configOption, loadConfig, readStateMeanings } from '../read-config.ts';
import { readFileOrDefault } from '../read-named-file.ts';
import { reportOption } from '../report-option.ts';
import { beginRunFacts } from '../run-facts.ts';
import { addMockResponses } from './add-mock-responses.ts';
import { formatNames, readDiffReports, renderDiff, writeDiffReports } from './diff-report-option.ts';
import { type ContractPair, findContractPairs } from './find-contract-pairs.ts';
import { createDiskOrCommitFiles, type DiskOrCommitFiles, showError } from './versioned-files.ts';

/** Acceptance file without `--accept`, if it exists. */
const defaultAcceptanceFile = '.touchstone-accepted.yaml';

/** Options, in the order of the help. */
const diffOptions: readonly OptionSpec[] = [
  {
    name: 'fail-on',
    value: 'LEVEL',
    summary: `Exit with 1 if any change that is not accepted has this level or a more severe one: ${changeLevels.join(', ')}, or never. Default breaking.`,
  },
  reportOption(formatNames),
  {
    name: 'accept',
    value: 'FILE',
    summary: `File of accepted changes, each with a reason. Default ${defaultAcceptanceFile}, if it exists.`,
  },
  {
    name: 'pacts',
    value: 'FOLDER',
    repeatable: true,
    summary:
      'Folder or file with the pacts of consumers. Each change then names the interactions that it breaks; it may still break consumers that have no pact. Repeatable.',
  },
  {
    name: 'link',
    value: 'URL',
    summary:
      'Base URL of the files at the commit, such as https://github.com/OWNER/NAME/blob/SHA, so that the Markdown report links to the changed lines.',
  },
  strictOption,
  configOption,
];

/** `touchstone diff`: compares two versions of one or several contracts, and reports each change with its effect on clients. */
export const diffCommand: CommandBody = {
  description: [
    'Compares two versions of an OpenAPI file (3.0 or 3.1), and says whether each change breaks clients. Where possible, it shows this by a request or response that only one version allows. OLD and NEW are files, or REF:PATH for a file in a commit, relative to the current folder.',
    'With only a branch, compares every OpenAPI file below the current folder that has changed since HEAD diverged from the branch, or that refers to a changed file; or the contracts that the configuration lists. A..B compares two commits, and A...B compares B with the last commit that A and B share. Renamed files are followed. With several contracts, a report such as diff.json is written as diff.NAME.json for each.',
    'To accept a change, copy the entry that is printed after it into the --accept file, and add a reason. diff.levels in the configuration sets the level for a kind of change.',
  ],
  options: diffOptions,
  examples: [
    { line: 'touchstone diff old.yaml new.yaml', about: 'two files' },
    { line: 'touchstone diff main:api.yaml api.yaml', about: 'changes since the branch main' },
    {
      line: 'touchstone diff origin/main --report github=- --report markdown=diff.md',
      about: 'annotations at the changed lines, and a comment for the pull request',
    },
    { line: 'touchstone diff main --pacts pacts', about: 'also name the consumers that each change breaks' },
    { line: 'touchstone diff v1.0.0:api.yaml v2.0.0:api.yaml --fail-on never --report changelog=-', about: 'a changelog section' },
  ],
  run: runDiff,
};

/** The result of all comparisons. */
interface ComparisonRun {
  /** Comparisons by name of the contract. */
  readonly comparisons: ReadonlyMap<string, ContractComparison>;
  /** Errors of contracts that could not be compared. */
  readonly failures: readonly string[];
  /** True if the user interrupted the comparison. */
  readonly isInterrupted: boolean;
}

async function runDiff(args: Arguments, terminal: Terminal): Promise<number> {
  const finishFacts = beginRunFacts(args.line);
  const options = await readDiffOptions(args);
  const sources = createDiskOrCommitFiles();
  const { pairs, read, remarks } = await findContractPairs(args.positionals, sources, options.contracts);
  const reports = readDiffReports(
    args.lists['report'] ?? [],
    pairs.map(({ shown }) => shown),
  );
  for (const remark of remarks) terminal.error(`${remark}\n`);
  if (pairs.length === 0) {
    terminal.error(`Nothing was compared${reports.files.length > 0 ? ', and no report is written' : ''}.\n`);
    return 0;
  }
  const compared = await compareAll(pairs, options, { ...sources, read }, terminal);
  const comparisons = [...compared.comparisons.values()];
  const findings = comparisons.reduce((sum, comparison) => sum + countFindings(comparison, options.failOn), 0);
  const codeOfComparison = exitCodeOfDiff(findings, compared);
  const details = { link: options.link, facts: finishFacts(codeOfComparison) };
  const saved = writeDiffReports(reports.files, compared.comparisons, details);
  const failures = [...compared.failures, ...saved.failures];
  const code = codeOfComparison === 0 && failures.length > 0 ? 2 : codeOfComparison;
  if (reports.standard !== undefined) terminal.out(renderDiff(reports.standard, comparisons, details));
  else terminal.out([...renderSummaries(comparisons, terminal), renderEnd(saved.written, findings, options.failOn, code)].join('\n'));
  if (compared.isInterrupted) terminal.error(`Interrupted at contract ${comparisons.length} of ${pairs.length}.\n`);
  for (const failure of failures) terminal.error(`touchstone: ${failure}\n`);
  return code;
}

/** Findings win over an interruption and over contracts that could not be compared. */
function exitCodeOfDiff(findings: number, { isInterrupted, failures }: ComparisonRun): number {
  if (findings > 0) return 1;
  return isInterrupted ? 130 : failures.length > 0 ? 2 : 0;
}

/** Compares each pair. An error in one of several contracts must not hide the findings in others. */
async function compareAll(
  pairs: readonly ContractPair[],
  options: DiffOptions,
  sources: DiskOrCommitFiles,
  terminal: Terminal,
): Promise<ComparisonRun> {
  const comparisons = new Map<string, ContractComparison>();
  const failures: string[] = [];
  let isInterrupted = false;
  for (const pair of pairs) {
    if (isInterrupted) break;
    try {
      const versions = await loadContractPair(pair.old, pair.next, sources.read, { strict: options.strict });
      warnAbout(
        versions.map(({ document, contract = document }) => ({ document, setAside: contract.setAside, remarks: contract.remarks })),
        { error: (text) => terminal.error(sources.show(text)) },
      );
      // Before both files are read there is nothing to lose, so a signal ends the process at once.
      const interrupted = terminal.interrupted.then(() => {
        isInterrupted = true;
      });
      comparisons.set(
        pair.shown,
        await compareOne(pair, versions, { ...options, interrupted, isOnlyContract: pairs.length === 1 }, sources, terminal),
      );
    } catch (error) {
      const shownError = showError(error, sources.show);
      const isMistake = shownError instanceof SpecError || shownError instanceof UsageError;
      if (pairs.length === 1 || !isMistake) throw shownError;
      failures.push(shownError.message);
    }
  }
  refuseFormerFingerprints(options.acceptances, [...comparisons.values()]);
  // The contracts may share the acceptance file, so its unused entries are explained once.
  const [first, ...others] = comparisons;
  if (first === undefined) return { comparisons, failures, isInterrupted };
  const [name, comparison] = first;
  const notes = [...explainAcceptances(options.acceptances, [...comparisons.values()], today()), ...comparison.notes];
  return { comparisons: new Map([[name, { ...comparison, notes }], ...others]), failures, isInterrupted };
}

/** Compares one pair. Acceptances expire by the current day in UTC. */
async function compareOne(
  pair: ContractPair,
  versions: LoadedContractPair,
  options: DiffOptions & { readonly interrupted: Promise<void>; readonly isOnlyContract: boolean },
  sources: DiskOrCommitFiles,
  terminal: Terminal,
): Promise<ContractComparison> {
  const { acceptances, levels, interrupted } = options;
  const isRewritable = terminal.columns !== undefined;
  if (isRewritable) terminal.error(`Comparing ${sources.show(pair.old)} with ${sources.show(pair.next)} …`);
  try {
    const { notes, ...checked } = await checkConsumers(versions, options);
    const comparison = await compareLoadedContracts(versions, { acceptances, levels, interrupted, ...checked });
    const answered = await addMockResponses(comparison, versions);
    return showComparison({ ...answered, notes: [...answered.notes, ...notes] }, sources.show);
  } finally {
    if (isRewritable) terminal.error('\r\u001b[K');
  }
}

/** Checks the pacts of the contract against both versions, if there are any and something changed. */
async function checkConsumers(
  [before, after]: LoadedContractPair,
  { pacts, states, isOnlyContract }: DiffOptions & { readonly isOnlyContract: boolean },
): Promise<{ readonly pacts?: PactCheck; readonly notes: readonly string[] }> {
  if (pacts.length === 0 || areSame(before.document, after.document)) return { notes: [] };
  const [old, contract] = [asContract(before), asContract(after)];
  const own = pactsOf(contract, pacts, isOnlyContract);
  if (own.length === 0) {
    const providers = [...new Set(pacts.map(({ provider }) => provider))].join(', ');
    return {
      notes: [`No pact has the provider ${contract.name} or ${contract.title}, so no consumer is known; the providers are ${providers}.`],
    };
  }
  return { pacts: await checkPacts({ pairs: own.map((pact) => ({ pact, contract, old })), states }), notes: [] };
}

function renderSummaries(comparisons: readonly ContractComparison[], { decorated }: Terminal): readonly string[] {
  const texts = comparisons.map((comparison) => renderTerminal(reportOfComparison(comparison), { decorated }));
  return texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`));
}

function renderEnd(written: readonly string[], findings: number, failOn: DiffOptions['failOn'], code: number): string {
  const counted =
    findings === 0 ? 'no change fails the run' : findings === 1 ? '1 change fails the run' : `${findings} changes fail the run`;
  const files = written.length === 0 ? '' : `Written: ${written.join(', ')}.\n`;
  return `${files}With --fail-on ${failOn}, ${counted}. Exit code ${code}.\n`;
}

/** A comparison with file names as users write them (`REF:path`). Values stay unchanged. */
function showComparison(comparison: ContractComparison, show: (text: string) => string): ContractComparison {
  const showSide = (side: ChangeSide): ChangeSide => ({ ...side, place: showPlace(side.place, show) });
  const showWitness = (witness: ChangeWitness): ChangeWitness => ({ ...witness, place: witness.place && showPlace(witness.place, show) });
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
    notCompared: comparison.notCompared.map((each) => ({ ...each, place: showPlace(each.place, show) })),
    notes: comparison.notes.map(show),
  };
}

function showPlace(place: SourceLocation, show: (text: string) => string): SourceLocation {
  return { ...place, file: show(place.file) };
}

/** Parsed options. */
interface DiffOptions {
  /** True to refuse mistakes in the new file. */
  readonly strict: boolean;
  /** The least severe level that counts as a finding; `never` for none. */
  readonly failOn: ChangeLevel | 'never';
  readonly acceptances: readonly Acceptance[];
  readonly levels: readonly LevelSetting[];
  /** Contracts of the configuration. */
  readonly contracts: readonly string[];
  /** URL of the repository's files. */
  readonly link: string | undefined;
  /** Pacts of known consumers. */
  readonly pacts: readonly Pact[];
  /** Meanings of their provider states. */
  readonly states: StateMeanings;
}

/**
 * Reads all options except the reports.
 * @throws {UsageError} for an unknown level, or a file that cannot be read.
 * @throws {SpecError} for a mistake in the acceptance file or the configuration.
 */
async function readDiffOptions(args: Arguments): Promise<DiffOptions> {
  const { accept, config, 'fail-on': failOn = 'breaking' } = args.values;
  const folders = args.lists['pacts'] ?? [];
  const settings = await loadConfig(config);
  return {
    strict: args.switches.has('strict'),
    link: readLink(args.values['link']),
    failOn: readLevel(failOn),
    acceptances: await readAccepted(accept),
    levels: settings?.levels ?? [],
    contracts: settings?.contracts ?? [],
    ...(folders.length === 0 ? { pacts: [], states: {} } : { ...(await readPacts(folders)), states: await readStateMeanings(config) }),
  };
}

/** Number of changes that are findings. */
function countFindings({ count }: ContractComparison, failOn: DiffOptions['failOn']): number {
  if (failOn === 'never') return 0;
  return changeLevels.slice(0, changeLevels.indexOf(failOn) + 1).reduce((sum, level) => sum + count[level], 0);
}

function readLevel(text: string): ChangeLevel | 'never' {
  const levels = [...changeLevels, 'never'] as const;
  const level = levels.find((each) => each === text);
  if (level !== undefined) return level;
  throw new UsageError(`--fail-on ${text} is not a level; ${didYouMean(text, levels, `the levels are ${levels.join(', ')}`)}`);
}

function readLink(text: string | undefined): string | undefined {
  if (text === undefined || /^https?:\/\/[^\s()<>]+$/.test(text)) return text;
  throw new UsageError(`--link ${text} is not a URL; write one such as https://github.com/OWNER/NAME/blob/SHA`);
}

async function readAccepted(named: string | undefined): Promise<readonly Acceptance[]> {
  const kind = { noun: 'the acceptance file', advice: 'name a YAML file that lists accepted changes' };
  const text = readFileOrDefault(named, defaultAcceptanceFile, kind);
  return text === undefined ? [] : readAcceptances(named ?? defaultAcceptanceFile, text);
}
