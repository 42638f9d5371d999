/** Chance that can be repeated: numbers that follow from a seed, a rule and a request alone, and not from what else was asked before. */

import { createHash } from 'node:crypto';
import type { Passage } from '../weather.ts';

/** How many requests are remembered; beyond that, the one that was sent longest ago is forgotten and counts anew. */
const remembered = 4096;

/** Counts how often each role sent each request, so that a retry meets its own chance. */
export class RequestCounts {
  private readonly counts = new Map<string, number>();

  /** Counts a request: who sent what, and for which time. A digest stands for it, since a target may be as long as its sender likes. */
  count({ role, request }: Passage): string {
    const identity = digest([role, request.method, request.target]).toString('base64url');
    const count = (this.counts.get(identity) ?? 0) + 1;
    this.counts.delete(identity);
    this.counts.set(identity, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > remembered && oldest !== undefined) this.counts.delete(oldest);
    return `${identity} ${count}`;
  }

  forget(): void {
    this.counts.clear();
  }
}

/** Three numbers of at least 0 and below 1: what one rule of a mock draws for one request. */
export function draw(seed: number, rule: string, request: string): readonly [number, number, number] {
  const bytes = digest(['trouble', String(seed), rule, request]);
  const numberAt = (offset: number): number => bytes.readUIntBE(offset, 6) / 2 ** 48;
  return [numberAt(0), numberAt(6), numberAt(12)];
}

/** The parts as JSON, so that no two lists of parts are the same text. */
function digest(parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
