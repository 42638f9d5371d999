/** Runs the checks of `npm run check` side by side, since each uses one core: types, style, imports. Prints what each says, and fails if one does. */

import { spawn } from 'node:child_process';

const checks = [
  ['tsc', '-b', '.', 'examples', 'mocks/page'],
  ['biome', 'check', '--error-on-warnings', '.'],
  ['depcruise', '--config', '.dependency-cruiser.cjs', '.'],
];

for (const [program, ...args] of checks) {
  // npm puts the programs into PATH; on Windows they are scripts.
  const child = spawn(program, args, { shell: process.platform === 'win32' });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  child.once('close', (code) => {
    process.stdout.write(Buffer.concat(said));
    if (code !== 0) process.exitCode = 1;
  });
}
