/** How much memory a mock takes besides what it needs. */

import { setFlagsFromString } from 'node:v8';

/**
 * V8 collects the old part of its heap when that has grown to a multiple of what was alive, up to four times. A mock lives long beside other programs, and
 * what it makes for a request is soon garbage, so it collects when a fifth has been added: under load it then takes about 60 % of the memory, and no
 * more processor time than measurements differ by (docs/performance.md).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=20');
}
