/** Runs Pact's verifier over an interaction or several: the door to Pact, to the process in which it runs, and to the folder that it reads from. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../core/errors.ts';
import type { HttpRequest, HttpResponse } from '../../../core/exchange.ts';
import type { JsonObject } from '../../../core/json.ts';

/** Answers what Pact asks. */
type AnswerRequest = (request: HttpRequest) => Promise<HttpResponse>;

/** Pact's verifier, running. */
export interface PactProcess {
  /** Verifies a pact, one at a time, and resolves to what Pact says of it. */
  readonly verify: (pact: JsonObject, answer: AnswerRequest) => Promise<JsonObject>;
  readonly close: () => void;
}

/** The package with Pact's verifier, which whoever verifies pacts installs. */
const pactPackage = '@pact-foundation/pact';

/**
 * Starts the verifier; the package may be another one that does the same.
 * @throws {UsageError} when the package is not installed.
 */
export function openPact(environment: Readonly<Record<string, string | undefined>>, name: string = pactPackage): PactProcess {
  const program = findPact(name);
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-pact-'));
  const child = spawn(process.execPath, ['-e', pactProgram, program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: pactEnvironment(environment),
  });
  const errors: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  // A process that could not be started has no connection either, which whoever wants to verify is told.
  child.on('error', (error) => errors.push(error.message));
  let number = 0;
  const verify = async (pact: JsonObject, answer: AnswerRequest): Promise<JsonObject> => {
    number += 1;
    const file = join(folder, `pact-${number}.json`);
    writeFileSync(file, JSON.stringify(pact));
    return await runVerification(child, file, answer, () => errors.join('').slice(-2000));
  };
  const close = (): void => {
    if (child.connected) child.disconnect();
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { verify, close };
}

/** Where the package is. It is looked up when it is needed and not before: only those who verify pacts have to install it. */
function findPact(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new UsageError(`pacts are verified by the package ${name}, which is not installed; run npm install --save-dev ${name}@16`, {
      cause: error,
    });
  }
}

/** Keys and proxies are nothing for Pact: it reaches nobody but us. It counts its users over the network unless it is told not to. */
function pactEnvironment(environment: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LD_LIBRARY_PATH'];
  return { ...Object.fromEntries(kept.map((name) => [name, environment[name]])), PACT_DO_NOT_TRACK: '1', NO_COLOR: '1' };
}

function runVerification(child: ChildProcess, file: string, answer: AnswerRequest, errors: () => string): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      child.off('message', hear);
      child.off('exit', leave);
      settle();
    };
    const fail = (what: string): void => finish(() => reject(new UsageError(`Pact's verifier ${what}; install ${pactPackage} again`)));
    const leave = (code: number | null): void => fail(`ended (${code ?? 'killed'}) before it had a verdict: ${errors()}`);
    const say = (message: ToPact): void => {
      if (child.connected) child.send(message);
    };
    const hear = (message: FromPact): void => {
      if (message.kind === 'verdict') finish(() => resolve(message.verdict));
      else if (message.kind === 'error') fail(`could not verify: ${message.message}`);
      else if (message.kind === 'ask') {
        const { number, ...request } = message;
        answer(request).then(
          (response) => say({ kind: 'answer', number, ...sendable(response) }),
          (error: Error) => finish(() => reject(error)),
        );
      }
    };
    child.on('message', hear);
    child.on('exit', leave);
    if (child.exitCode !== null || !child.connected) leave(child.exitCode);
    else say({ kind: 'verify', file });
  });
}

/** An answer without what belongs to the connection that it came over; its body is decoded already. */
function sendable({ status, headers, body }: HttpResponse): Pick<Extract<ToPact, { kind: 'answer' }>, 'status' | 'headers' | 'body'> {
  const own = /^(?:content-length|content-encoding|transfer-encoding|connection|keep-alive|trailer|upgrade)$/;
  const kept = Object.entries(headers).flatMap(([name, value]) => (value === undefined || own.test(name) ? [] : [[name, value] as const]));
  return { status, headers: Object.fromEntries(kept), body: [204, 304].includes(status) ? '' : body };
}

/** What the process is told: to verify a file, or what a request was answered. */
type ToPact =
  | { readonly kind: 'verify'; readonly file: string }
  | {
      readonly kind: 'answer';
      readonly number: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly body: string;
    };

/** What it tells: a request that Pact sends, the verdict as Pact words it, or what went wrong. */
type FromPact =
  | {
      readonly kind: 'ask';
      readonly number: number;
      readonly method: string;
      readonly target: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'verdict'; readonly verdict: JsonObject }
  | { readonly kind: 'error'; readonly message: string };

/**
 * The program's text, for `node -e`; its argument is where the package is. Requests never leave by Pact's own proxy: the filter answers each with what
 * the parent process says. Pact gives up on a request after 5 seconds unless it is told to be patient: a target may be slow, or ask to come back later.
 */
const pactProgram: string = `
const { Verifier } = require(process.argv[1]);
const waiting = new Map();
let asked = 0;
const tell = (message) => process.connected && process.send(message);
// The parent decides when to stop, and tells so by letting go. An orderly exit would wait for what the native core is waiting for.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
const isOwn = (request) => /^\\/_(pactSetup|messages)/.test(request.originalUrl);
const filter = (request, response, next) => {
  if (isOwn(request)) return next();
  asked += 1;
  waiting.set(asked, response);
  tell({ kind: 'ask', number: asked, method: request.method, target: request.originalUrl, headers: request.headers });
};
const answer = ({ number, status, headers, body }) => {
  const response = waiting.get(number);
  waiting.delete(number);
  response.writeHead(status, headers);
  response.end(body);
};
const verify = async ({ file }) => {
  const options = { provider: 'provider', providerBaseUrl: 'http://127.0.0.1:1', pactUrls: [file], logLevel: 'error', timeout: 600000 };
  try {
    tell({ kind: 'verdict', verdict: JSON.parse(await new Verifier({ ...options, requestFilter: filter }).verifyProvider()) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    try {
      tell({ kind: 'verdict', verdict: JSON.parse(message) });
    } catch {
      tell({ kind: 'error', message });
    }
  }
};
process.on('message', (message) => (message.kind === 'answer' ? answer(message) : verify(message)));
`;
