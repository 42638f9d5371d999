/** Collects the findings of all clients: the same mistake at several operations is one. Judges nothing. */

import { printCurl } from '../../core/http/print-curl.ts';
import type { ClientFinding } from '../../core/results/client-result.ts';
import { type ClientRuleId, clientRuleLevel } from '../../core/results/client-rule.ts';
import type { ClientExchange } from './client-exchange.ts';
import { clientRules, type Situation } from './client-rules.ts';

/** A mistake, as a rule reports it. */
export interface Mistake {
  readonly rule: ClientRuleId;
  /** What tells this mistake from others against the same rule, such as the name of a parameter. */
  readonly cause?: string;
  /** A function, called for the first mistake of a finding only, where it takes time. */
  readonly message: string | (() => string);
  /** Makes the sentence about what the client lost. Called again for each report, since later requests may have read the lost records. */
  readonly consequence?: () => string | null;
  /** Numbers of earlier exchanges that show the mistake. */
  readonly earlier?: readonly number[];
}

/** Receives the mistakes of one client, and the situations that it met. */
export interface ClientNotes {
  readonly findings: FindingList;
  readonly metSituations: Set<Situation>;
}

/** Maximum number of exchanges of a finding. */
const exchangesMax = 10;

/** The mistakes of one cause at one operation. */
interface Entry {
  readonly cause: string;
  finding: ClientFinding;
  readonly consequence: (() => string | null) | undefined;
}

/** The findings of all clients of a mock. */
export class FindingList {
  /** By cause and operation. */
  private readonly entries = new Map<string, Entry>();
  private readonly url: () => string;
  private readonly onFirst: (finding: ClientFinding) => void;
  /** Number of the last exchange with a mistake. */
  lastNumber = 0;

  /** `onFirst` is called with each new finding, `url` returns the URL of the mock for curl commands. */
  constructor(url: () => string, onFirst: (finding: ClientFinding) => void) {
    this.url = url;
    this.onFirst = onFirst;
  }

  /** Adds a mistake to the finding of its rule, key role and cause. */
  add(exchange: ClientExchange, mistake: Mistake): void {
    const { rule, message, consequence, earlier = [] } = mistake;
    const { operation, api, role, keptExchange } = exchange;
    const { number } = keptExchange;
    this.lastNumber = number;
    const key = keyOf(exchange, mistake);
    const entry = this.entries.get(key);
    if (entry !== undefined) {
      const { count, exchanges } = entry.finding;
      entry.finding = { ...entry.finding, count: count + 1, exchanges: [...exchanges, number].slice(0, exchangesMax) };
      return;
    }
    const { advice, place } = clientRules[rule];
    const finding: ClientFinding = {
      rule,
      level: clientRuleLevel(rule),
      contract: api.contract.name,
      operation: operation?.id ?? null,
      alsoAt: [],
      role,
      count: 1,
      message: typeof message === 'string' ? message : message(),
      consequence: consequence?.() ?? null,
      advice,
      source: (operation === undefined ? undefined : place(operation)) ?? api.contract.place,
      exchanges: [...new Set([...earlier, number])].slice(0, exchangesMax),
      curl: printRequest(this.url(), exchange),
    };
    const cause = causeOf(exchange, mistake);
    const isNew = ![...this.entries.values()].some((other) => other.cause === cause);
    this.entries.set(key, { cause, finding, consequence });
    if (isNew) this.onFirst(finding);
  }

  /** Takes back one mistake, after a later request has explained it. */
  takeBack(exchange: ClientExchange, rule: ClientRuleId): void {
    const entry = this.entries.get(keyOf(exchange, { rule }));
    if (entry === undefined || entry.finding.count === 1) this.drop(exchange, { rule });
    else entry.finding = { ...entry.finding, count: entry.finding.count - 1 };
  }

  /** Removes a mistake. */
  drop(exchange: ClientExchange, mistake: Pick<Mistake, 'rule' | 'cause'>): void {
    this.entries.delete(keyOf(exchange, mistake));
  }

  /** Returns the findings, each with its consequence so far: later requests may have read the lost records. */
  list(): readonly ClientFinding[] {
    const byCause = new Map<string, ClientFinding>();
    for (const { cause, finding, consequence } of this.entries.values()) {
      const current = consequence === undefined ? finding : { ...finding, consequence: consequence() };
      const earlier = byCause.get(cause);
      byCause.set(cause, earlier === undefined ? current : join(earlier, current));
    }
    return [...byCause.values()];
  }

  clear(): void {
    this.entries.clear();
  }
}

/** Joins the same mistake at two operations. */
function join(first: ClientFinding, second: ClientFinding): ClientFinding {
  const consequences = [first.consequence, second.consequence].filter((each) => each !== null);
  return {
    ...first,
    alsoAt: second.operation === null ? first.alsoAt : [...first.alsoAt, second.operation],
    count: first.count + second.count,
    consequence: consequences.length === 0 ? null : consequences.join(' '),
    exchanges: [...new Set([...first.exchanges, ...second.exchanges])].slice(0, exchangesMax),
  };
}

function causeOf({ api, role }: ClientExchange, { rule, cause = '' }: Pick<Mistake, 'rule' | 'cause'>): string {
  return [rule, api.contract.name, role, cause].join('\n');
}

function keyOf(exchange: ClientExchange, mistake: Pick<Mistake, 'rule' | 'cause'>): string {
  return `${causeOf(exchange, mistake)}\n${exchange.operation?.id ?? ''}`;
}

/** The text that replaces each key in a recorded request. */
export const hiddenKey = '$KEY';

/** Headers that a command needs besides those with the key. */
const headersShown: ReadonlySet<string> = new Set(['if-none-match', 'mock-clock', 'origin', 'referer']);

/** Prints the request as a curl command, in which `$KEY` stands for the key. */
function printRequest(url: string, exchange: ClientExchange): string {
  const { method, target } = exchange.summarize(exchange.keptExchange);
  const headers = Object.entries(exchange.keptExchange.request.headers)
    .filter(([name, value]) => headersShown.has(name) || [value].flat().some((each) => each?.includes(hiddenKey)))
    .map(([name, value]) => [name, [value ?? []].flat().map((each) => withoutOtherPairs(name, each))]);
  return printCurl(url, { method, target, headers: Object.fromEntries(headers) }, ['KEY']);
}

/** Removes the cookies and the parameters of a referring page that are not the key: they may be personal, or secrets of other programs. */
function withoutOtherPairs(name: string, value: string): string {
  const keepKeys = (pairs: readonly string[]): readonly string[] => pairs.filter((pair) => pair.includes(hiddenKey));
  if (name === 'cookie') return keepKeys(value.split(/;\s*/)).join('; ');
  if (name !== 'referer') return value;
  const [path = '', query = ''] = value.split(/\?(.*)/s);
  const keyPairs = keepKeys(query.split('&')).join('&');
  return keyPairs === '' ? path : `${path}?${keyPairs}`;
}

/** Maximum length of a client's value in a message, in characters. */
const valueMax = 60;

/** Shortens a value in the middle, so that a long cursor fits into a sentence. */
export function shortenValue(value: string): string {
  return value.length <= valueMax ? value : `${value.slice(0, valueMax - 9)}…${value.slice(-8)}`;
}
