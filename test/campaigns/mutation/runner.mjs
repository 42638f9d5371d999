/**
 * What runs tests for Stryker: every world is a test, judged by what was written down of it. The code is loaded once in a process, with all of its
 * mutants, and each run only says which of them is active; so a mutant costs no more than judging the worlds that could notice it.
 */

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { KeepReporter } from './keep.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The names that Stryker gives in strings: its interface package is not needed for more. */
const status = { complete: 'complete', killed: 'killed', survived: 'survived', timeout: 'timeout' };
const [success, failed] = [0, 1];

/** One more test: whether the type checker would let the mutant be. It is asked before the worlds that only a few mutants need. */
const types = { id: 'the type checker', about: [], size: 0 };

/** Worlds that were drawn by chance: there are so many that what all laws stand on does without them. */
const drawn = /small mistakes|read otherwise/;

/** The tests of a worker process. It runs in Stryker's sandbox, where test/mutation/build.mjs compiled the instrumented code. */
class RecordingRunner {
  /** What instrumented code looks at: which mutant is active, and which test runs. */
  state = globalThis.__stryker__ ?? {};
  saved = new Map();
  contracts = new Map();
  /** The worlds that noticed mutants of a file, the latest first: the next mutant there is likely to be noticed by the same. */
  noticing = new Map();

  /** No mutant that is tested stays active while code is loaded, so there is never anything to load again. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    globalThis.__stryker__ = this.state;
    const load = (path) => import(pathToFileURL(join(process.cwd(), 'dist', path)).href);
    this.folder = process.env.TOUCHSTONE_RECORDINGS;
    this.archive = await load('test/mutation/archive.js');
    this.judged = await load('test/mutation/judged.js');
    this.subjects = await load('test/mutation/subjects.js');
    this.answers = await load('test/mutation/answers.js');
    const { readContract } = await load('core/contract.js');
    const { contractFile } = await load('core/shipped.js');
    this.readContract = (name) => readContract(contractFile(name));
    // A recording that was made anew is a new test, so that whatever the old one showed is shown again.
    this.tests = this.archive.readEntries(this.folder).map((entry) => ({ ...entry, id: `${entry.name} #${entry.digest}` }));
  }

  /** The worlds that laws are about meet the mutants of those laws; what is no law is met by lists, and by the worlds of single laws that nobody drew. */
  async dryRun({ files = [] }) {
    const judging = new Set(files.map(lawOf));
    const isPlain = ({ name, kind, about }) => kind === 'answers' || (kind === 'world' && about.length === 1 && !drawn.test(name));
    const isAbout = (test) => (judging.has(undefined) && isPlain(test)) || test.about.some((id) => judging.has(id));
    const tests = [];
    const reading = await this.coverReading();
    for (const test of this.tests.filter(isAbout)) {
      this.state.currentTestId = test.id;
      const startedMs = performance.now();
      const failureMessage = await this.failureOf(test, await this.contractOf(test.contract));
      const timeSpentMs = performance.now() - startedMs;
      this.state.currentTestId = undefined;
      tests.push({
        id: test.id,
        name: test.id,
        timeSpentMs,
        ...(failureMessage === undefined ? { status: success } : { status: failed, failureMessage }),
      });
    }
    const { static: loading = {}, perTest = {} } = this.state.mutantCoverage ?? {};
    const contractOf = new Map(this.tests.map(({ id, contract }) => [id, contract]));
    const covered = tests.map(({ id }) => [id, { ...reading.get(contractOf.get(id)), ...perTest[id] }]);
    // What some world meets, the type checker meets as well; what none meets is said to be met by none.
    const met = Object.fromEntries(covered.flatMap(([, mutants]) => Object.keys(mutants)).map((mutant) => [mutant, 1]));
    tests.push({ id: types.id, name: types.id, timeSpentMs: 1000, status: success });
    return {
      status: status.complete,
      tests,
      mutantCoverage: { static: loading, perTest: { ...Object.fromEntries(covered), [types.id]: met } },
    };
  }

