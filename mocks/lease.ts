/**
 * Memory for large bodies that is used again. Every page is some ten thousand bytes outside the collector's heap: were they left to the collector, it would
 * run for their sake, and the process would keep the room of all that wait for it.
 */

/** What memory is handed out in multiples of, the longest body that gets some of it, and how much may lie idle: in bytes. */
const [step, longest, idleMost] = [8 * 1024, 256 * 1024, 8 * 1024 * 1024] as const;

/** Memory that nobody uses, by its size. */
const idle = new Map<number, Buffer[]>();
let idleBytes = 0;

/** Bytes to be filled, on a lease where they are many. */
export interface Leased {
  readonly bytes: Buffer;
  readonly lease?: Lease | undefined;
}

/**
 * Who uses the bytes of a body. Whoever does holds them, and lets them go afterwards; the last one to let go gives their memory to another body. It is
 * safe to hold them and never let go: then they are the collector's, as all else is.
 */
export class Lease {
  readonly #memory: Buffer;
  #holders = 1;

  constructor(memory: Buffer) {
    this.#memory = memory;
  }

  /** @throws {Error} when nobody holds the bytes any more, so that they may be another body already. */
  hold(): void {
    if (this.#holders === 0) throw new Error('the bytes of a body were let go by all, and cannot be held again');
    this.#holders += 1;
  }

  /** @throws {Error} when nobody holds the bytes. */
  letGo(): void {
    if (this.#holders === 0) throw new Error('the bytes of a body were let go more often than they were held');
    this.#holders -= 1;
    if (this.#holders === 0) putAside(this.#memory);
  }
}

/** Takes bytes for a body. Its maker holds them from the beginning. */
export function takeBytes(length: number): Leased {
  if (length < step || length > longest) return { bytes: Buffer.allocUnsafe(length), lease: undefined };
  const size = Math.ceil(length / step) * step;
  const used = idle.get(size)?.pop();
  if (used !== undefined) idleBytes -= size;
  const memory = used ?? Buffer.allocUnsafeSlow(size);
  return { bytes: memory.subarray(0, length), lease: new Lease(memory) };
}

function putAside(memory: Buffer): void {
  if (idleBytes + memory.length > idleMost) return;
  const alike = idle.get(memory.length) ?? [];
  idle.set(memory.length, alike);
  alike.push(memory);
  idleBytes += memory.length;
}
