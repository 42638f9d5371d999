/** Finds direct uses of clock, randomness, environment and network, which must be arguments instead. */

import ts from 'typescript';

/** Files that may use them: the command line, the sockets, the clients, the clock, provider states, the list of time zones, the start of a mock, and the exam, which waits in real time. */
const allowed =
  /^(cli\/|mocks\/(server\/server|start-mock|exam\/exam|proxy\/(start-proxy|forwarder)|control\/control-client)\.ts$|contracts\/(system-clock|verify\/target\/open-target|pact\/verify\/verify-in-rounds)\.ts$|core\/mutants\/utc-day\.ts$)/;

/** Members whose value differs from run to run or from machine to machine. */
const members: ReadonlySet<string> = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'process.hrtime',
  'process.env',
  'process.cwd',
]);

/** Methods that consult the locale, whatever they are called on. */
const localeMethods: ReadonlySet<string> = new Set([
  'toLocaleString',
  'toLocaleDateString',
  'toLocaleTimeString',
  'localeCompare',
  'toLocaleLowerCase',
  'toLocaleUpperCase',
]);

/** Names imported from Node.js that give random bytes. */
const randomNames: ReadonlySet<string> = new Set(['randomUUID', 'randomBytes', 'randomInt']);

/** Lists these uses in a file, as `line: use`. */
export function listAmbientUses(path: string, file: ts.SourceFile): readonly string[] {
  if (allowed.test(path)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const use = nameUse(node);
    if (use !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.push(`${line}: ${use} differs between runs or machines; take it as an argument`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function nameUse(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return nameMember(node);
  if (ts.isNewExpression(node) && isNamed(node.expression, 'Date') && (node.arguments?.length ?? 0) === 0) return 'new Date()';
  if (ts.isCallExpression(node) && isNamed(node.expression, 'Date')) return 'Date()';
  if (ts.isCallExpression(node) && isNamed(node.expression, 'fetch')) return 'fetch()';
  if (ts.isImportSpecifier(node) && randomNames.has((node.propertyName ?? node.name).text)) return node.name.text;
  return undefined;
}

function nameMember(node: ts.PropertyAccessExpression): string | undefined {
  if (localeMethods.has(node.name.text)) return node.name.text;
  if (isNamed(node.expression, 'Intl')) return `Intl.${node.name.text}`;
  const path = `${node.expression.getText().replace(/^globalThis\./, '')}.${node.name.text}`;
  return members.has(path) ? path : undefined;
}

function isNamed(node: ts.Expression, name: string): boolean {
  return ts.isIdentifier(node) ? node.text === name : ts.isPropertyAccessExpression(node) && node.getText() === `globalThis.${name}`;
}
