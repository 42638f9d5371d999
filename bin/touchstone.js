#!/usr/bin/env node
/**
 * The program `touchstone`. It is committed rather than built: npx remembers that a clone had no program when it was first asked, and would not
 * find one after the build.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/cli/main.js', import.meta.url);

if (existsSync(main)) {
  await import(main.href);
} else {
  const clone = fileURLToPath(new URL('..', import.meta.url));
  process.stderr.write(`touchstone: this clone is not built yet; run npm ci && npm run build in ${clone}\n`);
  process.exitCode = 2;
}
