/** Checkpoints: clients store the newest `changed_at`. More records may change within that second, so only an inclusive checkpoint loses none. */

import { describe, expect, it } from 'vitest';
import { createBusinessDatasets } from '../../../../../mocks/data/business/business-dataset.ts';
import type { ChangingDataset } from '../../../../../mocks/data/dataset.ts';
import { countBy, defaultClock } from '../dataset-records.ts';

const second = 1000;
const week = 7 * 86_400 * second;

interface Record {
  readonly id: number;
  readonly changed_at: string;
}

function read(datasets: ChangingDataset, collection: string, nowMs: number): readonly Record[] {
  return datasets.at(nowMs).records('full', collection) as unknown as readonly Record[];
}

/** Records missed by a client that reads everything once, and later only the changes since its checkpoint. */
function lossesOf(
  datasets: ChangingDataset,
  collection: string,
  nowMs: number,
  isSince: (changedMs: number, checkpointMs: number) => boolean,
): readonly number[] {
  const first = read(datasets, collection, nowMs);
  const checkpointMs = Math.max(...first.map(({ changed_at }) => Date.parse(changed_at)));
  const later = read(datasets, collection, nowMs + 3600 * second);
  const copy = new Map(first.map((record) => [record.id, record]));
  for (const record of later) if (isSince(Date.parse(record.changed_at), checkpointMs)) copy.set(record.id, record);
  return later.filter((record) => JSON.stringify(copy.get(record.id)) !== JSON.stringify(record)).map(({ id }) => id);
}

describe.each(['orders', 'reservations'])('of the %s, a client', (collection) => {
  it.each([1, 7, 99, 2 ** 40])(
    'loses a change if it leaves its checkpoint out, at the mock’s own instant and a week later: seed %i',
    (seed) => {
      const datasets = createBusinessDatasets({ seed });
      for (const nowMs of [defaultClock, defaultClock + week]) {
        expect(lossesOf(datasets, collection, nowMs, (changedMs, checkpointMs) => changedMs > checkpointMs)).toHaveLength(1);
        expect(lossesOf(datasets, collection, nowMs, (changedMs, checkpointMs) => changedMs >= checkpointMs + second)).toHaveLength(1);
        expect(lossesOf(datasets, collection, nowMs, (changedMs, checkpointMs) => changedMs >= checkpointMs)).toEqual([]);
      }
    },
  );

  it('meets batches that arrive in two parts within one second', () => {
    const datasets = createBusinessDatasets({ seed: 1 });
    const ties = [...countBy(read(datasets, collection, defaultClock), ({ changed_at }) => changed_at)].filter(([, size]) => size > 4);
    expect(ties.length).toBeGreaterThan(0);
    for (const [changed_at, size] of ties) {
      const atOnce = read(datasets, collection, Date.parse(changed_at)).filter((record) => record.changed_at === changed_at);
      expect(atOnce.length).toBeGreaterThan(0);
      expect(atOnce.length).toBeLessThan(size);
    }
  });
});
