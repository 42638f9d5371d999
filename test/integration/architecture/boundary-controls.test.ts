/**
 * Proves that each rule of .dependency-cruiser.cjs reports a small project that breaks it, once for each violation, and that a project which keeps all rules
 * passes.
 */

import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { describe, expect, it } from 'vitest';
import { repository, withTree } from '../../helpers/tree.ts';

/** The files of a small project, by path. */
type ProjectFiles = Readonly<Record<string, string>>;

/** The libraries that the projects below declare. */
const declared = [
  'yaml',
  'json-p3',
  'jsonc-parser',
  'ajv',
  'ajv-formats',
  '@stoplight/prism-core',
  '@stoplight/prism-http',
  'fast-xml-parser',
  'fp-ts',
  'fast-check',
  '@pact-foundation/pact',
  'semver',
];

/** A package with the name of Pact, which may not be installed here. */
const pact: ProjectFiles = {
  'contracts/node_modules/@pact-foundation/pact/package.json': '{"name":"@pact-foundation/pact","version":"1.0.0","main":"index.js"}',
  'contracts/node_modules/@pact-foundation/pact/index.js': '',
};

/** A project that keeps every rule: each layer is imported by the layer above it, each library by its adapter. */
const sound: ProjectFiles = {
  'package.json': JSON.stringify({
    dependencies: Object.fromEntries(declared.map((name) => [name, '*'])),
    // Peer dependencies of users are development dependencies here.
    devDependencies: { typescript: '*', vitest: '*' },
    peerDependencies: { vitest: '*' },
  }),
  'core/openapi/document.ts': importing('../read-text-file.ts', './loading/yaml.ts', './loading/json-parser.ts', './loading/json-path.ts'),
  'core/read-text-file.ts': importing('node:fs'),
  'core/openapi/loading/json-path.ts': importing('json-p3'),
  'core/openapi/loading/json-parser.ts': importing('jsonc-parser'),
  'core/openapi/loading/yaml.ts': importing('yaml'),
  'core/shipped-files.ts': importing('node:fs', './openapi/document.ts'),
  'core/openapi/validator.ts': importing('ajv/dist/2020.js', './formats.ts'),
  'core/openapi/formats.ts': importing('ajv-formats'),
  'generators/schema.ts': importing('fast-check', '../core/openapi/document.ts'),
  'mocks/handler/prism/engine.ts': importing('@stoplight/prism-core', 'fp-ts/lib/Either.js', '../../../generators/schema.ts'),
  'mocks/handler/prism/load-prism.ts': importing('@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js'),
  'mocks/handler/values/to-xml.ts': importing('fast-xml-parser'),
  'mocks/server/server.ts': importing(
    'node:http',
    '../handler/prism/engine.ts',
    '../handler/prism/load-prism.ts',
    '../handler/values/to-xml.ts',
    './response-sender.ts',
    '../control/control-http-adapter.ts',
  ),
  'mocks/control/control-http-adapter.ts': importing('node:http'),
  'mocks/server/response-sender.ts': importing('node:net'),
  'contracts/verify/target/open-target.ts': importing(
    './send-one-request.ts',
    '../../../core/openapi/validator.ts',
    '../../../generators/schema.ts',
  ),
  'contracts/verify/target/send-one-request.ts': importing('node:http'),
  'contracts/verify/play-run.ts': importing(
    './evidence/random-request-values.ts',
    '../pact/verify/pact-verifier-process.ts',
    './target/open-target.ts',
  ),
  'contracts/verify/evidence/random-request-values.ts': importing('fast-check'),
  'contracts/pact/verify/pact-verifier-process.ts': importing('node:child_process', 'node:fs'),
  'contracts/vitest/describe-contract.ts': importing('vitest'),
  'contracts/vitest/index.ts': importing('./describe-contract.ts'),
  'reports/verify/verify-json.ts': importingType('../../core/openapi/document.ts'),
  'cli/diff/git.ts': importing('node:child_process'),
  'cli/main.ts': importing(
    './diff/git.ts',
    'node:fs/promises',
    '../core/shipped-files.ts',
    '../contracts/verify/play-run.ts',
    '../mocks/server/server.ts',
    '../reports/verify/verify-json.ts',
  ),
  'index.ts': importing('./mocks/server/server.ts', './contracts/verify/target/open-target.ts'),
  'test/free.test.ts': importing('node:fs', 'node:http', 'yaml', 'fast-check', '../index.ts', '../cli/main.ts'),
};

