/** Kinds of line in an `sh` block: commands to run, servers to start, and steps that `.ci/run` covers. */

import { spawnSync } from 'node:child_process';

/** One command of a block. */
export type Command =
  | { readonly kind: 'run'; readonly text: string }
  /** Runs until it is stopped; `port` is where the page says that it listens. */
  | { readonly kind: 'serve'; readonly text: string; readonly port: number }
  /** Not run here: it would run this very test, install over it, or needs Docker. */
  | { readonly kind: 'elsewhere'; readonly text: string };

/** Port of a mock when the page names none. */
export const documentedPort = 4010;

const elsewhere: readonly RegExp[] = [
  /^npm ci( && npm (test|run package))?$/,
  /^npm test$/,
  /^(mkdir \S+ && cd \S+ && npm init --yes && )?npm (install|i) .*\btouchstone\b/,
  /^cd \.\.$/,
  /^docker /,
  /^npx --yes openapi-typescript@/,
];

/** The commands of a block. Lines that bash finds incomplete are joined with the next one. */
export function listCommands(text: string): readonly Command[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    if (open.trim() === '' || /^\s*#/.test(open)) open = '';
    else if (isComplete(open)) {
      commands.push(open.trim());
      open = '';
    }
  }
  if (open !== '') commands.push(open.trim());
  return commands.map(toCommand);
}

/** Replaces documented ports by the ones in use, in every address of this machine. */
export function rewritePorts(text: string, actual: ReadonlyMap<number, number>): string {
  return text.replace(/(127\.0\.0\.1|localhost):(\d+)/g, (all, host: string, port: string) => {
    const other = actual.get(Number(port));
    return other === undefined ? all : `${host}:${other}`;
  });
}

/** The command that starts a server on another port than the page says. */
export function servingOn(text: string, port: number): string {
  if (/\s--port[= ]\d+/.test(text)) return text.replace(/(\s--port[= ])\d+/, `$1${port}`);
  return `${text} --port ${port}`;
}

/** `bash -n` reads without running; it warns about an open here-document and fails on an open quote. */
function isComplete(text: string): boolean {
  if (/(\\|\||&&)\s*$/.test(text)) return false;
  const { status, stderr } = spawnSync('bash', ['-n', '-c', text], { encoding: 'utf8' });
  return status === 0 && stderr === '';
}

function toCommand(line: string): Command {
  const text = line.replace(/\s*&$/, '');
  if (elsewhere.some((pattern) => pattern.test(text))) return { kind: 'elsewhere', text };
  if (/^npm ci && npm start$|^npm start$/.test(text)) return { kind: 'serve', text: 'npx touchstone mock', port: documentedPort };
  if (!/(^|\s)npx touchstone (mock|proxy)(\s|$)/.test(text) || /\s--(help|version)\b|\s--\s/.test(text)) return { kind: 'run', text: line };
  return { kind: 'serve', text, port: Number(/\s--port[= ](\d+)/.exec(text)?.[1] ?? documentedPort) };
}
