/**
 * Judges the clients of a mock or proxy by the sequence of their requests, after each exchange. A client is one key role of one contract, and the memory for it
 * is bounded.
 */

import type { Resource } from '../../core/annotations/annotations.ts';
import { didYouMean } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { headerOf } from '../../core/http/exchange.ts';
import { judgeHeader, profileHeader, verifierAgent } from '../../core/http/headers-of-unjudged-requests.ts';
import { getOrCompute } from '../../core/memo.ts';
import { isList, type ListOperation } from '../../core/openapi/list-operation.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type {
  ClientComparison,
  ClientFinding,
  ClientGap,
  ClientRecords,
  ClientReport,
  ClientVerdict,
} from '../../core/results/client-result.ts';
import { type ClientRuleId, clientLevels, clientRuleIds } from '../../core/results/client-rule.ts';
import type { ListedPage } from '../handler/listed-page.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { RecordedExchange } from '../journal/journal.ts';
import { type ClientExchange, readClientExchange } from './client-exchange.ts';
import { clientRules, type Situation, situations } from './client-rules.ts';
import { compareDelivered, comparePosted } from './compare-client-records.ts';
import { ConditionalReads } from './conditional-reads.ts';
import { type ClientNotes, FindingList } from './finding-list.ts';
import { judgeCheckpoint, judgeRefusal, judgeRequest } from './judge-request.ts';
import { ListReads } from './list-reads.ts';
import { RepeatedRequests } from './repeated-requests.ts';

/** The clients of a mock. */
export interface ClientJudge {
  /** Judges the next exchange. */
  readonly observe: (recorded: RecordedExchange) => void;
  /** Returns the report on all clients, or on those with one key role. */
  readonly report: (query?: ClientQuery) => ClientReport;
  /**
   * Compares the records that a client has stored with those that its reads should have given it. Differences are findings, in place of earlier ones.
   * @throws {UsageError} for an unknown or missing collection or role, and for a collection that is too large.
   */
  readonly compare: (records: ClientRecords) => ClientComparison;
  /** Returns a comparison for each list that clients read: the posted one if it came after exchange `after`, otherwise one of the delivered records. */
  readonly settle: (after: number) => readonly ClientComparison[];
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
    const earlierClient = clients.get(key);
    if (earlierClient?.api === api) return earlierClient;
    // A reload has other operations, so what was seen before does not count.
    const client = new ObservedClient(api, role, findings);
    clients.set(key, client);
    return client;
  };
  const postedComparisons = new WeakMap<ListReads, { readonly comparison: ClientComparison; readonly number: number }>();
  let lastNumber = 0;
  return {
    observe: (recorded) => {
      const { keptExchange: kept } = recorded;
      lastNumber = kept.number;
      const { context } = kept.response;
      const { headers } = kept.request;
      // A preferred response is what the developer asked for, and the verifier makes mistakes on purpose.
      const isExempt =
        ['prefer', profileHeader].some((name) => headerOf(headers, name) !== undefined) ||
        headerOf(headers, judgeHeader) === 'off' ||
        headerOf(headers, 'user-agent') === verifierAgent;
      if (context === undefined || isExempt) return;
      const api = apis().find(({ contract }) => contract.name === context.contract);
      if (api !== undefined) clientOf(api, context.role).observe(recorded, context.operation);
    },
    report: ({ role } = {}) => {
      const chosenClients = [...clients.values()].filter((client) => role === undefined || client.role === role);
      for (const client of chosenClients) client.judgeEnd();
      return toReport(
        apis(),
        chosenClients,
        findings.list().filter((finding) => role === undefined || finding.role === role),
      );
    },
    compare: ({ collection, role, records }) => {
      const { api, operation } = findList(apis(), [...clients.values()], collection);
      const client = clientOf(api, role ?? lastReader([...clients.values()], operation) ?? defaultRole(api, operation));
      const reads = client.listOf(operation);
      const comparison = comparePosted({ api, role: client.role, reads, nowMs: api.clock.now() }, records);
      if (comparison === undefined)
        throw new UsageError(`the key role ${client.role} has no ${operation.collection.name}, or too many to compare`);
      postedComparisons.set(reads, { comparison, number: lastNumber });
      client.report(reads, comparison);
      return comparison;
    },
    settle: (after) =>
      [...clients.values()].flatMap((client) =>
        client.readsOfLists().flatMap((reads) => {
          const posted = postedComparisons.get(reads);
          if (posted !== undefined && posted.number >= after) return [posted.comparison];
          const { api, role } = client;
          const comparison = reads.expected.hasReads ? compareDelivered({ api, role, reads, nowMs: api.clock.now() }) : undefined;
          if (comparison !== undefined) client.report(reads, comparison);
          return comparison ?? [];
        }),
      ),
    clear: () => {
      clients.clear();
      findings.clear();
    },
  };
}

