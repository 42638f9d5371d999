/**
 * Judges how one client (a key role) reads one list, after each exchange with a mock or proxy: cursors, checkpoints, abandoned paginations. Its memory is
 * bounded.
 */

import type { CursorPage, Page } from '../../core/annotations/annotations.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { ListOperation } from '../../core/openapi/list-operation.ts';
import { parseInstant, printInstant } from '../../core/query/instants.ts';
import type { FilterArguments } from '../../core/query/query.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import type { ListedPage } from '../handler/listed-page.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { type ClientExchange, toKeep } from './client-exchange.ts';
import { checkpointOf } from './client-rules.ts';
import { type DeliveredRecord, Deliveries } from './delivered-records.ts';
import { type ExpectedRecord, ExpectedRecords, isCurrent, listKeys, versionOf, visibleRecords } from './expected-records.ts';
import { type ClientNotes, shortenValue } from './finding-list.ts';

/** The pages that a client read one after the other. */
interface Pagination {
  /** Its filters, without checkpoint, cursor and page size. */
  readonly filters: string;
  /** Its fixed parameters as sent. */
  readonly fixed: string;
  readonly checkpointMs: number | undefined;
  readonly firstExchange: ClientExchange;
  /** The exchange of its newest page. */
  lastExchange: ClientExchange;
  pages: number;
  /** Number of pages in a row, up to now, with exactly one record and a page after them. */
  smallPages: number;
  /** The oldest and the newest version in its pages. */
  oldestMs: number;
  newestMs: number;
  readonly firstPage: ListedPage;
  lastPage: ListedPage;
  /** The cursor of the next page; `undefined` after the last one. */
  nextCursor: string | undefined;
  /** The cursor that came with the last page, if one did. */
  endCursor: string | undefined;
  /** True if the last request for the next page failed. */
  isInterrupted: boolean;
  /** True after the advice to read on. */
  isGivenUp: boolean;
  /** The exchange that stored the checkpoint of this pagination too early, if one did. */
  earlyExchange: ClientExchange | undefined;
}

/**
 * Reason why a client does not have the newest version of a record, with the exchange that shows it.
 *
 * - `delivered`: the exchange delivered it.
 * - `page`: the pages after the exchange were not read.
 * - `checkpoint`: the exchange asked for later changes only.
 * - `never`: nothing asked for it after its change.
 */
export interface Loss {
  readonly kind: 'delivered' | 'page' | 'checkpoint' | 'never';
  readonly number: number | undefined;
}

/** Maximum numbers of remembered cursors, paginations and checkpoints of a list. */
const [cursorsMax, paginationsMax, checkpointsMax] = [2000, 100, 200];

/** Number of unfinished paginations that are searched for each lost record. */
const unfinishedMax = 5;

/** Number of pages of one record that are too many. */
const smallPagesMax = 3;

/** The reads of one list by one client. */
export class ListReads {
  readonly operation: ListOperation;
  private readonly notes: ClientNotes;
  private readonly checkpoint: string | undefined;
  private readonly byCursor = new RecentCache<string, Pagination>(cursorsMax);
  private paginations: Pagination[] = [];
  /** Newest version of the complete paginations, by filters. */
  private readonly newestOfComplete = new RecentCache<string, number>(checkpointsMax);
  /** The first exchange with each checkpoint. */
  private readonly checkpoints = new RecentCache<number, number>(checkpointsMax);
  private newestMs = Number.NEGATIVE_INFINITY;
  private latestNowMs = Number.NEGATIVE_INFINITY;
  readonly deliveries: Deliveries = new Deliveries();
  readonly expected: ExpectedRecords;
  /** Instant of the last first page, for lists without cursors. */
  private firstPageMs = Number.NEGATIVE_INFINITY;
  /** The last exchange. */
  last: ClientExchange | undefined;

  constructor(operation: ListOperation, notes: ClientNotes) {
    this.operation = operation;
    this.notes = notes;
    this.checkpoint = checkpointOf(operation);
    this.expected = new ExpectedRecords(operation);
  }

  /** Judges the next request of the client to this list. */
  observe(exchange: ClientExchange): void {
    const { page } = this.operation.collection;
    this.last = exchange;
    if (page.style === 'cursor') this.observeCursors(exchange, page);
    else this.observeNumbers(exchange, page, page.style === 'page' ? [page.page, 1] : [page.offset, 0]);
    const listedPage = exchange.keptExchange.response.page;
    if (listedPage === undefined || !exchange.isDelivered || exchange.status !== 200) return;
    this.newestMs = newestOf(listedPage, this.newestMs);
    this.deliveries.remember(exchange.keptExchange.number, listedPage);
    this.latestNowMs = Math.max(this.latestNowMs, exchange.keptExchange.nowMs);
  }

