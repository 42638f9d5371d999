/** Sends one HTTP request exactly as it is written (no header is added but Host and Connection) and collects the whole answer. */
import { request as send } from 'node:http';
import { request as sendSecurely } from 'node:https';
import { gunzipSync } from 'node:zlib';

/** A request as it goes out. */
export interface ScenarioRequest {
  readonly baseUrl: string;
  readonly method: string;
  /** Path and query, percent-encoded already; it is appended to the base URL as it is. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer as it came in. */
export interface ScenarioAnswer {
  readonly status: number;
  /** Names in lower case; a repeated header is joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes on the wire, before any decompression. */
  readonly raw: Buffer;
  readonly text: string;
  /** The parsed body, or undefined when it is not JSON. */
  readonly json: unknown;
}

const SILENCE_MILLISECONDS = 20_000;

/** Sends a request and waits for the end of the answer; a refused connection or 20 seconds of silence is an error. */
export const sendRequest = ({ baseUrl, method, path, headers }: ScenarioRequest): Promise<ScenarioAnswer> => {
  const base = new URL(baseUrl);
  const options = {
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: base.port,
    method,
    path: base.pathname.replace(/\/$/, '') + path,
    headers,
    timeout: SILENCE_MILLISECONDS,
  };
  return new Promise((resolve, reject) => {
    const outgoing = (base.protocol === 'https:' ? sendSecurely : send)(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const joined = Object.entries(incoming.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]);
        settle(resolve, reject, () => toAnswer(incoming.statusCode ?? 0, Object.fromEntries(joined), Buffer.concat(chunks)));
      });
    });
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`no answer from ${baseUrl} within ${SILENCE_MILLISECONDS / 1000} s to ${method} ${path}`)),
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
};

const settle = <T>(resolve: (value: T) => void, reject: (reason: unknown) => void, make: () => T): void => {
  try {
    resolve(make());
  } catch (error) {
    reject(error);
  }
};

const toAnswer = (status: number, headers: Readonly<Record<string, string>>, raw: Buffer): ScenarioAnswer => {
  // An answer without a body (a HEAD, a 304) may still name the encoding that the body would have had.
  const text = (headers['content-encoding'] === 'gzip' && raw.length > 0 ? gunzipSync(raw) : raw).toString('utf8');
  return { status, headers, raw, text, json: parse(text) };
};

// A body that is not JSON is an ordinary answer here: the scenario that expected JSON says so in its own words.
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
