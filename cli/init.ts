/** `touchstone init`: writes a commented configuration and a CI workflow, and prints the next steps. */

import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { listShipped } from '../core/shipped.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { defaultConfigFile } from './config.ts';
import { openContract } from './contract-source.ts';
import { writeReport } from './report-file.ts';
import { wantsKey } from './verify/verify-keys.ts';

const workflowFile = '.github/workflows/touchstone.yml';

/** The command. */
export const initCommand: Command = {
  name: 'init',
  positionals: '[DIR]',
  summary: 'Write a first configuration and a CI workflow.',
  description: [
    `Writes ${defaultConfigFile} and ${workflowFile} into DIR, by default the current folder. The configuration has targets by name, with comments on further options. The workflow verifies a server every night and compares the contract in each pull request. Existing files are kept.`,
  ],
  options: [
    {
      name: 'contract',
      value: 'CONTRACT',
      summary: 'Contract of the targets. Default: the first specs/*.openapi.yaml of the folder, or the first contract of the package.',
    },
    { name: 'force', summary: 'Overwrite existing files.' },
  ],
  examples: [
    { line: 'touchstone init', about: 'in the current folder' },
    { line: 'touchstone init service --contract my-api.yaml', about: 'in another folder, with a contract of that folder' },
  ],
  run: runInit,
};

async function runInit(given: Arguments, terminal: Terminal): Promise<number> {
  const [folder = '.', ...rest] = given.positionals;
  if (rest.length > 0) throw new UsageError(`touchstone init writes into one folder, but ${rest.length + 1} were named; name one`);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`${folder} is not a folder; name a folder, or none for the current one`);
  const files = [defaultConfigFile, workflowFile].map((name) => join(folder, name));
  const existing = files.filter((file) => existsSync(file));
  if (existing.length > 0 && !given.switches.has('force'))
    throw new UsageError(
      `${existing.join(' and ')} ${existing.length === 1 ? 'exists' : 'exist'} already, and nothing was written; add --force to overwrite`,
    );
  const starter = await readStarterContract(folder, given.values['contract']);
  const texts = [renderConfig(starter), renderWorkflow(starter)];
  for (const [index, file] of files.entries()) {
    mkdirSync(dirname(file), { recursive: true });
    writeReport(file, texts[index] ?? '', 'file');
  }
  terminal.out(renderNextSteps(files, folder, starter));
  return 0;
}