  /**
   * Reports the paginations that the client abandoned. The newest is spared, since the client may still continue it, and so is one that ended after its first
   * page, which was only a look. Call it before each report; reading on takes a finding back.
   */
  judgeUnfinished(): void {
    const newest = this.paginations.at(-1);
    for (const pagination of this.paginations) {
      if (
        pagination.nextCursor === undefined ||
        pagination.pages === 1 ||
        pagination.isInterrupted ||
        pagination === newest ||
        pagination.earlyExchange !== undefined ||
        pagination.isGivenUp
      )
        continue;
      pagination.isGivenUp = true;
      const message = `A list was read only up to page ${pagination.pages}, although more pages follow, and then read again from the start.`;
      this.notes.findings.add(pagination.lastExchange, { rule: 'client/pages-finished', message });
    }
  }

  /** Finds the reason why the client does not have the newest version of a record. */
  lossOf(expected: ExpectedRecord, { cursors }: ServedApi, delivery: DeliveredRecord | undefined): Loss {
    const { query } = this.operation.collection;
    const { record, versionMs = 0 } = expected;
    if (delivery !== undefined && isCurrent(expected, delivery)) return { kind: 'delivered', number: delivery.number };
    const unfinished = this.paginations.filter(({ nextCursor }) => nextCursor !== undefined).slice(-unfinishedMax);
    const unreadPagination = unfinished.findLast(({ nextCursor }) => {
      const content = nextCursor === undefined ? undefined : cursors.decode(nextCursor);
      if (content === undefined || content.position === null) return false;
      const values: FilterArguments = new Map(Object.entries(content.fixed).filter(([, value]) => value !== null));
      return query.page([record], values, { after: content.position }, 1).records.length > 0;
    });
    if (unreadPagination !== undefined) return { kind: 'page', number: unreadPagination.lastExchange.keptExchange.number };
    const laterPagination = this.paginations.findLast(({ checkpointMs }) => (checkpointMs ?? Number.NEGATIVE_INFINITY) > versionMs);
    return laterPagination === undefined
      ? { kind: 'never', number: undefined }
      : { kind: 'checkpoint', number: laterPagination.firstExchange.keptExchange.number };
  }

  /** Names the records that the reads should have delivered and did not; `noLossText` if there are none, `null` if there are too many to compare. */
  private describeUndelivered({ api, role, keptExchange }: ClientExchange, noLossText: string | null = null): string | null {
    const deliveredRecords = this.deliveries.newest();
    const expected = deliveredRecords === undefined ? undefined : this.expected.list(api, role, keptExchange.nowMs);
    if (deliveredRecords === undefined || expected === undefined) return null;
    const lostRecords = [...expected.records.values()].filter((each) => !isCurrent(each, deliveredRecords.get(String(each.key))));
    const { name } = this.operation.collection;
    return lostRecords.length === 0
      ? noLossText
      : `${lostRecords.length} of the ${name} ${lostRecords.length === 1 ? 'was' : 'were'} never delivered: ${listKeys(lostRecords.map(({ key }) => key))}.`;
  }

  private observeNumbers(exchange: ClientExchange, page: Page, [name, firstNumber]: readonly [name: string, first: number]): void {
    const isFirst = Number(exchange.query.get(name) ?? firstNumber) <= firstNumber;
    if (!isFirst) this.notes.metSituations.add('second-page');
    const { response, nowMs } = exchange.keptExchange;
    const delivered = exchange.isDelivered && exchange.status === 200 ? response.page : undefined;
    if (isFirst && delivered !== undefined) this.firstPageMs = nowMs;
    if (delivered?.more === false) this.notes.metSituations.add('last-page');
    // A client that asks for a further page wants the whole list, even if that request fails.
    if (isFirst ? delivered?.more !== false : delivered === undefined && this.firstPageMs === Number.NEGATIVE_INFINITY) return;
    this.expected.cover(this.filtersOf(exchange, page), exchange.target, this.checkpointIn(exchange), this.firstPageMs);
  }