  /** Contracts are read once for all tests, so what reads them counts as covered by each test that uses them. */
  async coverReading() {
    const reading = new Map();
    for (const name of ['business', 'wiki']) {
      this.state.currentTestId = `reading ${name}`;
      await this.contractOf(name);
      reading.set(name, this.state.mutantCoverage?.perTest[this.state.currentTestId]);
      this.state.currentTestId = undefined;
    }
    return reading;
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, sandboxFileName }) {
    Object.assign(this.state, { activeMutant: activeMutant.id, hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
    try {
      return await this.meet(activeMutant, sandboxFileName, testFilter ?? this.tests.map(({ id }) => id));
    } finally {
      Object.assign(this.state, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    }
  }

  async meet(mutant, file, testFilter) {
    const own = new Map();
    let nrOfTests = 0;
    for (const test of this.inOrder(file, testFilter)) {
      nrOfTests += 1;
      const failureMessage =
        test === types ? await this.refusalOf(mutant) : await this.failureOf(test, await this.contractFor(file, test.contract, own));
      if (this.state.hitCount > this.state.hitLimit)
        return { status: status.timeout, reason: `active for the ${this.state.hitCount}th time` };
      if (failureMessage === undefined) continue;
      if (test !== types) this.noticing.set(file, [test.id, ...(this.noticing.get(file) ?? []).filter((id) => id !== test.id)]);
      return { status: status.killed, killedBy: [test.id], failureMessage, nrOfTests };
    }
    return { status: status.survived, nrOfTests };
  }

  /** What noticed a mutant of the same file before, then lists and the worlds of the law alone, the type checker, and those of a group: the small ones first. */
  inOrder(file, testFilter) {
    const law = lawOf(file);
    const known = this.noticing.get(file) ?? [];
    const placeOf = ({ kind, about }) => (kind === 'answers' || (about.length === 1 && about[0] === law) ? 0 : about.length === 0 ? 1 : 2);
    const rank = (test) => (known.includes(test.id) ? known.indexOf(test.id) : known.length + placeOf(test));
    const wanted = new Set(testFilter);
    return [...this.tests, types]
      .filter(({ id }) => wanted.has(id))
      .toSorted((left, right) => rank(left) - rank(right) || left.size - right.size);
  }

  /** Why the type checker refuses a mutant; `undefined` when it does not. */
  async refusalOf({ fileName, location, replacement }) {
    const { createCompiler } = await import('./compile.mjs');
    this.compiles ??= createCompiler(join(root, 'tsconfig.json'));
    const [start, end] = [location.start, location.end].map(({ line, column }) => ({ line: line + 1, column: column + 1 }));
    const isFine = this.compiles(relative(root, fileName), readFileSync(fileName, 'utf8'), { location: { start, end }, replacement });
    return isFine ? undefined : 'it has no types';
  }

  /** Why a test fails; `undefined` when it passes. */
  async failureOf(test, contract) {
    try {
      const [wanted, found] = await this.compared(test, contract);
      return found === wanted ? undefined : difference(wanted, found);
    } catch (error) {
      return String(error);
    }
  }

  /** What was written down, and what comes out now. */
  async compared(test, contract) {
    if (test.kind === 'answers') return [this.readAnswers(test.file)[test.size], this.answers.describeAnswers(test.size)];
    if (test.kind === 'subjects') return [this.readSubjects(test.file).texts[test.about[0]], await this.subjectsOf(test)];
    return [this.readSaved(test.file).summary, await this.judgeAgain(test, contract)];
  }

  async judgeAgain({ file }, contract) {
    const { recording, summary: _, ...terms } = this.readSaved(file);
    return this.judged.judgeAgain(contract, terms, recording);
  }

  /** The contracts that lack something are made once; no law takes part in that. */
  async subjectsOf({ file, about: [law] }) {
    this.lacking ??= await this.loseAll(this.readSubjects(file).losses);
    return this.subjects.describeSubjects(law, this.lacking);
  }

  async loseAll(losses) {
    const lacking = [];
    for (const name of Object.keys(losses)) lacking.push(...this.subjects.loseEach(await this.contractOf(name), losses[name]));
    return lacking;
  }

  readAnswers(file) {
    this.knownAnswers ??= this.archive.readAnswers(this.folder, file);
    return this.knownAnswers;
  }

  readSubjects(file) {
    this.knownSubjects ??= this.archive.readSubjects(this.folder, file);
    return this.knownSubjects;
  }

  readSaved(file) {
    const known = this.saved.get(file) ?? this.archive.readSaved(this.folder, file);
    this.saved.set(file, known);
    return known;
  }

  /** A mutant of a law meets the contract as it is; any other mutant may change what is made of a contract, so it reads one of its own. */
  async contractFor(file, name, own) {
    if (name === '') return undefined;
    if (lawOf(file) !== undefined) return this.contractOf(name);
    const contract = own.get(name) ?? (await this.readContract(name));
    own.set(name, contract);
    return contract;
  }

  async contractOf(name) {
    if (name === '') return undefined;
    const contract = this.contracts.get(name) ?? (await this.readContract(name));
    this.contracts.set(name, contract);
    return contract;
  }
}

/** What two summaries say where they begin to differ. */
function difference(wanted, found) {
  const at = Math.max(0, [...wanted].findIndex((character, index) => character !== found[index]) - 20);
  return `${wanted.slice(at, at + 100)}\n${found.slice(at, at + 100)}`;
}

/** The id of the law that stands in a file; `undefined` for any other file. */
function lawOf(file) {
  return /contracts\/laws\/([^/]+\/[^/]+)\.ts$/.exec(file.replaceAll('\\', '/'))?.[1];
}

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'recordings', injectableClass: RecordingRunner },
  { kind: 'Reporter', name: 'keep', injectableClass: KeepReporter },
];
