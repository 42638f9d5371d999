import { withoutUndefined } from '../../core/drop-undefined.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { isPlain } from '../../core/openapi/operation.ts';
import type { Replay, ReplayedCheck, ReplayedExchange } from '../../core/results/replay-result.ts';
import { groupOf, type RuleGroup } from '../../core/results/rule-id.ts';
import type { CheckResult, ReportedExchange, RunResult } from '../../core/results/run-result.ts';
import { type Printing, printExchange, restoreKeys } from './counterexample.ts';
import { Blocked } from './evidence/blocked-operations.ts';
import { type Call, sentKeyOf } from './evidence/call.ts';
import { anonymous, type Keyring, secretsOf, unknownCaller } from './evidence/callers.ts';
import { nearlyRightSecrets } from './evidence/nearly-right-keys.ts';
import { BudgetSpent, type Session } from './evidence/request-session.ts';
import { openSessionAndRedaction } from './open-run.ts';
import type { VerifyOptions } from './run-options.ts';
import { verify } from './verify.ts';

/** Options of `replay`: the checks to replay, and the options of `verify`. */
export interface ReplayOptions extends Omit<VerifyOptions, 'contract' | 'only' | 'skip' | 'again' | 'require' | 'waivers' | 'baseline'> {
  readonly contract: Contract;
  /** The violations of an earlier run. */
  readonly checks: readonly CheckResult[];
}

/** Maximum number of times that one request is sent while the target responds with 429 or 503. */
const maxAttemptsEach = 4;

/** Groups of rules that hold for any response. They do not show that a request succeeds as before. */
const independentOfData: readonly (RuleGroup | undefined)[] = ['response', 'conditional'];

/**
 * Replays counterexamples. Each request is sent again, to show both responses side by side. Then the check judges the operation anew, with these requests
 * among its own.
 * @throws {UsageError} for an option that cannot be used.
 */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { contract, checks, target: _, ...rest } = options;
  const keys: Keyring = new Map(Object.entries(options.keys ?? {}));
  const earlierExchanges = checks.map((check) =>
    (check.counterexample?.exchanges ?? []).map((exchange) => ({ exchange, ...toEarlierCall(contract, keys, exchange) })),
  );
  const resent = await sendAgain(options, earlierExchanges);
  const calls = earlierExchanges.flat().flatMap((each) => ('call' in each ? [each.call] : []));
  const operationIds = contract.operations.map(({ id }) => id);
  const replayedOperations = new Set(checks.map(({ operation }) => operation));
  const only = [...new Set(checks.map(({ rule: id }) => id))];
  const skip = operationIds.filter((id) => !replayedOperations.has(id));
  const result = await verify({ ...rest, contract, target: options.target, only, skip, again: calls }).result;
  const replayed = checks.map((check, index) => judgeReplayed(check, resent[index] ?? [], result));
  return {
    target: result.target,
    exitCode: replayExitCode(replayed, result),
    checks: replayed,
    ...withoutUndefined({ unavailable: result.unavailable }),
  };
}

type EarlierExchange = { readonly exchange: ReportedExchange } & ReturnType<typeof toEarlierCall>;

/** Sends the same requests again, one after the other. */
async function sendAgain(
  options: ReplayOptions,
  earlierExchanges: readonly (readonly EarlierExchange[])[],
): Promise<readonly (readonly ReplayedExchange[])[]> {
  const { session, printing, close } = openSessionAndRedaction(
    options.contract,
    options,
    maxAttemptsEach * earlierExchanges.flat().length,
    () => undefined,
  );
  try {
    const exchangesByCheck: (readonly ReplayedExchange[])[] = [];
    for (const exchanges of earlierExchanges) {
      const replayedExchanges: ReplayedExchange[] = [];
      for (const each of exchanges) replayedExchanges.push({ before: each.exchange, ...(await sendOne(session, printing, each)) });
      exchangesByCheck.push(replayedExchanges);
    }
    return exchangesByCheck;
  } finally {
    await close();
  }
}

