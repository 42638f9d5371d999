/**
 * Compiles what judges into dist/, without a look at types: the build of Stryker's sandbox. What was compiled before is kept beside the recordings, since
 * all but the files that are mutated is the same each time.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const kept = join(process.env.TOUCHSTONE_RECORDINGS, '../compiled');
mkdirSync(kept, { recursive: true });
let compiler;

for (const folder of ['core', 'generators', 'contracts', 'test/mutation'])
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith('.ts')) await compile(join(entry.parentPath, entry.name));

async function compile(file) {
  const source = readFileSync(file, 'utf8');
  const known = join(kept, `${createHash('sha256').update(source).digest('hex')}.txt`);
  if (!existsSync(known)) {
    compiler ??= await createCompiler();
    writeFileSync(known, compiler(file, source));
  }
  const compiled = join('dist', file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(compiled), { recursive: true });
  writeFileSync(compiled, readFileSync(known));
}

async function createCompiler() {
  const { default: ts } = await import('typescript');
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const emitting = { noEmit: false, declaration: false, isolatedDeclarations: false, module: 'esnext' };
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, ...emitting }, '.');
  return (fileName, source) => ts.transpileModule(source, { fileName, compilerOptions: options }).outputText;
}
