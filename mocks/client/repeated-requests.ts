/**
 * Follows, after each exchange, how one client repeats its requests: after a 429, a 503 or another refusal, in polls, and for single records that did not
 * change. Its memory is bounded.
 */

import { headerOf } from '../../core/http/exchange.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import { type ClientExchange, type ExchangeMark, mayFollow } from './client-exchange.ts';
import type { ClientNotes } from './finding-list.ts';
import type { ListReads } from './list-reads.ts';

/** A wait that a 429 asked for. */
interface Wait {
  readonly mark: ExchangeMark;
  readonly target: string;
  readonly sentMs: number;
  readonly untilMs: number;
  /** Time that Retry-After asked for. */
  readonly askedMs: number;
}

/** A request that was refused or met a 503. */
interface FailedRequest {
  readonly numbers: readonly number[];
  readonly status: number;
  readonly nowMs: number;
  readonly sentMs: number;
  /** Number of repetitions without a pause. */
  readonly hurriedCount: number;
}

/** Maximum numbers of remembered waits, failed requests and single reads. */
const [waitsMax, failedMax, singleReadsMax] = [16, 200, 2000];

/** Number of the same refused request that is a finding, and number of hurried repetitions after a 503. */
const [refusalsMax, hurriedMax] = [3, 2];

/** Shortest time that counts as a pause after a 503, in milliseconds. */
const pauseMs = 50;

/** Time by which a client may come early: for its timer, and for a date, which has whole seconds. */
const [earlyMs, earlyDateMs] = [20, 1000];

/** Number of equal requests in a row within a second that is a finding. */
const pollsMax = 10;

/** Number of single records that were read again without a change in the list, and number of pages to look into. */
const [needlessMax, pagesMax] = [3, 50];

const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 422]);

/** The repetitions of one client. */
export class RepeatedRequests {
  private readonly notes: ClientNotes;
  private waits: Wait[] = [];
  private readonly failedRequests = new RecentCache<string, FailedRequest>(failedMax);
  /** The last exchange with each single record, by target. */
  private readonly singleReads = new RecentCache<string, ExchangeMark>(singleReadsMax);
  private needlessReads = 0;
  private readonly lastPoll = { target: '', nowMs: 0, count: 0, sinceMs: 0, first: 0 };

  constructor(notes: ClientNotes) {
    this.notes = notes;
  }

  /** Judges the next request of the client. */
  observe(exchange: ClientExchange): void {
    const { status } = exchange;
    if (this.waits.length > 0) this.judgeWaits(exchange);
    this.judgeFailed(exchange);
    if (status === 429) this.startWait(exchange);
    if (status === 200 || status === 304) this.judgePolls(exchange);
  }

  /** Judges a read of one record, whose list the client reads too. */
  observeSingleRead(exchange: ClientExchange, parameter: string, list: ListReads): void {
    const key = exchange.query.get(parameter);
    if (key === undefined || !exchange.isDelivered || (exchange.status !== 200 && exchange.status !== 304)) return;
    const earlierRead = this.singleReads.get(exchange.target);
    this.singleReads.set(exchange.target, exchange.mark);
    // A conditional read of an unchanged record costs little.
    if (earlierRead === undefined || exchange.status === 304 || !mayFollow(exchange, earlierRead)) return;
    const delivery = list.deliveries.deliveryOf(key, exchange.mark.number, pagesMax);
    const earlierDelivery =
      delivery === undefined || delivery.number < earlierRead.number
        ? undefined
        : list.deliveries.deliveryOf(key, earlierRead.number, pagesMax);
    if (delivery === undefined || earlierDelivery?.versionMs === undefined || earlierDelivery.versionMs !== delivery.versionMs) return;
    this.needlessReads += 1;
    if (this.needlessReads < needlessMax) return;
    const message = `${needlessMax} records were read again, although the list in exchange ${delivery.number} shows no newer change to them.`;
    this.notes.findings.add(exchange, { rule: 'client/detail-reads', message, earlier: [delivery.number] });
  }

