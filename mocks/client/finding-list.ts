/** Collects the findings of all clients, one for each rule, client and operation. Judges nothing. */

import { printCurl } from '../../core/http/print-curl.ts';
import type { ClientFinding } from '../../core/results/client-result.ts';
import { type ClientRuleId, clientRuleLevel } from '../../core/results/client-rule.ts';
import type { ClientExchange } from './client-exchange.ts';
import { clientRules, type Situation } from './client-rules.ts';

/** A mistake, as a rule reports it. */
export interface Mistake {
  readonly rule: ClientRuleId;
  /** Makes the message. Called for the first mistake of a finding only. */
  readonly message: () => string;
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

/** The findings of all clients of a mock. */
export class FindingList {
  private readonly findings = new Map<string, ClientFinding>();
  private readonly consequences = new Map<string, () => string | null>();
  private readonly url: () => string;
  private readonly onFirst: (finding: ClientFinding) => void;

  /** `onFirst` is called with each new finding, `url` returns the URL of the mock for curl commands. */
  constructor(url: () => string, onFirst: (finding: ClientFinding) => void) {
    this.url = url;
    this.onFirst = onFirst;
  }

  /** Adds a mistake to the finding of its rule, key role and operation. */
  add(exchange: ClientExchange, { rule, message, consequence, earlier = [] }: Mistake): void {
    const key = keyOf(rule, exchange);
    const earlierFinding = this.findings.get(key);
    if (earlierFinding === undefined && consequence !== undefined) this.consequences.set(key, consequence);
    const { number } = exchange.keptExchange;
    if (earlierFinding !== undefined) {
      const exchanges = earlierFinding.exchanges.length < exchangesMax ? [...earlierFinding.exchanges, number] : earlierFinding.exchanges;
      this.findings.set(key, { ...earlierFinding, count: earlierFinding.count + 1, exchanges });
      return;
    }
    const { operation, api, role } = exchange;
    const { advice, place } = clientRules[rule];
    const finding: ClientFinding = {
      rule,
      level: clientRuleLevel(rule),
      contract: api.contract.name,
      operation: operation?.id ?? null,
      role,
      count: 1,
      message: message(),
      consequence: consequence?.() ?? null,
      advice,
      source: (operation === undefined ? undefined : place(operation)) ?? api.contract.place,
      exchanges: [...new Set([...earlier, number])].slice(0, exchangesMax),
      curl: printRequest(this.url(), exchange),
    };
    this.findings.set(key, finding);
    this.onFirst(finding);
  }

  /** Takes back one mistake, after a later request has explained it. */
  takeBack(exchange: ClientExchange, rule: ClientRuleId): void {
    const key = keyOf(rule, exchange);
    const finding = this.findings.get(key);
    if (finding === undefined || finding.count === 1) this.drop(exchange, rule);
    else this.findings.set(key, { ...finding, count: finding.count - 1 });
  }

  /** Removes the finding of a rule. */
  drop(exchange: ClientExchange, rule: ClientRuleId): void {
    this.findings.delete(keyOf(rule, exchange));
    this.consequences.delete(keyOf(rule, exchange));
  }

  /** Returns the findings, each with its consequence so far: later requests may have read the lost records. */
  list(): readonly ClientFinding[] {
    return [...this.findings].map(([key, finding]) => {
      const consequence = this.consequences.get(key);
      return consequence === undefined ? finding : { ...finding, consequence: consequence() };
    });
  }

  clear(): void {
    this.findings.clear();
    this.consequences.clear();
  }
}

function keyOf(rule: ClientRuleId, { api, role, operation }: ClientExchange): string {
  return `${rule}\n${api.contract.name}\n${role}\n${operation?.id ?? ''}`;
}

/** The text that replaces each key in a recorded request. */
export const hiddenKey = '$KEY';

/** Headers that a command needs besides those with the key. */
const headersShown: ReadonlySet<string> = new Set(['if-none-match', 'mock-clock', 'origin', 'referer']);

/** Prints the request as a curl command, in which `$KEY` stands for the key. */
function printRequest(url: string, exchange: ClientExchange): string {
  const { method, target } = exchange.summarize();
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
