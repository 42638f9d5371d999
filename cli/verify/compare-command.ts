import { UsageError } from '../../core/errors.ts';
import { compareRuns, type RunComparison } from '../../core/results/run-comparison.ts';
import { exitCodeOfRuns } from '../../core/results/run-result.ts';
import { renderTerminal } from '../../reports/render-terminal.ts';
import { renderComparisonJson, reportOfRunComparison } from '../../reports/verify/run-comparison-report.ts';
import type { Arguments, CommandBody, Terminal } from '../command.ts';
import { loadEarlierRuns, type Runs } from './load-earlier-runs.ts';

/** `touchstone compare`: says what changed between two reports. Sends no requests. */
export const compareCommand: CommandBody = {
  description: [
    'Lists the causes of violations that are new, still there, gone, or not checked again. A cause is gone if all of its checks hold in the new run. Both reports must be of the same contract. Exit code 0: no new cause; 1: a new cause that is not waived; 3: the new run could not check the target.',
  ],
  options: [{ name: 'json', summary: 'Print the result as JSON.' }],
  examples: [{ line: 'touchstone compare main.json branch.json', about: 'what a change to the server broke and fixed' }],
  run: runCompare,
};

/** Compares each run with the earlier one of its contract; of several, with the one at the same target. */
function comparePairs(before: Runs, after: Runs): readonly RunComparison[] {
  return after.map((run) => {
    const sameContract = before.filter(({ contract }) => contract.name === run.contract.name);
    return compareRuns(sameContract.find(({ target }) => target === run.target) ?? sameContract[0] ?? before[0], run);
  });
}

async function runCompare(args: Arguments, terminal: Terminal): Promise<number> {
  const [before, after, ...rest] = args.positionals;
  if (before === undefined || after === undefined || rest.length > 0)
    throw new UsageError('touchstone compare needs two JSON reports of verify: touchstone compare OLD.json NEW.json');
  const comparisons = comparePairs(await loadEarlierRuns(before), await loadEarlierRuns(after));
  for (const comparison of comparisons)
    terminal.out(
      args.switches.has('json')
        ? renderComparisonJson(comparison)
        : renderTerminal(reportOfRunComparison(comparison), { decorated: terminal.decorated, exitCode: comparison.exitCode }),
    );
  return exitCodeOfRuns(comparisons);
}
