/** Starts a proxy before a real service: it forwards exchanges, checks both halves of each, and checks their sequence against the client rules. */

import { randomUUID } from 'node:crypto';
import { printJson } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { ClientFinding, ClientReport } from '../../core/results/client-result.ts';
import type { NotCompared, ProxyFinding, ProxyReport } from '../../core/results/proxy-result.ts';
import { createClientJudge } from '../client/client-judge.ts';
import { clientRules } from '../client/client-rules.ts';
import { createClock } from '../clock.ts';
import { unchanging } from '../data/dataset.ts';
import { createErrorResponse } from '../handler/error-response.ts';
import { createMock } from '../handler/mock.ts';
import { draftToHttpResponse } from '../handler/prepare-response.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { createJournal } from '../journal/journal.ts';
import { type ServedExchange, toExchange } from '../served-exchange.ts';
import { type ListeningServer, type PortChoice, serve } from '../server/server.ts';
import { createForwarder, type ForwardedExchange, type ProxyTarget } from './forwarder.ts';
import { createProxyJudge, type ProxyMistake } from './judge-forwarded-exchange.ts';

/** Options of a proxy. */
interface ProxyOptions {
  readonly contracts: readonly Contract[];
  readonly target: ProxyTarget;
  readonly host: string;
  readonly port: PortChoice;
  /** Called after each exchange, with its times and those of its mistakes whose kind is new. */
  readonly onExchange: (exchange: ProxiedExchange) => void;
  /** Called with a client's first mistake against each rule. */
  readonly onFinding: (finding: ClientFinding) => void;
  /** Called with each internal error. */
  readonly onError: (error: unknown) => void;
}

/** An exchange through the proxy, without keys and personal data. */
export interface ProxiedExchange extends ServedExchange {
  /** Real time of the request, and time until the head of the response, in milliseconds. */
  readonly startedMs: number;
  readonly waitMs: number;
  /** Mistakes of kinds that no earlier exchange had. */
  readonly newFindings: readonly ProxyFinding[];
}

/** A running proxy. */
interface RunningProxy extends ListeningServer {
  readonly contracts: readonly Contract[];
  readonly report: () => ProxyReport;
}

/** Time for the whole request of a client to arrive, in milliseconds. */
const requestTimeoutMs = 300_000;

/**
 * Starts a proxy.
 * @throws {UsageError} for a port that cannot be used.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { contracts, target, onError } = options;
  const apis = contracts.map(proxiedApi);
  const [firstApi] = apis;
  if (firstApi === undefined) throw new TypeError('a proxy has at least one contract');
  const judgeExchange = createProxyJudge(contracts, randomUUID());
  const findings = new FindingTable();
  const journal = createJournal({ apis: () => apis, now: Date.now, wall: Date.now });
  const clientJudge = createClientJudge({ apis: () => apis, url: () => listening.url, onFinding: options.onFinding });
  const notComparedBodies = new Map<string, NotCompared>();
  let unanswered = 0;
  const onForwarded = (forwarded: ForwardedExchange): void => {
    const { exchange, mistakes, notCompared } = judgeExchange(forwarded);
    for (const body of notCompared) {
      const key = printJson(Object.values(body));
      const count = (notComparedBodies.get(key)?.count ?? 0) + 1;
      if (count > 1 || notComparedBodies.size < findingsMost) notComparedBodies.set(key, { ...body, count });
    }
    if (forwarded.response === undefined) unanswered += 1;
    const recorded = journal.record(exchange);
    const newFindings = findings.add(mistakes, recorded.keptExchange.number);
    options.onExchange({ ...toExchange(exchange), startedMs: forwarded.startedMs, waitMs: forwarded.waitMs, newFindings });
    clientJudge.observe(recorded);
  };
  const forwarder = createForwarder(target, {
    onForwarded: (forwarded) => {
      try {
        onForwarded(forwarded);
      } catch (error) {
        onError(error);
      }
    },
    fail: (status, message) => {
      const draft = createErrorResponse(firstApi, undefined, status, { message });
      return {
        status,
        headers: { ...draft.headers, 'content-type': 'application/json; charset=utf-8' },
        body: draftToHttpResponse(draft).body,
      };
    },
  });
  const mock = createMock(
    apis.map((api) => ({ api })),
    onError,
  );
  const listeners = { onError, onExchange: () => undefined };
  const listening = await serve(() => mock, options.host, options.port, listeners, { requestTimeoutMs }, forwarder);
  return {
    ...listening,
    close: async () => {
      await listening.close();
      await forwarder.settle();
    },
    contracts,
    report: () => ({
      schema: 'touchstone-proxy/1',
      target: target.url,
      exchanges: journal.last(),
      unanswered,
      findings: findings.list(),
      notCompared: [...notComparedBodies.values()],
      client: withoutRecords(clientJudge.report()),
    }),
  };
}

/** A report without the rules about the stored records of a client, which only a mock can compare. */
function withoutRecords(report: ClientReport): ClientReport {
  return { ...report, notExercised: report.notExercised.filter(({ rule }) => clientRules[rule].situation !== 'compared') };
}

/** An API whose data is elsewhere: no records, no keys, and cursors that only the real service can read. */
function proxiedApi(contract: Contract): ServedApi {
  return {
    contract,
    dataset: unchanging({ tenants: [], records: () => [], head: () => undefined, resource: () => undefined }),
    clock: createClock({ from: 'wall', pace: 1 }, 0, Date.now),
    keys: { acceptsAny: false, byRole: new Map(), holderOf: () => undefined, withhold: () => undefined },
    // Any cursor may come from a response that did not pass through this proxy.
    cursors: { encode: () => '', decode: () => ({ operation: '', tenant: '', position: null, fixed: {} }) },
    envelopeMembers: new Map(),
    nextRequestId: () => `req_${randomUUID()}`,
  };
}

/** Maximum number of findings; a service with more needs another tool first. */
const findingsMost = 1000;

/** The findings so far, each with its first exchange. */
class FindingTable {
  private readonly findings = new Map<string, ProxyFinding>();

  /** Adds the mistakes of the exchange with a number. Returns those of new kinds. */
  add(mistakes: readonly ProxyMistake[], exchange: number): readonly ProxyFinding[] {
    const newFindings: ProxyFinding[] = [];
    for (const mistake of mistakes) {
      const key = [mistake.half, mistake.contract, mistake.operation, mistake.subject].join('\n');
      const earlierFinding = this.findings.get(key);
      if (earlierFinding === undefined && this.findings.size >= findingsMost) continue;
      const finding =
        earlierFinding === undefined ? { ...mistake, count: 1, exchange } : { ...earlierFinding, count: earlierFinding.count + 1 };
      this.findings.set(key, finding);
      if (earlierFinding === undefined) newFindings.push(finding);
    }
    return newFindings;
  }

  list(): readonly ProxyFinding[] {
    return [...this.findings.values()];
  }
}
