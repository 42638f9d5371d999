/** Makes the pacts. The consumers' tests run one after another in one process, since Pact's native core stays in it. */

import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/consumers/**/*.pact.ts'],
    globalSetup: ['test/consumers/publish.ts'],
    pool: 'forks',
    isolate: false,
    fileParallelism: false,
    testTimeout: 30_000,
    env: { PACT_DO_NOT_TRACK: '1', NO_COLOR: '1' },
  },
};

export default config;
