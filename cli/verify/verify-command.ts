/** `touchstone verify`: judges a server by a contract, and reports. */

import { verify } from '../../contracts/verify/verify.ts';
import { watch } from '../../contracts/verify/watch/watch.ts';
import { UsageError } from '../../core/errors.ts';
import { createRedactor } from '../../core/redaction/redaction.ts';
import type { RunResult } from '../../core/results/run-result.ts';
import { readDuration } from '../../mocks/clock.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { withConfig } from '../config.ts';
import { createProgress } from './progress.ts';
import { secretsIn, withoutKeys } from './verify-keys.ts';
import { type LoadedOptions, readTerms, readVerifyOptions, verifyOptions } from './verify-options.ts';
import { endVerify, readVerifyReports } from './verify-reports.ts';

/** The command. */
export const verifyCommand: Command = {
  name: 'verify',
  positionals: '[CONTRACT]',
  summary: 'Judge a server by a contract.',
  description: [
    'Judges any server by a contract, over HTTP and with requests that only read. A contract is the name of one of this package, or an OpenAPI file (3.0 or 3.1). The summary names what is violated with the requests that show it, and what could not be shown with what was lacking.',
    'A target that is judged often has a name in touchstone.config.yaml, with its address, its contract, the variables of its keys and whatever else an option says: --target NAME takes it, and options that are given win. Violations that are known are waived in a file, each with a reason and a last day (specs/verify-waivers.schema.json; specs/config.schema.json for the configuration); --require asks for evidence. Several runs with --shard 1/4 and so on are put together by touchstone merge.',
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
    {
      line: 'touchstone verify my-api.yaml --target http://localhost:8080 --report html=report.html --report github=-',
      about: 'a page for people, and notes at the lines of the contract in a workflow of GitHub',
    },
    { line: "touchstone verify my-api.yaml --target http://localhost:8080 --only 'filters/*'", about: 'one group of rules' },
    {
      line: 'touchstone verify --target staging --require stated --report junit=verify.xml --report github=-',
      about: 'a target of touchstone.config.yaml, as in CI',
    },
  ],
  run: runVerify,
};

async function runVerify(typed: Arguments, terminal: Terminal): Promise<number> {
  const { given, waivers } = await withConfig(typed, process.env);
  const reports = readVerifyReports(given.lists['report'] ?? []);
  const forMs = readWatch(given);
  const options = { ...(await readVerifyOptions(given, process.env)), ...(await readTerms(given, waivers)) };
  // Results come clean already; what goes to a terminal or a file passes here once more, whatever it is.
  const { clean } = createRedactor(secretsIn(options.keys ?? {}, options.headers ?? {}));
  const debug = given.switches.has('debug');
  const result = cleanTexts(await withoutKeys(clean, () => follow({ ...options, debug }, forMs, terminal, clean)), clean);
  return endVerify(result, reports, { ...terminal, out: (text) => terminal.out(clean(text)) });
}

/** Runs, and tells of it on standard error, so that standard output holds the summary alone. */
async function follow(
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
    if (forMs !== undefined) return await watch({ ...options, forMs, interrupted }, (event) => progress.hear(event));
    const verification = verify({ ...options, interrupted });
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

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Options that are about how much a run asks at once; a watch has all the time there is. */
const excluded: readonly string[] = ['quick', 'shard', 'require'];

/** The least and the most that is a watch: a minute, and a month. */
const [least, most] = [60_000, 31 * 86_400_000];

/**
 * How long to watch, in milliseconds; `undefined` for a run that does not.
 * @throws {UsageError} for what is no duration, or for options that do not go with it.
 */
export function readWatch({ values, switches, lists }: Arguments): number | undefined {
  const text = values['watch'];
  if (text === undefined) return undefined;
  const [, digits = '', unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const duration = digits === '' ? readDuration(text) : Number(digits) * (units[unit] ?? Number.NaN);
  if (duration === undefined || !(duration >= least && duration <= most))
    throw new UsageError(`--watch ${text} is no duration of a minute to 31 days; write 30m, 2h or PT90M`);
  const other = excluded.find((name) => switches.has(name) || values[name] !== undefined || lists[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other} does not go with --watch; leave one of them out`);
  return duration;
}
