/** The code quality report of GitLab: a merge request shows its findings beside the code, and which of them are new. */

import { createHash } from 'node:crypto';
import type { SourceLocation } from '../core/errors.ts';
import { printJson } from '../core/json.ts';
import { toLine } from './printable-text.ts';
import type { AnnotatedFinding, JudgedReport } from './report-model.ts';

const sentenceMax = 500;
const nameMax = 200;

/** Renders the findings that are not accepted, the worst of each report first. GitLab shows findings with equal fingerprints once. */
export function renderGitlab(...reports: readonly JudgedReport[]): string {
  const issues = reports.flatMap(({ command, name, annotations }) =>
    annotations.flatMap(({ finding, place, target }) =>
      finding === undefined || finding.accepted !== undefined
        ? []
        : [toIssue(`${command} ${name}`, finding, place ?? { file: target ?? finding.subject, line: 1 })],
    ),
  );
  return `${printJson(issues, 2)}\n`;
}

/** Builds the report's entry of a finding. GitLab needs a path and a line: a finding in no file stands at the first line of the server, or else of its subject. */
function toIssue(
  scope: string,
  { id, rule, subject, message, severity }: AnnotatedFinding,
  { file, line }: Pick<SourceLocation, 'file' | 'line'>,
): object {
  return {
    description: toLine(`${message}, in ${subject}`, sentenceMax),
    check_name: toLine(rule, nameMax),
    fingerprint: createHash('sha256')
      .update(printJson([scope, id]))
      .digest('hex')
      .slice(0, 32),
    severity,
    location: { path: toLine(toPath(file), sentenceMax), lines: { begin: line } },
  };
}

/** Converts a path to the form that GitLab compares: with slashes, and without a leading `./`. */
function toPath(file: string): string {
  return file.replaceAll('\\', '/').replace(/^\.\//, '');
}
