/** Prints how many tests passed, failed and were skipped, from the JSON report of Vitest; then, a line each, what failed. Without a report, no test ran. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const [file = ''] = process.argv.slice(2);

if (existsSync(file)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const failures = report.testResults.flatMap((suite) => {
    const name = path.relative(process.cwd(), suite.name);
    // A file that cannot be loaded has no tests. It counts as a failure.
    if (suite.status === 'failed' && suite.assertionResults.length === 0) return [`${name}: ${firstLine(suite.message)}`];
    return suite.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${name}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
  });
  console.log(report.numPassedTests, failures.length, report.numPendingTests + report.numTodoTests);
  for (const failure of failures) console.log(failure);
} else {
  console.log(0, 0, 0);
}

function firstLine(message = '') {
  return message.trim().split('\n')[0];
}
