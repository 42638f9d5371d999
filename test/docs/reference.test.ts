/** The generated pages of docs/ are what the code says now. `npm run docs` writes them anew. */

import { expect, it } from 'vitest';
import { renderReference } from '../../cli/help.ts';
import { loadCommands } from '../../cli/run.ts';
import { laws } from '../../contracts/laws/catalogue.ts';
import { renderLaws } from './laws-page.ts';

it('docs/cli.md is what the commands say', async () => {
  await expect(renderReference(await loadCommands())).toMatchFileSnapshot('../../docs/cli.md');
});

it('docs/laws.md is what the laws say', async () => {
  await expect(renderLaws(laws)).toMatchFileSnapshot('../../docs/laws.md');
});
