/** Follows a page as a patient reader would: types each example in turn, and compares the output with what the page promises. */

import { setTimeout as delay } from 'node:timers/promises';
import { type Command, listCommands } from './command.ts';
import type { Installed } from './installed.ts';
import type { Example } from './markdown.ts';
import { keepsPromise } from './output.ts';
import { createServing, type Serving } from './serving.ts';
import { type Outcome, openTerminal, type Terminal } from './terminal.ts';
import { createWorkspace } from './workspace.ts';

/** A reader in front of a terminal, in a project that has the package installed. */
export interface Reader {
  /** Follows one example, and throws if it is broken. Returns how many commands and programs ran. */
  follow(example: Example): Promise<number>;
  close(): Promise<void>;
}

/** Output of a command so far. Only standard output counts; npm and progress print on the other one. */
interface Print {
  readonly read: () => string;
  /** Nothing more comes. */
  readonly ended: boolean;
}

/** Output of the commands of an example. */
type Printed = readonly Print[];

/** Without a promised output, an error answer would go unnoticed: curl itself ends with 0 on a 404. */
const strictCurl = `curl() {
  local word given=''
  for word in "$@"; do
    case "$word" in
      --fail | --fail-with-body) given=yes ;; # curl rejects both spellings together.
      --* | -*[!A-Za-z]*) ;;
      -*f*) given=yes ;;
    esac
  done
  if [ -n "$given" ]; then command curl "$@"; else command curl --fail-with-body "$@"; fi
}`;
const plainCurl = 'unset -f curl';

/** Opens a terminal for one page of a repository; `programs` may hold stand-ins for what is installed on the machine. */
export function createReader(repository: string, installed: Installed, programs?: string): Reader {
  const workspace = createWorkspace(repository);
  const terminal = openTerminal(workspace.folder, programs);
  const serving = createServing(terminal);
  return {
    follow: async (example) => {
      const asksForNpx = example.language === 'sh' && /\bnpx touchstone\b|\bnpm start\b/.test(example.text);
      // A command behind `--` prints by itself, so it needs a process of its own.
      if (asksForNpx && installed.isProven()) await terminal.run(/ -- /.test(example.text) ? 'unset -f npx' : await installed.npx());
      const printed = await followExample(example, { terminal, serving, installed });
      if (example.output !== undefined) await requireOutput({ ...example.output, text: serving.translate(example.output.text) }, printed);
      if (asksForNpx) installed.prove();
      return printed.length;
    },
    close: async () => {
      await terminal.close();
      workspace.remove();
    },
  };
}

async function followExample(
  example: Example,
  { terminal, serving, installed }: { readonly terminal: Terminal; readonly serving: Serving; readonly installed: Installed },
): Promise<Printed> {
  if (example.language === 'sh') return await typeAll(example, terminal, serving);
  if (example.language === 'ts') return await runText(example, installed, serving);
  const write = `cat > '${example.file}' <<'END OF FILE'\n${serving.translate(example.text)}\nEND OF FILE`;
  requireExit(await terminal.run(write), 0, write);
  return [];
}

async function typeAll(example: Example, terminal: Terminal, serving: Serving): Promise<Printed> {
  const lenient = example.output !== undefined || example.exitCode !== 0;
  await terminal.run(lenient ? plainCurl : strictCurl);
  const printed: Print[] = [];
  const commands = listCommands(example.text).filter(({ kind }) => kind !== 'elsewhere');
  for (const [at, command] of commands.entries()) {
    const exitCode = at === commands.length - 1 ? example.exitCode : 0;
    printed.push(await typeOne(command, exitCode, terminal, serving));
  }
  return printed;
}

async function typeOne(command: Command, exitCode: number, terminal: Terminal, serving: Serving): Promise<Print> {
  // A server that is announced to fail is a command like any other.
  if (command.kind === 'serve' && exitCode === 0) {
    const service = await serving.start(command);
    return { read: () => service.look().stdout, ended: false };
  }
  const outcome = await terminal.run(serving.translate(command.text));
  requireExit(outcome, exitCode, command.text);
  return { read: () => outcome.stdout, ended: true };
}

async function runText(example: Example, installed: Installed, serving: Serving): Promise<Printed> {
  const outcome = await installed.runProgram(example.text, serving.translate);
  requireExit(outcome, example.exitCode, 'the program');
  return [{ read: () => outcome.stdout, ended: true }];
}

function requireExit({ exitCode, stdout, stderr }: Outcome, expected: number, what: string): void {
  if (exitCode === expected) return;
  throw new Error(`${what}\nended with ${exitCode} instead of ${expected}:\n${stdout}${stderr}`);
}

/** A server may still be printing, so the promise gets a moment to come true. */
async function requireOutput(promised: NonNullable<Example['output']>, printed: Printed): Promise<void> {
  const read = (): string => printed.map((each) => each.read()).join('');
  const patience = printed.every(({ ended }) => ended) ? 0 : 20;
  for (let waits = 0; waits < patience && !keepsPromise(promised, read()); waits += 1) await delay(25);
  if (!keepsPromise(promised, read())) throw new Error(`expected output:\n${promised.text}\n\nprinted instead:\n${read()}`);
}
