/** The wires of a server: a response goes out at once, or by the chaos that it meets late, slowly, in part, or not at all. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Transmission } from '../chaos/chaos-decision.ts';
import type { PreparedResponse } from '../handler/mock-response.ts';

/** Destination of a response. A response that waits for earlier ones has no socket yet. */
export interface Way {
  readonly connection: Socket;
  readonly outgoing: ServerResponse;
}

/** The wires of a server, and the answers that are held back on them, so that nobody waits in vain. */
export class Wires {
  /** Functions that wake delayed responses, with their connections. */
  private readonly waiting = new Map<() => void, Socket>();
  private isHurried = false;

  /** From now on nothing is held back any more, what is under way included, and each answer ends its connection. */
  hurry(): void {
    this.isHurried = true;
    for (const wake of [...this.waiting.keys()]) wake();
  }

  /** A connection is closed: what is held back on it has nowhere to go. */
  leave(connection: Socket): void {
    for (const [wake, held] of [...this.waiting]) if (held === connection) wake();
  }

  /** Sends a response. What it returns resolves when the last byte is handed over, or the client is gone; `undefined` when both need no waiting. */
  send(way: Way, response: PreparedResponse): Promise<void> | undefined {
    if (response.wire !== undefined || this.isHurried) return this.sendOver(response.wire ?? {}, way, response);
    if (way.connection.destroyed) return undefined;
    way.outgoing.writeHead(response.status, response.headers);
    // Responses that are made in one turn go out together: that costs a third less than one write for each.
    if (response.context?.isCached === true) way.outgoing.end(response.encoded);
    else setImmediate(() => this.finish(way, response));
    return undefined;
  }

  /** Ends a response. The server may have begun to close since its head was written. */
  private finish({ connection, outgoing }: Way, { encoded }: PreparedResponse): void {
    if (this.isHurried) outgoing.end(encoded, () => setImmediate(() => connection.destroySoon()));
    else outgoing.end(encoded);
  }

  private async sendOver({ delayMs = 0, cut, bytesPerSecond }: Transmission, way: Way, response: PreparedResponse): Promise<void> {
    const { connection, outgoing } = way;
    if (delayMs > 0) await this.pause(connection, delayMs);
    if (connection.destroyed) return;
    if (cut === 'reset') return reset(way);
    const { status, headers, encoded: bytes = Buffer.alloc(0) } = response;
    if (this.isHurried) outgoing.setHeader('connection', 'close');
    outgoing.writeHead(status, headers);
    const isTruncated = cut === 'truncated' && bytes.length > 0;
    const sent = isTruncated ? bytes.subarray(0, bytes.length >> 1) : bytes;
    const rest = bytesPerSecond === undefined ? sent : await this.trickle(way, sent, bytesPerSecond);
    if (isTruncated) outgoing.write(rest, () => connection.destroy());
    else outgoing.end(rest, () => this.isHurried && connection.destroySoon());
  }

  /** Sends a body piece by piece, and gives what is left of it when there is no more time. */
  private async trickle({ connection, outgoing }: Way, bytes: Buffer, bytesPerSecond: number): Promise<Buffer> {
    // Ten pieces a second, or one byte at a time where that is more than the speed allows.
    const size = Math.max(1, Math.round(bytesPerSecond / 10));
    let at = 0;
    while (at < bytes.length && !this.isHurried && !connection.destroyed) {
      // A client that does not read gets no more than it can hold.
      if (!outgoing.writableNeedDrain) {
        outgoing.write(bytes.subarray(at, at + size));
        at += size;
      }
      await this.pause(connection, (size / bytesPerSecond) * 1000);
    }
    return bytes.subarray(at);
  }

  /** Waits, but no longer than the client does. The timer alone does not keep the process alive. */
  private pause(connection: Socket, milliseconds: number): Promise<void> {
    if (this.isHurried || connection.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds).unref();
      this.waiting.set(wake, connection);
    });
  }
}

/** Resets the connection. The answers before this one go out first: only then does it get the connection for itself. */
function reset({ connection, outgoing }: Way): void {
  if (outgoing.socket === null) outgoing.once('socket', () => connection.resetAndDestroy());
  else connection.resetAndDestroy();
}
