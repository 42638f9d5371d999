/** Comparing two contracts: what a change of an OpenAPI file breaks, for whom, and what shows it. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Compared, ContractComparison, Level, SearchedWholes, Step, VersionAdvice } from '../../core/change.ts';
import { type Contract, loadContract } from '../../core/contract.ts';
import { modernise } from '../../core/dialect.ts';
import { createDocument, type Document, loadDocument, type ReadText } from '../../core/document.ts';
import { SpecError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { today } from '../clock.ts';
import { type Acceptance, type Acceptances, applyAcceptances } from './acceptance.ts';
import { compareOperations, compareRoots } from './compare-operations.ts';
import { type Draft, gather, toRuleDrafts } from './draft.ts';
import { compareRules } from './rules/compare-rules.ts';
import { SchemaPairs } from './schema-pairs.ts';
import { Search } from './search.ts';
import { Wholes } from './wholes.ts';

/** How contracts are compared. */
export interface CompareOptions {
  /** Today, as `2026-12-31`, the day in UTC unless given: announced ends and acceptances are compared with it. */
  readonly today?: string;
  readonly acceptances?: readonly Acceptance[];
  /** How files are read; from the disk unless given. */
  readonly read?: ReadText;
  /** What is compared until this resolves is told, and what is not is named in a note. */
  readonly interrupted?: Promise<void>;
}

/** A contract file that was read for comparison: as it is written, and its rules where it has extensions of this toolkit. */
export interface Side {
  readonly document: Document;
  readonly contract: Contract | undefined;
}

/**
 * Compares two OpenAPI files (3.0 or 3.1).
 * @throws {UsageError} when a file cannot be read.
 * @throws {SpecError} when one is not OpenAPI, or refers to what is not there.
 */
export async function compareContracts(old: string, next: string, options: CompareOptions = {}): Promise<ContractComparison> {
  return compareSides(await openSide(old, options.read), await openSide(next, options.read), options);
}

/**
 * Reads one side of a comparison.
 * @throws {UsageError} when the file cannot be read.
 * @throws {SpecError} when it is not OpenAPI 3, or refers to what is not there.
 */
export async function openSide(name: string, read?: ReadText): Promise<Side> {
  const document = await (read === undefined ? loadDocument(name) : loadDocument(name, read));
  requireOpenApi(document);
  const contract = isAnnotated(document.root) ? await (read === undefined ? loadContract(name) : loadContract(name, read)) : undefined;
  return { document, contract };
}

function requireOpenApi({ root, place }: Document): void {
  const version = root['openapi'];
  if (typeof version === 'string' && /^3\.[01]\.\d+/.test(version)) return;
  if (version === undefined)
    throw new SpecError(place(root), 'this is not an OpenAPI document: it does not say openapi: 3.1.0; name a file that does');
  throw new SpecError(place(root, 'openapi'), `openapi: ${String(version)} is not read here; files of OpenAPI 3.0 and 3.1 are compared`);
}

/** Words of schemas that are rules, and are compared as such where both sides have rules. */
const ruleWords: ReadonlySet<string> = new Set(['x-personal', 'x-unspecified']);

/** Whether a file has rules of this toolkit: only then is it read as a contract, which is more exacting. */
function isAnnotated(root: JsonObject): boolean {
  return isObject(root['x-api']) || isObject(root['x-unspecified']);
}

/** Compares two sides that were read. */
export async function compareSides(old: Side, next: Side, options: CompareOptions = {}): Promise<ContractComparison> {
  const { today: day = today(), acceptances = [] } = options;
  const [before, after] = [modernise(old.document), modernise(next.document)];
  const document = createDocument(after.file, new Map([...before.files, ...after.files]));
  const drafts: Draft[] = [];
  const search = new Search(document);
  const wholes = new Wholes(document, search);
  const haveRules = old.contract !== undefined && next.contract !== undefined;
  const comparing = {
    document,
    oldRoot: before.root,
    newRoot: after.root,
    search,
    wholes,
    pairs: new SchemaPairs({
      views: search.views,
      includes: (sub, sup) => search.includes(sub, sup),
      comparedElsewhere: haveRules ? ruleWords : new Set(),
    }),
    today: day,
    report: (draft: Draft) => drafts.push(draft),
    goOn: untilInterrupted(options.interrupted),
  };
  compareRoots(comparing);
  const untouched = await compareOperations(comparing);
  if (old.contract !== undefined && next.contract !== undefined)
    drafts.push(...compareRules(old.contract, next.contract).flatMap(toRuleDrafts));
  const changes = await gather(drafts, comparing.goOn);
  const searched = { ...wholes.summary, leftOut: [...wholes.summary.leftOut, ...search.exhausted] };
  const notes = (await comparing.goOn()) ? [] : [noteOnInterruption(untouched)];
  return conclude(old, next, applyAcceptances(changes, acceptances, day), searched, notes);
}

