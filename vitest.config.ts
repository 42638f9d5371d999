/** How the tests run. Outside test sets are found through TOUCHSTONE_CASES, and a test that wants them says that it skipped without it. */

import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take ten seconds and more, the longest first. */
const long: readonly string[] = [
  'docs/readme',
  'contracts/faults-lists',
  'mocks/profile',
  'contracts/promise',
  'contracts/second-faults-lists',
  'contracts/second-clean',
  'contracts/faults-answers',
  'docs/pact',
  'contracts/laws/records-second',
  'contracts/faults-records',
  'contracts/faults-page',
  'cli/main',
  'contracts/second-faults-answers',
  'mocks/faults/catalogue',
  'generators/random-schemas',
  'reports/browser',
  'mocks/processes',
  'contracts/verify',
  'contracts/pact/verify',
  'docs/mock',
  'contracts/watch/watch',
  'contracts/pact/verify-shipped',
  'contracts/diff/rules/lists',
  'contracts/second-clean-chaos',
];

/** What is long comes first: at the end it would leave a worker with nothing to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = long.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return rank < 0 ? long.length : rank;
    };
    return (await super.sort(files)).toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}

/**
 * Vite keeps what a module exports in an object that V8 treats as a dictionary, so that each use of an import is a search in a hash table: 17 ns, where
 * it could be none at all. An object that served as a prototype is turned into a fast one. Without that object there is nothing to do, and all runs on.
 */
const speedUp = `
;if (typeof __vite_ssr_exports__ === 'object') {
  const Heir = function () {};
  Heir.prototype = __vite_ssr_exports__;
  new Heir();
  void new Heir().touched;
}`;

const config: ViteUserConfig = {
  plugins: [
    {
      name: 'fast-imports',
      enforce: 'post',
      transform: (code, id) => (id.includes('/node_modules/') ? undefined : { code: `${code}${speedUp}`, map: null }),
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Files share a process, so that contracts and libraries are loaded once: two thirds of the time. It also shows what leaves traces behind.
    isolate: false,
    sequence: { sequencer: LongestFirst },
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
