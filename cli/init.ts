/** `touchstone init`: writes a configuration and a workflow for CI, both with comments, and says what to do next. */

import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { listShipped } from '../core/shipped.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { usualConfig } from './config.ts';
import { openContract } from './contract-source.ts';
import { type Beginning, renderConfig, renderWorkflow } from './init-text.ts';
import { writeReport } from './report-file.ts';
import { wantsKey } from './verify-keys.ts';

const workflowFile = '.github/workflows/touchstone.yml';

/** The command. */
export const initCommand: Command = {
  name: 'init',
  positionals: '[DIR]',
  summary: 'Write a configuration and a CI workflow to begin with.',
  description: [
    `Writes ${usualConfig} and ${workflowFile} into a folder, the current one unless it is named: targets by name with comments on what else can be said of them, and a workflow that judges a server every night and tells of each pull request what its change of the contract breaks. What exists already is not touched.`,
  ],
  options: [
    {
      name: 'contract',
      value: 'CONTRACT',
      summary:
        'The contract of the targets. Default the first specs/*.openapi.yaml of the folder, or else the first contract of the package.',
    },
    { name: 'force', summary: 'Write over files that exist.' },
  ],
  examples: [
    { line: 'touchstone init', about: 'in the current folder' },
    { line: 'touchstone init service --contract my-api.yaml', about: 'in another folder, for a contract there' },
  ],
  run: runInit,
};

async function runInit(given: Arguments, terminal: Terminal): Promise<number> {
  const [folder = '.', ...rest] = given.positionals;
  if (rest.length > 0) throw new UsageError(`touchstone init writes into one folder, and ${rest.length + 1} are named; name one`);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`${folder} is no folder; name one, or none for the current one`);
  const files = [usualConfig, workflowFile].map((name) => join(folder, name));
  const taken = files.filter((file) => existsSync(file));
  if (taken.length > 0 && !given.switches.has('force'))
    throw new UsageError(
      `${taken.join(' and ')} ${taken.length === 1 ? 'exists' : 'exist'} already, and nothing was written; --force writes over what is there`,
    );
  const beginning = await readBeginning(folder, given.values['contract']);
  const texts = [renderConfig(beginning), renderWorkflow(beginning)];
  for (const [index, file] of files.entries()) {
    mkdirSync(dirname(file), { recursive: true });
    writeReport(file, texts[index] ?? '', 'file');
  }
  terminal.out(renderNext(files, folder, beginning));
  return 0;
}

/** The contract must be one that can be read: a configuration that cannot run is no beginning. */
async function readBeginning(folder: string, named: string | undefined): Promise<Beginning> {
  const contract = named ?? findContract(folder) ?? listShipped()[0] ?? '';
  const isShipped = listShipped().includes(contract);
  const opened = await openContract(isShipped ? contract : join(folder, contract));
  const roles = opened.scopes.map(({ role }) => `without:${role}`);
  return { contract, isShipped, title: opened.title, wantsKey: wantsKey(opened), roles };
}

function findContract(folder: string): string | undefined {
  const specs = join(folder, 'specs');
  if (!existsSync(specs)) return undefined;
  const [first] = readdirSync(specs)
    .filter((file) => /\.openapi\.(ya?ml|json)$/.test(file))
    .sort();
  return first === undefined ? undefined : `specs/${first}`;
}

function renderNext(files: readonly string[], folder: string, { contract, wantsKey: isKeyed }: Beginning): string {
  const where = folder === '.' ? '' : ` (in ${folder})`;
  const mock = `npx touchstone mock ${contract}`;
  const steps = [
    `Write the address of your server into ${usualConfig}, under targets.staging.url.`,
    ...(isKeyed
      ? ['Put its key into the variable FULL_KEY here (export FULL_KEY=…), and into the secret FULL_KEY of the repository.']
      : []),
    `Judge it${where}: npx touchstone verify --target staging`,
    `See it work without a server${where}: ${mock}${isKeyed ? ', FULL_KEY with the key that it prints,' : ''} and npx touchstone verify --target local`,
    'Commit both files.',
  ];
  return [...files.map((file) => `Written: ${file}`), '', 'Next:', ...steps.map((step, index) => `  ${index + 1}. ${step}`), ''].join('\n');
}
