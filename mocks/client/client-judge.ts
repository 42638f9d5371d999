/**
 * Judges the clients of a mock by the sequence of their requests. `open-control.ts` creates one judge per mock and passes it each exchange. A client is a key
 * role of a contract. Its memory is bounded, and a request costs little time.
 */

import type { Resource } from '../../core/annotations/annotations.ts';
import { headerOf, verifierAgent } from '../../core/http/exchange.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { ClientFinding, ClientGap, ClientReport, ClientRuleId, ClientVerdict } from '../../core/results/client-report.ts';
import { clientLevels, clientRuleIds } from '../../core/results/client-report.ts';
import type { RecordedExchange } from '../control/journal.ts';
import type { JournalSummary, KeptExchange } from '../control/journal-entry.ts';
import type { ListedPage } from '../handler/mock-response.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { ClientExchange, type ClientNotes, FindingList } from './client-exchange.ts';
import { clientRules, type Situation, situations } from './client-rules.ts';
import { type ListOperation, ListReads } from './list-reads.ts';
import { RecordReads } from './record-reads.ts';
import { judgeForm } from './request-form.ts';
import { Retries } from './retries.ts';

/** The clients of a mock. */
export interface ClientJudge {
  /** Judges the next exchange. */
  readonly observe: (recorded: RecordedExchange) => void;
  /** Returns the report on all clients, or on those with one key role. */
  readonly report: (query?: ClientQuery) => ClientReport;
  /** Forgets all clients. */
  readonly clear: () => void;
}

/** Choice of clients. */
export interface ClientQuery {
  /** The role of the key, such as `full`; all roles by default. */
  readonly role?: string | undefined;
}

/** Settings of a judge. */
export interface ClientJudgeOptions {
  /** The served APIs, which a reload may change. */
  readonly apis: () => readonly ServedApi[];
  /** The URL of the mock. */
  readonly url: () => string;
  /** Called with each new finding. */
  readonly onFinding: (finding: ClientFinding) => void;
}

/** Creates a judge without clients. */
export function createClientJudge({ apis, url, onFinding }: ClientJudgeOptions): ClientJudge {
  const findings = new FindingList(url, onFinding);
  const clients = new Map<string, ObservedClient>();
  const clientOf = (api: ServedApi, role: string): ObservedClient => {
    const key = `${api.contract.name}\n${role}`;
    const known = clients.get(key);
    if (known?.api === api) return known;
    // A reload has other operations, so what was seen before does not count.
    const client = new ObservedClient(api, role, findings);
    clients.set(key, client);
    return client;
  };
  return {
    observe: ({ kept, summarize }) => {
      const { context } = kept.response;
      const { headers } = kept.request;
      // A preferred answer is what the developer asked for, and the verifier makes mistakes on purpose.
      const isChosen = headers['prefer'] !== undefined || headerOf(headers, 'user-agent') === verifierAgent;
      if (context === undefined || isChosen) return;
      const api = apis().find(({ contract }) => contract.name === context.contract);
      if (api !== undefined) clientOf(api, context.role).observe(kept, summarize, context.operation);
    },
    report: ({ role } = {}) => {
      const chosen = [...clients.values()].filter((client) => role === undefined || client.role === role);
      for (const client of chosen) client.judgeEnd();
      return toReport(
        apis(),
        chosen,
        findings.list().filter((finding) => role === undefined || finding.role === role),
      );
    },
    clear: () => {
      clients.clear();
      findings.clear();
    },
  };
}

/** One client: a key role of a contract. */
class ObservedClient {
  readonly api: ServedApi;
  readonly role: string;
  requests = 0;
  readonly notes: ClientNotes & { readonly met: Set<Situation> };
  private readonly operations: ReadonlyMap<string, Operation>;
  private readonly lists = new Map<string, ListReads>();
  private readonly retries: Retries;
  private latest: { readonly page: ListedPage | undefined; readonly target: string } = { page: undefined, target: '' };
  private readonly records: RecordReads;

  constructor(api: ServedApi, role: string, findings: FindingList) {
    this.api = api;
    this.role = role;
    this.notes = { findings, met: new Set() };
    this.operations = new Map(api.contract.operations.map((operation) => [operation.id, operation]));
    this.retries = new Retries(this.notes);
    this.records = new RecordReads(this.notes);
  }

  /** Judges the next exchange of the client. */
  observe(kept: KeptExchange, summarize: () => JournalSummary, id: string | undefined): void {
    this.requests += 1;
    const operation = id === undefined ? undefined : this.operations.get(id);
    const exchange = new ClientExchange(kept, summarize, this.api, operation, this.role);
    this.retries.observe(exchange);
    judgeForm(exchange, this.notes);
    if (operation === undefined) return;
    this.notes.met.add('request');
    if (!this.repeats(exchange) && isList(operation)) this.listOf(operation).observe(exchange);
    if (operation.responses.has('304')) this.records.observe(exchange, operation);
    if (operation.resource !== undefined) this.observeDetails(exchange, operation.resource);
  }

  /** True for the same page as in the last exchange, which shows nothing new. Most requests of a load test are such. */
  private repeats({ target, kept: { response } }: ClientExchange): boolean {
    const { page } = response;
    if (page !== undefined && page === this.latest.page && target === this.latest.target) return true;
    this.latest = { page, target };
    return false;
  }

  /** Adds the findings that only the end of the requests shows. */
  judgeEnd(): void {
    for (const list of this.lists.values()) list.judgeUnfinished();
  }

  /** Judges a single read whose parameter is the key of a list that the client has read. */
  private observeDetails(exchange: ClientExchange, { name, by }: Resource): void {
    for (const list of this.lists.values()) {
      const { collection } = list.operation;
      if (collection.name !== name) continue;
      for (const [parameter, field] of by) if (field === collection.key) this.records.observeDetails(exchange, parameter, list);
    }
  }

  private listOf(operation: ListOperation): ListReads {
    return getOrCompute(this.lists, operation.id, () => new ListReads(operation, this.notes));
  }
}

function isList(operation: Operation): operation is ListOperation {
  return operation.collection !== undefined;
}

/** Builds the report: the findings in order, and for each rule of the contracts, whether a request could break it. */
function toReport(apis: readonly ServedApi[], clients: readonly ObservedClient[], findings: readonly ClientFinding[]): ClientReport {
  const met = new Set(clients.flatMap(({ notes }) => [...notes.met]));
  const broken = new Set(findings.map(({ rule }) => rule));
  const requests = clients.reduce((sum, client) => sum + client.requests, 0);
  const exercised: ClientRuleId[] = [];
  const notExercised: ClientGap[] = [];
  const operations = apis.flatMap(({ contract }) => contract.operations);
  for (const rule of clientRuleIds) {
    const { situation, place } = clientRules[rule];
    if (!operations.some((operation) => place(operation) !== undefined)) continue;
    if (met.has(situation) || broken.has(rule)) exercised.push(rule);
    else notExercised.push({ rule, reason: situations[situation] });
  }
  const ranked = findings.toSorted((left, right) => rank(left) - rank(right));
  const verdict: ClientVerdict =
    requests === 0 ? 'not-exercised' : (clientLevels.find((level) => ranked.some((each) => each.level === level)) ?? 'clean');
  return { schema: 'touchstone-client/1', verdict, requests, findings: ranked, exercised, notExercised };
}

/** Place of a finding in the report. */
function rank({ level, rule }: ClientFinding): number {
  return clientLevels.indexOf(level) * 1000 + clientRuleIds.indexOf(rule);
}
