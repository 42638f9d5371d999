/** A consumer in CommonJS: `require` works, and has types under each module setting of TypeScript. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { build } from '../../helpers/program.ts';
import { repository } from '../../helpers/tree.ts';

const consumer = `import touchstone = require('touchstone');
import { listMockMutants, startMock, UsageError, type MockClock, type RunningMock } from 'touchstone/mock';
import { verify } from 'touchstone/verify';
import { compareContracts } from 'touchstone/diff';
import { readPacts } from 'touchstone/pact';
import { arbitraryFor } from 'touchstone/generators';
import { connectControl } from 'touchstone/control';
import type { ContractSuiteOptions } from 'touchstone/vitest';

async function main(): Promise<void> {
  const mock: RunningMock = await startMock({ contracts: ['wiki'] });
  const clock: MockClock = mock.clock;
  const same: touchstone.MockClock = clock;
  const { contracts } = await connectControl(mock.url).served();
  const response = await fetch(mock.url + '/api/v1/wiki');
  await mock.close();
  const failure: unknown = await startMock({ seed: -1 }).catch((error: unknown) => error);
  const options: ContractSuiteOptions = { contract: 'wiki', target: mock.url };
  const functions = [touchstone.loadContract, listMockMutants, verify, compareContracts, readPacts, arbitraryFor];
  const kind = failure instanceof UsageError ? failure.name : 'no error';
  console.log(response.status, contracts[0]?.name, options.contract, kind, same.pace(), functions.every((each) => typeof each === 'function'));
}
void main();
`;

/** A program with a mistake. */
const wrong = `import { startMock } from 'touchstone/mock';\nvoid startMock({ port: '80' });\n`;

let folder: string;
let files: readonly string[];

beforeAll(() => {
  build();
  execFileSync(process.execPath, ['.ci/commonjs-types.mjs'], { cwd: repository });
  folder = mkdtempSync(join(tmpdir(), 'touchstone-commonjs-'));
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(repository, join(folder, 'node_modules/touchstone'), 'junction');
  symlinkSync(join(repository, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'junction');
  files = [join(folder, 'consumer.cts'), join(folder, 'wrong.cts')];
  for (const [index, text] of [consumer, wrong].entries()) writeFileSync(files[index] ?? '', text);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Complaints about both files, and about the declarations of the package; not about those of TypeScript and Node.js, whose check takes most of the time. */
function complaintsOf(module: ts.ModuleKind): readonly string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    module,
    strict: true,
    esModuleInterop: true,
    typeRoots: [join(folder, 'node_modules/@types')],
    types: ['node'],
    noEmit: true,
  };
  const host = { ...ts.createCompilerHost(options), jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const program = ts.createProgram(files, options, host);
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => !/\/node_modules\/(typescript|@types\/node|undici-types)\//.test(fileName));
  return checked.flatMap((each) => ts.getPreEmitDiagnostics(program, each)).map((each) => ts.formatDiagnostic(each, host));
}

it.each([
  ['node16', ts.ModuleKind.Node16],
  ['nodenext', ts.ModuleKind.NodeNext],
] as const)('has types under --module %s, and is told of a wrong argument alone', (_, module) => {
  expect(complaintsOf(module)).toEqual([expect.stringMatching(/wrong\.cts.*Type 'string' is not assignable to type 'PortChoice/)]);
});

it('runs', () => {
  const { outputText } = ts.transpileModule(consumer, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const script = join(folder, 'consumer.cjs');
  writeFileSync(script, outputText);
  expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toBe('200 wiki wiki UsageError 0 true\n');
});
