/** The scenarios of an exam as a table. In each, the client runs twice, and the clock moves by an hour in between. */

import type { ExamScenarioId } from '../../core/results/exam-result.ts';
import type { StagedChange } from './staged-data.ts';

/** Facts about what a client met in a scenario. */
export interface ExamFacts {
  /** Largest number of pages of one list in a row. */
  pages: number;
  /** Number of requests that chaos hit. */
  chaosCount: number;
  /** True if the data changed between two pages. */
  changedWhilePaging: boolean;
  /** Lists with changes that each run read. */
  readonly lists: readonly [first: Set<string>, second: Set<string>];
  /** True if a list was read. */
  hasRead: boolean;
}

/** A scenario. */
export interface ExamScenario {
  readonly id: ExamScenarioId;
  readonly title: string;
  readonly changes: readonly StagedChange[];
  /** A chaos rule for some requests of the first run: from its start, or after the first page of a list that has more. */
  readonly chaos?: { readonly rule: string; readonly times: number; readonly from: 'start' | 'second-page' };
  /** Seconds by which the clock moves after the first page of a list that has more. */
  readonly secondsWhilePaging?: number;
  /** What the client did not meet if the scenario was not exercised. */
  readonly gap: string;
  readonly isExercised: (facts: ExamFacts) => boolean;
}

/** Time between the two runs, in seconds. */
export const secondsBetweenRuns = 3600;

/** Changes that every scenario has between the runs, so that the second one has something to read. */
const changesBetweenRuns: StagedChange = { afterSeconds: secondsBetweenRuns, kind: 'newer' };

const inBothRuns = ({ lists: [first, second] }: ExamFacts): boolean => [...first].some((list) => second.has(list));

/** The scenarios, in their order. The first one has no chaos, so it shows what a client does wrong in any case. */
export const examScenarios: readonly ExamScenario[] = [
  {
    id: 'pages',
    title: 'three pages, then changes',
    changes: [changesBetweenRuns],
    gap: 'No list was read over three pages.',
    isExercised: ({ pages }) => pages >= 3,
  },
  {
    id: 'unavailable',
    title: '503 on the second page',
    changes: [changesBetweenRuns],
    chaos: { rule: '503', times: 3, from: 'second-page' },
    gap: 'No second page was asked for.',
    isExercised: ({ chaosCount }) => chaosCount > 0,
  },
  {
    id: 'throttled',
    title: '429 with Retry-After',
    changes: [changesBetweenRuns],
    chaos: { rule: '429 retry-after=1', times: 1, from: 'start' },
    gap: 'No request reached an operation.',
    isExercised: ({ chaosCount }) => chaosCount > 0,
  },
  {
    id: 'same-second',
    title: "changes within the checkpoint's second, after it was read",
    changes: [{ afterSeconds: 1, kind: 'same-second' }],
    gap: 'No list with instants of changes was read in both runs.',
    isExercised: inBothRuns,
  },
  {
    id: 'change-while-paging',
    title: 'changes while the pages are read',
    changes: [{ afterSeconds: 1, kind: 'newer' }, { afterSeconds: 2, kind: 'newer' }, changesBetweenRuns],
    secondsWhilePaging: 2,
    gap: 'No list of several pages with instants of changes was read in both runs.',
    isExercised: (facts) => facts.changedWhilePaging && inBothRuns(facts),
  },
  {
    id: 'unknown-values',
    title: 'an unknown field and an unknown state',
    changes: [{ afterSeconds: 0, kind: 'unknown-values' }, changesBetweenRuns],
    gap: 'No list was read.',
    isExercised: ({ hasRead }) => hasRead,
  },
];
