/**
 * Measures the mock beside a bare server, Prism's command line and another peer, in one run on Linux: processor time of each request (of the whole process
 * tree), time to the first answer, memory; and a dataset of a million. After a build: `npm run bench`. `--quick` takes small counts, `--write` rewrites the
 * page of results, `--no-peer` and `--no-million` leave parts out.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureMillion } from './mock/million.mjs';
import { measureReads } from './mock/reads.mjs';
import { renderPage, renderTerminal } from './mock/report.mjs';
import { installBackend } from './mock/servers.mjs';
import { measureStarts } from './mock/starts.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    'no-peer': { type: 'boolean', default: false },
    'no-million': { type: 'boolean', default: false },
  },
});
if (process.platform !== 'linux') throw new Error('processor times are read from /proc, which only Linux has');

const folder = mkdtempSync(join(tmpdir(), 'mock-bench-'));
const counts = options.quick
  ? { rounds: 2, cpuMs: 150, starts: 2, million: 20_000 }
  : { rounds: 5, cpuMs: 1500, starts: 5, million: 1_000_000 };
try {
  const plan = { ...counts, peer: options['no-peer'] ? undefined : installBackend(folder) };
  const starts = await measureStarts(folder, plan);
  const reads = await measureReads(folder, plan);
  const million = options['no-million'] ? undefined : await measureMillion(plan);
  const results = { plan, starts, reads, million };
  console.log(renderTerminal(results));
  if (options.write) writeFileSync(fileURLToPath(new URL('../../docs/reference/performance.md', import.meta.url)), renderPage(results));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