/** Changes to the sound project, each with the expected violation. */
const broken: ReadonlyArray<readonly [title: string, changes: ProjectFiles, violations: readonly string[]]> = [
  ['core uses a type of mocks', { 'core/a.ts': importingType('../mocks/handler/prism/engine.ts') }, ['layer-core: core/a.ts']],
  [
    'core names a type of mocks in place',
    { 'core/a.ts': `export type A = import('../mocks/handler/prism/engine.ts').A;\n` },
    ['layer-core: core/a.ts'],
  ],
  [
    'core loads mocks later',
    { 'core/a.ts': `export const a = await import('../mocks/handler/prism/engine.ts');\n` },
    ['layer-core: core/a.ts'],
  ],
  [
    'a judge reads the members of a file',
    { 'core/openapi/raw-document.ts': '', 'contracts/verify/a.ts': importing('../../core/openapi/raw-document.ts') },
    ['no-raw-document: contracts/verify/a.ts'],
  ],
  ['core re-exports cli', { 'core/a.ts': `export * from '../cli/main.ts';\n` }, ['layer-core: core/a.ts']],
  ['core imports an unknown module', { 'attic/b.ts': '', 'core/a.ts': importing('../attic/b.ts') }, ['layer-core: core/a.ts']],
  ['an unknown module imports core', { 'attic/a.ts': importing('../core/openapi/formats.ts') }, ['no-unplanned-module: attic/a.ts']],
  ['a script beside the entry points', { 'b.ts': importing('./core/openapi/formats.ts') }, ['no-unplanned-module: b.ts']],
  ['core imports data', { 'specs/b.json': '{}', 'core/a.ts': importing('../specs/b.json') }, ['layer-core: core/a.ts']],
  ['generators import mocks', { 'generators/a.ts': importing('../mocks/handler/prism/engine.ts') }, ['layer-generators: generators/a.ts']],
  ['mocks import contracts', { 'mocks/a.ts': importing('../contracts/verify/target/open-target.ts') }, ['layer-mocks: mocks/a.ts']],
  [
    'contracts use a type of mocks',
    { 'contracts/a.ts': importingType('../mocks/handler/prism/engine.ts') },
    ['layer-contracts: contracts/a.ts'],
  ],
  ['reports import contracts', { 'reports/a.ts': importing('../contracts/verify/target/open-target.ts') }, ['layer-reports: reports/a.ts']],
  [
    'cli imports the entry point',
    { 'cli/a.ts': importing('../index.ts') },
    ['layer-cli: cli/a.ts', 'no-import-of-an-entry-point: cli/a.ts'],
  ],
  ['cli imports a test', { 'cli/a.ts': importingType('../test/free.test.ts') }, ['layer-cli: cli/a.ts', 'no-import-of-tests: cli/a.ts']],
  ['the entry point imports a test', { 'index.ts': importing('./test/b.ts'), 'test/b.ts': '' }, ['no-import-of-tests: index.ts']],
  [
    'an example imports a source file',
    { 'examples/a.ts': importing('../core/openapi/formats.ts') },
    ['examples-use-the-package: examples/a.ts'],
  ],
  [
    'a test imports an example',
    { 'examples/a.js': '', 'test/a.ts': importing('../examples/a.js') },
    ['layer-test: test/a.ts', 'no-import-of-examples: test/a.ts'],
  ],
  ['a test imports an unknown module', { 'attic/b.ts': '', 'test/a.ts': importing('../attic/b.ts') }, ['layer-test: test/a.ts']],
  [
    'the second server imports core',
    { 'test/second/a.ts': importingType('../../core/openapi/formats.ts') },
    ['independent-second-server: test/second/a.ts'],
  ],
  [
    'the language of the scenarios imports core',
    { 'test/scenario/a.ts': importing('../../core/openapi/formats.ts') },
    ['independent-scenarios: test/scenario/a.ts'],
  ],
  ['the second server imports a library', { 'test/second/a.ts': importing('yaml') }, ['independent-second-server: test/second/a.ts']],
  ['yaml outside its adapter', { 'core/a.ts': importing('yaml') }, ['adapter-yaml: core/a.ts']],
  ['yaml loaded later', { 'mocks/a.ts': `export const a = await import('yaml');\n` }, ['adapter-yaml: mocks/a.ts']],
  ['yaml in the entry point', { 'index.ts': importing('yaml') }, ['adapter-yaml: index.ts']],
  ['the JSON scanner outside its adapter', { 'core/a.ts': importing('jsonc-parser') }, ['adapter-json: core/a.ts']],
  ['JSONPath outside its adapter', { 'core/a.ts': importing('json-p3') }, ['adapter-json-path: core/a.ts']],
  [
    'a process of another file of pacts',
    { 'contracts/pact/verify/a.ts': importing('node:child_process') },
    ['adapter-processes: contracts/pact/verify/a.ts'],
  ],
  ['a process outside its adapter', { 'cli/a.ts': importing('node:child_process') }, ['adapter-processes: cli/a.ts']],
  ['a type of ajv outside its adapter', { 'core/a.ts': importingType('ajv/dist/2020.js') }, ['adapter-ajv: core/a.ts']],
  ['ajv-formats outside its adapter', { 'mocks/a.ts': importing('ajv-formats') }, ['adapter-ajv: mocks/a.ts']],
  ['Prism outside its adapter', { 'mocks/a.ts': importing('@stoplight/prism-core') }, ['adapter-prism: mocks/a.ts']],
  [
    'the whole of prism-http',
    { 'mocks/handler/prism/a.ts': importing('@stoplight/prism-http') },
    ['no-prism-generator: mocks/handler/prism/a.ts'],
  ],
  [
    'the generator of Prism',
    { 'mocks/handler/prism/a.ts': importing('@stoplight/prism-http/dist/mocker/index.js') },
    ['no-prism-generator: mocks/handler/prism/a.ts'],
  ],
  [
    'the generator of Prism, loaded later',
    { 'mocks/handler/prism/a.ts': `export const a = requirePrism('@stoplight/prism-http/dist/mocker/index.js');\n` },
    ['no-prism-generator: mocks/handler/prism/a.ts'],
  ],
  ['XML outside its adapter', { 'mocks/a.ts': importing('fast-xml-parser') }, ['adapter-xml: mocks/a.ts']],
  ['fp-ts outside its adapter', { 'mocks/a.ts': importing('fp-ts/lib/Either.js') }, ['adapter-prism: mocks/a.ts']],
  ['Pact outside its adapter', { ...pact, 'contracts/a.ts': importing('@pact-foundation/pact') }, ['adapter-pact: contracts/a.ts']],
  [
    'Pact where pacts are checked',
    { ...pact, 'contracts/pact/check/a.ts': importing('@pact-foundation/pact') },
    ['adapter-pact: contracts/pact/check/a.ts'],
  ],
  ['vitest outside its adapter', { 'contracts/vitest/a.ts': importing('vitest') }, ['adapter-vitest: contracts/vitest/a.ts']],
  ['fast-check outside its adapter', { 'mocks/a.ts': importing('fast-check') }, ['adapter-fast-check: mocks/a.ts']],
  ['the disk outside its adapter', { 'mocks/a.ts': importing('fs') }, ['adapter-disk: mocks/a.ts']],
  [
    'the disk of another file of pacts',
    { 'contracts/pact/verify/a.ts': importing('node:fs') },
    ['adapter-disk: contracts/pact/verify/a.ts'],
  ],
  ['the disk as promises', { 'contracts/a.ts': importing('node:fs/promises') }, ['adapter-disk: contracts/a.ts']],
  ['a type of the network outside its adapter', { 'core/a.ts': importingType('node:http') }, ['adapter-network: core/a.ts']],
  ['a socket outside its adapter', { 'mocks/a.ts': importing('node:net') }, ['adapter-network: mocks/a.ts']],
  ['a library without an adapter', { 'cli/a.ts': importing('semver') }, ['no-library-without-adapter: cli/a.ts']],
  ['a development library in what ships', { 'cli/a.ts': importing('typescript') }, ['no-undeclared-library: cli/a.ts']],
  ['a type of an undeclared library', { 'cli/a.ts': importingType('picomatch') }, ['no-undeclared-library: cli/a.ts']],
  ['a cycle of types', { 'core/a.ts': importingType('./b.ts'), 'core/b.ts': importingType('./a.ts') }, ['no-cycle: core/a.ts']],
  ['a cycle in tests', { 'test/a.ts': importing('./b.ts'), 'test/b.ts': importingType('./a.ts') }, ['no-cycle: test/a.ts']],
  ['an import that leads nowhere', { 'core/a.ts': importing('./missing.ts') }, ['no-unresolvable: core/a.ts']],
  ['a library that is not installed', { 'core/a.ts': importing('surely-not-installed') }, ['no-unresolvable: core/a.ts']],
  ['a file without imports and importers', { 'test/a.ts': 'export const a = 1;\n' }, ['no-orphan: test/a.ts']],
];

