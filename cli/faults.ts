/** The faults that a mock can be started with, as a table or as lines of JSON. */

import type { Fault } from '../mocks/faults/fault.ts';

/** Renders faults: one a line, with the law that each breaks. */
export function renderFaults(faults: readonly Fault[], isJson: boolean): string {
  if (isJson) return faults.map(({ id, contract, law, title }) => `${JSON.stringify({ id, contract, law, title })}\n`).join('');
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const [idWidth, lawWidth] = [widest(faults.map((fault) => fault.id)), widest(faults.map((fault) => fault.law))];
  const lines = faults.map(({ id, law, title }) => `${id.padEnd(idWidth)}  ${law.padEnd(lawWidth)}  ${title}\n`);
  return `${lines.join('')}${faults.length === 1 ? '1 fault' : `${faults.length} faults`}\n`;
}
