/**
 * A comparison from two files to its result: the differences, their merging with the search for witnesses, set levels, acceptances. Sends and prints
 * nothing.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { objectOrEmpty } from '../../core/json.ts';
import type { Document, ReadText } from '../../core/openapi/document.ts';
import { createDocument, rawOf } from '../../core/openapi/raw-document.ts';
import type { ChangeLevel, ComparedContract, ContractComparison, FullSchemaSearches, NotCompared } from '../../core/results/diff-result.ts';
import type { PactCheck } from '../../core/results/pact-check-result.ts';
import { today } from '../system-clock.ts';
import { type Acceptance, type AcceptanceResult, applyAcceptances, explainAcceptances, refuseFormerFingerprints } from './acceptance.ts';
import { adviseVersion } from './advise-version.ts';
import { listConsumers } from './affected-consumers.ts';
import { compareAnnotations } from './annotations/compare-annotations.ts';
import { compareRoots, findRenamedComponents } from './compare-document-roots.ts';
import { withContractPlaces } from './component-places.ts';
import type { Difference } from './difference.ts';
import { applyLevels, type LevelSetting } from './level-settings.ts';
import { areSame, type LoadedContract, type LoadedContractPair, loadContractPair, operationReader } from './load-contract-pair.ts';
import { mergeDifferences } from './merge-differences.ts';
import { compareOperations } from './operations/compare-operations.ts';
import { findMovedBase } from './operations/server-paths.ts';
import { KeywordComparer } from './schemas/compare-all-keywords.ts';
import { WitnessExchanges } from './witnesses/build-witness-exchange.ts';
import { SchemaWitnessSearch } from './witnesses/schema-witness-search.ts';

/** Options of a comparison. */
export interface CompareOptions {
  /** Today as `2026-12-31`, for announced removals and expiring acceptances; the current day in UTC by default. */
  readonly today?: string;
  /** Accepted changes, from `readAcceptances`; none by default. */
  readonly acceptances?: readonly Acceptance[];
  /** Levels that the team sets for some changes; none by default. */
  readonly levels?: readonly LevelSetting[];
  /** Pacts with the new contract, checked by `checkPacts` with the old one beside it. Each change then names the consumers that it breaks. */
  readonly pacts?: PactCheck;
  /** Reads a file; from disk by default. */
  readonly read?: ReadText;
  /** Stops the comparison when it resolves. The result then holds the changes found so far, and a note names what was not compared. */
  readonly interrupted?: Promise<void>;
}

/**
 * Compares two OpenAPI files (3.0 or 3.1).
 * @throws {UsageError} when a file cannot be read.
 * @throws {SpecError} when a file is not OpenAPI, has a reference without a target, or an acceptance has a fingerprint in the earlier format.
 * @example
 * ```ts
 * import { compareContracts } from 'touchstone/diff';
 *
 * const { changes, version } = await compareContracts('old.openapi.yaml', 'new.openapi.yaml');
 * for (const { level, id, text } of changes) console.log(level, id, text);
 * console.log(version.suggested);
 * ```
 */
export async function compareContracts(old: string, next: string, options: CompareOptions = {}): Promise<ContractComparison> {
  const comparison = await compareLoadedContracts(await loadContractPair(old, next, options.read), options);
  refuseFormerFingerprints(options.acceptances ?? [], [comparison]);
  const notes = explainAcceptances(options.acceptances ?? [], [comparison], options.today ?? today());
  return { ...comparison, notes: [...notes, ...comparison.notes] };
}

