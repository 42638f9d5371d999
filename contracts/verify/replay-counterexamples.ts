/**
 * Replays the counterexamples of an earlier run: sends them again, and runs their checks to judge if each violation still exists. `replay-command.ts` calls
 * `replay` once, after it has read the report. It reads no file and prints nothing.
 */

import { withoutUndefined } from '../../core/drop-undefined.ts';
import { type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { createRedactor, type Secret } from '../../core/redaction/redact-secrets.ts';
import type { Replay, ReplayedCheck, ReplayedExchange } from '../../core/results/replay-result.ts';
import { groupOf, type RuleGroup } from '../../core/results/rule-id.ts';
import type { CheckResult, RunResult } from '../../core/results/run-result-and-events.ts';
import { Blocked } from './evidence/blocked-operations.ts';
import { type Call, toRequest } from './evidence/call-and-reply.ts';
import { anonymous, type Keyring, secretsOf } from './evidence/callers-and-keys.ts';
import { nearlyRightSecrets } from './evidence/nearly-right-keys.ts';
import { BudgetSpent, type Session } from './evidence/request-session.ts';
import { openSessionAndRedaction } from './open-session-and-redaction.ts';
import { fillInKeys, type Printing, printExchange } from './print-redacted-counterexample.ts';
import type { VerifyOptions } from './run-options.ts';
import { verify } from './verify.ts';

/** Options of `replay`: the checks to replay, and the options of `verify`. */
export interface ReplayOptions
  extends Omit<VerifyOptions, 'contract' | 'only' | 'skip' | 'again' | 'shard' | 'require' | 'waivers' | 'baseline'> {
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
    (check.counterexample?.exchanges ?? []).map((exchange) => ({ exchange, ...toEarlierCall(contract, keys, exchange.request) })),
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

type EarlierExchange = { readonly exchange: ReplayedExchange['before'] } & ReturnType<typeof toEarlierCall>;

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
  if (now === undefined) return { before, verdict: 'unknown', message: unavailable ?? 'The check was not judged', exchanges };
  const sharedMembers = { before, now, exchanges };
  if (now.verdict === 'violated') return { ...sharedMembers, verdict: 'stands', message: describeSame(before, now) };
  if (now.verdict !== 'holds')
    return { ...sharedMembers, verdict: 'unknown', message: `It cannot be told (${now.verdict}): ${now.message}` };
  const change = independentOfData.includes(groupOf(before.rule))
    ? exchanges.map(describeChange).find((each) => each !== undefined)
    : undefined;
  if (change !== undefined) return { ...sharedMembers, verdict: 'unknown', message: `It cannot be told, since the data moved: ${change}` };
  return { ...sharedMembers, verdict: 'gone', message: 'The check holds now' };
}

/** The message for a violation that still exists: the same one, or another one of the same check. */
function describeSame(before: CheckResult, now: CheckResult): string {
  const isSame = before.message === now.message || (before.diagnosis !== undefined && before.diagnosis === now.diagnosis);
  return isSame ? 'The same contradiction was seen again' : `The check is contradicted still, in another way: ${now.message}`;
}

/** Describes a request that succeeded before and fails now, or was not sent again. */
function describeChange({ before, now, reason }: ReplayedExchange): string | undefined {
  const { method, target } = before.request;
  if (now === undefined) return `${method} ${target} was not sent again, ${reason ?? 'for no reason that is known'}`;
  const { status } = now.response;
  const isLost = before.response.status < 400 && status >= 400 && status < 500;
  return isLost ? `${method} ${target} is answered with ${status} now, and was with ${before.response.status}` : undefined;
}

function replayExitCode(checks: readonly ReplayedCheck[], { cutShort }: RunResult): Replay['exitCode'] {
  if (checks.some(({ verdict }) => verdict === 'stands')) return 1;
  if (cutShort === 'interrupted') return 130;
  return checks.some(({ verdict }) => verdict === 'unknown') ? 3 : 0;
}

/** A request as a call, or the reason why it cannot be sent again. */
type EarlierCall = { readonly call: Call } | { readonly reason: string };

/** Reads a request of a report as a call, with the keys of this run. */
function toEarlierCall(contract: Contract, keys: Keyring, request: HttpRequest): EarlierCall {
  const route = routeTo(contract.operations, request.method, request.target);
  if (route.kind !== 'operation' || route.operation.method !== request.method)
    return { reason: `${contract.name} has no operation ${request.method} ${splitTarget(request.target).path}` };
  const placeholderText = [request.target, ...Object.values(textHeaders(request))].find((text) => placeholder.test(text));
  if (placeholderText !== undefined)
    return { reason: `the report hides what it was sent with: ${placeholderText}; verify --show-personal leaves personal values in` };
  const { operation, segments } = route;
  const secrets = [...secretsOf(keys), ...nearlyRightSecrets(keys)];
  const { query } = splitTarget(request.target);
  const sent = { raw: queryPieces(query), headers: textHeaders(request) };
  const key = findSentKey({ operation }, keys, sent, secrets);
  const isKey = ([name, value]: readonly [string, string]): boolean => key?.headers[name] === plainBasic(value);
  const otherHeaders = Object.entries(sent.headers).filter((field) => !isKey(field));
  const pieces = sent.raw.filter((piece) => !(key?.query ?? []).includes(piece));
  const missingSecret = findSecretWithoutVariable(operation, otherHeaders, pieces, secrets);
  if (missingSecret !== undefined) return { reason: `it was sent with ${missingSecret}, and no --key or --header names that variable` };
  const headers = Object.fromEntries(otherHeaders.map(([name, value]) => [name, fillInKeys(value, secrets)]));
  // Keys in a query or a path are percent-encoded, like all values there.
  const raw = pieces.map((piece) => fillInKeys(piece, secrets, encodeURIComponent));
  const filledSegments = Object.fromEntries([...segments].map(([name, value]) => [name, fillInKeys(value, secrets, encodeURIComponent)]));
  // The cursor is of an earlier run, so any refusal of it is correct.
  const isDamaged = operation.collection?.page.style === 'cursor' && raw.some((piece) => piece.startsWith(`${cursorOf(operation)}=`));
  const caller = key === undefined ? { as: anonymous } : { as: key.role, carrier: key.carrier };
  return { call: { operation, raw, segments: filledSegments, headers, isDamaged, ...caller } };
}

/** Placeholder in a report for a personal value, or for a secret without a variable. */
const placeholder = /‹\w+›/;

/** The role and the carrier of a key that a request was sent with, and the texts that carried it. */
interface SentKey {
  readonly role: string;
  readonly carrier: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly string[];
}

/** Finds the role and the carrier whose key, hidden as in reports, is in a request. */
function findSentKey(
  { operation }: Call,
  keys: Keyring,
  sent: { readonly raw: readonly string[]; readonly headers: Readonly<Record<string, string>> },
  secrets: readonly Secret[],
): SentKey | undefined {
  const { clean } = createRedactor(secrets);
  for (const role of keys.keys()) {
    for (const carrier of operation.security.keys()) {
      const { headers, target } = toRequest({ operation, as: role, carrier }, keys);
      const keyHeaders = Object.entries(textHeaders({ headers })).filter(([name]) => name !== 'accept');
      const hiddenHeaders = Object.fromEntries(keyHeaders.map(([name, value]) => [name, plainBasic(clean(value))]));
      const pieces = queryPieces(clean(splitTarget(target).query));
      const isSame = Object.entries(hiddenHeaders).every(([name, value]) => plainBasic(sent.headers[name] ?? '') === value);
      if (keyHeaders.length + pieces.length > 0 && isSame && pieces.every((piece) => sent.raw.includes(piece)))
        return { role, carrier, headers: hiddenHeaders, query: pieces };
    }
  }
  return undefined;
}

/** Removes the base64 text around a hidden password, because it depends on the length of the key. */
function plainBasic(value: string): string {
  return value.replace(/^Basic [A-Za-z0-9+/]*(\$\w+)=*$/i, 'Basic $1');
}

/** Finds a hidden value whose variable this run does not know: at the start of a header value, or as a key in the query. */
function findSecretWithoutVariable(
  { security }: Call['operation'],
  headers: readonly (readonly [string, string])[],
  pieces: readonly string[],
  secrets: readonly Secret[],
): string | undefined {
  const carriers = security.flat().flatMap(({ carrier }) => (carrier.in === 'query' ? [encodeURIComponent(carrier.name)] : []));
  const isHidden = (value: string): boolean => /^(?:\w+ )?\$[A-Za-z_(]|^Basic \S*\$/i.test(fillInKeys(value, secrets, () => ''));
  const isHiddenPair = (pair: string): boolean => isHidden(pair.slice(pair.indexOf('=') + 1));
  const header = headers.find(([name, value]) => isHidden(value) || (name === 'cookie' && value.split('; ').some(isHiddenPair)));
  return header?.[1] ?? pieces.find((piece) => carriers.includes(piece.split('=')[0] ?? '') && isHiddenPair(piece));
}

function queryPieces(query: string): readonly string[] {
  return query === '' ? [] : query.split('&');
}

function textHeaders({ headers }: Pick<HttpRequest, 'headers'>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, headerOf(headers, name) ?? '']));
}

function cursorOf({ collection }: Call['operation']): string {
  return collection?.page.style === 'cursor' ? collection.page.cursor : '';
}
