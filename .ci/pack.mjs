/** Packs the built package, and prints the name and the size of the file instead of a line for each file in it: node .ci/pack.mjs [--pack-destination FOLDER] */

import { execFileSync } from 'node:child_process';

const npm = process.env.npm_execpath;
if (npm === undefined) throw new Error('npm run package runs this');
const answer = execFileSync(process.execPath, [npm, 'pack', '--json', '--loglevel=error', ...process.argv.slice(2)], { encoding: 'utf8' });
// A list until npm 11, and an object with the package's name from npm 12 on.
const [{ filename, size, unpackedSize, entryCount }] = Object.values(JSON.parse(answer));
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(`${filename}: ${megabytes(size)}, ${entryCount} files, ${megabytes(unpackedSize)} unpacked`);
