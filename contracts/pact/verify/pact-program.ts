/**
 * The program in which Pact's verifier runs, a process of its own: its native core prints what it sees, personal data included, and sends statistics
 * unless told not to. Here it has no output, no variables of ours and no way to the network but the one that it is given.
 */

import type { JsonObject } from '../../../core/json.ts';

/** What the process is told: to verify a file, or what a request was answered. */
export type ToPact =
  | { readonly kind: 'verify'; readonly file: string }
  | {
      readonly kind: 'answer';
      readonly number: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly body: string;
    };

/** What it tells: a request that Pact sends, the verdict as Pact words it, or what went wrong. */
export type FromPact =
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
export const pactProgram: string = `
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
