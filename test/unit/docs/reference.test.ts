/** The generated pages of docs/ are what the code says now. `npm run docs` writes them anew. */

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { openContract } from '../../../cli/open-contract.ts';
import { loadCommands } from '../../../cli/run-command.ts';
import { allRules, explainRules } from '../../../cli/verify/rule-commands.ts';
import { loadContract } from '../../../core/openapi/contract.ts';
import { contractFile, listShipped } from '../../../core/shipped-files.ts';
import { repository } from '../../helpers/tree.ts';
import { renderReference } from './cli-page.ts';
import { renderClientRules } from './client-rules-page.ts';
import { renderRules } from './rules-page.ts';
import { annotatedContracts, renderAnnotations, renderConfiguration, renderJsonFiles } from './schema-pages.ts';

it('docs/reference/cli.md is what the commands say', async () => {
  await expect(renderReference(await loadCommands())).toMatchFileSnapshot('../../../docs/reference/cli.md');
});

it('docs/reference/rules.md is what the rules say', async () => {
  const contracts = new Map(await Promise.all(listShipped().map(async (name) => [name, await openContract(contractFile(name))] as const)));
  await expect(renderRules(await explainRules(allRules, contracts))).toMatchFileSnapshot('../../../docs/reference/rules.md');
});

it('docs/reference/client-rules.md is what the client rules say', async () => {
  await expect(renderClientRules()).toMatchFileSnapshot('../../../docs/reference/client-rules.md');
});

it('docs/reference/annotations.md is what the schema of annotations says, with an example of every word', async () => {
  await expect(renderAnnotations()).toMatchFileSnapshot('../../../docs/reference/annotations.md');
});

it.each([...annotatedContracts.keys()])('an example of the annotations can be loaded: %s', async (file) => {
  const read = async (path: string): Promise<string> =>
    annotatedContracts.get(file.endsWith(basename(path)) ? file : '') ?? (await readFile(path, 'utf8'));
  const { operations } = await loadContract(join(repository, file), read);
  expect(operations.length).toBeGreaterThan(0);
});

it('docs/reference/configuration.md and json-files.md are what the schemas say', async () => {
  await expect(renderConfiguration()).toMatchFileSnapshot('../../../docs/reference/configuration.md');
  const names = readdirSync(join(repository, 'specs')).filter((name) => name.endsWith('.schema.json'));
  await expect(renderJsonFiles(names)).toMatchFileSnapshot('../../../docs/reference/json-files.md');
});