async function sendOne(session: Session, printing: Printing, each: EarlierExchange): Promise<Omit<ReplayedExchange, 'before'>> {
  if ('reason' in each) return { reason: each.reason };
  try {
    return { now: printExchange(printing, await session.ask(each.call satisfies Call)) };
  } catch (error) {
    if (error instanceof Blocked || error instanceof BudgetSpent) return { reason: printing.clean(error.message) };
    throw error;
  }
}

function judgeReplayed(before: CheckResult, exchanges: readonly ReplayedExchange[], { checks, unavailable }: RunResult): ReplayedCheck {
  const now = checks.find(({ rule: id, operation }) => id === before.rule && operation === before.operation);
  if (now === undefined) return { before, verdict: 'unknown', message: unavailable ?? 'The check has no result', exchanges };
  const sharedMembers = { before, now, exchanges };
  if (now.verdict === 'violated') return { ...sharedMembers, verdict: 'stands', message: describeSame(before, now) };
  if (now.verdict !== 'holds')
    return { ...sharedMembers, verdict: 'unknown', message: `This cannot be checked (${now.verdict}): ${now.message}` };
  const change = independentOfData.includes(groupOf(before.rule))
    ? exchanges.map(describeChange).find((each) => each !== undefined)
    : undefined;
  if (change !== undefined)
    return { ...sharedMembers, verdict: 'unknown', message: `This cannot be checked, because the data changed: ${change}` };
  return { ...sharedMembers, verdict: 'gone', message: 'The check now holds' };
}

/** The message for a violation that still exists: the same one, or another one of the same check. */
function describeSame(before: CheckResult, now: CheckResult): string {
  const isSame = before.message === now.message || (before.diagnosis !== undefined && before.diagnosis === now.diagnosis);
  return isSame ? 'The same violation was seen again' : `The check is still violated, in another way: ${now.message}`;
}

/** Describes a request that succeeded before and fails now, or was not sent again. */
function describeChange({ before, now, reason }: ReplayedExchange): string | undefined {
  const { method, target } = before.request;
  if (now === undefined) return `${method} ${target} was not sent again, ${reason ?? 'for an unknown reason'}`;
  const { status } = now.response;
  const isLost = before.response.status < 400 && status >= 400 && status < 500;
  return isLost ? `${method} ${target} now returns ${status} instead of ${before.response.status}` : undefined;
}

function replayExitCode(checks: readonly ReplayedCheck[], { cutShort }: RunResult): Replay['exitCode'] {
  if (checks.some(({ verdict }) => verdict === 'stands')) return 1;
  if (cutShort === 'interrupted') return 130;
  return checks.some(({ verdict }) => verdict === 'unknown') ? 3 : 0;
}

/** A call, or the reason why it cannot be sent again. */
type EarlierCall = { readonly call: Call } | { readonly reason: string };

/** Reads the call of an exchange of a report, with the keys of this run. */
function toEarlierCall(contract: Contract, keys: Keyring, { call, request }: ReportedExchange): EarlierCall {
  if (call === undefined)
    return { reason: 'the report hides the values that it was sent with; verify --show-personal keeps them in the report' };
  const operation = contract.operations.find(({ id }) => id === call.operation);
  if (operation === undefined) return { reason: `${contract.name} has no operation ${call.operation}, which received ${request.target}` };
  const { role = anonymous, carrier = 0 } = call.key ?? {};
  if (role !== anonymous && role !== unknownCaller && sentKeyOf({ operation, as: role }, keys) === undefined)
    return { reason: `it was sent with the key of the role ${role}; give it with --key ${role}=VARIABLE` };
  const secrets = [...secretsOf(keys), ...nearlyRightSecrets(keys)];
  const unnamed = call.variables.find((variable) => !secrets.some(({ name }) => name === variable));
  if (unnamed !== undefined) return { reason: `it was sent with $${unnamed}, and no --key names that variable` };
  const { values = {}, raw = [], segments = {}, headers = {} } = restoreKeys(call, secrets);
  const page = operation.collection?.page;
  // A cursor is of an earlier run, so any refusal of it is correct.
  const mayBeRefused =
    isPlain(operation) ||
    (page?.style === 'cursor' && (values[page.cursor] !== undefined || raw.some((piece) => piece.startsWith(`${page.cursor}=`))));
  return { call: { operation, method: call.method, values, raw, segments, headers, mayBeRefused, as: role, carrier } };
}
