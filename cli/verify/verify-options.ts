/**
 * Turns the arguments of `verify`, some of which other commands share, into the options of its runs when the command starts. Loads contracts and files, but
 * sends nothing.
 */

import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { listChecks } from '../../contracts/verify/choose-checks.ts';
import { readRequirement } from '../../contracts/verify/required-checks.ts';
import type { VerifyOptions } from '../../contracts/verify/run-options.ts';
import { budgets } from '../../contracts/verify/verify.ts';
import { readWaivers, type WaiverEntry } from '../../contracts/verify/waivers.ts';
import { withoutUndefined } from '../../core/drop-undefined.ts';
import { readDuration } from '../../core/duration.ts';
import { UsageError } from '../../core/errors.ts';
import { matchesPattern } from '../../core/name-pattern.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { listShipped } from '../../core/shipped-files.ts';
import { urlOption } from '../apply-config.ts';
import type { Arguments, OptionSpec } from '../command.ts';
import { type KeyEnvironment, readAllHeaders, readCertificate, readKeys } from '../credentials.ts';
import { openContract, strictOption } from '../open-contract.ts';
import { configOption } from '../read-config.ts';
import { readFileOrDefault } from '../read-named-file.ts';
import { readRate, readWholeNumber } from '../read-option-values.ts';
import { loadEarlierRuns, type Runs } from './load-earlier-runs.ts';
import { verifyReportOptions } from './verify-reports.ts';

/** Waiver file that is read by default, if it exists. */
const defaultWaiverFile = '.touchstone-waivers.yaml';

/** The options for requirements, waivers and the baseline, in the order of the help. */
export const termOptions: readonly OptionSpec[] = [
  {
    name: 'require',
    value: 'LEVEL',
    summary:
      'Checks that must have a result; otherwise the exit code is 4. LEVEL is stated (everything that the API documentation states), all, rules such as paging/*,keys/missing, or the share of operations that must be checked, such as 30%. Default: half of the operations.',
  },
  {
    name: 'waivers',
    value: 'FILE',
    summary: `File of known violations that do not fail the run. Default ${defaultWaiverFile}, if it exists.`,
  },
  {
    name: 'baseline',
    value: 'FILE',
    summary: 'JSON report of an earlier run. Only new violations fail.',
  },
];

/** All options of `verify`, in the order of the help. */
export const verifyOptions: readonly OptionSpec[] = [
  {
    name: 'target',
    value: 'URL',
    repeatable: true,
    summary: 'The server: a URL, which may have a path prefix, or the name of a target in touchstone.config.yaml. Repeatable.',
  },
  configOption,
  urlOption,
  {
    name: 'key',
    value: 'ROLE=ENV_VAR',
    repeatable: true,
    summary:
      'Environment variable that holds a key (for HTTP Basic, user:password). ROLE is full, other (another tenant), expired, without:SCOPE, the name of a further tenant, or the name of a security scheme in the file. Repeatable.',
  },
  {
    name: 'hidden',
    value: 'KEY',
    repeatable: true,
    summary: 'Identifier of a record that exists but that the key must not see. Repeatable.',
  },
  {
    name: 'only',
    value: 'GLOB',
    repeatable: true,
    summary: 'Check only the rules or operations whose id matches; * matches anything. Repeatable.',
  },
  {
    name: 'skip',
    value: 'GLOB',
    repeatable: true,
    summary: 'Skip the rules or operations whose id matches. Repeatable.',
  },
  {
    name: 'param',
    value: 'NAME=VALUE',
    repeatable: true,
    summary: 'Value of a parameter that neither the contract nor a response supplies; OPERATION.NAME=VALUE for one operation. Repeatable.',
  },
  {
    name: 'send',
    value: 'OPERATION',
    repeatable: true,
    summary: 'Id of a GET operation to call even though it seems to change something; * matches anything. Repeatable.',
  },
  ...termOptions,
  {
    name: 'seed',
    value: 'NUMBER',
    summary: 'Seed for random choices: the same seed and data give the same requests. By default, a new seed is chosen and printed.',
  },
  {
    name: 'explore',
    value: 'DURATION',
    summary:
      'After the rules, send random requests for a duration such as 10m, without a limit on their number. By default, random requests use what is left of the budget.',
  },
  { name: 'allow-flaky', summary: 'Do not fail the run for a wrong response if repeating the request gave a correct one.' },
  {
    name: 'budget',
    value: 'NUMBER',
    summary: `Maximum number of requests. Default ${budgets.full}, or ${budgets.quick} with --quick.`,
  },
  {
    name: 'rate',
    value: 'N/s',
    summary: 'Maximum number of requests per second, or per minute as N/min. Default 2/s, or no limit for a target on this machine.',
  },
  { name: 'timeout', value: 'MS', summary: 'Time limit for one response in milliseconds. Default 10000.' },
  {
    name: 'watch',
    value: 'DURATION',
    summary:
      'Check the watch/* rules, which need time, for a duration such as 30m or PT2H. Sends 6 requests a minute, or more if the watch is short.',
  },
  { name: 'quick', summary: 'Send fewer requests: faster, but with less evidence.' },
  { name: 'strict-members', summary: 'Report response members that no schema declares as violations. By default, they are only noted.' },
  {
    name: 'exchanges',
    summary: 'Put every exchange of the run into the HAR and JSON reports. By default, they have those that show violations.',
  },
  { name: 'fail-fast', summary: 'Stop after the first group of rules with a violation.' },
  {
    name: 'header',
    value: 'NAME=ENV_VAR',
    repeatable: true,
    summary: 'Header to send with every request, with its value in an environment variable. Repeatable.',
  },
  {
    name: 'header-command',
    value: 'NAME=COMMAND',
    repeatable: true,
    summary:
      'Like --header, but the value is the output of a shell command, such as a token that expires soon. The command runs once, before the first request. Repeatable.',
  },
  { name: 'cert', value: 'FILE', summary: 'Client certificate in PEM, for mutual TLS.' },
  { name: 'client-key', value: 'FILE', summary: 'Private key of the client certificate in PEM, without a passphrase.' },
  ...verifyReportOptions,
  strictOption,
  { name: 'show-personal', summary: 'Show personal data in reports. By default, it is hidden.' },
];

