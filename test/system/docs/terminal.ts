/** One bash that stays open like a reader's terminal: variables, functions and the folder carry over from line to line. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** Result of a command. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that goes on running. */
export interface Service {
  /** Output so far, and whether the process has ended. */
  look(): { readonly stdout: string; readonly stderr: string; readonly ended: boolean };
  /** Asks it to end, and insists after a while. */
  stop(): Promise<void>;
}

/** A terminal. */
export interface Terminal {
  /** Types a command and waits for its end. */
  run(command: string): Promise<Outcome>;
  /** Types a command that goes on running. */
  start(command: string): Promise<Service>;
  /** Ends the terminal and everything that was started in it. */
  close(): Promise<void>;
}

/** Time limit of a command. */
const commandTimeoutMs = 60_000;

/** Opens a terminal in a folder. Programs in `programs` are found before those of the machine. */
export function openTerminal(folder: string, programs?: string): Terminal {
  const files = mkdtempSync(join(tmpdir(), 'touchstone-terminal-'));
  const say = converse(folder, programs);
  const services: Service[] = [];
  let count = 0;
  // The command is sourced from a file: a slip of syntax in it is then its own failure and not the end of the terminal.
  const write = (command: string): string => {
    count += 1;
    const file = join(files, String(count));
    writeFileSync(`${file}.sh`, `${command}\n`);
    // Somebody may look at a service before bash has opened its files.
    for (const stream of ['out', 'err']) writeFileSync(`${file}.${stream}`, '');
    return file;
  };
  return {
    run: async (command) => {
      const file = write(command);
      const status = await say.type(`. '${file}.sh' </dev/null >'${file}.out' 2>'${file}.err'; echo $?`);
      return { exitCode: Number(status), stdout: readFileSync(`${file}.out`, 'utf8'), stderr: readFileSync(`${file}.err`, 'utf8') };
    },
    start: async (command) => {
      const file = write(command);
      // The trap keeps the job's shell until its command has ended, so that the command is waited for by its own parent.
      const id = Number(
        await say.type(`set -m; { trap : TERM; . '${file}.sh'; } </dev/null >'${file}.out' 2>'${file}.err' & echo $!; set +m`),
      );
      const service = toService(id, file);
      services.push(service);
      return service;
    },
    close: async () => {
      await Promise.all(services.map((service) => service.stop()));
      await say.end();
      rmSync(files, { recursive: true, force: true });
    },
  };
}

/** The conversation with bash: each script that is typed answers with one line. */
interface Conversation {
  type(script: string): Promise<string>;
  end(): Promise<void>;
}

function converse(folder: string, programs: string | undefined): Conversation {
  const path = [programs, process.env['PATH']].filter((each) => each !== undefined).join(delimiter);
  const author = {
    GIT_AUTHOR_NAME: 'Reader',
    GIT_AUTHOR_EMAIL: 'reader@example.com',
    GIT_COMMITTER_NAME: 'Reader',
    GIT_COMMITTER_EMAIL: 'reader@example.com',
  };
  const environment = { ...process.env, ...author, PATH: path, NO_COLOR: '1' };
  // A process group of its own, so that a command which hangs ends together with its shell.
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: bash.stdout })[Symbol.asyncIterator]();
  bash.stdin.on('error', () => undefined); // A closed terminal shows as the end of its answers.
  bash.stdin.write('set -o pipefail\n');
  return {
    type: async (script) => {
      bash.stdin.write(`${script}\n`);
      const answer = await Promise.race([answers.next(), delay(commandTimeoutMs, undefined, { ref: false })]);
      if (answer === undefined) throw new Error(`the command did not end within ${commandTimeoutMs} ms`);
      if (answer.done === true) throw new Error('the command closed the terminal');
      return answer.value;
    },
    end: () => endGroup(bash),
  };
}

/** With job control on, a job is a process group, named by its first process. */
function toService(id: number, file: string): Service {
  return {
    look: () => ({ stdout: readFileSync(`${file}.out`, 'utf8'), stderr: readFileSync(`${file}.err`, 'utf8'), ended: !isAlive(-id) }),
    stop: async () => {
      if (isAlive(-id)) process.kill(-id, 'SIGTERM');
      for (let waits = 0; waits < 500 && isAlive(-id); waits += 1) await delay(10);
      if (isAlive(-id)) process.kill(-id, 'SIGKILL');
    },
  };
}

async function endGroup(leader: ChildProcess): Promise<void> {
  if (leader.exitCode !== null || leader.signalCode !== null || leader.pid === undefined) return;
  const ended = once(leader, 'exit');
  process.kill(-leader.pid, 'SIGKILL');
  await ended;
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
