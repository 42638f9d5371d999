/** `touchstone verify`: judges a server by a contract, and reports. */

import { verify } from '../contracts/verify.ts';
import { createRedactor } from '../core/redaction.ts';
import type { RunResult } from '../core/verdict.ts';
import { renderJson } from '../reports/json.ts';
import { renderTerminal } from '../reports/terminal.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { createProgress } from './progress.ts';
import { type ReportFile, readReportFiles, writeReport } from './report-file.ts';
import { secretsIn } from './verify-keys.ts';
import { type LoadedOptions, readVerifyOptions, verifyOptions } from './verify-options.ts';

/** Each format of a report. */
const formats: Readonly<Record<string, (result: RunResult) => string>> = { json: renderJson };

/** The command. */
export const verifyCommand: Command = {
  name: 'verify',
  positionals: 'CONTRACT',
  summary: 'Judge a server by a contract.',
  description: [
    'Judges any server by a contract, over HTTP and with requests that only read. A contract is the name of one of this package, or an OpenAPI 3.1 file. The summary names what is violated with the requests that show it, and what could not be shown with what was lacking.',
    'Keys come from variables of the environment, and every output shows their names in place of the keys. HTTP_PROXY, HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS are obeyed. The report in JSON follows specs/verify-report.schema.json.',
  ],
  options: verifyOptions,
  examples: [
    {
      line: 'touchstone verify my-api.yaml --target https://api.example.com --key full=FULL_KEY',
      about: 'judge a server, with the key that $FULL_KEY holds',
    },
    {
      line: 'touchstone verify my-api.yaml --target http://localhost:8080 --quick --report json=report.json',
      about: 'few requests, and a report for programs',
    },
    { line: "touchstone verify my-api.yaml --target http://localhost:8080 --only 'filters/*'", about: 'one group of laws' },
  ],
  run: runVerify,
};

async function runVerify(given: Arguments, terminal: Terminal): Promise<number> {
  const reports = readReportFiles(given.lists['report'] ?? [], Object.keys(formats));
  const options = await readVerifyOptions(given, process.env);
  // Results come clean already; what goes to a terminal or a file passes here once more, whatever it is.
  const { clean } = createRedactor(secretsIn(options.keys ?? {}, options.headers ?? {}));
  const result = cleanTexts(await follow(options, terminal, clean), clean);
  const failure = saveAll(result, reports);
  terminal.out(clean(renderTerminal(result, { decorated: terminal.decorated, reports: reports.map((report) => report.file) })));
  if (failure === undefined) return result.exitCode;
  terminal.error(`touchstone: ${failure}\n`);
  return result.exitCode === 0 ? 2 : result.exitCode;
}

/** Runs, and tells of it on standard error, so that standard output holds the summary alone. */
async function follow(options: LoadedOptions, terminal: Terminal, clean: (text: string) => string): Promise<RunResult> {
  const progress = createProgress({
    title: `${options.contract.title} ${options.contract.version}`.trim(),
    print: (text) => terminal.error(clean(text)),
    columns: terminal.columns,
  });
  const verification = verify({ ...options, interrupted: terminal.interrupted });
  try {
    for await (const event of verification) progress.hear(event);
    return await verification.result;
  } finally {
    progress.end();
  }
}

/** A value with every text in it, names of fields included, cleaned. The same texts stand in many places, so each is cleaned once. */
function cleanTexts<T>(value: T, clean: (text: string) => string): T {
  const known = new Map<string, string>();
  const cleanOnce = (text: string): string => {
    const cleaned = known.get(text) ?? clean(text);
    known.set(text, cleaned);
    return cleaned;
  };
  const visit = (each: unknown): unknown => {
    if (typeof each === 'string') return cleanOnce(each);
    if (Array.isArray(each)) return each.map(visit);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [cleanOnce(name), visit(member)]));
  };
  return visit(value) as T;
}

/** Writes every report; what goes wrong with one must neither hide the others nor the summary. */
function saveAll(result: RunResult, reports: readonly ReportFile[]): string | undefined {
  const failures = reports.flatMap(({ format, file }) => {
    try {
      writeReport(file, formats[format]?.(result) ?? '');
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
  return failures.length === 0 ? undefined : failures.join('; ');
}