  private observeCursors(exchange: ClientExchange, page: CursorPage): void {
    const { query, keptExchange } = exchange;
    const cursor = query.get(page.cursor);
    const pagination = cursor === undefined ? undefined : this.byCursor.get(cursor);
    if (cursor !== undefined) {
      this.notes.metSituations.add('second-page');
      // A cursor that this list did not give stands for the pagination that the client has not finished.
      if (exchange.status >= 400 || !exchange.isDelivered)
        this.interrupt(pagination ?? this.paginations.findLast(({ nextCursor }) => nextCursor !== undefined));
      this.judgeCursor(exchange, page, cursor, pagination);
    }
    const listedPage = keptExchange.response.page;
    if (listedPage === undefined || !exchange.isDelivered || exchange.status !== 200) return;
    if (cursor === undefined) this.begin(exchange, page, listedPage);
    else if (pagination !== undefined) {
      this.join(pagination, cursor);
      this.proceed(exchange, pagination, listedPage);
    }
  }

  /** Forgets the other paginations that end at a cursor, since pages of different sizes and times can lead to the same one, and this read continues them all. */
  private join(pagination: Pagination, cursor: string): void {
    const others = this.paginations.filter((each) => each !== pagination && each.nextCursor === cursor);
    for (const other of others) if (other.isGivenUp) this.notes.findings.takeBack(other.lastExchange, 'client/pages-finished');
    if (others.length > 0) this.paginations = this.paginations.filter((each) => !others.includes(each));
  }

  private interrupt(pagination: Pagination | undefined): void {
    if (pagination === undefined) return;
    pagination.isInterrupted = true;
    this.coverPagination(pagination);
  }

  private coverPagination({ filters, firstExchange: { target, keptExchange }, checkpointMs }: Pagination): void {
    this.expected.cover(filters, target, checkpointMs, keptExchange.nowMs);
  }

  private judgeCursor(exchange: ClientExchange, page: CursorPage, cursor: string, pagination: Pagination | undefined): void {
    const { findings } = this.notes;
    const consequence = (): string | null => this.describeUndelivered(exchange);
    const problems = exchange.keptExchange.response.context?.problems ?? [];
    const cursorText = cursor === '' ? `${page.cursor}= is empty` : `${page.cursor}=${shortenValue(cursor)}`;
    if (exchange.keptExchange.cursor?.kind === 'not-given') {
      const message = cursor === '' ? `${cursorText}; take the cursor from a page.` : `No response from this mock contained ${cursorText}.`;
      findings.add(exchange, { rule: 'client/cursor-given', message, consequence });
    } else if (exchange.role !== 'stranger' && problems.some((problem) => problem.class === 'damaged-cursor')) {
      const message = `${cursorText} was issued to another key, or by another list.`;
      findings.add(exchange, { rule: 'client/cursor-owner', message, consequence });
    } else {
      this.judgeFixed(exchange, page, cursor, pagination);
    }
  }

  private judgeFixed(exchange: ClientExchange, page: CursorPage, cursor: string, pagination: Pagination | undefined): void {
    const problems = exchange.keptExchange.response.context?.problems ?? [];
    const refusal = problems.find(({ class: kind, parameters }) => kind === 'broken-rule' && parameters.includes(page.cursor));
    // Some profiles accept the new values, or ignore them.
    const isChanged = refusal !== undefined || (pagination !== undefined && this.fixedOf(exchange, page) !== pagination.fixed);
    if (!isChanged) {
      this.judgeAfterEnd(exchange, pagination, cursor);
      return;
    }
    const names = refusal === undefined ? page.fixed.join(' or ') : refusal.parameters.filter((name) => name !== page.cursor).join(' and ');
    const message = `${names} changed while the pages of one list were read.`;
    this.notes.findings.add(exchange, {
      rule: 'client/filters-kept',
      message,
      consequence: () => this.describeUndelivered(exchange),
      earlier: pagination === undefined ? [] : [pagination.lastExchange.keptExchange.number],
    });
  }

  private judgeAfterEnd(exchange: ClientExchange, pagination: Pagination | undefined, cursor: string): void {
    if (pagination === undefined || pagination.endCursor !== cursor) return;
    const message = `${shortenValue(cursor)} came with the last page, which said that no further page follows.`;
    const earlier = [pagination.lastExchange.keptExchange.number];
    this.notes.findings.add(exchange, { rule: 'client/last-page', message, earlier });
  }

