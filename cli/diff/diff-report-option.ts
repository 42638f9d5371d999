/** `--report` of `touchstone diff`: checked before the comparison and written after it, possibly one file for each compared contract. */

import path from 'node:path';
import { type SourceLocation, UsageError } from '../../core/errors.ts';
import type { ContractComparison } from '../../core/results/diff-result.ts';
import { contractName } from '../../core/shipped-files.ts';
import { renderChangelog } from '../../reports/diff/changelog.ts';
import { commentOfComparison } from '../../reports/diff/diff-comment.ts';
import { renderDiffJson } from '../../reports/diff/diff-json.ts';
import { reportOfComparison } from '../../reports/diff/diff-report.ts';
import { describeVersions } from '../../reports/diff/diff-sentences.ts';
import { renderMarkdown } from '../../reports/render-markdown.ts';
import type { Fact, JudgedReport } from '../../reports/report-model.ts';
import { pathFromRepositoryRoot } from '../relative-paths.ts';
import { formatsOf, type ReportFile, type ReportFormats, readReports, type WrittenReports, writeReports } from '../report-option.ts';
import { splitArgument } from './versioned-files.ts';

/** Facts that reports show beside the comparison. */
interface ReportDetails {
  /** URL of the repository's files, for a comment. */
  readonly link: string | undefined;
  /** Facts of the run, for HTML pages. */
  readonly facts: readonly Fact[];
}

/** Formats of a single comparison. The comments of several contracts have one changelog, at the end of the last one. */
function formatsFor(all: readonly ContractComparison[], link?: string): ReportFormats<ContractComparison> {
  return {
    ...formatsOf({ json: renderDiffJson, reportsOf: (comparison) => [pageOfComparison(comparison)] }),
    markdown: (comparison) =>
      renderMarkdown(
        commentOfComparison(comparison, { linkTo: (place) => linkTo(place, link), changelog: comparison === all.at(-1) ? all : [] }),
      ),
    changelog: (comparison) => (comparison === all.at(-1) ? renderChangelog(...all) : ''),
  };
}

/**
 * The report of an HTML page, which shows the counts beside its headline. Its annotations name a file without its commit, since code review tools look for it in
 * the commit under review.
 */
function pageOfComparison(comparison: ContractComparison): JudgedReport {
  const report = reportOfComparison(comparison);
  const annotations = report.annotations.map(({ place, ...annotation }) =>
    place === undefined ? annotation : { ...annotation, place: { ...place, file: splitArgument(place.file)?.[1] ?? place.file } },
  );
  return { ...report, headline: describeVersions(comparison), annotations };
}

/** URL of a line of the new contract. */
function linkTo({ file, line }: SourceLocation, link: string | undefined): string | undefined {
  const relativePath = pathFromRepositoryRoot(splitArgument(file)?.[1] ?? file);
  if (link === undefined || relativePath === undefined) return undefined;
  const encoded = relativePath.split(/[\\/]/).map((name) => encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29'));
  return `${link.replace(/\/$/, '')}/${encoded.join('/')}#L${line}`;
}

/** Separator between several contracts in one file; absent if a file can hold only one. */
const separators: Readonly<Record<string, string>> = { markdown: '\n', github: '', changelog: '\n' };

/** Names of the formats, in the order of the help. */
export const formatNames: readonly string[] = Object.keys(formatsFor([]));

/** A requested report file. */
interface ReportFileOfContract extends ReportFile {
  /** The contract to report on; `undefined` for all. */
  readonly contract: string | undefined;
}

/** The requested reports. */
interface RequestedReports {
  readonly files: readonly ReportFileOfContract[];
  /** Format for standard output in place of the summary. */
  readonly standard: string | undefined;
}

/**
 * Reads `--report FORMAT=FILE` and checks that each file can be written. With several contracts, a format for a single one gets a file for
 * each: `diff.json` becomes `diff.NAME.json`.
 * @throws {UsageError} for an unknown format, or a file that cannot be written.
 */
export function readDiffReports(values: readonly string[], contracts: readonly string[]): RequestedReports {
  const wanted = values.flatMap((value) => oneFilePerContract(value, contracts));
  const { files, standardFormat } = readReports(
    wanted.map(({ value }) => value),
    formatNames,
  );
  if (standardFormat !== undefined && contracts.length > 1 && separators[standardFormat] === undefined)
    throw new UsageError(
      `--report ${standardFormat}=- can hold one contract only, and ${contracts.length} are compared; write --report ${standardFormat}=FILE, or compare one contract`,
    );
  const inFiles = wanted.filter(({ value }) => !value.endsWith('=-'));
  return { files: files.map((file, index) => ({ ...file, contract: inFiles[index]?.contract })), standard: standardFormat };
}

/** Renders one or several comparisons in a format. */
export function renderDiff(format: string, comparisons: readonly ContractComparison[], { link, facts }: ReportDetails): string {
  const render = formatsFor(comparisons, link)[format];
  return comparisons
    .map((comparison) => render?.(comparison, facts) ?? '')
    .filter((text) => text !== '')
    .map((text) => (text.endsWith('\n') ? text : `${text}\n`))
    .join(separators[format] ?? '');
}

/** Writes the requested reports. `comparisons` are keyed by contract name. */
export function writeDiffReports(
  wanted: readonly ReportFileOfContract[],
  comparisons: ReadonlyMap<string, ContractComparison>,
  details: ReportDetails,
): WrittenReports {
  return writeReports(wanted, ({ format, file, contract }) => {
    const reported = [...comparisons].filter(([name]) => contract === undefined || name === contract).map(([, comparison]) => comparison);
    // The file may still hold an older report, so its user must know.
    if (contract !== undefined && reported.length === 0)
      throw new UsageError(`the report ${file} is not written, since its contract was not compared`);
    return renderDiff(format, reported, details);
  });
}

function oneFilePerContract(
  value: string,
  contracts: readonly string[],
): readonly { readonly value: string; readonly contract: string | undefined }[] {
  const mark = value.indexOf('=');
  const file = value.slice(mark + 1);
  const fitsInOneFile = contracts.length < 2 || mark < 0 || file === '' || file === '-' || separators[value.slice(0, mark)] !== undefined;
  if (fitsInOneFile) return [{ value, contract: undefined }];
  const { dir, name, ext } = path.parse(file);
  const names = contracts.map(contractName);
  return contracts.map((contract, index) => {
    // An overlay may have the name of the file that it extends.
    const isUnique = names.indexOf(names[index] ?? '') === names.lastIndexOf(names[index] ?? '');
    const own = isUnique ? names[index] : path.parse(contract).name;
    return { value: `${value.slice(0, mark)}=${path.join(dir, `${name}.${own ?? ''}${ext}`)}`, contract };
  });
}
