/** The options of `touchstone verify`, and what a run is made with after they have been read. */

import { readRequirement, readWaivers, type WaiverEntry } from '../../contracts/verify/conclusion.ts';
import { readShard } from '../../contracts/verify/shards.ts';
import { budgets, type VerifyOptions } from '../../contracts/verify/verify.ts';
import { UsageError } from '../../core/errors.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { RunResult, Shard } from '../../core/results/run-result.ts';
import { listShipped } from '../../core/shipped.ts';
import { readTextFileNow } from '../../core/text-file.ts';
import { type Arguments, type OptionSpec, readRate, wholeNumber } from '../command.ts';
import { configOption } from '../config.ts';
import { openContract } from '../contract-source.ts';
import { type KeyEnvironment, readHeaders, readKeys } from './verify-keys.ts';
import { readVerifyReport, verifyReportOption } from './verify-reports.ts';

/** The file of waivers that is read when it exists and no other is named. */
const usualFile = '.touchstone-waivers.yaml';

/** The options, in the order of the help. */
export const termOptions: readonly OptionSpec[] = [
  {
    name: 'require',
    value: 'LEVEL',
    summary:
      'What must be seen to hold: stated (whatever the documents state), all, or rules such as paging/*,keys/missing. What does not is told in a note, and the exit code is 4.',
  },
  {
    name: 'waivers',
    value: 'FILE',
    summary: `Violations that are known and fail nothing for the time being, each with its reason. Default ${usualFile} in the current folder, when there is one.`,
  },
  {
    name: 'baseline',
    value: 'FILE',
    summary: 'The JSON report of an earlier run, whose violations fail nothing: only what is new does.',
  },
];
/** The options, in the order of the help. */
export const verifyOptions: readonly OptionSpec[] = [
  {
    name: 'target',
    value: 'URL',
    summary:
      'The server to judge: an address, which may end with a path that stands before every path of the contract, or the name of a target in touchstone.config.yaml.',
  },
  configOption,
  {
    name: 'key',
    value: 'ROLE=ENV_VAR',
    repeatable: true,
    summary:
      'The variable of the environment that holds a key. Roles: full, other (another tenant), expired, without:SCOPE, and any further tenant, such as one that has nothing. May be given several times.',
  },
  {
    name: 'hidden',
    value: 'KEY',
    repeatable: true,
    summary: 'The key of a record that exists and that the caller must never see. May be given several times.',
  },
  {
    name: 'only',
    value: 'GLOB',
    repeatable: true,
    summary: 'Judge only the rules or operations whose id matches; * stands for anything. May be given several times.',
  },
  {
    name: 'skip',
    value: 'GLOB',
    repeatable: true,
    summary: 'Leave out the rules or operations whose id matches. May be given several times.',
  },
  ...termOptions,
  {
    name: 'shard',
    value: 'N/M',
    summary: 'Judge one of so many parts of the whole, such as 2/4; touchstone merge puts the JSON reports of all of them together.',
  },
  { name: 'seed', value: 'NUMBER', summary: 'Chooses what is chosen at random; the same seed asks the same of the same data. Default 1.' },
  {
    name: 'budget',
    value: 'NUMBER',
    summary: `The most requests that are sent. Default ${budgets.full}, or ${budgets.quick} with --quick.`,
  },
  {
    name: 'rate',
    value: 'N/s',
    summary: 'The most requests in a second, or in a minute as N/min. Default 2/s, and no limit for a target on this machine.',
  },
  { name: 'timeout', value: 'MS', summary: 'How long one answer may take, in milliseconds. Default 10000.' },
  {
    name: 'watch',
    value: 'DURATION',
    summary:
      'Watch at a low rate (6/min unless --rate says otherwise) for so long, such as 30m or PT2H, for what only time shows: the rules watch/*.',
  },
  { name: 'quick', summary: 'Few requests rather than much evidence.' },
  {
    name: 'header',
    value: 'NAME=ENV_VAR',
    repeatable: true,
    summary:
      'A header that a gateway in front of the target wants, its value in a variable of the environment. May be given several times.',
  },
  verifyReportOption,
  { name: 'show-personal', summary: 'Show personal fields, which are otherwise hidden.' },
];