/**
 * Finds the list of a collection; without a name, the one that clients have read.
 * @throws {UsageError} for an unknown name, and for none if there is no such list or several.
 */
function findList(
  apis: readonly ServedApi[],
  clients: readonly ObservedClient[],
  name: string | undefined,
): { readonly api: ServedApi; readonly operation: ListOperation } {
  const lists = apis.flatMap((api) => api.contract.operations.filter(isList).map((operation) => ({ api, operation })));
  const candidates = lists.filter(({ operation }) => name === undefined || operation.collection.name === name);
  const readLists = candidates.filter(({ operation }) => lastReader(clients, operation) !== undefined);
  const [choice] = readLists.length > 0 ? readLists : candidates;
  const names = [
    ...new Set((name === undefined && readLists.length > 0 ? readLists : lists).map(({ operation }) => operation.collection.name)),
  ];
  if (choice !== undefined && (name !== undefined || names.length === 1)) return choice;
  const advice = didYouMean(name ?? '', names, `the collections are ${names.join(', ') || 'none'}`);
  throw new UsageError(name === undefined ? `collection is missing; ${advice}` : `the mock has no collection ${name}; ${advice}`);
}

/** The role of the client that has read a list last. */
function lastReader(clients: readonly ObservedClient[], operation: ListOperation): string | undefined {
  const readers = clients.flatMap(({ role, readsOfLists }) =>
    readsOfLists().flatMap((reads) =>
      reads.operation === operation && reads.last !== undefined ? [{ role, number: reads.last.keptExchange.number }] : [],
    ),
  );
  return readers.sort((left, right) => right.number - left.number)[0]?.role;
}

function defaultRole({ keys }: ServedApi, { security }: Operation): string {
  return security.length > 0 && keys.byRole.has('full') ? 'full' : 'anybody';
}

/** Rules that a comparison judges. */
const comparedRules = ['client/records-complete', 'client/records-current', 'client/records-real', 'client/values-kept'] as const;

/** One client: a key role of a contract. */
class ObservedClient {
  readonly api: ServedApi;
  readonly role: string;
  requests = 0;
  private newestConnection = 0;
  readonly notes: ClientNotes & { readonly metSituations: Set<Situation> };
  private readonly operations: ReadonlyMap<string, Operation>;
  private readonly lists = new Map<string, ListReads>();
  private readonly repeatedRequests: RepeatedRequests;
  private lastPageRead: { readonly page: ListedPage | undefined; readonly target: string } = { page: undefined, target: '' };
  private readonly conditionalReads: ConditionalReads;

  constructor(api: ServedApi, role: string, findings: FindingList) {
    this.api = api;
    this.role = role;
    this.notes = { findings, metSituations: new Set() };
    this.operations = new Map(api.contract.operations.map((operation) => [operation.id, operation]));
    this.repeatedRequests = new RepeatedRequests(this.notes);
    this.conditionalReads = new ConditionalReads(this.notes);
  }

  /** Judges the next exchange of the client. */
  observe(recorded: RecordedExchange, id: string | undefined): void {
    this.requests += 1;
    const operation = id === undefined ? undefined : this.operations.get(id);
    this.newestConnection = Math.max(this.newestConnection, recorded.keptExchange.connection ?? 0);
    const exchange = readClientExchange(recorded, {
      api: this.api,
      operation,
      role: this.role,
      newestConnection: this.newestConnection,
    });
    this.repeatedRequests.observe(exchange);
    judgeRequest(exchange, this.notes);
    if (operation !== undefined) this.observeOperation(exchange, operation);
  }

