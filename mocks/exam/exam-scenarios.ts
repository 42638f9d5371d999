/** The scenarios of an exam as a table. In each, the client runs twice, and the clock moves by an hour in between. */

import type { ExamScenarioId } from '../../core/results/exam-result.ts';
import type { StagedChange } from './staged-data.ts';

/** Facts about what a client met in a scenario. Lists and operations are known by their ids. */
export class ExamFacts {
  /** Largest number of pages of one list in a row. */
  pages = 0;
  /** Number of requests that chaos hit. */
  chaosCount = 0;
  /** True if the first run ended with an error. */
  hasFailed = false;
  /** True if the client was killed in the first run. */
  wasKilled = false;
  /** True if the data changed between two pages. */
  changedWhilePaging = false;
  /** True if the contracts leave open whether members are null or absent. */
  hasOpenMembers = false;
  /** Lists that the first run did not read to the last page. */
  readonly unfinished: Set<string> = new Set();
  /** Lists that each run read. */
  readonly lists: readonly [first: Set<string>, second: Set<string>] = [new Set(), new Set()];
  /** Lists whose records have the instant of their last change, and those of them whose instants have an offset. */
  readonly dated: Set<string> = new Set();
  readonly zoned: Set<string> = new Set();
  /** Lists with a filter by one of some listed values, such as a state. */
  readonly stated: Set<string> = new Set();
  /** Operations of single records, and of documents with an ETag, that each run read. */
  readonly details: readonly [first: Set<string>, second: Set<string>] = [new Set(), new Set()];
}

/** Chaos in the first run: each rule hits one request, from the start of the run, or after the first page of a list that has more. */
interface ScenarioChaos {
  readonly rules: readonly string[];
  readonly from: 'start' | 'second-page';
  /** True if the last rule lasts until the run ends. */
  readonly isLasting?: boolean;
  /** True if the key loses the scopes of the list instead, until the run ends. */
  readonly losesScopes?: boolean;
  /** Time after the first hit at which the client is killed if it still runs, in milliseconds. */
  readonly killAfterMs?: number;
}

/** A scenario. */
export interface ExamScenario {
  readonly id: ExamScenarioId;
  readonly title: string;
  /** True for a scenario that is played only by name. */
  readonly isExtra?: boolean;
  /** The instant at which the first run begins; by default, that of every mock, on a day on which clocks in Europe go forward. */
  readonly start?: string;
  readonly changes: readonly StagedChange[];
  readonly chaos?: ScenarioChaos;
  /** Seconds by which the clock moves after the first page of a list that has more. */
  readonly secondsWhilePaging?: number;
  /** The choice of every open question that has it. */
  readonly choice?: string;
  /** What the client did not meet if the scenario was not exercised. */
  readonly gap: string;
  readonly isExercised: (facts: ExamFacts) => boolean;
}

/** Time between the two runs, in seconds. */
export const secondsBetweenRuns = 3600;

/** Share of the records that fills more than a page. */
const largeShare = 0.6;

/** Time for a client to give up. A client that still asks is killed, so that the exam ends; how it gives up is not seen then. */
const patienceMs = 20_000;

/** Changes that every scenario has between the runs, so that the second one has something to read. */
const changesBetweenRuns: StagedChange = { afterSeconds: secondsBetweenRuns, kind: 'newer' };

/** True if both runs read one of some lists. */
const readTwice = ({ lists: [first, second] }: ExamFacts, ids: ReadonlySet<string>): boolean =>
  [...ids].some((id) => first.has(id) && second.has(id));

/** True if the first run ended in the middle of a list, and the second one read it again. */
const wasInterrupted = ({ chaosCount, unfinished, lists: [, second] }: ExamFacts): boolean =>
  chaosCount > 0 && [...unfinished].some((id) => second.has(id));

/** True if the first run gave up by itself, too. */
const gaveUp = (facts: ExamFacts): boolean => !facts.wasKilled && wasInterrupted(facts);

/**
 * The scenarios, in their order. The first one has no chaos, so it shows what a client does wrong in any case. The extra ones find the fewest mistakes that no
 * other finds.
 */