/** Options of a run whose contract has been loaded. */
export type LoadedOptions = VerifyOptions & { readonly contract: Contract };

/**
 * Reads the arguments.
 * @throws {UsageError} for a value that cannot be used.
 * @throws {SpecError} for a mistake in the contract file.
 */
export async function readVerifyOptions(given: Arguments, environment: KeyEnvironment): Promise<LoadedOptions> {
  const [name, ...rest] = given.positionals;
  // What stands too much on the line may be a key, so it is counted and not repeated.
  if (name === undefined || rest.length > 0)
    throw new UsageError(
      `touchstone verify judges by one contract, and ${rest.length === 0 ? 'none is' : `${rest.length + 1} are`} named; name a file, or one of ${listShipped().join(', ')}`,
    );
  const target = given.values['target'];
  if (target === undefined)
    throw new UsageError('touchstone verify needs to know the server: --target URL, or --target NAME of touchstone.config.yaml');
  const numbers = readNumbers(given.values);
  const contract = await openContract(name);
  return {
    contract,
    target,
    ...numbers,
    keys: readKeys(given.lists['key'] ?? [], contract, environment),
    headers: readHeaders(given.lists['header'] ?? [], environment),
    hidden: given.lists['hidden'] ?? [],
    only: given.lists['only'] ?? [],
    skip: given.lists['skip'] ?? [],
    ...(given.values['shard'] === undefined ? {} : { shard: readShardOption(given.values['shard']) }),
    quick: given.switches.has('quick'),
    showPersonal: given.switches.has('show-personal'),
    environment,
  };
}

function readShardOption(text: string): Shard {
  try {
    return readShard(text);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`--shard ${error.message}`, { cause: error }) : error;
  }
}

/**
 * Reads the options that are numbers.
 * @throws {UsageError} for one that is none, or out of bounds.
 */
export function readNumbers(values: Arguments['values']): Pick<VerifyOptions, 'seed' | 'budget' | 'rate' | 'timeoutMs'> {
  const { seed, budget, rate, timeout } = values;
  return {
    ...(seed === undefined ? {} : { seed: wholeNumber('seed', seed, 0, Number.MAX_SAFE_INTEGER) }),
    ...(budget === undefined ? {} : { budget: wholeNumber('budget', budget, 1, 1_000_000) }),
    ...(timeout === undefined ? {} : { timeoutMs: wholeNumber('timeout', timeout, 1, 600_000) }),
    ...(rate === undefined ? {} : { rate: readRate(rate) }),
  };
}

/** What has been read. */
interface Terms {
  readonly require?: string | readonly string[];
  readonly waivers: readonly WaiverEntry[];
  readonly baseline?: RunResult;
}

/**
 * Reads the options. Waivers that stand in the configuration come in place of the usual file.
 * @throws {UsageError} for a requirement that cannot be read, or a file that cannot be.
 * @throws {SpecError} for a mistake in the file of waivers or in the baseline.
 */
export async function readTerms({ values }: Arguments, configured?: readonly WaiverEntry[]): Promise<Terms> {
  const { require, waivers, baseline } = values;
  return {
    ...(require === undefined ? {} : { require: requirementOf(require) }),
    waivers: waivers === undefined && configured !== undefined ? configured : await readFile(waivers),
    ...(baseline === undefined ? {} : { baseline: await readVerifyReport(baseline) }),
  };
}

function requirementOf(text: string): string | readonly string[] {
  try {
    return readRequirement(text);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`--require: ${error.message}`, { cause: error }) : error;
  }
}

async function readFile(named: string | undefined): Promise<readonly WaiverEntry[]> {
  const file = named ?? usualFile;
  const text = readText(file, named !== undefined);
  return text === undefined ? [] : readWaivers(file, text);
}

function readText(file: string, isNamed: boolean): string | undefined {
  try {
    return readTextFileNow(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Nobody asked for the usual file, so it may be missing; one that is there and cannot be read would be missed.
    if (!isNamed && code === 'ENOENT') return undefined;
    throw new UsageError(`the waivers in ${file} cannot be read (${code}); name a YAML file that lists them`, { cause: error });
  }
}