  private startWait(exchange: ClientExchange): void {
    const field = headerOf(exchange.keptExchange.response.headers, 'retry-after')?.trim() ?? '';
    const { sentMs, target } = exchange;
    const isInSeconds = /^\d+$/.test(field);
    const askedMs = isInSeconds ? Number(field) * 1000 : Date.parse(field) - sentMs;
    const untilMs = sentMs + askedMs - (isInSeconds ? earlyMs : earlyDateMs);
    if (Number.isNaN(untilMs) || !exchange.isDelivered) return;
    this.notes.metSituations.add('throttled');
    this.waits = [...this.waits.slice(1 - waitsMax), { mark: exchange.mark, target, sentMs, untilMs, askedMs }];
  }

  /** Judges a request by the waits in force. A request on another connection may come from another process, which knows nothing of the 429. */
  private judgeWaits(exchange: ClientExchange): void {
    const { arrivedMs } = exchange;
    this.waits = this.waits.filter(({ untilMs }) => untilMs > arrivedMs);
    const isAgain = ({ target, mark }: Wait): boolean => exchange.target === target && mayFollow(exchange, mark);
    // Two processes may start at once, but hardly a third one.
    const isHurried = this.waits.filter(isAgain).length > 1;
    const brokenWait = this.waits.find((wait) => {
      if (exchange.mark.connection === wait.mark.connection) return arrivedMs >= wait.sentMs - 1;
      return isAgain(wait) && (isHurried || arrivedMs > wait.sentMs + pauseMs);
    });
    if (brokenWait === undefined) return;
    const { sentMs, askedMs } = brokenWait;
    const { number } = brokenWait.mark;
    const message = `This request arrived ${printSeconds(arrivedMs - sentMs)} after the 429 in exchange ${number}, which asked the client to wait ${printSeconds(askedMs)}.`;
    this.notes.findings.add(exchange, { rule: 'client/retry-after', message, earlier: [number] });
  }

  private judgeFailed(exchange: ClientExchange): void {
    const { status, target, keptExchange, arrivedMs, sentMs } = exchange;
    const isRefusal = refusals.has(status);
    if (!isRefusal && status !== 503 && this.failedRequests.isEmpty) return;
    const key = `${keptExchange.request.method} ${target}`;
    const earlierFailure = this.failedRequests.get(key);
    const hurriedCount =
      earlierFailure?.status === 503 && arrivedMs - earlierFailure.sentMs < pauseMs ? earlierFailure.hurriedCount + 1 : 0;
    if (earlierFailure !== undefined && hurriedCount >= hurriedMax) {
      const message = `The same request arrived again ${hurriedCount} times, each within ${pauseMs} ms of a 503.`;
      this.notes.findings.add(exchange, { rule: 'client/pause-after-503', message, earlier: earlierFailure.numbers });
    }
    if (!isRefusal && status !== 503) {
      this.failedRequests.delete(key);
      return;
    }
    this.notes.metSituations.add(isRefusal ? 'refusal' : 'unavailable');
    // An absent record may exist later.
    const isSame = earlierFailure?.status === status && (status !== 404 || earlierFailure.nowMs === keptExchange.nowMs);
    const numbers = isSame ? [...earlierFailure.numbers.slice(-5), keptExchange.number] : [keptExchange.number];
    this.failedRequests.set(key, { numbers, status, nowMs: keptExchange.nowMs, sentMs, hurriedCount: hurriedCount });
    if (!isRefusal || numbers.length < refusalsMax) return;
    const message = `The same request was rejected with ${status} ${numbers.length} times.`;
    this.notes.findings.add(exchange, { rule: 'client/refusal-repeated', message, earlier: numbers });
  }

  private judgePolls(exchange: ClientExchange): void {
    const { target, arrivedMs, keptExchange } = exchange;
    const { lastPoll } = this;
    if (lastPoll.target !== target || lastPoll.nowMs !== keptExchange.nowMs || arrivedMs - lastPoll.sinceMs >= 1000) {
      Object.assign(lastPoll, { target, nowMs: keptExchange.nowMs, sinceMs: arrivedMs, count: 1, first: keptExchange.number });
      return;
    }
    lastPoll.count += 1;
    if (lastPoll.count !== pollsMax) return;
    const message = `The same request arrived ${pollsMax} times in a row within ${printSeconds(arrivedMs - lastPoll.sinceMs)}.`;
    this.notes.findings.add(exchange, { rule: 'client/polling', message, earlier: [lastPoll.first] });
  }
}

function printSeconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.max(0, Math.round(milliseconds))} ms` : `${Math.round(milliseconds / 100) / 10} s`;
}
