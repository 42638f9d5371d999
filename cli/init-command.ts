import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { printJson } from '../core/json.ts';
import { listShipped, readInitTemplate } from '../core/shipped-files.ts';
import type { Arguments, CommandBody, Terminal } from './command.ts';
import { wantsKey } from './credentials.ts';
import { openContract } from './open-contract.ts';
import { defaultConfigFile } from './read-config.ts';
import { findRepositoryRoot, pathFromCurrentFolder } from './relative-paths.ts';
import { writeWholeFile } from './write-file.ts';

/** Pipelines by the value of `--ci`, with their place in the repository. */
const pipelines = {
  github: { file: '.github/workflows/touchstone.yml', secrets: 'the secrets of the repository' },
  gitlab: { file: '.gitlab/touchstone.yml', secrets: 'the masked variables under Settings > CI/CD' },
} as const;

/** `touchstone init`: writes a commented configuration and a CI workflow, and prints the next steps. */
export const initCommand: CommandBody = {
  description: [
    `Writes ${defaultConfigFile} into DIR, by default the current folder, and a CI pipeline: ${pipelines.github.file}, or ${pipelines.gitlab.file} with --ci gitlab. The pipeline verifies a server every night, and checks each pull request for breaking changes to your contract. In a git repository, the pipeline is written at the root and runs in DIR. If one of the files already exists, nothing is written.`,
  ],
  options: [
    {
      name: 'contract',
      value: 'CONTRACT',
      summary:
        'Contract for the targets. Default: the first specs/*.openapi.yaml in the folder, or the first contract that comes with Touchstone.',
    },
    { name: 'ci', value: 'SYSTEM', summary: 'CI system for the pipeline: github (default) or gitlab.' },
    { name: 'force', summary: 'Overwrite existing files.' },
  ],
  examples: [
    { line: 'touchstone init', about: 'in the current folder' },
    { line: 'touchstone init service --contract my-api.yaml', about: 'in another folder, with a contract from that folder' },
    { line: 'touchstone init --ci gitlab', about: 'with a pipeline for GitLab' },
  ],
  run: runInit,
};

async function runInit(args: Arguments, terminal: Terminal): Promise<number> {
  const [folder = '.', ...rest] = args.positionals;
  if (rest.length > 0) throw new UsageError(`touchstone init writes into one folder, but ${rest.length + 1} were named; name one`);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`${folder} is not a folder; name a folder, or none for the current one`);
  const system = readSystem(args.values['ci']);
  const repository = findRepositoryRoot(folder);
  const root = repository === undefined || relative(repository, folder) === '' ? folder : pathFromCurrentFolder(repository);
  const files = [join(folder, defaultConfigFile), join(root, pipelines[system].file)];
  const existingFiles = files.filter((file) => existsSync(file));
  if (existingFiles.length > 0 && !args.switches.has('force'))
    throw new UsageError(
      `${existingFiles.join(' and ')} ${existingFiles.length === 1 ? 'exists' : 'exist'} already, and nothing was written; add --force to overwrite`,
    );
  const starterContract = await readStarterContract(folder, args.values['contract']);
  const values = valuesOf(starterContract, relative(root, folder).replaceAll('\\', '/'));
  const texts = ['config.yaml', `${system}.yml`].map((name) => fillTemplate(readInitTemplate(name), values));
  for (const [index, file] of files.entries()) {
    mkdirSync(dirname(file), { recursive: true });
    writeWholeFile(file, texts[index] ?? '', 'file');
  }
  terminal.out(renderNextSteps(files, folder, starterContract, system));
  return 0;
}

function readSystem(name = 'github'): keyof typeof pipelines {
  if (name === 'github' || name === 'gitlab') return name;
  throw new UsageError(`--ci ${name} is not a known CI system; write github or gitlab`);
}

/** Reads the contract, so that a mistake in it is reported before any file is written. */
async function readStarterContract(folder: string, namedContract: string | undefined): Promise<StarterContract> {
  const contract = namedContract ?? findContract(folder) ?? listShipped()[0] ?? '';
  const isShipped = listShipped().includes(contract);
  const loaded = await openContract(isShipped ? contract : join(folder, contract));
  const [scope] = loaded.scopes;
  const role = scope === undefined ? '' : `without:${scope.role}`;
  const pacts = ['contracts/pacts', 'pacts'].find((name) => existsSync(join(folder, name)));
  return { contract, isShipped, title: loaded.title, isKeyed: wantsKey(loaded), role, pacts };
}

