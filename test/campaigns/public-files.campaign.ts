/** Loads the public files of public-files.md, from the folder that TOUCHSTONE_PUBLIC_FILES names: each is read within bounds of time and memory. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SpecError } from '../../core/errors.ts';
import { loadContract } from '../../core/openapi/contract.ts';
import { type Campaign, defineCampaign, type Item, root } from './campaign.ts';

/** Limits of one file: processor time in milliseconds, and memory of the process in megabytes. */
const bounds = { workedMs: 60_000, rssMb: 1500 } as const;

interface PublicFile extends Item {
  readonly file: string;
}

interface Result {
  readonly operations: number;
  readonly setAside: number;
  readonly workedMs: number;
  readonly rssMb: number;
  /** The mistake that refuses the file; absent if it is read. */
  readonly refused?: string;
}

export const campaign: Campaign = defineCampaign<PublicFile, Result>({
  items: () => {
    const folder = process.env['TOUCHSTONE_PUBLIC_FILES'] ?? join(root, 'test/fixtures');
    const rows = readFileSync(join(root, 'test/campaigns/public-files.md'), 'utf8').matchAll(/^\| (\S+) \| .* \| openapi 3\.\S+ \|/gm);
    const named = [...rows].map(([, key = '']) => ({ key, file: join(folder, key) })).filter(({ file }) => existsSync(file));
    return named.length > 0 ? named : [{ key: 'plain.openapi.yaml', file: join(root, 'test/fixtures/plain.openapi.yaml') }];
  },
  judge: async ({ file }) => {
    const before = process.cpuUsage();
    const read = await loadOrRefuse(file);
    const { user, system } = process.cpuUsage(before);
    return { ...read, workedMs: Math.round((user + system) / 1000), rssMb: Math.round(process.memoryUsage.rss() / 1e6) };
  },
  complaints: ({ refused, workedMs, rssMb }) => [
    ...(refused === undefined ? [] : [refused]),
    ...(workedMs > bounds.workedMs ? [`took ${workedMs} ms of processor time`] : []),
    ...(rssMb > bounds.rssMb ? [`needed ${rssMb} MB`] : []),
  ],
  smoke: (items) => items.slice(0, 1),
});

async function loadOrRefuse(file: string): Promise<Pick<Result, 'operations' | 'setAside' | 'refused'>> {
  try {
    const { operations, setAside } = await loadContract(file);
    return { operations: operations.length, setAside: setAside.length };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return { operations: 0, setAside: 0, refused: error.message };
  }
}
