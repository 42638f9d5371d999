/** Bytes sent to a mock as they are, until the mock ends the connection: no answer goes unseen, and no connection stays open. */

import { connect } from 'node:net';
import { parseAnswers, type RawAnswer } from '../../../helpers/socket.ts';

/** How long a connection may stay open; the mocks of these tests give a request a fraction of it. */
const boundMs = 30_000;

/** The last request of a connection. Its path is nowhere; its answer is the last one, and ends the connection. */
export const sentinel = 'GET /sentinel HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** How a conversation went. */
export interface Outcome {
  readonly answers: readonly RawAnswer[];
  /** How the server ended the connection: in order, or by a reset. */
  readonly ending: 'closed' | 'reset';
  /** Whether all that came is complete answers. */
  readonly isWhole: boolean;
}

/** Sends bytes in one write or several, and resolves when the server has ended the connection; rejects when it does not within a bound. */
export function send(port: number, parts: readonly (string | Buffer)[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part, 'latin1');
    });
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection is still open after ${boundMs} ms: ${Buffer.concat(chunks).toString('latin1').slice(0, 300)}`));
    }, boundMs);
    const finish = (ending: Outcome['ending']): void => {
      clearTimeout(late);
      socket.destroy();
      try {
        resolve({ ending, ...read(Buffer.concat(chunks)) });
      } catch (error) {
        reject(error);
      }
    };
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => finish('closed'));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish('reset');
      else reject(error);
    });
  });
}

/** With a byte less, the last answer would be missing: then nothing follows it. */
function read(received: Buffer): Pick<Outcome, 'answers' | 'isWhole'> {
  const answers = parseAnswers(received);
  return { answers, isWhole: received.length === 0 || parseAnswers(received.subarray(0, -1)).length < answers.length };
}
