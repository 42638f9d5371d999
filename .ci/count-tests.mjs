/** Prints how many tests passed, failed and were skipped, from the JSON report of Vitest. Without a report, no test ran. */

import { existsSync, readFileSync } from 'node:fs';

const [file = ''] = process.argv.slice(2);

if (existsSync(file)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  // A file that cannot be loaded has no tests. It counts as a failure.
  const broken = report.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length;
  console.log(report.numPassedTests, report.numFailedTests + broken, report.numPendingTests + report.numTodoTests);
} else {
  console.log(0, 0, 0);
}