/** Options of a run with a loaded contract. */
export type LoadedOptions = VerifyOptions & { readonly contract: Contract };

/**
 * Reads the arguments for one target: the options of its runs, one for each contract.
 * @throws {UsageError} for an invalid value.
 * @throws {SpecError} for a mistake in the contract file.
 */
export async function readVerifyOptions(
  args: Arguments,
  environment: KeyEnvironment,
  configured?: readonly WaiverEntry[],
): Promise<readonly LoadedOptions[]> {
  const { target } = args.values;
  const [name, ...furtherNames] = args.positionals;
  const shippedNames = listShipped().join(', ');
  if (name === undefined)
    throw new UsageError(
      `touchstone verify needs a contract: name a file, or one of ${shippedNames}, or a target in touchstone.config.yaml with --target NAME`,
    );
  // A surplus argument may be a key, so the message does not repeat it.
  if (furtherNames.some((each) => !listShipped().includes(each) && !existsSync(each)))
    throw new UsageError(`${args.positionals.length} contracts are named, but one of them is neither a file nor one of ${shippedNames}`);
  if (target === undefined)
    throw new UsageError('touchstone verify needs a server: --target URL, or --target NAME with a target in touchstone.config.yaml');
  const contracts = await Promise.all(args.positionals.map((each) => openContract(each, { strict: args.switches.has('strict') })));
  const { baseline, ...terms } = await readTerms(args, configured);
  const sharedOptions = {
    target,
    seed: randomInt(1, 1_000_000),
    ...readNumbers(args.values),
    ...withoutUndefined({ exploreMs: readExploring(args) }),
    ...terms,
    keys: readKeys(args.lists['key'] ?? [], contracts, environment),
    headers: await readAllHeaders(args, environment),
    certificate: readCertificate(args.values),
    hidden: args.lists['hidden'] ?? [],
    only: args.lists['only'] ?? [],
    skip: args.lists['skip'] ?? [],
    send: args.lists['send'] ?? [],
    params: readParams(args.lists['param'] ?? []),
    quick: args.switches.has('quick'),
    failFast: args.switches.has('fail-fast'),
    strictMembers: args.switches.has('strict-members'),
    exchanges: args.switches.has('exchanges'),
    allowFlaky: args.switches.has('allow-flaky'),
    showPersonal: args.switches.has('show-personal'),
    environment,
  };
  return contracts.map((contract) => {
    const baselineRun = baseline?.find((run) => run.contract.name === contract.name);
    return { ...sharedOptions, contract, ...withoutUndefined({ baseline: baselineRun }) };
  });
}

/**
 * Reads `--explore`.
 * @throws {UsageError} for a text that is no duration, and beside an option that leaves no room for it.
 */
function readExploring({ values, switches }: Arguments): number | undefined {
  const text = values['explore'];
  if (text === undefined) return undefined;
  const duration = durationOf(text);
  if (duration === undefined || !(duration > 0))
    throw new UsageError(`--explore ${text} is not a duration; write, for example, 10m or PT90S`);
  const excluded = values['budget'] !== undefined ? 'budget' : switches.has('quick') ? 'quick' : undefined;
  if (excluded !== undefined) throw new UsageError(`--explore cannot be combined with --${excluded}; remove one of them`);
  return duration;
}

