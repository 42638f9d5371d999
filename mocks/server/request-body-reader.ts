/** The body of a request, as it comes over the wire. */

import type { IncomingMessage } from 'node:http';

/** A body as text, or why it is none. */
export type IncomingBody = string | { readonly refused: 'too-large' | 'not-utf8' };

/** Reads a body to its end; `undefined` when the client went away before. Of one that is too large the rest is read and forgotten. */
export function readBody(incoming: IncomingMessage, bytesMax: number): Promise<IncomingBody | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // Closed with bytes unread, the connection would be reset and the answer lost.
      if (length > bytesMax) resolve({ refused: 'too-large' });
      else chunks.push(chunk);
    });
    incoming.once('end', () => resolve(decode(Buffer.concat(chunks))));
    incoming.once('error', () => resolve(undefined));
    incoming.once('close', () => resolve(undefined));
  });
}

function decode(bytes: Buffer): IncomingBody {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return { refused: 'not-utf8' };
    throw error;
  }
}
