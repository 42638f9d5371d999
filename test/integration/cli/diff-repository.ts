/** A git repository in a temporary folder, without the settings of the user, and runs of `touchstone diff` inside it. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';

/** A folder that may be a repository, and is the current folder until it is removed. */
export interface Workspace {
  readonly folder: string;
  /** Writes a file of the working tree. */
  readonly write: (file: string, text: string) => void;
  readonly remove: (file: string) => void;
  readonly link: (file: string, target: string) => void;
  readonly git: (...args: readonly string[]) => string;
  /** Commits everything that is in the working tree. */
  readonly commit: () => void;
  /** Makes a folder below it the current one. */
  readonly enter: (folder: string) => void;
  /** Leaves it and removes it. */
  readonly end: () => void;
}

/** Creates a folder and makes it the current one. Clears the variables by which a git hook points to another repository. */
export function createWorkspace(): Workspace {
  const before = process.cwd();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-diff-')));
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) vi.stubEnv(name, undefined);
  for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM']) vi.stubEnv(name, '/dev/null');
  vi.stubEnv('GIT_CEILING_DIRECTORIES', dirname(folder));
  process.chdir(folder);
  const git = (...args: readonly string[]): string => {
    return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const place = (file: string): string => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    return join(folder, file);
  };
  return {
    folder,
    git,
    write: (file, text) => writeFileSync(place(file), text),
    remove: (file) => rmSync(join(folder, file)),
    link: (file, target) => symlinkSync(target, place(file)),
    commit: () => {
      git('add', '--all');
      git('commit', '--quiet', '--message', 'Change');
    },
    enter: (below) => {
      mkdirSync(join(folder, below), { recursive: true });
      process.chdir(join(folder, below));
    },
    end: () => {
      process.chdir(before);
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A workspace with a repository, a branch `main`, an author, and no automatic housekeeping. */
export function createRepository(): Workspace {
  const workspace = createWorkspace();
  for (const name of ['objects', 'refs/heads']) mkdirSync(join(workspace.folder, '.git', name), { recursive: true });
  workspace.write('.git/HEAD', 'ref: refs/heads/main\n');
  const identity = '[user]\n\tname = Somebody\n\temail = somebody@example.com\n';
  workspace.write('.git/config', `${identity}[core]\n\tlogAllRefUpdates = true\n[maintenance]\n\tauto = false\n`);
  return workspace;
}

/** Exit code and output of a run. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs `touchstone diff` in this process. */
export async function diff(...args: readonly string[]): Promise<Ended> {
  const terminal = createTerminal();
  const code = await run(['diff', ...args], '0.0.0', terminal);
  return { code, ...terminal.printed() };
}

/** A contract of one operation, whose records have a state with these values. */
export function contractText(states: readonly string[], version = '1.0.0'): string {
  return [
    'openapi: 3.1.0',
    `info: { title: Things, version: ${version} }`,
    'paths:',
    '  /things:',
    '    get:',
    '      operationId: listThings',
    '      parameters:',
    '        - { name: limit, in: query, schema: { type: integer } }',
    '      responses:',
    "        '200':",
    '          description: The things.',
    '          content:',
    '            application/json:',
    '              schema:',
    '                type: object',
    '                required: [state]',
    '                properties:',
    `                  state: { type: string, enum: [${states.join(', ')}] }`,
    '',
  ].join('\n');
}
