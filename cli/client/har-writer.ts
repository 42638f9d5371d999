import { closeSync, openSync, writeSync } from 'node:fs';
import { printJson } from '../../core/json.ts';
import { packageVersion } from '../../core/shipped-files.ts';
import type { ProxiedExchange } from '../../mocks/proxy/start-proxy.ts';
import { harEntry } from '../../reports/har-entry.ts';
import { checkWritable } from '../write-file.ts';

/**
 * Adds each exchange of a running proxy to an HTTP Archive (HAR), and closes the JSON anew each time, so the file is complete at any moment. Keys and personal
 * data must be hidden already.
 */
export class HarWriter {
  private readonly descriptor: number;
  private readonly base: string;
  private end: number;
  private count = 0;

  /** @throws {UsageError} for a file that cannot be written. */
  constructor(file: string, base: string) {
    checkWritable(file, 'HAR');
    this.descriptor = openSync(file, 'w');
    this.base = base;
    const creator = printJson({ name: 'Touchstone', version: packageVersion() });
    this.end = this.write(`{"log":{"version":"1.2","creator":${creator},"entries":[`, 0);
    this.write(harEnd, this.end);
  }

  add(exchange: ProxiedExchange): void {
    const { startedMs, waitMs, durationMs } = exchange;
    const entry = harEntry(exchange, this.base, { started: new Date(startedMs).toISOString(), waitMs, durationMs });
    this.end += this.write(`${this.count === 0 ? '\n' : ',\n'}${printJson(entry)}`, this.end);
    this.write(harEnd, this.end);
    this.count += 1;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private write(text: string, position: number): number {
    return writeSync(this.descriptor, text, position);
  }
}

const harEnd = '\n]}}\n';
