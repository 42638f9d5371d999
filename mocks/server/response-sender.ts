/** Sends the responses of a server: at once, or, with chaos, late, slowly, in part or not at all. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Transmission } from '../chaos/chaos-decision.ts';
import type { PreparedResponse } from '../handler/prepare-response.ts';

/** Destination of a response. `outgoing` has no socket yet while earlier responses of the connection are unfinished. */
interface Destination {
  readonly connection: Socket;
  readonly outgoing: ServerResponse;
}

/** Sends responses, and knows the delayed ones, so that it can end their delays. */
export class ResponseSender {
  /** Functions that end a delay, with the connection of the delayed response. */
  private readonly delays = new Map<() => void, Socket>();
  private isClosing = false;

  /** Ends all delays, now and from now on. Each further response closes its connection. Called once, when the server closes. */
  stopDelays(): void {
    this.isClosing = true;
    for (const endDelay of [...this.delays.keys()]) endDelay();
  }

  /** Ends the delays of a closed connection; nothing is sent on it any more. */
  dropDelays(connection: Socket): void {
    for (const [endDelay, delayedConnection] of [...this.delays]) if (delayedConnection === connection) endDelay();
  }

  /** Sends a response. With chaos, the promise resolves when everything is written, or to false if the client was gone before; without, the result is `undefined`. */
  send(destination: Destination, response: PreparedResponse): Promise<boolean> | undefined {
    if (response.wire !== undefined || this.isClosing) return this.sendWithChaos(response.wire ?? {}, destination, response);
    if (destination.connection.destroyed) return undefined;
    destination.outgoing.writeHead(response.status, response.headers);
    // Responses of one turn of the event loop go out together, which costs an eighth less than one write for each.
    if (response.context?.isCached === true) destination.outgoing.end(response.encoded);
    else setImmediate(() => this.finish(destination, response));
    return undefined;
  }

  /** Writes the body of a response. The server may have begun to close since its head was written. */
  private finish({ connection, outgoing }: Destination, { encoded }: PreparedResponse): void {
    if (this.isClosing) outgoing.end(encoded, () => setImmediate(() => connection.destroySoon()));
    else outgoing.end(encoded);
  }

  /** Sends a response with chaos, or while the server closes. */
  private async sendWithChaos(
    { delayMs = 0, cut, bytesPerSecond }: Transmission,
    destination: Destination,
    response: PreparedResponse,
  ): Promise<boolean> {
    const { connection, outgoing } = destination;
    if (delayMs > 0) await this.pause(connection, delayMs);
    if (connection.destroyed) return false;
    if (cut === 'reset') {
      reset(destination);
      return true;
    }
    const { status, headers, encoded: bytes = Buffer.alloc(0) } = response;
    if (this.isClosing) outgoing.setHeader('connection', 'close');
    outgoing.writeHead(status, headers);
    const isTruncated = cut === 'truncated' && bytes.length > 0;
    const bytesToSend = isTruncated ? bytes.subarray(0, bytes.length >> 1) : bytes;
    const unsentBytes = bytesPerSecond === undefined ? bytesToSend : await this.trickle(destination, bytesToSend, bytesPerSecond);
    if (isTruncated) outgoing.write(unsentBytes, () => connection.destroy());
    else
      outgoing.end(unsentBytes, () => {
        if (this.isClosing) connection.destroySoon();
      });
    return unsentBytes.length === 0 || !connection.destroyed;
  }

  /** Sends a body in pieces at a speed. Returns the unsent rest, which is not empty when the server closes or the client is gone. */
  private async trickle({ connection, outgoing }: Destination, bytes: Buffer, bytesPerSecond: number): Promise<Buffer> {
    // Ten pieces a second, or one byte at a time where that is more than the speed allows.
    const size = Math.max(1, Math.round(bytesPerSecond / 10));
    let offset = 0;
    while (offset < bytes.length && !this.isClosing && !connection.destroyed) {
      // Nothing is written until the client has read what is buffered.
      if (!outgoing.writableNeedDrain) {
        outgoing.write(bytes.subarray(offset, offset + size));
        offset += size;
      }
      await this.pause(connection, (size / bytesPerSecond) * 1000);
    }
    return bytes.subarray(offset);
  }

  /** Waits for a time, or until the client is gone or the server closes. The timer alone does not keep the process alive. */
  private pause(connection: Socket, milliseconds: number): Promise<void> {
    if (this.isClosing || connection.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const endDelay = (): void => {
        clearTimeout(timer);
        this.delays.delete(endDelay);
        resolve();
      };
      const timer = setTimeout(endDelay, milliseconds).unref();
      this.delays.set(endDelay, connection);
    });
  }
}

/** Resets the connection after the earlier responses: a response gets the socket when they are finished. */
function reset({ connection, outgoing }: Destination): void {
  if (outgoing.socket === null) outgoing.once('socket', () => connection.resetAndDestroy());
  else connection.resetAndDestroy();
}
