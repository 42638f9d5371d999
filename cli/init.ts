/** `touchstone init`: writes a configuration and a workflow for CI, both with comments, and says what to do next. */

import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { listShipped } from '../core/shipped.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { usualConfig } from './config.ts';
import { openContract } from './contract-source.ts';
import { writeReport } from './report-file.ts';
import { wantsKey } from './verify/verify-keys.ts';

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

/** What the texts are about. */
interface Beginning {
  /** A contract of the package by its name, or a file of the folder. */
  readonly contract: string;
  readonly isShipped: boolean;
  readonly title: string;
  readonly wantsKey: boolean;
  /** Roles of keys that lack a scope of the contract, such as `without:x.read`. */
  readonly roles: readonly string[];
}

/** The configuration. */
function renderConfig({ contract, title, wantsKey, roles }: Beginning): string {
  const keys = wantsKey ? ['  keys:', '    full: FULL_KEY'] : ['  # keys:', '  #   full: FULL_KEY'];
  const others = [['other', 'OTHER_KEY', 'of another tenant'], ...roles.slice(0, 1).map((role) => [role, 'NARROW_KEY', 'without a scope'])];
  const lines = others.map(
    ([role, variable, about]) => `  ${wantsKey ? '  # ' : '#   '}${role}: ${variable} # ${about}, which lets more be judged`,
  );
  return [
    '# yaml-language-server: $schema=./node_modules/touchstone/specs/config.schema.json',
    `# What touchstone verify judges: ${title.replaceAll(/\s+/g, ' ')}. Options on the command line win over what stands here.`,
    '',
    'defaults:',
    '  # A contract of the package by its name, or a file beside this one.',
    `  contract: ${/^[a-z][\w./-]*$/i.test(contract) ? contract : JSON.stringify(contract)}`,
    '  # The variables of the environment that hold the keys. A key itself never goes into this file.',
    ...keys,
    ...lines,
    '  # What must be seen to hold: stated, all, or rules such as [paging/*, keys/missing]. Whatever does not makes exit code 4.',
    '  # require: stated',
    '  # Violations that are known and fail nothing until a day. A list, or a file that has one.',
    '  # waivers:',
    '  #   - fingerprint: 1c9a07-e3b0c4 # as the report prints it',
    '  #     reason: tags come with the next release',
    "  #     expires: '2026-12-31'",
    '  # Reports by format: json, junit, html, markdown, github, sarif. Those that a command line names come in their place.',
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
    '    # No more requests than this in a second (or 30/min), and in all.',
    '    rate: 2/s',
    '    budget: 600',
    '    # What a gateway in front of the server wants: by header, the variable that holds the value.',
    '    # headers:',
    '    #   X-Gateway-Token: GATEWAY_TOKEN',
    '',
  ].join('\n');
}

/** The workflow for GitHub Actions. */
function renderWorkflow({ contract, isShipped, wantsKey }: Beginning): string {
  const compared = /^specs\/[^/]+\.openapi\.yaml$/.test(contract) ? '"$BASE"' : `"$BASE:${contract}" "${contract}"`;
  return [
    '# Written by touchstone init; yours to change.',
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
    '    # A server changes without a commit, so it is judged by the clock.',
    "    if: github.event_name != 'pull_request'",
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...setUp(),
    '      - name: Judge the server',
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
    '    # What a change of the contract breaks is told before it is merged.',
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

/** The whole history, since a diff looks at the base. */
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