/** Projects with an unreachable file. The projects above have such files too, so no-dead-file is ignored there. */
const dead: ReadonlyArray<readonly [title: string, changes: ProjectFiles, violations: readonly string[]]> = [
  ['a file that nobody imports', { 'core/a.ts': importing('./openapi/formats.ts') }, ['no-dead-file: core/a.ts']],
  [
    'a file that only a test imports',
    { 'core/a.ts': importing('./openapi/formats.ts'), 'test/a.test.ts': importing('../core/a.ts') },
    ['no-dead-file: core/a.ts'],
  ],
  [
    'two files that keep each other',
    { 'core/a.ts': importing('./b.ts'), 'core/b.ts': importing('./openapi/formats.ts') },
    ['no-dead-file: core/a.ts', 'no-dead-file: core/b.ts'],
  ],
];

/** Projects that only add files, with numbered file names. They fit into one project, which is checked once: each check takes seconds. */
const numbered = broken.map(([, changes], number): ProjectFiles => {
  const isAddition = Object.keys(changes).every((path) => !(path in sound));
  const rename = (text: string): string => text.replace(/\b([ab])\.ts\b/g, `$1${number}.ts`);
  return isAddition ? Object.fromEntries(Object.entries(changes).map(([path, text]) => [rename(path), rename(text)])) : {};
});