  /** Judges the first page of a pagination, and remembers it. */
  private begin(exchange: ClientExchange, page: CursorPage, listedPage: ListedPage): void {
    const { keptExchange } = exchange;
    const filters = this.filtersOf(exchange, page);
    const checkpointMs = this.checkpointIn(exchange);
    if (checkpointMs !== undefined) this.judgeCheckpoint(exchange, checkpointMs, filters, listedPage);
    const samePagination = listedPage.next === undefined ? undefined : this.byCursor.get(listedPage.next);
    if (
      samePagination !== undefined &&
      samePagination.pages === 1 &&
      samePagination.lastExchange.keptExchange.nowMs === keptExchange.nowMs &&
      samePagination.nextCursor === listedPage.next
    )
      return;
    const pagination: Pagination = {
      filters,
      fixed: this.fixedOf(exchange, page),
      checkpointMs,
      firstExchange: toKeep(exchange),
      lastExchange: exchange,
      pages: 0,
      smallPages: 0,
      oldestMs: Number.POSITIVE_INFINITY,
      newestMs: checkpointMs ?? Number.NEGATIVE_INFINITY,
      firstPage: listedPage,
      lastPage: listedPage,
      nextCursor: undefined,
      endCursor: undefined,
      isInterrupted: false,
      isGivenUp: false,
      earlyExchange: undefined,
    };
    this.paginations.push(pagination);
    if (this.paginations.length > paginationsMax) this.paginations = this.paginations.slice(-paginationsMax / 2);
    this.proceed(exchange, pagination, listedPage);
  }

  /** Adds a page to its pagination. */
  private proceed(exchange: ClientExchange, pagination: Pagination, listedPage: ListedPage): void {
    pagination.pages += 1;
    if (pagination.isGivenUp) this.notes.findings.takeBack(pagination.lastExchange, 'client/pages-finished');
    pagination.isGivenUp = false;
    pagination.lastExchange = toKeep(exchange);
    pagination.lastPage = listedPage;
    pagination.isInterrupted = false;
    for (const { versionMs = pagination.oldestMs } of listedPage.records) pagination.oldestMs = Math.min(pagination.oldestMs, versionMs);
    pagination.newestMs = newestOf(listedPage, pagination.newestMs);
    pagination.nextCursor = listedPage.more ? listedPage.next : undefined;
    pagination.endCursor = listedPage.more ? undefined : listedPage.next;
    if (listedPage.next !== undefined) this.byCursor.set(listedPage.next, pagination);
    if (pagination.pages > 1 || !listedPage.more) this.coverPagination(pagination);
    if (listedPage.more) {
      pagination.smallPages = listedPage.records.length === 1 ? pagination.smallPages + 1 : 0;
      if (pagination.smallPages === smallPagesMax) {
        const message = `${smallPagesMax} pages in a row had one record each.`;
        this.notes.findings.add(exchange, { rule: 'client/page-size', message });
      }
      return;
    }
    this.notes.metSituations.add('last-page');
    const earlierMs = this.newestOfComplete.get(pagination.filters) ?? Number.NEGATIVE_INFINITY;
    this.newestOfComplete.set(pagination.filters, Math.max(earlierMs, pagination.newestMs));
    // Another process of the client was still reading this list, so nothing is lost.
    if (pagination.earlyExchange !== undefined) this.notes.findings.takeBack(pagination.earlyExchange, 'client/checkpoint-after-last-page');
    pagination.earlyExchange = undefined;
  }

  private judgeCheckpoint(exchange: ClientExchange, checkpointMs: number, filters: string, listedPage: ListedPage): void {
    this.notes.metSituations.add('checkpoint');
    if (this.paginations.some(({ pages, nextCursor }) => pages > 1 || nextCursor !== undefined))
      this.notes.metSituations.add('checkpoint-after-pages');
    const firstUse = getOrCompute(this.checkpoints, checkpointMs, () => exchange.keptExchange.number);
    const isComplete = (this.newestOfComplete.get(filters) ?? Number.NEGATIVE_INFINITY) >= checkpointMs;
    const unfinished = isComplete ? undefined : this.paginations.find((each) => isEarly(each, checkpointMs, filters, firstUse));
    if (unfinished !== undefined) this.reportEarly(exchange, checkpointMs, unfinished);
    else this.judgeOrigin(exchange, checkpointMs, listedPage);
  }

