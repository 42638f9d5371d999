import { chooseChecks } from '../../contracts/verify/choose-checks.ts';
import { verify } from '../../contracts/verify/verify.ts';
import { watch } from '../../contracts/verify/watch/watch-lists.ts';
import { UsageError } from '../../core/errors.ts';
import { mapTexts } from '../../core/map-texts.ts';
import { createRedactor } from '../../core/redaction/redact-secrets.ts';
import { exitCodeOfRuns, type RunResult } from '../../core/results/run-result.ts';
import { type Configured, withConfig } from '../apply-config.ts';
import type { Arguments, CommandBody, Terminal } from '../command.ts';
import { secretsIn, withoutKeys } from '../credentials.ts';
import { warnAbout } from '../open-contract.ts';
import { withCommandAndCommit } from '../run-facts.ts';
import { createProgress } from './print-progress.ts';
import { dividePatterns, type LoadedOptions, readVerifyOptions, readWatchDuration, verifyOptions } from './verify-options.ts';
import { verifyReports } from './verify-reports.ts';

/** `touchstone verify`: verifies a server against contracts, once or over time. */
export const verifyCommand: CommandBody = {
  description: [
    'Checks any server over HTTP, with read requests only. CONTRACT is an OpenAPI file (3.0 or 3.1), or the name of a contract that comes with Touchstone. Several contracts or targets share one report.',
    'touchstone.config.yaml can define targets by name, each with its URL, contract and options; --target NAME selects one, and options on the command line take precedence. touchstone init writes such a file. A waiver file lists known violations, each with a reason and an expiry date.',
    'Keys come from environment variables, and all output shows $NAME in their place. HTTP_PROXY, HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS apply.',
  ],
  options: verifyOptions,
  examples: [
    {
      line: 'touchstone verify my-api.yaml --target https://api.example.com --key full=FULL_KEY',
      about: 'a server, with the key in $FULL_KEY',
    },
    {
      line: 'touchstone verify my-api.yaml --target http://localhost:8080 --quick --report json=report.json',
      about: 'few requests, and a JSON report',
    },
    {
      line: 'touchstone verify my-api.yaml --target http://localhost:8080 --report html=report.html --report github=-',
      about: 'an HTML report, and annotations in a GitHub workflow',
    },
    { line: "touchstone verify my-api.yaml --target http://localhost:8080 --only 'filters/*'", about: 'one group of rules' },
    {
      line: 'touchstone verify shop.yaml stock.yaml --target http://localhost:8080 --report html=report.html',
      about: 'two contracts of one server, in one report',
    },
    {
      line: 'touchstone verify --target staging --require stated --report junit=verify.xml --report github=-',
      about: 'a target from touchstone.config.yaml, as in CI',
    },
  ],
  run: runVerify,
};

async function runVerify(args: Arguments, terminal: Terminal): Promise<number> {
  const targets = await Promise.all((args.lists['target'] ?? [undefined]).map((target) => withConfig(args, process.env, target)));
  const reports = verifyReports.read({ lists: { report: listReports(targets) } });
  const forMs = readWatchDuration(args);
  const runs = dividePatterns(
    (await Promise.all(targets.map((configured) => readVerifyOptions(configured.args, process.env, configured.waivers)))).flat(),
  );
  if (forMs !== undefined && runs.length > 1)
    throw new UsageError('--watch follows one contract at one target; run several commands for more');
  for (const { contract, ...options } of runs) chooseChecks(contract, options);
  warnAbout(new Set(runs.map(({ contract }) => contract)), terminal);
  for (const note of new Set(targets.flatMap((target) => target.note ?? []))) terminal.error(`${note}\n`);
  // Results are redacted already. All output is redacted once more, to be safe.
  const { clean } = createRedactor(runs.flatMap(({ keys = {}, headers = {} }) => secretsIn(keys, headers)));
  const results: RunResult[] = [];
  for (const options of runs) {
    const result = await withoutKeys(clean, () =>
      verifyWithProgress({ ...options, debug: args.switches.has('debug') }, forMs, terminal, clean),
    );
    const remainingRuns = runs.slice(results.length + 1);
    const isLast = result.cutShort === 'interrupted' || (options.failFast === true && result.exitCode === 1);
    const notedResult = isLast && remainingRuns.length > 0 ? noteUnverified(result, remainingRuns) : result;
    results.push(mapTexts(withCommandAndCommit(notedResult, args, process.env), clean));
    if (isLast) break;
  }
  const [first, ...others] = results;
  if (first === undefined) throw new TypeError('a command without a run');
  const verbose = args.switches.has('verbose');
  return verifyReports.end([first, ...others], reports, exitCodeOfRuns(results), {
    ...terminal,
    verbose,
    out: (text) => terminal.out(clean(text)),
  });
}

/** The reports of all targets. A report that several targets have from the defaults counts once; one repeated on the command line is refused later. */
function listReports(targets: readonly Configured[]): readonly string[] {
  const values: string[] = [];
  for (const { args } of targets) values.push(...(args.lists['report'] ?? []).filter((each) => !values.includes(each)));
  return values;
}

/** Notes the runs that did not start, because this one ended the command. */
function noteUnverified(result: RunResult, remainingRuns: readonly LoadedOptions[]): RunResult {
  const names = remainingRuns.map(({ contract, target }) => `${contract.name} at ${target}`).join(', ');
  return { ...result, notes: [...(result.notes ?? []), `The run ended before the verification of ${names}`] };
}

/** Runs the verification with progress on standard error, so that standard output has only the summary. */
async function verifyWithProgress(
  { debug, ...options }: LoadedOptions & { readonly debug: boolean },
  forMs: number | undefined,
  terminal: Terminal,
  clean: (text: string) => string,
): Promise<RunResult> {
  const progress = createProgress({
    title: `${options.contract.title} ${options.contract.version}`.trim(),
    print: (text) => terminal.error(clean(text)),
    columns: terminal.columns,
    debug,
  });
  const { interrupted } = terminal;
  try {
    if (forMs !== undefined) return await watch({ ...options, forMs, interrupted }, (event) => progress.onEvent(event));
    const verification = verify({ ...options, interrupted });
    for await (const event of verification) progress.onEvent(event);
    return await verification.result;
  } finally {
    progress.end();
  }
}
