/** The formats of the reports of `touchstone pact check`. */

import type { PactCheck } from '../core/pact-check.ts';
import { renderPactCheckGithub } from '../reports/pact/check-github.ts';
import { renderPactCheckJson } from '../reports/pact/check-json.ts';
import { renderPactCheckJunit } from '../reports/pact/check-junit.ts';
import { renderPactCheckMarkdown } from '../reports/pact/check-markdown.ts';
import { createReports, type Reports } from './pact-report.ts';

/** The reports of a check. */
export const pactCheckReports: Reports<PactCheck> = createReports({
  json: renderPactCheckJson,
  markdown: renderPactCheckMarkdown,
  junit: renderPactCheckJunit,
  github: renderPactCheckGithub,
});
