/** How the tests run. Outside test sets are found through TOUCHSTONE_CASES, and a test that wants them says that it skipped without it. */

import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Files share a process, so that contracts and libraries are loaded once: two thirds of the time. It also shows what leaves traces behind.
    isolate: false,
    globals: false,
    restoreMocks: true,
    dangerouslyIgnoreUnhandledErrors: false,
    testTimeout: 15_000,
    // One worker for each processor: there is no one else here to leave one for.
    maxWorkers: '100%',
    // Pact counts its users over the network unless it is told not to; colours would end up in compared output.
    env: { PACT_DO_NOT_TRACK: '1', NO_COLOR: '1' },
  },
};

export default config;
