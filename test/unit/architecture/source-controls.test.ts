/** Each rule about one source file fires on a text that breaks it, and stays silent on its near neighbours. */

import { describe, expect, it } from 'vitest';
import { inspectSource, linesMax, type SourceRule } from './source.ts';

const header = '/** What this file knows. */\n\n';
const one = '/** One. */\nexport const one = 1;\n';
/** A file like any other. */
const anywhere = 'core/one.ts';

/** The lines of a file, header included. */
function linesOf(count: number): string {
  return header + '// so\n'.repeat(count - 2);
}

/** Texts without fault. */
const sound: ReadonlyArray<readonly [title: string, text: string, path: string]> = [
  ['a header and a documented constant', header + one, anywhere],
  ['an import before the first declaration', `${header}import { a } from './a.ts';\n\n${one}`, anywhere],
  ['a header below a shebang', `#!/usr/bin/env node\n${header}${one}`, 'cli/main.ts'],
  ['as many lines as allowed', linesOf(linesMax), anywhere],
  ['undocumented things that stay inside', `${header}const inner = 1;\n${one}void inner;\n`, anywhere],
  [
    're-exports, documented where they are declared',
    `${header}export { one } from './one.ts';\nexport type { Two } from './two.ts';\n`,
    anywhere,
  ],
  [
    'sorting orders are legitimate',
    `${header}/** The order. */\nexport const order = 'in the order of', orderBy = 'order by', reorder = 'reorders';\n`,
    anywhere,
  ],
  ['the words of an API in a comment', `${header}// such as --size orders=1000\n${one}`, anywhere],
  [
    'the words of an API in the content of its dataset',
    `${header}/** Menus. */\nexport const menus = 'menu';\n`,
    'mocks/data/business/menu.ts',
  ],
  ['an instant made from a given number', `${header}/** When. */\nexport const when = (ms: number): Date => new Date(ms);\n`, anywhere],
  ['the clock in the roof', `${header}/** Now. */\nexport const now = Date.now();\n`, 'cli/main.ts'],
  ['a comment that names a file', `${header}// \`core/one.ts\` calls it.\n${one}`, anywhere],
  ['an entry point', `${header}export { one } from './core/one.ts';\n`, 'index.ts'],
];

