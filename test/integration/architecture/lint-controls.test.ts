/** Controls for biome.json: each lint rule reports a file that breaks it. Without them, a rule that is switched off by mistake would go unnoticed. */

import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { repository, withTree } from '../../helpers/tree.ts';

const long = `export function long(n: number): number {\n${'  n.toFixed();\n'.repeat(61)}  return n;\n}\n`;
const branches = Array.from({ length: 16 }, (_, at) => `  if (n > ${at}) return ${at};\n`).join('');

/** One file for each rule, named after the rule that it breaks. */
const files: Readonly<Record<string, string>> = {
  'core/no-explicit-any.ts': 'export const a = (x: any): unknown => x;\n',
  'core/no-non-null-assertion.ts': 'export const a = (x: string | undefined): string => x!;\n',
  'core/no-default-export.ts': 'export default 1;\n',
  'core/no-barrel-file.ts': `export { plain } from './plain.ts';\n`,
  'core/no-re-export-all.ts': `export * from './plain.ts';\n`,
  'core/no-console.ts': `console.log('a');\n`,
  'core/Bad_Name.ts': 'export const a = 1;\n',
  'core/no-excessive-lines.ts': long,
  'core/no-excessive-complexity.ts': `export function f(n: number): number {\n${branches}  return n;\n}\n`,
  'core/cycle-a.ts': `import type { B } from './cycle-b.ts';\nexport type A = { b?: B };\n`,
  'core/cycle-b.ts': `import type { A } from './cycle-a.ts';\nexport type B = { a?: A };\n`,
  'core/no-floating-promises.ts': 'async function f(): Promise<void> {}\nexport function g(): void {\n  f();\n}\n',
  'core/use-nodejs-import-protocol.ts': `import { join } from 'path';\nexport const a = join;\n`,
  'core/use-import-type.ts': `import { Plain } from './plain.ts';\nexport const a = (x: Plain): Plain => x;\n`,
  'core/use-import-extensions.ts': `import { plain } from './plain';\nexport const a = plain;\n`,
  'core/plain.ts': 'export const plain = 1;\nexport type Plain = typeof plain;\n',
  // Allowed by the same rules: entry points, configurations, the command line and tests.
  'index.ts': `export { plain } from './core/plain.ts';\n`,
  'vitest.config.ts': 'export default 1;\n',
  'cli/main.ts': `console.log('a');\n`,
  'test/long.test.ts': `${long}console.log('a');\n`,
};

/** Rule and file of every expected report. */
const expected: readonly string[] = [
  'complexity/noExcessiveCognitiveComplexity core/no-excessive-complexity.ts',
  'complexity/noExcessiveLinesPerFunction core/no-excessive-lines.ts',
  'correctness/useImportExtensions core/use-import-extensions.ts',
  'nursery/noFloatingPromises core/no-floating-promises.ts',
  'performance/noBarrelFile core/no-barrel-file.ts',
  'performance/noBarrelFile core/no-re-export-all.ts',
  'performance/noReExportAll core/no-re-export-all.ts',
  'style/noDefaultExport core/no-default-export.ts',
  'style/noNonNullAssertion core/no-non-null-assertion.ts',
  'style/useFilenamingConvention core/Bad_Name.ts',
  'style/useImportType core/use-import-type.ts',
  'style/useNodejsImportProtocol core/use-nodejs-import-protocol.ts',
  'suspicious/noConsole core/no-console.ts',
  'suspicious/noExplicitAny core/no-explicit-any.ts',
  'suspicious/noImportCycles core/cycle-a.ts',
  'suspicious/noImportCycles core/cycle-b.ts',
];

describe('the lint rules', () => {
  it('report each file that breaks one, and no other file', async () => {
    expect(await withTree(files, lint)).toEqual(expected);
  });
});

/** The part of Biome's report that is read here. */
interface LintReport {
  readonly diagnostics: ReadonlyArray<{ readonly category: string; readonly location: { readonly path: string } }>;
}

async function lint(root: string): Promise<readonly string[]> {
  copyFileSync(join(repository, 'biome.json'), join(root, 'biome.json'));
  const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome');
  // Biome exits with 1 after findings. Its report is on standard output.
  const run = promisify(execFile)(process.execPath, [biome, 'lint', '--reporter=json', '.'], { cwd: root });
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  const report = JSON.parse(stdout) as LintReport;
  return report.diagnostics.map(({ category, location }) => `${category.replace('lint/', '')} ${location.path}`).sort();
}
