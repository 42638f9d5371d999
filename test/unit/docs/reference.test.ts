/** The generated pages of docs/ are what the code says now. `npm run docs` writes them anew. */

import { expect, it } from 'vitest';
import { renderReference } from '../../../cli/command.ts';
import { openContract } from '../../../cli/contract-source.ts';
import { loadCommands } from '../../../cli/run-command.ts';
import { allRules, explainRules } from '../../../cli/verify/rule-commands.ts';
import { listShipped } from '../../../core/shipped-files.ts';
import { renderClientRules } from './client-rules-page.ts';
import { renderRules } from './rules-page.ts';

it('docs/reference/cli.md is what the commands say', async () => {
  await expect(renderReference(await loadCommands())).toMatchFileSnapshot('../../../docs/reference/cli.md');
});

it('docs/reference/rules.md is what the rules say', async () => {
  const contracts = new Map(await Promise.all(listShipped().map(async (name) => [name, await openContract(name)] as const)));
  await expect(renderRules(await explainRules(allRules, contracts))).toMatchFileSnapshot('../../../docs/reference/rules.md');
});

it('docs/reference/client-rules.md is what the client rules say', async () => {
  await expect(renderClientRules()).toMatchFileSnapshot('../../../docs/reference/client-rules.md');
});
