/** The generated pages of docs/ are what the code says now. `npm run docs` writes them anew. */

import { expect, it } from 'vitest';
import { renderReference } from '../../cli/help.ts';
import { commands } from '../../cli/run.ts';

it('docs/cli.md is what the commands say', async () => {
  await expect(renderReference(commands)).toMatchFileSnapshot('../../docs/cli.md');
});