describe('the rules about imports', () => {
  it('report nothing in a project that keeps them, and read all its files', async () => {
    const report = await withTree(sound, checkImports);
    expect(report.violations).toEqual([]);
    expect(report.seen).toHaveLength(Object.keys(sound).length - 1);
  });

  let joint: Promise<ImportReport> | undefined;
  it.each(broken.map((each, number) => [...each, number] as const))('report: %s', async (_title, changes, expected, number) => {
    const added = numbered[number] ?? {};
    const isJoint = Object.keys(added).length > 0;
    if (isJoint) joint ??= withTree(Object.assign({}, sound, ...numbered), checkImports);
    const report = (await (isJoint ? joint : undefined)) ?? (await withTree({ ...sound, ...changes }, checkImports));
    const found = listRules(report).filter((violation) => !violation.startsWith('no-dead-file'));
    const fileOf = (violation: string): string => violation.split(': ')[1] ?? '';
    expect(isJoint ? found.filter((each) => fileOf(each) in added).map((each) => each.replace(`${number}.ts`, '.ts')) : found).toEqual(
      expected,
    );
  });

  it.each(dead)('report: %s', async (_title, changes, expected) => {
    const report = await withTree({ ...sound, ...changes }, checkImports);
    expect(listRules(report)).toEqual(expected);
  });
});

/** Rule and file of each violation. The imported file is left out, since it depends on the layout of node_modules. */
function listRules(report: ImportReport): readonly string[] {
  return report.violations.map((violation) => violation.split(' → ')[0] ?? violation);
}

function importing(...specifiers: readonly string[]): string {
  return specifiers.map((specifier, at) => `import * as a${at} from '${specifier}';\n`).join('');
}

function importingType(specifier: string): string {
  return `import type * as a from '${specifier}';\nexport type A = typeof a;\n`;
}

/** Violations that dependency-cruiser reports for a project. */
interface ImportReport {
  /** The TypeScript files that were read, sorted. */
  readonly seen: readonly string[];
  /** Broken rules as `rule: from → to`, sorted. */
  readonly violations: readonly string[];
}

/** Reads every file below `root` and judges its imports by the repository's own rules. */
async function checkImports(root: string): Promise<ImportReport> {
  const options = await extractDepcruiseOptions(join(repository, '.dependency-cruiser.cjs'));
  const tsConfig = extractTypeScriptConfig(join(repository, 'tsconfig.json'));
  const { output } = await cruise(['.'], { ...options, baseDir: root, validate: true }, undefined, { tsConfig });
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered with text instead of a result: ${output.slice(0, 200)}`);
  return { seen: listSeen(output), violations: listViolations(output) };
}

function listSeen(result: ICruiseResult): readonly string[] {
  return result.modules
    .filter((module) => module.couldNotResolve !== true && module.source.endsWith('.ts') && !module.source.includes('node_modules/'))
    .map((module) => module.source)
    .sort();
}

function listViolations(result: ICruiseResult): readonly string[] {
  return result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
}
