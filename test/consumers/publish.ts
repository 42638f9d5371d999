/** Gives the consumers' tests an empty folder to write to, and afterwards, only if all passed, replaces the committed pacts. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { committedFolder, folderVariable } from './folder.ts';
import { tidyPact } from './tidy.ts';

declare module 'vitest' {
  /** Values that the set-up gives the tests. */
  export interface ProvidedContext {
    readonly pactFolder: string;
  }
}

/** Runs before the tests; what it returns runs after them. */
export function setup(project: TestProject): () => Promise<void> {
  const draft = mkdtempSync(join(tmpdir(), 'pacts-'));
  project.provide('pactFolder', draft);
  return async () => {
    if (await isWholeAndGreen(project)) publish(draft, process.env[folderVariable] ?? committedFolder);
    rmSync(draft, { recursive: true, force: true });
  };
}

/** A pact with some of its interactions would be taken for the whole one. */
async function isWholeAndGreen(project: TestProject): Promise<boolean> {
  const { config, state } = project.vitest;
  const { testFiles } = await project.globTestFiles();
  return config.testNamePattern === undefined && state.getFiles().length === testFiles.length && state.getFailedFilepaths().length === 0;
}

/** Deletes files that no test wrote this time. */
function publish(draft: string, folder: string): void {
  const names = listPacts(draft);
  if (names.length === 0) throw new Error('the tests of the consumers wrote no pact');
  mkdirSync(folder, { recursive: true });
  for (const name of listPacts(folder)) rmSync(join(folder, name));
  for (const name of names) writeFileSync(join(folder, name), tidyPact(readFileSync(join(draft, name), 'utf8')));
}

function listPacts(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.json'));
}
