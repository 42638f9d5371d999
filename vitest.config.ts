/**
 * The tests in four tiers, each a project of Vitest and a folder: `unit` (pure functions), `integration` (sockets), `system` (the whole product: program, pages,
 * package) and `campaigns` (long test runs, started by name). Outside test sets are found through TOUCHSTONE_CASES; a test that wants them says that it skipped without it.
 */

import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';

function tier(name: string, options: TestProjectInlineConfiguration['test'] = {}): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: [`test/${name}/**/*.test.ts`], ...options } };
}

/** Most code of a test runs too seldom for optimizing it to pay. Later versions of V8 have another compiler for it, and not this flag. */
const optimizesLater = process.versions.node.startsWith('20.') ? ['--interrupt-budget=600000'] : [];

const config: ViteUserConfig = {
  test: {
    projects: [
      tier('unit', { setupFiles: ['test/unit/setup.ts'], sequence: { groupOrder: 1 } }),
      tier('integration', { sequence: { groupOrder: 2 } }),
      tier('system', { sequence: { groupOrder: 3 } }),
      tier('campaigns', { testTimeout: 0 }),
    ],
    // Compiled TypeScript is kept in node_modules, so that a second run begins at once.
    experimental: { fsModuleCache: true },
    pool: 'forks',
    // Files of a tier share a process, so that contracts and libraries are loaded once. It also shows what leaves traces behind. One tier comes after the
    // other: a process that changes the tier begins anew.
    isolate: false,
    // Tests make much that lives shortly; with room for it the collector has a twentieth of the work less.
    execArgv: ['--max-semi-space-size=64', ...optimizesLater],
    restoreMocks: true,
    // Nothing is proved by a limit: it ends what hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: '100%',
    // Pact counts its users over the network unless it is told not to; colours would end up in compared output.
    env: { PACT_DO_NOT_TRACK: '1', NO_COLOR: '1' },
  },
};

export default config;
