/** Serves the bookshop with its records, verifies the mock against the contract, and prints the verdict of each check. */

import { fileURLToPath } from 'node:url';
import { startMock } from 'touchstone/mock';
import { verify } from 'touchstone/verify';

const contract = fileURLToPath(new URL('bookshop.openapi.yaml', import.meta.url));
const records = fileURLToPath(new URL('books.yaml', import.meta.url));

const mock = await startMock({ contracts: [contract], data: [records] });
const { checks, verdict } = await verify({ contract, target: mock.url }).result;
for (const check of checks) process.stdout.write(`${check.verdict.padEnd(14)} ${check.rule} in ${check.operation} ${check.message}\n`);
process.stdout.write(`The mock of the bookshop: ${verdict}\n`);
await mock.close();
process.exitCode = verdict === 'holds' ? 0 : 1;
