/** How mutants are tested: by exchanges that were written down, in one process. */

import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  test: { include: ['test/mutation/mutants.ts'], pool: 'forks', isolate: false, bail: 1, env: { NO_COLOR: '1' } },
};

export default config;