/** A duration in milliseconds: `10m`, `2h` or `PT90M`; `undefined` for any other text. */
function durationOf(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return digits === '' ? readDuration(text) : Number(digits) * (durationUnits[unit] ?? Number.NaN);
}

/**
 * Reads `--param NAME=VALUE`.
 * @throws {UsageError} for a text without a name.
 */
function readParams(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`--param ${text} is not of the form NAME=VALUE; write --param id=42`);
      return [name, value];
    }),
  );
}

/**
 * Divides the patterns of a command line among its runs: each keeps those that match one of its rules or operations, and those that match none at all.
 * @throws {UsageError} if `--only` selects nothing of a contract.
 */
export function dividePatterns(runs: readonly LoadedOptions[]): readonly LoadedOptions[] {
  const names = runs.map(({ contract }) => listChecks(contract).flatMap(({ rule, operation }) => [rule.id, operation.id]));
  return runs.map((run, index) => {
    const isMatched = (pattern: string, each: readonly string[] = []): boolean => each.some((name) => matchesPattern(pattern, name));
    const keepMatching = (patterns: readonly string[] = []): readonly string[] =>
      patterns.filter((pattern) => isMatched(pattern, names[index]) || !names.some((each) => isMatched(pattern, each)));
    const { require, only = [], ...others } = run;
    if (only.length > 0 && keepMatching(only).length === 0)
      throw new UsageError(`--only selects nothing in ${run.contract.name}; leave the contract out, or add a pattern for it`);
    const required = Array.isArray(require) ? keepMatching(require) : require;
    return {
      ...others,
      only: keepMatching(only),
      skip: keepMatching(run.skip),
      ...(required === undefined || required.length === 0 ? {} : { require: required }),
    };
  });
}

/**
 * Reads the numeric options.
 * @throws {UsageError} for a value that is not a number, or out of bounds.
 */
export function readNumbers(values: Arguments['values']): Pick<VerifyOptions, 'seed' | 'budget' | 'rate' | 'timeoutMs'> {
  return withoutUndefined({
    seed: readWholeNumber(values, 'seed', 0, Number.MAX_SAFE_INTEGER),
    budget: readWholeNumber(values, 'budget', 1, 1_000_000),
    timeoutMs: readWholeNumber(values, 'timeout', 1, 600_000),
    rate: values['rate'] === undefined ? undefined : readRate(values['rate']),
  });
}

/** Requirements, waivers and baseline. */
interface VerifyTerms {
  readonly require?: string | readonly string[];
  readonly waivers: readonly WaiverEntry[];
  /** The runs of the earlier report. */
  readonly baseline?: Runs;
}

/**
 * Reads `--require`, `--waivers` and `--baseline`. Waivers of the configuration replace the default file.
 * @throws {UsageError} for an invalid requirement, or an unreadable file.
 * @throws {SpecError} for a mistake in the waiver file or in the baseline.
 */
export async function readTerms({ values }: Pick<Arguments, 'values'>, configured?: readonly WaiverEntry[]): Promise<VerifyTerms> {
  const { require, waivers, baseline } = values;
  return {
    ...(require === undefined ? {} : { require: readRequirement(require) }),
    waivers: waivers === undefined && configured !== undefined ? configured : await readWaiverFile(waivers),
    ...(baseline === undefined ? {} : { baseline: await loadEarlierRuns(baseline) }),
  };
}

function readWaiverFile(namedFile: string | undefined): Promise<readonly WaiverEntry[]> {
  const text = readFileOrDefault(namedFile, defaultWaiverFile, { noun: 'the waiver file', advice: 'name a YAML file that lists waivers' });
  return text === undefined ? Promise.resolve([]) : readWaivers(namedFile ?? defaultWaiverFile, text);
}

const durationUnits: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Options that cannot be combined with `--watch`: they limit a run. */
const excludedWithWatch: readonly string[] = ['quick', 'fail-fast', 'require', 'header-command'];

/** Shortest and longest watch in milliseconds: a minute and 31 days. */
const [minWatchMs, maxWatchMs] = [60_000, 31 * 86_400_000];

/**
 * Reads the duration of `--watch` in milliseconds; `undefined` without the option.
 * @throws {UsageError} for an invalid duration, or an option that cannot be combined with it.
 */
export function readWatchDuration({ values, switches, lists }: Arguments): number | undefined {
  const text = values['watch'];
  if (text === undefined) return undefined;
  const duration = durationOf(text);
  if (duration === undefined || !(duration >= minWatchMs && duration <= maxWatchMs))
    throw new UsageError(`--watch ${text} is not a duration from a minute to 31 days; write, for example, 30m, 2h or PT90M`);
  const excludedOption = excludedWithWatch.find((name) => switches.has(name) || values[name] !== undefined || lists[name] !== undefined);
  if (excludedOption !== undefined) throw new UsageError(`--${excludedOption} cannot be combined with --watch; remove one of them`);
  return duration;
}