  private reportEarly(exchange: ClientExchange, checkpointMs: number, unfinished: Pagination): void {
    if (unfinished.earlyExchange !== undefined) return;
    unfinished.earlyExchange = toKeep(exchange);
    this.coverPagination(unfinished);
    const firstNumber = unfinished.firstExchange.keptExchange.number;
    const lastNumber = unfinished.lastExchange.keptExchange.number;
    const pages = firstNumber === lastNumber ? `exchange ${firstNumber}` : `exchanges ${firstNumber} to ${lastNumber}`;
    this.notes.findings.add(exchange, {
      rule: 'client/checkpoint-after-last-page',
      message: `${this.checkpoint}=${printInstant(checkpointMs)} comes from ${pages}, but the remaining pages of that list were not read.`,
      consequence: () => this.describeUndelivered(exchange, 'No record is lost this time, because the list is ordered by time of change.'),
      earlier: [lastNumber],
    });
  }

  /** Reports a checkpoint that is later than everything that the client received, and that no record has. */
  private judgeOrigin(exchange: ClientExchange, checkpointMs: number, listedPage: ListedPage): void {
    const isFirst = this.newestMs === Number.NEGATIVE_INFINITY;
    const isLater = isFirst ? listedPage.records.length === 0 && !this.hasFilters(exchange) : checkpointMs > this.newestMs;
    // A clock that was set back makes records disappear, and their changes are later than all others.
    if (!isLater || exchange.keptExchange.nowMs < this.latestNowMs || hasVersion(listedPage, checkpointMs)) return;
    const { collection } = this.operation;
    const records = isFirst ? [] : visibleRecords(exchange.api, exchange.role, collection, exchange.keptExchange.nowMs);
    if (records === undefined || records.some((record) => versionOf(collection, record) === checkpointMs)) return;
    const newest = isFirst ? 'no record has changed since' : `the newest change in a response was ${printInstant(this.newestMs)}`;
    const message = `${this.checkpoint}=${shortenValue(exchange.query.get(this.checkpoint ?? '') ?? '')} is not in any response; ${newest}.`;
    this.notes.findings.add(exchange, { rule: 'client/checkpoint-served', message });
  }

  private checkpointIn(exchange: ClientExchange): number | undefined {
    const value = this.checkpoint === undefined ? undefined : exchange.query.get(this.checkpoint);
    const instant = value === undefined ? undefined : parseInstant(value);
    return instant === undefined ? undefined : Number(instant / 1_000_000n);
  }

  private hasFilters({ query }: ClientExchange): boolean {
    for (const name of this.operation.collection.filters.keys()) if (name !== this.checkpoint && query.has(name)) return true;
    return false;
  }

  private filtersOf({ query }: ClientExchange, page: Page): string {
    const positionParameter = page.style === 'cursor' ? page.cursor : page.style === 'page' ? page.page : page.offset;
    const names = [...query.keys()].filter((name) => name !== this.checkpoint && name !== positionParameter && name !== page.limit);
    return names
      .sort()
      .map((name) => `${name}=${canonical(query.get(name) ?? '')}`)
      .join('&');
  }

  private fixedOf({ query }: ClientExchange, page: CursorPage): string {
    return page.fixed.map((name) => canonical(query.get(name) ?? '')).join('&');
  }
}

/** True if a checkpoint comes from a pagination that is not finished, and skips changes that the pagination has not read. */
function isEarly(pagination: Pagination, checkpointMs: number, filters: string, firstUse: number): boolean {
  const { nextCursor, oldestMs, newestMs, firstPage, lastPage } = pagination;
  if (nextCursor === undefined || pagination.filters !== filters || firstUse < pagination.firstExchange.keptExchange.number) return false;
  if (pagination.checkpointMs !== undefined && checkpointMs <= pagination.checkpointMs) return false;
  if (checkpointMs < oldestMs || checkpointMs > newestMs) return false;
  return checkpointMs === newestMs || hasVersion(firstPage, checkpointMs) || hasVersion(lastPage, checkpointMs);
}

function newestOf({ records }: ListedPage, minimumMs: number): number {
  let newest = minimumMs;
  for (const { versionMs = minimumMs } of records) newest = Math.max(newest, versionMs);
  return newest;
}

function hasVersion({ records }: ListedPage, instantMs: number): boolean {
  return records.some(({ versionMs }) => versionMs === instantMs);
}

/** The comparable form of a value as sent: members of a list without order, instants without their spelling. */
function canonical(value: string): string {
  if (value.includes(',')) return [...new Set(value.split(','))].sort().join(',');
  return parseInstant(value)?.toString() ?? value;
}
