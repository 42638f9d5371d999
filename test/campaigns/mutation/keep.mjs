/**
 * What Stryker found out so far, written down while it runs, in the form in which it reads what an earlier run found out: Stryker itself writes that only
 * at the end. A run that is broken off is gone on with.
 */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

/** So many results are lost at most. */
const atOnce = 50;

/** What is known for good; whatever else there is to say of a mutant is found again without running anything. */
const lasting = new Set(['Killed', 'Survived', 'Timeout', 'NoCoverage']);

/** Writes down what became of each mutant. */
export class KeepReporter {
  static inject = ['options'];
  tests = [];
  results = new Map();

  constructor(options) {
    this.file = options.incrementalFile;
  }

  onDryRunCompleted({ result }) {
    this.tests = result.tests;
  }

  /** What is known from an earlier run is told again in the course of this one, which may not come that far. */
  onMutationTestingPlanReady({ mutantPlans }) {
    const known = mutantPlans.map(({ mutant }) => mutant).filter(({ status }) => lasting.has(status));
    for (const mutant of known) this.results.set(mutant.id, { ...mutant, location: printLocation(mutant.location) });
  }

  onMutantTested(result) {
    if (!lasting.has(result.status) || this.results.has(result.id)) return;
    this.results.set(result.id, result);
    if (this.results.size % atOnce === 0) this.write();
  }

  write() {
    const numbers = new Map(this.tests.map(({ id }, index) => [id, String(index)]));
    // A test that an earlier run had and this one has not is named by its place and its name.
    const numberOf = (id) => {
      const name = id.slice(id.indexOf('\n') + 1);
      if (!numbers.has(name)) numbers.set(name, String(numbers.size));
      return numbers.get(name);
    };
    const remap = (ids = []) => ids.map(numberOf);
    const files = {};
    for (const result of this.results.values()) {
      const { fileName, id, location, mutatorName, replacement, status, statusReason, testsCompleted, coveredBy, killedBy } = result;
      const name = relative(process.cwd(), fileName).replaceAll('\\', '/');
      files[name] ??= { language: 'typescript', source: readFileSync(fileName, 'utf8'), mutants: [] };
      const tests = { coveredBy: remap(coveredBy), killedBy: remap(killedBy) };
      files[name].mutants.push({ id, location, mutatorName, replacement, status, statusReason, testsCompleted, ...tests });
    }
    const testFiles = { '': { tests: [...numbers].map(([name, id]) => ({ id, name })) } };
    mkdirSync(dirname(this.file), { recursive: true });
    // A run that is broken off while it writes leaves what was written before.
    writeFileSync(`${this.file}.new`, JSON.stringify({ schemaVersion: '1.0', thresholds: { high: 95, low: 90 }, files, testFiles }));
    renameSync(`${this.file}.new`, this.file);
  }
}

/** Plans count lines and columns from 0, reports from 1. */
function printLocation({ start, end }) {
  const [from, to] = [start, end].map(({ line, column }) => ({ line: line + 1, column: column + 1 }));
  return { start: from, end: to };
}