/** Lets signals be heard, and tells whether none has come. */
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

function noteOnInterruption(untouched: readonly string[]): string {
  const operations =
    untouched.length === 0 ? 'every operation was compared' : `these operations were not compared: ${untouched.join(', ')}`;
  return `Interrupted: ${operations}, and not every change was searched for a witness.`;
}

function conclude(
  old: Side,
  next: Side,
  { open, accepted, notes }: Acceptances,
  searched: SearchedWholes,
  others: readonly string[],
): ContractComparison {
  const countOf = (level: Level): number => open.filter((change) => change.level === level).length;
  const count = {
    breaking: countOf('breaking'),
    risky: countOf('risky'),
    compatible: countOf('compatible'),
    documentation: countOf('documentation'),
  };
  const [before, after] = [describe(old.document), describe(next.document)];
  return {
    old: before,
    new: after,
    changes: open,
    accepted,
    count,
    version: adviseVersion(count, before.version, after.version),
    searched,
    notes: [...notes, ...others, ...notesOn(old, next), ...notesOnSearch(searched)],
  };
}

/** What was searched beyond the rules of keywords, and what came of it; a search that was left out must not look like one that found nothing. */
function notesOnSearch({ schemas, witnessed, proved, unwitnessed, tried, leftOut }: SearchedWholes): readonly string[] {
  const [first] = leftOut;
  const others = leftOut.length === 1 ? '' : ` and ${leftOut.length - 1} more`;
  const outcomes = [
    witnessed === 0 ? 'no difference was found' : `${witnessed} of the searches found a difference, which is listed`,
    ...(proved === 0 ? [] : [`${proved} proved that there is none`]),
    ...(unwitnessed === 0 ? [] : [`${unwitnessed} remained undecided after ${tried} values`]),
  ];
  const many = schemas === 1 ? '1 pair of schemas was' : `${schemas} pairs of schemas were`;
  return [
    ...(schemas === 0 ? [] : [`Where the rules of keywords do not tell all, ${many} searched as wholes: ${outcomes.join(', ')}.`]),
    ...(first === undefined
      ? []
      : [`Too large to be searched as a whole, so that only the rules of keywords speak of it: ${first}${others}.`]),
  ];
}

/** Rules are compared only where both sides have them. */
function notesOn(old: Side, next: Side): readonly string[] {
  if ((old.contract === undefined) === (next.contract === undefined)) return [];
  const [has, lacks] = old.contract === undefined ? ['new', 'old'] : ['old', 'new'];
  return [`Only the ${has} contract has rules (x-api); the ${lacks} one has none, so rules were not compared.`];
}

function describe({ file, root }: Document): Compared {
  const info: JsonObject = isObject(root['info']) ? root['info'] : {};
  return { file, title: String(info['title'] ?? ''), version: String(info['version'] ?? '') };
}

interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

const order: readonly Step[] = ['none', 'patch', 'minor', 'major'];

/** What changes ask of a version (semver.org 2.0.0), and what was done to it, by how many changes have each level. */
function adviseVersion(count: Readonly<Record<Level, number>>, from: string, to: string): VersionAdvice {
  const [before, after] = [parseVersion(from), parseVersion(to)];
  const wanted: Step =
    count.breaking > 0 ? 'major' : count.risky + count.compatible > 0 ? 'minor' : count.documentation > 0 ? 'patch' : 'none';
  // Before 1.0.0 nothing is promised to stay, and the step for what breaks is the next smaller one (semver.org §4).
  const suggested = before?.major === 0 && wanted === 'major' ? 'minor' : wanted;
  const taken = before === undefined || after === undefined ? undefined : stepBetween(before, after);
  return { suggested, from, to, taken, isEnough: taken !== undefined && order.indexOf(taken) >= order.indexOf(suggested) };
}

function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?$/.exec(text.trim());
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2] ?? 0), patch: Number(match[3] ?? 0) };
}

/** A version that went back took no step. */
function stepBetween(before: Version, after: Version): Step {
  if (after.major !== before.major) return after.major > before.major ? 'major' : 'none';
  if (after.minor !== before.minor) return after.minor > before.minor ? 'minor' : 'none';
  return after.patch > before.patch ? 'patch' : 'none';
}
