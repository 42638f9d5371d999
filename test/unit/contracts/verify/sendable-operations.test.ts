/** A GET that speaks of a change is not sent; one that only reads is, whatever nouns its path has. */

import { expect, it } from 'vitest';
import { findUnsent, seemsToChange } from '../../../../contracts/verify/sendable-operations.ts';
import { contractText, loadText, operationOf } from '../../../helpers/contracts/contract-text.ts';
import { keyringOf } from '../../../helpers/engine.ts';

it.each([
  ['/createdb', ''],
  ['/admin/reset', ''],
  ['/jobs/nightly/run', ''],
  ['/session/logout', 'operationId: getLogout'],
  ['/cache', 'operationId: flushCache'],
  ['/cache', 'operationId: cache_clear'],
  ['/tables', 'summary: Creates and fills the tables'],
  ['/users', 'description: Deletes all users that never logged in. It is quick.'],
])('%s %s changes something', async (path, lines) => expect(seemsToChange(await operationOf(lines, path))).toBe(true));

it.each([
  ['/runs', ''],
  ['/created', ''],
  ['/orders', 'summary: List created orders'],
  ['/packages/7/updates', 'operationId: listUpdates'],
  ['/installation', 'operationId: getInstallation\ndescription: Enables an app to find its installation.'],
  ['/search', 'description: Run a search over all notes'],
  ['/ping', 'description: Send a GET request to this address to see whether it answers'],
])('%s %s reads', async (path, lines) => expect(seemsToChange(await operationOf(lines, path))).toBe(false));

it('lists what is not sent, with the reason', async () => {
  const operation = (id: string, more = ''): string => `{ operationId: ${id}, ${more}responses: { '200': { description: a } } }`;
  const contract = await loadText(
    contractText(
      [
        'paths:',
        `  /notes: { get: ${operation('listNotes')}, post: ${operation('addNote')} }`,
        `  /reset: { get: ${operation('reset')} }`,
        `  /mine: { get: ${operation('mine', 'security: [{ key: [] }], ')} }`,
        'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }',
      ].join('\n'),
    ),
  );
  const unsent = (choice: Parameters<typeof findUnsent>[1]): Readonly<Record<string, string>> =>
    Object.fromEntries([...findUnsent(contract, choice)].map(([{ id }, reason]) => [id, reason]));
  expect(unsent({ keys: new Map() })).toEqual({ addNote: 'writes', reset: 'changes', mine: 'key' });
  expect(unsent({ keys: keyringOf({ full: 'k' }), send: ['res*'] })).toEqual({ addNote: 'writes' });
});