/** Texts with one fault, and what is said about it. */
const broken: ReadonlyArray<readonly [title: string, rule: SourceRule, message: RegExp, text: string, path: string]> = [
  ['one line too many', 'size', /451 lines, 450 are allowed/, linesOf(linesMax + 1), anywhere],
  ['no header', 'header', /:1: /, `import { a } from './a.ts';\n\n${one}`, anywhere],
  ['a header that is no doc comment', 'header', /:1: /, `// What this file knows.\n\n${one}`, anywhere],
  ['a header that sticks to the first declaration', 'header', /:1: /, `/** What this file knows. */\n${one}`, anywhere],
  ['an undocumented constant', 'documentation', /:4: two is exported/, `${header}const one = 1;\nexport const two = one;\n`, anywhere],
  ['an undocumented first declaration', 'documentation', /:3: one is exported/, `${header}export const one = 1;\n`, anywhere],
  ['an undocumented function', 'documentation', / f is exported/, `${header}${one}export function f(): void {}\n`, anywhere],
  ['an undocumented class', 'documentation', / C is exported/, `${header}${one}export class C {}\n`, anywhere],
  ['an undocumented interface', 'documentation', / I is exported/, `${header}${one}export interface I {}\n`, anywhere],
  ['an undocumented type', 'documentation', / T is exported/, `${header}${one}export type T = 1;\n`, anywhere],
  ['an empty doc comment', 'documentation', / two is exported/, `${header}${one}/** */\nexport const two = 2;\n`, anywhere],
  ['an ordinary comment instead', 'documentation', / two is exported/, `${header}${one}// Two.\nexport const two = 2;\n`, anywhere],
  ['a thing exported further down', 'documentation', / two is exported/, `${header}${one}const two = 2;\nexport { two };\n`, anywhere],
  ['a default export', 'default-export', /:4: /, `${header}/** F. */\nexport default function f(): void {}\n`, anywhere],
  ['a default expression', 'default-export', /:4: /, `${header}/** One. */\nexport default 1;\n`, anywhere],
  ['a default export by name', 'default-export', /:5: /, `${header}${one}export { one as default };\n`, anywhere],
  ['a file of utilities', 'file-name', /called utils/, header + one, 'core/utils.ts'],
  ['a folder of helpers', 'file-name', /called helpers/, header + one, 'core/helpers/one.ts'],
  ['a file of common things', 'file-name', /called common/, header + one, 'core/common.ts'],
  ['a file of types', 'file-name', /called types/, header + one, 'mocks/types.ts'],
  ['an index inside a module', 'file-name', /called index/, header + one, 'core/index.ts'],
  [
    'the word of an API as a text',
    'vocabulary',
    /:4: “orders”/,
    `${header}/** One. */\nexport const one = '/orders/index.php';\n`,
    anywhere,
  ],
  ['as a name', 'vocabulary', /“reservations”/, `${header}/** One. */\nexport const reservations = 1;\n`, anywhere],
  ['in the middle of a name', 'vocabulary', /“orders”/, `${header}/** One. */\nexport const listOrders = 1;\n`, anywhere],
  ['in the other notation', 'vocabulary', /“menu”/, `${header}/** One. */\nexport const MENU_SIZE = 1;\n`, anywhere],
  ['in a template', 'vocabulary', /“wiki”/, `${header}/** One. */\nexport const one = \`/\${1}/wiki/\${2}\`;\n`, anywhere],
  ['in a regular expression', 'vocabulary', /“reservation”/, `${header}/** One. */\nexport const one = /^reservation$/;\n`, anywhere],
  ['as a key', 'vocabulary', /“menus”/, `${header}/** One. */\nexport const one = { menus: 1 };\n`, anywhere],
  ['a comment that names no file', 'reference', /:3: .*two\.ts/, `${header}// \`two.ts\` calls it.\n${one}`, anywhere],
  ['in cli, which knows no API either', 'vocabulary', /“wiki”/, `${header}/** One. */\nexport const one = 'wiki';\n`, 'cli/main.ts'],
  ['the clock', 'ambient', /Date\.now/, `${header}/** One. */\nexport const one = Date.now();\n`, anywhere],
  ['the clock as a default', 'ambient', /new Date\(\)/, `${header}/** One. */\nexport const one = new Date();\n`, anywhere],
  ['the clock of the whole world', 'ambient', /Date\.now/, `${header}/** One. */\nexport const one = globalThis.Date.now();\n`, anywhere],
  ['chance', 'ambient', /Math\.random/, `${header}/** One. */\nexport const one = Math.random;\n`, anywhere],
  [
    'chance by import',
    'ambient',
    /randomUUID/,
    `${header}import { randomUUID } from 'node:crypto';\n\n/** One. */\nexport const one = randomUUID();\n`,
    anywhere,
  ],
  ['the locale', 'ambient', /localeCompare/, `${header}/** One. */\nexport const one = 'a'.localeCompare('b');\n`, anywhere],
  ['the data of ICU', 'ambient', /Intl\.Collator/, `${header}/** One. */\nexport const one = new Intl.Collator();\n`, anywhere],
  ['the environment', 'ambient', /process\.env/, `${header}/** One. */\nexport const one = process.env['HOME'];\n`, anywhere],
  ['the network', 'ambient', /fetch\(\)/, `${header}/** One. */\nexport const one = fetch('http://127.0.0.1');\n`, anywhere],
];

describe('the rules about source files', () => {
  it.each(sound)('leave alone: %s', (_title, text, path) => {
    expect(inspectSource(path, text, new Set(['one.ts']))).toEqual([]);
  });

  it.each(broken)('fire: %s', (_title, rule, message, text, path) => {
    const complaints = inspectSource(path, text, new Set(['one.ts']));
    expect(complaints).toEqual([{ rule, message: expect.stringMatching(message) }]);
  });
});
