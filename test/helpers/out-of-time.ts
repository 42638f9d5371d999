/** Exams on a fake clock, which stands still while a client runs, however slow the machine is, and moves on where an exam waits. */

import { vi } from 'vitest';
import type { ExamReport } from '../../core/results/exam-result.ts';
import { type ExamOptions, runExam } from '../../mocks/exam/exam.ts';
import { examScenarios } from '../../mocks/exam/exam-scenarios.ts';

/** More than any wait of an exam, in milliseconds. */
const waitMost = 4000;

/** Runs an exam, by default of the business API with seed 1 and every scenario. No other test of the process may need the clock meanwhile. */
export async function runExamOutOfTime(client: ExamOptions['client'], options: Partial<ExamOptions> = {}): Promise<ExamReport> {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] });
  try {
    return await runExam({
      contracts: ['business'],
      seed: 1,
      scenarios: examScenarios.map(({ id }) => id),
      ...options,
      client: async (run) => {
        const end = await client(run);
        // After the first run, the exam waits in the place of the client.
        if (run.run === 1) setImmediate(() => vi.advanceTimersByTime(waitMost));
        return end;
      },
    });
  } finally {
    vi.useRealTimers();
  }
}