export const examScenarios: readonly ExamScenario[] = [
  {
    id: 'pages',
    title: 'three pages, then more changes than fit on one page',
    changes: [{ ...changesBetweenRuns, share: largeShare }],
    gap: 'The client did not read three pages of any list.',
    isExercised: ({ pages }) => pages >= 3,
  },
  {
    id: 'unavailable',
    title: '503 from the second page on, until the run ends',
    changes: [changesBetweenRuns],
    chaos: { rules: ['503'], from: 'second-page', isLasting: true, killAfterMs: patienceMs },
    gap: 'The client requested no second page, did not give up within 20 s, or did not read that list again in its second run.',
    isExercised: gaveUp,
  },
  {
    id: 'killed',
    title: 'the client is killed between two pages',
    changes: [changesBetweenRuns],
    chaos: { rules: ['reset'], from: 'second-page', isLasting: true, killAfterMs: 1 },
    gap: 'The client requested no second page, or did not read that list again in its second run.',
    isExercised: wasInterrupted,
  },
  {
    id: 'throttled',
    title: '429 with Retry-After in seconds, then as a date',
    changes: [changesBetweenRuns],
    chaos: { rules: ['429 retry-after=2 as=seconds', '429 retry-after=3 as=date'], from: 'start' },
    gap: 'After a 429, the client did not send the request again: neither in its first run nor, if that failed, in its second.',
    isExercised: ({ chaosCount, hasFailed, lists: [, lists], details: [, details] }) =>
      hasFailed ? chaosCount > 0 && lists.size + details.size > 0 : chaosCount > 1,
  },
  {
    id: 'same-second',
    title: 'changes in the same second as the checkpoint, after the list was read',
    changes: [{ afterSeconds: 1, kind: 'same-second' }],
    gap: 'No list whose records have a time of change was read in both runs.',
    isExercised: (facts) => readTwice(facts, facts.dated),
  },
  {
    id: 'change-while-paging',
    title: 'changes while the client reads the pages',
    changes: [{ afterSeconds: 1, kind: 'newer' }, { afterSeconds: 2, kind: 'newer' }, changesBetweenRuns],
    secondsWhilePaging: 2,
    gap: 'No list with several pages and a time of change in its records was read in both runs.',
    isExercised: (facts) => facts.changedWhilePaging && readTwice(facts, facts.dated),
  },
  {
    id: 'unknown-values',
    title: 'an unknown field and an unknown state',
    changes: [{ afterSeconds: 0, kind: 'unknown-values' }, changesBetweenRuns],
    gap: 'No list was read.',
    isExercised: ({ lists: [first] }) => first.size > 0,
  },
  {
    id: 'null-members',
    title: 'members that are null where the API documentation leaves this open',
    isExtra: true,
    changes: [changesBetweenRuns],
    choice: 'null',
    gap: 'No list was read, or the contract leaves no member open.',
    isExercised: ({ hasOpenMembers, lists: [first] }) => hasOpenMembers && first.size > 0,
  },
  {
    id: 'absent-members',
    title: 'members that are absent where the API documentation leaves this open',
    changes: [changesBetweenRuns],
    choice: 'absent',
    gap: 'No list was read, or the contract leaves no member open.',
    isExercised: ({ hasOpenMembers, lists: [first] }) => hasOpenMembers && first.size > 0,
  },
  {
    id: 'left-filter',
    title: 'records change their state, and no longer match the filters that found them',
    changes: [
      { afterSeconds: 0, kind: 'every-state', share: 1 },
      { ...changesBetweenRuns, kind: 'next-state', share: largeShare },
    ],
    gap: 'No list that can be filtered by a state was read in both runs.',
    isExercised: (facts) => readTwice(facts, facts.stated),
  },
  {
    id: 'details',
    title: 'individual records and documents, most of which change',
    isExtra: true,
    changes: [{ ...changesBetweenRuns, share: largeShare }],
    gap: 'No individual record or document was read in both runs.',
    isExercised: ({ details: [first, second] }) => [...first].some((id) => second.has(id)),
  },
  {
    id: 'midnight',
    title: 'changes after local midnight, while it is still the previous day in UTC',
    isExtra: true,
    start: '2026-03-29T23:05:00Z',
    changes: [
      { afterSeconds: 0, kind: 'newer' },
      { afterSeconds: secondsBetweenRuns / 2, kind: 'newer' },
    ],
    gap: 'No list whose times have an offset was read in both runs.',
    isExercised: (facts) => readTwice(facts, facts.zoned),
  },
  {
    id: 'clock-change',
    title: 'a record changes before and after the clock goes back by an hour',
    isExtra: true,
    start: '2026-10-25T00:59:00Z',
    changes: [
      { afterSeconds: 0, kind: 'newer' },
      { afterSeconds: secondsBetweenRuns / 2, kind: 'newest-again', offsetHours: -1 },
    ],
    gap: 'No list whose times have an offset was read in both runs.',
    isExercised: (facts) => readTwice(facts, facts.zoned),
  },
  {
    id: 'lost-scope',
    title: 'the key loses the scope of a list from the second page on, until the run ends',
    changes: [changesBetweenRuns],
    chaos: { rules: [], from: 'second-page', losesScopes: true, killAfterMs: patienceMs },
    gap: 'No list that needs a scope was read beyond its first page, the client did not give up within 20 s, or that list was not read again.',
    isExercised: gaveUp,
  },
];
