/**
 * Writes `index.d.cts` beside the `index.d.ts` of each entry point in dist. A CommonJS program may call `require` on the modules of this package, but
 * `--module node16` refuses their types as those of ES modules.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));

for (const { require: commonJs, types } of Object.values(exports)) {
  if (commonJs !== undefined) writeFileSync(commonJs.types, toCommonJs(types));
}

/** The declarations of an entry point, which only re-exports, for CommonJS. A value whose name begins with a capital letter is a class. */
function toCommonJs(types) {
  const values = [...new Set(valuesOf(types))];
  return [
    `import type * as module from './index.js' with { 'resolution-mode': 'import' };`,
    `export type * from './index.js' with { 'resolution-mode': 'import' };`,
    ...values.map((name) => `export declare const ${name}: typeof module.${name};`),
    ...values.filter((name) => /^[A-Z]/.test(name)).map((name) => `export type ${name} = module.${name};`),
    '',
  ].join('\n');
}

/** Names of the values that a declaration file exports, including those that it re-exports with `*`. */
function valuesOf(types) {
  const declarations = readFileSync(types, 'utf8');
  const names = [...declarations.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => list.split(',').map((name) => name.trim()));
  const others = [...declarations.matchAll(/^export \* from '(.*)\.[jt]s'/gm)].map(([, path]) => join(dirname(types), `${path}.d.ts`));
  return [...names.filter((name) => name !== '' && !name.startsWith('type ')), ...others.flatMap(valuesOf)];
}
