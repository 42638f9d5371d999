/** How recordings are made: in one process, so that contracts are loaded once. */

import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  test: { include: ['test/mutation/recordings.ts'], pool: 'forks', isolate: false, bail: 1, env: { NO_COLOR: '1' } },
};

export default config;