/** Reads the contract, so that a mistake in it is reported before any file is written. */
async function readStarterContract(folder: string, named: string | undefined): Promise<StarterContract> {
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

function renderNextSteps(files: readonly string[], folder: string, { contract, wantsKey: isKeyed }: StarterContract): string {
  const where = folder === '.' ? '' : ` (in ${folder})`;
  const mock = `npx touchstone mock ${contract}`;
  const steps = [
    `Write the address of your server into ${defaultConfigFile}, under targets.staging.url.`,
    ...(isKeyed
      ? ['Put its key into the variable FULL_KEY here (export FULL_KEY=…), and into the secret FULL_KEY of the repository.']
      : []),
    `Verify it${where}: npx touchstone verify --target staging`,
    `Or try it without a server${where}: ${mock}${isKeyed ? ', FULL_KEY set to the key that it prints,' : ''} and npx touchstone verify --target local`,
    'Commit both files.',
  ];
  return [...files.map((file) => `Written: ${file}`), '', 'Next:', ...steps.map((step, index) => `  ${index + 1}. ${step}`), ''].join('\n');
}

/** The facts of the contract that the written files need. */
interface StarterContract {
  /** Name of a contract of the package, or a file of the folder. */
  readonly contract: string;
  readonly isShipped: boolean;
  readonly title: string;
  readonly wantsKey: boolean;
  /** Key roles that lack a scope, such as `without:x.read`. */
  readonly roles: readonly string[];
}

/** Renders the configuration. */
function renderConfig({ contract, title, wantsKey, roles }: StarterContract): string {
  const keys = wantsKey ? ['  keys:', '    full: FULL_KEY'] : ['  # keys:', '  #   full: FULL_KEY'];
  const others = [['other', 'OTHER_KEY', 'of another tenant'], ...roles.slice(0, 1).map((role) => [role, 'NARROW_KEY', 'without a scope'])];
  const lines = others.map(([role, variable, about]) => `  ${wantsKey ? '  # ' : '#   '}${role}: ${variable} # ${about}, for more checks`);
  return [
    '# yaml-language-server: $schema=./node_modules/touchstone/specs/config.schema.json',
    `# Targets of touchstone verify: ${title.replaceAll(/\s+/g, ' ')}. Options of the command line override this file.`,
    '',
    'defaults:',
    '  # Name of a contract of the package, or a file relative to this one.',
    `  contract: ${/^[a-z][\w./-]*$/i.test(contract) ? contract : JSON.stringify(contract)}`,
    '  # Environment variables with the keys. Never write a key into this file.',
    ...keys,
    ...lines,
    '  # Required checks: stated, all, or rules such as [paging/*, keys/missing]. Exit code 4 if one could not be judged.',
    '  # require: stated',
    '  # Known violations that do not fail the run before their expiry date. A list, or a file with one.',
    '  # waivers:',
    '  #   - fingerprint: 1c9a07-e3b0c4 # from the report',
    '  #     reason: tags come with the next release',
    "  #     expires: '2026-12-31'",
    '  # Reports by format: json, html, markdown, junit, github, gitlab, sarif, har. --report on the command line replaces them.',
    '  reports:',
    '    json: touchstone-report.json',
    '',
    'targets:',
    '  # touchstone verify --target local',
    '  local:',
    '    url: http://127.0.0.1:4010',
    '  # touchstone verify --target staging',
    '  staging:',
    '    url: https://staging.example.com',
    '    # Limit of requests per second (or minute: 30/min), and of the whole run.',
    '    rate: 2/s',
    '    budget: 600',
    '    # Headers for a gateway in front of the server, each with the environment variable of its value.',
    '    # headers:',
    '    #   X-Gateway-Token: GATEWAY_TOKEN',
    '',
  ].join('\n');
}

/** Renders the workflow for GitHub Actions. */
function renderWorkflow({ contract, isShipped, wantsKey }: StarterContract): string {
  const compared = /^specs\/[^/]+\.openapi\.yaml$/.test(contract) ? '"$BASE"' : `"$BASE:${contract}" "${contract}"`;
  return [
    '# Written by touchstone init. Edit it as you need.',
    'name: touchstone',
    '',
    'on:',
    '  schedule:',
    "    - cron: '17 4 * * *'",
    '  workflow_dispatch:',
    ...(isShipped ? [] : ['  pull_request:']),
    '',
    'permissions:',
    '  contents: read',
    '  security-events: write',
    '',
    'jobs:',
    '  verify:',
    '    # A server can change without a commit, so it is verified on a schedule.',
    "    if: github.event_name != 'pull_request'",
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...setUp(),
    '      - name: Verify the server',
    '        run: >-',
    '          npx touchstone verify --target staging --report github=- --report junit=touchstone-report.xml',
    '          --report sarif=touchstone-report.sarif --report markdown=touchstone-report.md --report json=touchstone-report.json',
    ...(wantsKey ? ['        env:', `          FULL_KEY: \${{ secrets.FULL_KEY }}`] : []),
    '      - name: Show the summary',
    '        if: always()',
    '        run: test ! -f touchstone-report.md || cat touchstone-report.md >> "$GITHUB_STEP_SUMMARY"',
    '      - name: Keep the reports',
    '        if: always()',
    '        uses: actions/upload-artifact@v4',
    '        with:',
    '          name: touchstone',
    '          path: touchstone-report.*',
    '      - name: Show violations beside the code',
    "        if: always() && hashFiles('touchstone-report.sarif') != ''",
    '        uses: github/codeql-action/upload-sarif@v3',
    '        with:',
    '          sarif_file: touchstone-report.sarif',
    ...(isShipped ? [] : renderDiffJob(compared)),
    '',
  ].join('\n');
}

function renderDiffJob(compared: string): readonly string[] {
  return [
    '',
    '  diff:',
    '    # Reports breaking changes of the contract before they are merged.',
    "    if: github.event_name == 'pull_request'",
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...setUp(),
    '      - name: Compare the contract with its base',
    `        run: npx touchstone diff ${compared} --report github=- --report junit=touchstone-diff.xml --report markdown=touchstone-diff.md`,
    '        env:',
    `          BASE: origin/\${{ github.base_ref }}`,
    '      - name: Show the summary',
    '        if: always()',
    '        run: test ! -f touchstone-diff.md || cat touchstone-diff.md >> "$GITHUB_STEP_SUMMARY"',
    '      - name: Keep the reports',
    '        if: always()',
    '        uses: actions/upload-artifact@v4',
    '        with:',
    '          name: touchstone-diff',
    '          path: touchstone-diff.*',
  ];
}

/** Checks out the whole history, since `diff` needs the base commit. */
function setUp(): readonly string[] {
  return [
    '      - uses: actions/checkout@v4',
    '        with:',
    '          fetch-depth: 0',
    '      - uses: actions/setup-node@v4',
    '        with:',
    '          node-version: 22',
    '      - run: npm ci',
  ];
}
