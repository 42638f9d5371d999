/**
 * Runs Pact's verifier in a child process, and writes the pact files that it reads. `verify-pacts.ts` opens one process for each run and closes it at the end;
 * `verify-in-rounds.ts` sends it the pacts of each round, with texts from `write-prepared-pact.ts`. Pact never reaches the target: its requests come back
 * through `AnswerRequest`.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../core/errors.ts';
import type { HttpRequest, HttpResponse } from '../../../core/http/exchange.ts';
import type { JsonObject } from '../../../core/json.ts';

/** Answers a request of Pact. */
type AnswerRequest = (request: HttpRequest) => Promise<HttpResponse>;

/** The running verifier. */
export interface PactProcess {
  /** Verifies a pact, and resolves to Pact's verdict. Only one verification may run at a time. */
  readonly verify: (pact: JsonObject, answer: AnswerRequest) => Promise<JsonObject>;
  readonly close: () => void;
}

/** The package with Pact's verifier, a peer dependency. */
const pactPackage = '@pact-foundation/pact';

/**
 * Starts the verifier. Tests pass another package name.
 * @throws {UsageError} when the package is not installed.
 */
export function startPactVerifier(environment: Readonly<Record<string, string | undefined>>, name: string = pactPackage): PactProcess {
  const program = findPact(name);
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-pact-'));
  const child = spawn(process.execPath, ['-e', pactProgram, program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: pactEnvironment(environment),
  });
  const errors: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  // A process that cannot start has no IPC channel; the next verification reports the error.
  child.on('error', (error) => errors.push(error.message));
  let number = 0;
  const verify = async (pact: JsonObject, answer: AnswerRequest): Promise<JsonObject> => {
    number += 1;
    const file = join(folder, `pact-${number}.json`);
    writeFileSync(file, JSON.stringify(pact));
    return await sendToPact(child, file, answer, () => errors.join('').slice(-2000));
  };
  const close = (): void => {
    if (child.connected) child.disconnect();
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { verify, close };
}

/** Resolves the package on use, since only users who verify pacts install it. */
function findPact(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new UsageError(`the package ${name}, which verifies pacts, is not installed; run npm install --save-dev ${name}@16`, {
      cause: error,
    });
  }
}

/** The environment of the process: without keys and proxies, and with Pact's usage statistics switched off. */
function pactEnvironment(environment: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LD_LIBRARY_PATH'];
  return { ...Object.fromEntries(kept.map((name) => [name, environment[name]])), PACT_DO_NOT_TRACK: '1', NO_COLOR: '1' };
}

function sendToPact(child: ChildProcess, file: string, answer: AnswerRequest, errors: () => string): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      child.off('message', receive);
      child.off('exit', onExit);
      settle();
    };
    const fail = (what: string): void => finish(() => reject(new UsageError(`Pact's verifier ${what}; install ${pactPackage} again`)));
    const onExit = (code: number | null): void => fail(`ended (${code ?? 'killed'}) before it had a verdict: ${errors()}`);
    const send = (message: ToPact): void => {
      if (child.connected) child.send(message);
    };
    const receive = (message: FromPact): void => {
      if (message.kind === 'verdict') finish(() => resolve(message.verdict));
      else if (message.kind === 'error') fail(`could not verify: ${message.message}`);
      else if (message.kind === 'request') {
        const { number, ...request } = message;
        answer(request).then(
          (response) => send({ kind: 'answer', number, ...withoutConnectionHeaders(response) }),
          (error: Error) => finish(() => reject(error)),
        );
      }
    };
    child.on('message', receive);
    child.on('exit', onExit);
    if (child.exitCode !== null || !child.connected) onExit(child.exitCode);
    else send({ kind: 'verify', file });
  });
}

/** Removes the headers of the connection and the encoding, since the body is already decoded. */
function withoutConnectionHeaders({
  status,
  headers,
  body,
}: HttpResponse): Pick<Extract<ToPact, { kind: 'answer' }>, 'status' | 'headers' | 'body'> {
  const removed = /^(?:content-length|content-encoding|transfer-encoding|connection|keep-alive|trailer|upgrade)$/;
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || removed.test(name) ? [] : [[name, value] as const],
  );
  return { status, headers: Object.fromEntries(kept), body: [204, 304].includes(status) ? '' : body };
}

/** Messages to the process: a file to verify, or the response to a request. */
type ToPact =
  | { readonly kind: 'verify'; readonly file: string }
  | {
      readonly kind: 'answer';
      readonly number: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly body: string;
    };

/** Messages from the process: a request of Pact, its verdict, or an error. */
type FromPact =
  | {
      readonly kind: 'request';
      readonly number: number;
      readonly method: string;
      readonly target: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'verdict'; readonly verdict: JsonObject }
  | { readonly kind: 'error'; readonly message: string };

/**
 * The program for `node -e`; its argument is the path of the package. No request leaves the process:
 * the request filter asks the parent for each response. Pact's timeout of 5 seconds is raised, since a target may be slow.
 */
const pactProgram: string = `
const { Verifier } = require(process.argv[1]);
const waiting = new Map();
let asked = 0;
const send = (message) => process.connected && process.send(message);
// The parent disconnects to stop the process. An orderly exit would wait for the native core.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
const isOwn = (request) => /^\\/_(pactSetup|messages)/.test(request.originalUrl);
const filter = (request, response, next) => {
  if (isOwn(request)) return next();
  asked += 1;
  waiting.set(asked, response);
  send({ kind: 'request', number: asked, method: request.method, target: request.originalUrl, headers: request.headers });
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
    send({ kind: 'verdict', verdict: JSON.parse(await new Verifier({ ...options, requestFilter: filter }).verifyProvider()) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    try {
      send({ kind: 'verdict', verdict: JSON.parse(message) });
    } catch {
      send({ kind: 'error', message });
    }
  }
};
process.on('message', (message) => (message.kind === 'answer' ? answer(message) : verify(message)));
`;