/** Compares two opened contracts. Other contracts may use the same acceptances, so the caller explains unused ones. */
export async function compareLoadedContracts([old, next]: LoadedContractPair, options: CompareOptions = {}): Promise<ContractComparison> {
  const { today: day = today(), acceptances = [], levels = [], pacts } = options;
  const [before, after] = [rawOf(old.document), rawOf(next.document)];
  const document = withContractPlaces(createDocument(after.file, new Map([...before.files, ...after.files])));
  const differences: Difference[] = [];
  const isSame = areSame(old.document, next.document);
  const search = new SchemaWitnessSearch(document);
  const renamedComponents = isSame ? new Map<string, string>() : findRenamedComponents(before.root, after.root);
  const context = {
    document,
    oldRoot: before.root,
    newRoot: after.root,
    search,
    undecided: new Set<string>(),
    movedBase: findMovedBase(before.root, after.root),
    renamedComponents,
    exchanges: new WitnessExchanges(operationReader(old)),
    keywords: new KeywordComparer({
      flatSchemas: search.flatSchemas,
      includes: (sub, sup) => search.includes(sub, sup),
      renamedComponents,
      today: day,
    }),
    today: day,
    report: (difference: Difference) => differences.push(difference),
    shouldContinue: untilInterrupted(options.interrupted),
  };
  compareRoots(context);
  const unfinished = isSame ? [] : await compareOperations(context);
  if (old.contract !== undefined && next.contract !== undefined) differences.push(...compareAnnotations(old.contract, next.contract));
  const merged = await mergeDifferences(differences, context.shouldContinue, pacts);
  const changes = applyLevels(merged, levels);
  const searched = { undecided: [...context.undecided], leftOut: search.unsearchedOperations };
  const notes = [
    ...((await context.shouldContinue()) ? [] : [noteOnInterruption(unfinished)]),
    ...[...search.unusableSchemas].map(([mistake, operation]) => `${mistake}. So no witness was confirmed there (${operation}).`),
  ];
  const comparison = toComparison(old, next, applyAcceptances(changes, acceptances, day), searched, notes);
  return pacts === undefined ? comparison : { ...comparison, consumers: listConsumers(pacts) };
}

/** Returns a function that lets pending events run and gives false after an interruption. */
function untilInterrupted(interrupted?: Promise<void>): () => Promise<boolean> {
  let isInterrupted = false;
  void interrupted?.then(() => {
    isInterrupted = true;
  });
  return async () => {
    await nextTurn();
    return !isInterrupted;
  };
}

function noteOnInterruption(unfinished: readonly string[]): string {
  const operations =
    unfinished.length === 0 ? 'every operation was compared' : `these operations were not compared: ${unfinished.join(', ')}`;
  return `Interrupted: ${operations}, and some changes have no witness yet.`;
}

function toComparison(
  old: LoadedContract,
  next: LoadedContract,
  { open, accepted }: AcceptanceResult,
  searched: FullSchemaSearches,
  notes: readonly string[],
): ContractComparison {
  const countOf = (level: ChangeLevel): number => open.filter((change) => change.level === level).length;
  const count = {
    security: countOf('security'),
    breaking: countOf('breaking'),
    risky: countOf('risky'),
    compatible: countOf('compatible'),
    documentation: countOf('documentation'),
  };
  const [before, after] = [describeFile(old.document), describeFile(next.document)];
  return {
    old: before,
    new: after,
    changes: open,
    accepted,
    count,
    version: adviseVersion(count, before.version, after.version),
    searched,
    notCompared: listNotCompared(old, next),
    notes: [...notes, ...notesOn(old, next), ...notesOnSearch(searched)],
  };
}

/** Notes on schemas without a result. They must not look like schemas without a change. */
function notesOnSearch({ undecided, leftOut }: FullSchemaSearches): readonly string[] {
  const name = ([first, ...others]: readonly string[]): string =>
    `${first ?? ''}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  return [
    ...(undecided.length === 0
      ? []
      : [
          `The schema of ${name(undecided)} changed, but diff found neither a value that only one version allows nor a proof that none exists.`,
        ]),
    ...(leftOut.length === 0
      ? []
      : [`Not searched, since it would take too long: ${name(leftOut)}. There, the keywords alone decide the levels.`]),
  ];
}

/** What either contract sets aside. Equal files have nothing to compare. */
function listNotCompared(old: LoadedContract, next: LoadedContract): readonly NotCompared[] {
  if (areSame(old.document, next.document)) return [];
  const listOf = ({ document, contract }: LoadedContract, side: NotCompared['side']): readonly NotCompared[] =>
    (contract ?? document).setAside.map((each) => ({ side, ...each }));
  return [...listOf(old, 'old'), ...listOf(next, 'new')];
}

/** Annotations are compared only if both files have them. */
function notesOn(old: LoadedContract, next: LoadedContract): readonly string[] {
  if ((old.contract === undefined) === (next.contract === undefined)) return [];
  const [has, lacks] = old.contract === undefined ? ['new', 'old'] : ['old', 'new'];
  return [`Only the ${has} contract has annotations (x-api), so annotations were not compared; the ${lacks} one has none.`];
}

function describeFile(document: Document): ComparedContract {
  const info = objectOrEmpty(rawOf(document).root['info']);
  return { file: document.file, title: String(info['title'] ?? ''), version: String(info['version'] ?? '') };
}
