/** The engine of `verify` without a network: targets that answer at once, clocks that tests move, sessions and contexts. */

import type { SystemClock } from '../../contracts/system-clock.ts';
import type { Call, Reply } from '../../contracts/verify/evidence/call.ts';
import type { Keyring } from '../../contracts/verify/evidence/callers.ts';
import { Session, type SessionOptions } from '../../contracts/verify/evidence/request-session.ts';
import { RoundContext, type RoundContextSettings } from '../../contracts/verify/evidence/round-context.ts';
import type { Delivery, Target } from '../../contracts/verify/target/open-target.ts';
import type { HttpHeaders, HttpRequest } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import { type Contract, loadUncheckedContract } from '../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../core/openapi/list-operation.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { RunEvent } from '../../core/results/run-result.ts';
import { contractFile } from '../../core/shipped-files.ts';
import { fixture } from './judged-mock.ts';

/** Answer of a fake target. A body that is no text is sent as JSON. */
export interface Answer {
  readonly status?: number;
  readonly headers?: HttpHeaders;
  readonly body?: Json;
  readonly text?: string;
}

/** A failure of the network. */
export type Failure = Pick<Extract<Delivery, { kind: 'failure' }>, 'cause' | 'message'>;

/** A target without a network, and the requests that it received. */
export interface FakeTarget extends Target {
  readonly requests: readonly HttpRequest[];
}

/** A target that answers at once. `number` counts the requests from 1. Each request takes two milliseconds. */
export function fakeTarget(answer: (request: HttpRequest, number: number) => Answer | Failure): FakeTarget {
  const requests: HttpRequest[] = [];
  const send = async (request: HttpRequest): Promise<Delivery> => {
    requests.push(request);
    const times = { startedMs: requests.length * 10, endedMs: requests.length * 10 + 2 };
    const answered = answer(request, requests.length);
    if ('cause' in answered) return { kind: 'failure', ...answered, ...times };
    const redirectedTo = answered.headers?.['location'];
    return { kind: 'answer', response: responseOf(answered), ...times, ...(typeof redirectedTo === 'string' ? { redirectedTo } : {}) };
  };
  return { url: 'http://target.example', isLocal: true, requests, send, close: async () => undefined };
}

function responseOf({ status = 200, headers = {}, body, text }: Answer): Reply['response'] {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: text ?? (body === undefined ? '' : JSON.stringify(body)),
  };
}

/** A clock that moves only during a sleep. */
export interface FakeClock extends SystemClock {
  /** Every sleep, in milliseconds. */
  readonly slept: readonly number[];
}

export function fakeClock(): FakeClock {
  const slept: number[] = [];
  let now = 0;
  return {
    slept,
    nowMs: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}

/** Keys by role. The name of each variable is the role in capitals. */
export function keyringOf(keys: Readonly<Record<string, string>>): Keyring {
  return new Map(Object.entries(keys).map(([role, value]) => [role, { variable: variableOf(role), value }]));
}

/** Keys as `verify` takes them. */
export function namedKeys(keys: Readonly<Record<string, string>>): Readonly<Record<string, { variable: string; value: string }>> {
  return Object.fromEntries(keyringOf(keys));
}

function variableOf(role: string): string {
  return `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`;
}

/** A promise that never resolves: the user never interrupts. */
export const never: Promise<void> = new Promise<void>(() => undefined);

/** A session over a target, and its events. */
export function openSession(target: Target, options: Partial<SessionOptions> = {}): { session: Session; events: RunEvent[] } {
  const events: RunEvent[] = [];
  const session = new Session({
    target,
    keys: keyringOf({ full: 'secret-of-full' }),
    budget: 1000,
    rate: undefined,
    clock: fakeClock(),
    emit: (event) => events.push(event),
    interrupted: never,
    ...options,
  });
  return { session, events };
}

/** A context over a target. */
export function openContext(contract: Contract, target: Target, settings: Partial<RoundContextSettings> = {}): RoundContext {
  return new RoundContext({ contract, session: openSession(target).session, hidden: [], quick: false, seed: 1, ...settings });
}

const contracts = new Map<string, Promise<Contract>>();

/** A contract of the package or of the fixtures, read once. */
export function contractOf(name: 'business' | 'wiki' | 'library' | 'parcels' | 'plain'): Promise<Contract> {
  const file = name === 'business' || name === 'wiki' ? contractFile(name) : fixture(name);
  const known = contracts.get(file) ?? loadUncheckedContract(file);
  contracts.set(file, known);
  return known;
}

/** An operation of a contract. Throws if there is none. */
export function operationIn(contract: Contract, id: string): Operation {
  const found = contract.operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`${contract.name} has no operation ${id}`);
  return found;
}

/** A list operation of a contract. Throws if there is none. */
export function listIn(contract: Contract, id: string): ListOperation {
  const operation = operationIn(contract, id);
  if (!isList(operation)) throw new Error(`${id} lists nothing`);
  return operation;
}

/** A reply to a call, without sending it. Members in `changes` replace the defaults. */
export function replyTo(call: Call, answer: Answer, changes: Partial<Reply> & { readonly target?: string } = {}): Reply {
  const { target = call.operation.path, ...rest } = changes;
  const response = responseOf(answer);
  return {
    call,
    request: { method: call.operation.method, target, headers: { accept: 'application/json' } },
    response,
    number: 1,
    startedMs: 0,
    endedMs: 1,
    body: answer.body,
    ...rest,
  };
}
