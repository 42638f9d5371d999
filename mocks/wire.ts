/** How answers go over the wire: at once, together with others, or when the weather is bad late, slowly, in part, or not at all. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Parcel } from './parcel.ts';
import type { Reply } from './visit.ts';
import type { Wire } from './weather.ts';

/** Where an answer goes. An answer that waits for those before it has a connection and does not know it yet. */
export interface Way {
  readonly connection: Socket;
  readonly outgoing: ServerResponse;
}

/** The wires of a server, and the answers that are held back on them, so that nobody waits in vain. */
export class Wires {
  /** What wakes each answer that is held back, with the connection that it is for. */
  private readonly waiting = new Map<() => void, Socket>();
  /** The bodies of answers that go out when this turn of the event loop ends. */
  private ready: { readonly way: Way; readonly bytes: Buffer | undefined }[] = [];
  private isHurried = false;

  /** From now on nothing is held back any more, what is under way included, and each answer ends its connection. */
  hurry(): void {
    this.isHurried = true;
    this.flush();
    for (const wake of [...this.waiting.keys()]) wake();
  }

  /** A connection is closed: what is held back on it has nowhere to go. */
  leave(connection: Socket): void {
    for (const [wake, held] of [...this.waiting]) if (held === connection) wake();
  }

  /**
   * Sends an answer as the wire says. When it says nothing, what was kept goes at once, and what had to be made goes together with all else that is made in
   * this turn of the event loop: waking a client once for several answers costs less than once for each of them. What it returns resolves when the last byte
   * is handed over, or the client is gone.
   */
  send(way: Way, parcel: Parcel, { wire, kept }: Pick<Reply, 'wire' | 'kept'>): Promise<void> | undefined {
    const { lease } = parcel;
    if (lease !== undefined) {
      lease.hold();
      // Until then the bytes may wait for a client that does not read. An answer that is never finished keeps them.
      way.outgoing.once('finish', () => lease.letGo());
    }
    if (wire !== undefined || this.isHurried) return this.sendOver(wire ?? {}, way, parcel);
    const { status, fields, bytes } = parcel;
    if (way.connection.destroyed) return undefined;
    way.outgoing.writeHead(status, fields);
    if (kept !== undefined) {
      way.outgoing.end(bytes);
      return undefined;
    }
    if (this.ready.length === 0) setImmediate(() => this.flush());
    this.ready.push({ way, bytes });
    return undefined;
  }

  private flush(): void {
    const { ready } = this;
    this.ready = [];
    for (const { way, bytes } of ready) {
      if (this.isHurried) way.outgoing.end(bytes, () => way.connection.destroySoon());
      else way.outgoing.end(bytes);
    }
  }

  private async sendOver({ delayMs = 0, cut, bytesPerSecond }: Wire, way: Way, parcel: Parcel): Promise<void> {
    const { connection, outgoing } = way;
    if (delayMs > 0) await this.pause(connection, delayMs);
    if (connection.destroyed) return;
    if (cut === 'reset') return reset(way);
    const { status, fields, bytes = Buffer.alloc(0) } = parcel;
    if (this.isHurried) outgoing.setHeader('connection', 'close');
    outgoing.writeHead(status, fields);
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