function findContract(folder: string): string | undefined {
  const specs = join(folder, 'specs');
  if (!existsSync(specs)) return undefined;
  const [first] = readdirSync(specs)
    .filter((file) => /\.openapi\.(ya?ml|json)$/.test(file))
    .sort();
  return first === undefined ? undefined : `specs/${first}`;
}

function renderNextSteps(
  files: readonly string[],
  folder: string,
  { contract, isKeyed }: StarterContract,
  system: keyof typeof pipelines,
): string {
  const folderText = folder === '.' ? '' : ` (in ${folder})`;
  const mock = `npx touchstone mock ${contract}`;
  const steps = [
    `Write the address of your server into ${defaultConfigFile}, under targets.staging.url.`,
    ...(isKeyed
      ? [`Put its key into the variable FULL_KEY here (export FULL_KEY=…), and add FULL_KEY to ${pipelines[system].secrets}.`]
      : []),
    `Verify it${folderText}: npx touchstone verify --target staging`,
    `Or try it without a server${folderText}: ${mock}${isKeyed ? ', FULL_KEY set to the key that it prints,' : ''} and npx touchstone verify --target local`,
    ...(system === 'gitlab' ? [`Include the pipeline in .gitlab-ci.yml: include: [{ local: ${pipelines.gitlab.file} }]`] : []),
    'Commit the files.',
  ];
  return [...files.map((file) => `Written: ${file}`), '', 'Next:', ...steps.map((step, index) => `  ${index + 1}. ${step}`), ''].join('\n');
}

/** The facts of the contract that the written files need. */
interface StarterContract {
  /** Name of a contract of the package, or a file of the folder. */
  readonly contract: string;
  readonly isShipped: boolean;
  readonly title: string;
  readonly isKeyed: boolean;
  /** A key role that lacks a scope, such as `without:x.read`; empty if the contract has no scopes. */
  readonly role: string;
  /** Folder of pacts in that folder; `undefined` if there is none. */
  readonly pacts: string | undefined;
}

/** The values of the templates. `folder` is that of the configuration below the root of the repository; empty for the root itself. */
function valuesOf({ contract, isShipped, title, isKeyed, role, pacts }: StarterContract, folder: string): TemplateValues {
  const folderPath = folder === '' ? '' : `${folder}/`;
  // `diff REVISION` finds such files itself. Otherwise the file is named on both sides.
  const isFound = folder === '' && /^specs\/[^/]+\.openapi\.yaml$/.test(contract);
  return {
    contract: /^[a-z][\w./-]*$/i.test(contract) ? contract : printJson(contract),
    title: title.replaceAll(/\s+/g, ' '),
    hasOwnContract: !isShipped,
    isKeyed,
    isOpen: !isKeyed,
    role,
    folder,
    folderPath,
    baseFile: isFound ? '' : `:${folderPath}${contract}`,
    contractArgument: isFound ? '' : ` "${contract}"`,
    pactsOption: pacts === undefined ? '' : ` --pacts ${pacts}`,
  };
}

type TemplateValues = Readonly<Record<string, string | boolean>>;

/**
 * Fills in a template: `{{name}}` stands for a value, and lines from `{{#name}}` to `{{/name}}` are left out if it is false or empty.
 * @throws {TypeError} for a name without a value.
 */
function fillTemplate(template: string, values: TemplateValues): string {
  return chooseLines(template, values).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(templateValueOf(name, values)));
}

function chooseLines(template: string, values: TemplateValues): string {
  return template.replaceAll(/^\{\{#(\w+)\}\}\n(.*?)^\{\{\/\1\}\}\n/gms, (_, name: string, lines: string) =>
    templateValueOf(name, values) ? chooseLines(lines, values) : '',
  );
}

function templateValueOf(name: string, values: TemplateValues): string | boolean {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new TypeError(`a template of init names ${name}, which has no value`);
  return value;
}
