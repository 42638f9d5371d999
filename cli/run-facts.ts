/**
 * Facts about a run for its reports: command, commit, start, duration, version and exit code. They begin with the run, and are complete once it has an exit
 * code.
 */

import type { RunResult } from '../core/results/run-result.ts';
import { packageVersion } from '../core/shipped-files.ts';
import { code, type Fact } from '../reports/report-model.ts';
import type { Arguments } from './command.ts';

/** A function that completes the facts with the exit code. */
export type FinishFacts = (exitCode: number) => readonly Fact[];

/** Environment variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Begins the facts of a run. `line` is the command line as a shell reads it. */
export function beginRunFacts(line: string, environment: Environment = process.env): FinishFacts {
  const started = new Date();
  return (exitCode) => {
    const commit = findCommit(environment);
    const startTime = started.toISOString().replace('T', ' ').replace(/\..*/, '');
    return [
      ...(commit === undefined ? [] : [['Commit', code(commit)] as const]),
      ['Started', `${startTime} UTC, for ${((Date.now() - started.getTime()) / 1000).toFixed(1)} s`],
      ['Exit code', `${exitCode}, by touchstone ${packageVersion()}`],
      ['Command', { text: line, as: 'code', copy: 'the command of the run' }],
    ];
  };
}

/** Adds the command line to a result, and the commit that the CI system is building. */
export function withCommandAndCommit(result: RunResult, { line }: Arguments, environment: Environment): RunResult {
  const commit = findCommit(environment, result.commit);
  return { ...result, command: line, ...(commit && { commit }) };
}

/** Environment variables in which CI systems name the commit: GitHub, GitLab, Jenkins, Azure Pipelines. */
const commitVariables = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'GIT_COMMIT', 'BUILD_SOURCEVERSION'] as const;

/** Returns the commit of an earlier result, or finds the one that the CI system is building. */
function findCommit(environment: Environment, earlierCommit?: string): string | undefined {
  return [earlierCommit, ...commitVariables.map((name) => environment[name])].find((text = '') => /^[0-9a-f]{7,64}$/i.test(text));
}