  private observeOperation(exchange: ClientExchange, operation: Operation): void {
    this.notes.metSituations.add('request');
    if (!this.isSamePage(exchange) && isList(operation)) {
      judgeCheckpoint(exchange, this.notes, operation);
      this.listOf(operation).observe(exchange);
    }
    if (operation.responses.has('304')) this.conditionalReads.observe(exchange, operation);
    if (operation.resource !== undefined) this.observeSingleRead(exchange, operation.resource);
    judgeRefusal(exchange, this.notes);
  }

  /** True for the same page as in the last exchange, which shows nothing new. Most requests of a load test are such. A page that was cut showed nothing. */
  private isSamePage({ target, isDelivered, keptExchange: { response } }: ClientExchange): boolean {
    const page = isDelivered ? response.page : undefined;
    if (page !== undefined && page === this.lastPageRead.page && target === this.lastPageRead.target) return true;
    this.lastPageRead = { page, target };
    return false;
  }

  /** Adds the findings that only the end of the requests shows. */
  judgeEnd(): void {
    for (const list of this.lists.values()) list.judgeUnfinished();
  }

  /** Judges a single read whose parameter is the key of a list that the client has read. */
  private observeSingleRead(exchange: ClientExchange, { name, by }: Resource): void {
    for (const list of this.lists.values()) {
      const { collection } = list.operation;
      if (collection.name !== name) continue;
      for (const [parameter, field] of by) if (field === collection.key) this.repeatedRequests.observeSingleRead(exchange, parameter, list);
    }
  }

  readonly readsOfLists = (): readonly ListReads[] => [...this.lists.values()];

  /** Reports the differences of a comparison, in place of those of the one before. */
  report(reads: ListReads, { source, differences }: ClientComparison): void {
    const { last } = reads;
    if (source === 'posted') this.notes.metSituations.add('compared');
    if (last === undefined) return;
    for (const rule of comparedRules) {
      // Each list has its own records.
      const mistake = { rule, cause: reads.operation.id };
      this.notes.findings.drop(last, mistake);
      const ruleDifferences = differences.filter((difference) => difference.rule === rule);
      if (ruleDifferences.length === 0) continue;
      const message = ruleDifferences.map((difference) => difference.message).join(' ');
      this.notes.findings.add(last, { ...mistake, message, earlier: ruleDifferences.flatMap(({ exchanges }) => exchanges) });
    }
  }

  /** The reads of a list. */
  listOf(operation: ListOperation): ListReads {
    return getOrCompute(this.lists, operation.id, () => new ListReads(operation, this.notes));
  }
}

/** Builds the report: the findings in order, and for each rule of the contracts, whether a request could break it. */
function toReport(apis: readonly ServedApi[], clients: readonly ObservedClient[], findings: readonly ClientFinding[]): ClientReport {
  const metSituations = new Set(clients.flatMap(({ notes }) => [...notes.metSituations]));
  const brokenRules = new Set(findings.map(({ rule }) => rule));
  const requests = clients.reduce((sum, client) => sum + client.requests, 0);
  const exercised: ClientRuleId[] = [];
  const notExercised: ClientGap[] = [];
  const operations = apis.flatMap(({ contract }) => contract.operations);
  for (const rule of clientRuleIds) {
    const { situation, place } = clientRules[rule];
    if (!operations.some((operation) => place(operation) !== undefined)) continue;
    if (metSituations.has(situation) || brokenRules.has(rule)) exercised.push(rule);
    else notExercised.push({ rule, reason: situations[situation] });
  }
  const rankedFindings = findings.toSorted((left, right) => rank(left) - rank(right));
  const verdict: ClientVerdict =
    requests === 0 ? 'not-exercised' : (clientLevels.find((level) => rankedFindings.some((each) => each.level === level)) ?? 'clean');
  return { schema: 'touchstone-client/1', verdict, requests, findings: rankedFindings, exercised, notExercised };
}

/** Place of a finding in the report. */
function rank({ level, rule }: ClientFinding): number {
  return clientLevels.indexOf(level) * 1000 + clientRuleIds.indexOf(rule);
}
