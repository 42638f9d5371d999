/** Reads the body of a request from its connection, up to a number of bytes. It is not decompressed or parsed. */

import type { IncomingMessage } from 'node:http';

/** A body as text, or the reason for its refusal. */
export type IncomingBody = string | { readonly refused: 'too-large' | 'not-utf8' };

/** Reads a body of text to its end; `undefined` if the client closed the connection before. */
export async function readBody(incoming: IncomingMessage, bytesMax: number): Promise<IncomingBody | undefined> {
  const bytes = await readBytes(incoming, bytesMax);
  if (bytes === undefined) return undefined;
  return bytes === 'too-large' ? { refused: bytes } : decode(bytes);
}

/** Reads a body to its end; `undefined` if the client closed the connection before. The rest of a body that is too large is read and dropped. */
export function readBytes(incoming: IncomingMessage, bytesMax: number): Promise<Buffer | 'too-large' | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // Closing a connection with unread bytes resets it, and the client would lose the response.
      if (length > bytesMax) resolve('too-large');
      else chunks.push(chunk);
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
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
