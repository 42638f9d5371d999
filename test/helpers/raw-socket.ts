/** Bytes on a TCP connection, for requests that an HTTP client cannot send. */

import { connect, type Socket } from 'node:net';

/** An answer, parsed from its bytes. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Bytes received on a connection. */
export interface Conversation {
  readonly answers: readonly RawAnswer[];
  /** True when the server ended the connection. */
  readonly closed: boolean;
}

/**
 * Sends bytes on a new connection, and resolves after `until` answers or when the server ends the connection. Must not be used for HEAD: the
 * end of an answer to HEAD is not visible in its bytes.
 */
export function converse(port: number, bytes: string | Buffer, until: number | 'closed'): Promise<Conversation> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = Buffer.alloc(0);
    const finish = (closed: boolean): void => {
      socket.destroy();
      resolve({ answers: parseAnswers(received), closed });
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (until !== 'closed' && parseAnswers(received).length >= until) finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish(true) : reject(error),
    );
  });
}

/** Opens a connection and writes to it; the caller ends it. */
export function open(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve(socket)));
    socket.on('error', reject);
  });
}

/** The complete answers at the beginning of the received bytes. */
export function parseAnswers(received: Buffer): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [start = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1] ?? Number.NaN);
    const length = status === 204 || status === 304 || status < 200 ? 0 : Number(headers.get('content-length') ?? Number.NaN);
    if (Number.isNaN(status) || Number.isNaN(length))
      throw new Error(`an answer without a length or a status: ${start}, ${lines.join(', ')}`);
    if (rest.length < end + 4 + length) break;
    answers.push({ status, headers, body: rest.subarray(end + 4, end + 4 + length).toString('utf8') });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}
