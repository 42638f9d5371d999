/** What the mutation tests stand on: a run over exchanges that were written down is the run that wrote them, and hangs on nothing else. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeAnswers, lists } from '../../campaigns/mutation/answers.ts';
import { readEntries, readSaved, writeDown, writeEntries } from '../../campaigns/mutation/archive.ts';
import { judgeAgain } from '../../campaigns/mutation/judged.ts';
import { describeSubjects, listLosses, loseEach } from '../../campaigns/mutation/subjects.ts';
import { contracts, listWorlds } from '../../campaigns/mutation/worlds.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-recordings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const chosen = ['wiki as it is, pages/total', 'wiki hidden-counted', 'wiki with data one, pages', 'business as it is, details/absent'];

describe('from what was written down', () => {
  it.each(listWorlds().filter(({ name }) => chosen.includes(name)))('$name', { timeout: 60_000 }, async (world) => {
    const contract = contracts[world.api];
    const entry = await writeDown(folder, contract, world);
    const { recording, summary, ...terms } = readSaved(folder, entry.file);
    expect(await judgeAgain(contract, terms, recording)).toEqual(summary);
    // A server that gives nothing any more is judged otherwise, so the comparison is able to see a difference.
    expect(await judgeAgain(contract, terms, {})).not.toEqual(summary);
    // What is still judged the same is not asked for again: the port of a new server would be another one.
    expect(await writeDown(folder, contract, world)).toEqual(entry);
    writeEntries(folder, [entry]);
    expect(readEntries(folder)).toEqual([entry]);
    expect(readdirSync(folder).toSorted()).toEqual([entry.file, 'list.json'].toSorted());
  });

  it('shows what a law is about by contracts that lack one thing', async () => {
    const losses = await listLosses(contracts.wiki);
    expect(losses).toContainEqual({ op: 'remove', at: '/paths/~1api~1v1~1wiki/get/x-collection/visible' });
    // Nothing is a contract any more without the list of its records.
    expect(losses.filter(({ at }) => at.endsWith('/x-collection/items'))).toEqual([]);
    const lines = describeSubjects('visible/lists', loseEach(contracts.wiki, losses)).split('\n');
    expect(lines).toHaveLength(losses.length + 1);
    expect(lines[0]).toMatch(/^listEntries wiki\.openapi\.yaml:\d+$/);
    expect(lines.filter((line) => line !== lines[0])).not.toEqual([]);
  });

  it('asks lists that are full and lists that are empty, and always the same', () => {
    const texts = Array.from({ length: lists }, (_, list) => describeAnswers(list));
    expect(texts.map((_, list) => describeAnswers(list))).toEqual(texts);
    expect(new Set(texts).size).toBe(lists);
    expect(texts.join('\n')).toMatch(/\],true\]/);
  });

  it('has every law, and every kind of fault', () => {
    const names = listWorlds().map(({ name }) => name);
    expect(names.length).toBeGreaterThan(600);
    expect(names.filter((name) => chosen.includes(name))).toHaveLength(chosen.length);
    expect(new Set(names).size).toBe(names.length);
  });
});
