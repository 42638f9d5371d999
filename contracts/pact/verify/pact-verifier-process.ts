/** Runs Pact's verifier in a child process. It only compares, and reaches no server: it receives the responses that the target gave before. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../core/errors.ts';
import type { HttpResponse } from '../../../core/http/exchange.ts';
import { type JsonObject, printJson } from '../../../core/json.ts';

/** The running verifier. */
export interface PactProcess {
  /** Compares the responses of a pact by number, and resolves to Pact's verdict. Only one comparison may run at a time. */
  readonly compare: (pact: JsonObject, responses: ReadonlyMap<number, HttpResponse>) => Promise<JsonObject>;
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
  // A process that cannot start has no IPC channel; the next comparison reports the error.
  child.on('error', (error) => errors.push(error.message));
  let number = 0;
  const compare = async (pact: JsonObject, responses: ReadonlyMap<number, HttpResponse>): Promise<JsonObject> => {
    number += 1;
    const file = join(folder, `pact-${number}.json`);
    writeFileSync(file, printJson(pact));
    const answers = Object.fromEntries([...responses].map(([of, response]) => [of, withoutConnectionHeaders(response)]));
    return await askPact(child, { file, answers }, () => errors.join('').slice(-2000));
  };
  const close = (): void => {
    if (child.connected) child.disconnect();
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { compare, close };
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

/** A pact file to verify, and the answers to its requests by number. */
interface Comparison {
  readonly file: string;
  readonly answers: Readonly<Record<string, HttpResponse>>;
}

/** The outcome of a comparison: Pact's verdict, or an error. */
interface ComparisonResult {
  readonly verdict?: JsonObject;
  readonly error?: string;
}

function askPact(child: ChildProcess, comparison: Comparison, errors: () => string): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => reject(new UsageError(`Pact's verifier ${what}; install ${pactPackage} again`));
    const onExit = (code: number | null): void => fail(`ended (${code ?? 'killed'}) before it had a verdict: ${errors()}`);
    if (child.exitCode !== null || !child.connected) return onExit(child.exitCode);
    child.once('exit', onExit);
    child.once('message', ({ verdict, error }: ComparisonResult) => {
      child.off('exit', onExit);
      if (verdict === undefined) fail(`could not verify: ${error}`);
      else resolve(verdict);
    });
    child.send(comparison);
  });
}

/** Removes the headers of the connection and the encoding, since the body is already decoded. */
function withoutConnectionHeaders({ status, headers, body }: HttpResponse): HttpResponse {
  const removed = /^(?:content-length|content-encoding|transfer-encoding|connection|keep-alive|trailer|upgrade)$/;
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !removed.test(name));
  return { status, headers: Object.fromEntries(kept), body: [204, 304].includes(status) ? '' : body };
}

/**
 * The program for `node -e`; its argument is the path of the package. No request leaves the process: the request filter answers each one by the number that is
 * its path. Pact's timeout of 5 seconds is raised, since the machine may be slow.
 */
const pactProgram: string = `
const { Verifier } = require(process.argv[1]);
const send = (message) => process.connected && process.send(message);
// The parent disconnects to stop the process. An orderly exit would wait for the native core.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
const isOwn = (request) => /^\\/_(pactSetup|messages)/.test(request.originalUrl);
process.on('message', async ({ file, answers }) => {
  const filter = (request, response, next) => {
    if (isOwn(request)) return next();
    const { status, headers, body } = answers[request.originalUrl.slice(1)];
    response.writeHead(status, headers);
    response.end(body);
  };
  const options = { provider: 'provider', providerBaseUrl: 'http://127.0.0.1:1', pactUrls: [file], logLevel: 'error', timeout: 600000 };
  try {
    send({ verdict: JSON.parse(await new Verifier({ ...options, requestFilter: filter }).verifyProvider()) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    try {
      send({ verdict: JSON.parse(message) });
    } catch {
      send({ error: message });
    }
  }
});
`;
