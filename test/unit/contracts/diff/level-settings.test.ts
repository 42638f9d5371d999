/** Levels that a team sets: by id, operation and location, with the reason beside the change. */

import { describe, expect, it } from 'vitest';
import { compareContracts, type LevelSetting } from '../../../../contracts/diff/index.ts';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';

const contractOf = (states: string, parameter: string): string => `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    get:
      parameters: [{ name: ${parameter}, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: The things.
          content:
            application/json:
              schema: { type: object, properties: { state: { enum: [${states}] } } }
`;
const texts: Readonly<Record<string, string>> = { 'old.yaml': contractOf('open', 'limit'), 'new.yaml': contractOf('open, done', 'size') };
const compare = (...levels: readonly LevelSetting[]): Promise<ContractComparison> =>
  compareContracts('old.yaml', 'new.yaml', { levels, read: async (file) => texts[file] ?? '' });

const setting: LevelSetting = {
  id: 'response-body-property/enum-value-added',
  level: 'compatible',
  reason: 'clients ignore unknown states.',
};

describe('a level', () => {
  it('is that of the rule without a setting', async () => {
    const { changes } = await compare();
    expect(changes[0]).toMatchObject({ level: 'breaking' });
  });

  it.each<readonly [string, Partial<LevelSetting>]>([
    ['its id', {}],
    ['a pattern', { id: 'response-*/enum-*' }],
    ['operation and location', { operation: 'GET /*', location: 'response 200, *' }],
  ])('is set by %s, with the reason, and counts', async (_, more) => {
    const [before, after] = [await compare(), await compare({ ...setting, ...more })];
    const change = after.changes.find(({ id }) => id === setting.id);
    expect(change?.level).toBe('compatible');
    expect(change?.reason).toMatch(/\. The configuration makes it compatible instead of breaking: clients ignore unknown states\.$/);
    expect(change?.fingerprint).toBe(before.changes.find(({ id }) => id === setting.id)?.fingerprint);
    expect(after.count.breaking).toBe(before.count.breaking - 1);
  });

  it.each<readonly [string, Partial<LevelSetting>]>([
    ['id', { id: 'response-body-property/enum-value-removed' }],
    ['operation', { operation: 'POST *' }],
    ['location', { location: 'response 404*' }],
  ])('stays for another %s', async (_, more) => {
    expect((await compare({ ...setting, ...more })).changes).toEqual((await compare()).changes);
  });

  it('is set by the first setting that matches, and sorts the changes', async () => {
    const { changes } = await compare({ ...setting, level: 'security' }, setting);
    expect(changes[0]).toMatchObject({ id: setting.id, level: 'security' });
  });
});
