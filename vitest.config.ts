/**
 * The tests in three tiers, each a project of Vitest and a folder: `unit` (pure functions), `integration` (sockets, processes, pages) and `campaigns`
 * (long proofs, run by name). Outside test sets are found through TOUCHSTONE_CASES; a test that wants them says that it skipped without it.
 */

import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest files. They start first, so that no worker is left with one of them at the end. */
const longest: readonly string[] = [
  'docs/readme',
  'docs/pact',
  'reports/browser',
  'cli/main',
  'contracts/promise',
  'contracts/pact/verify',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return rank < 0 ? longest.length : rank;
    };
    return (await super.sort(files)).toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}

/**
 * Makes imports fast: Vite keeps the exports of a module in an object that V8 reads as a dictionary, 17 ns for each use of an import. V8 turns an object
 * that served as a prototype into a fast one.
 */
const speedUp = `
;if (typeof __vite_ssr_exports__ === 'object') {
  const Heir = function () {};
  Heir.prototype = __vite_ssr_exports__;
  new Heir();
  void new Heir().touched;
}`;

function tier(name: string, options: TestProjectInlineConfiguration['test'] = {}): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: [`test/${name}/**/*.test.ts`], ...options } };
}

const config: ViteUserConfig = {
  plugins: [
    {
      name: 'fast-imports',
      enforce: 'post',
      transform: (code, id) => (id.includes('/node_modules/') ? undefined : { code: `${code}${speedUp}`, map: null }),
    },
  ],
  test: {
    projects: [
      tier('unit', { setupFiles: ['test/unit/setup.ts'], testTimeout: 5_000 }),
      tier('integration'),
      tier('campaigns', { testTimeout: 0 }),
    ],
    pool: 'forks',
    // Files share a process, so that contracts and libraries are loaded once: two thirds of the time. It also shows what leaves traces behind.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    testTimeout: 15_000,
    maxWorkers: '100%',
    // Pact counts its users over the network unless it is told not to; colours would end up in compared output.
    env: { PACT_DO_NOT_TRACK: '1', NO_COLOR: '1' },
  },
};

export default config;
