/** Follows, after each exchange, how one client uses ETags: which it received, for what, and whether it sends them back. Its memory is bounded. */

import { headerOf, splitTarget } from '../../core/http/exchange.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import { type ClientExchange, type ExchangeMark, mayFollow } from './client-exchange.ts';
import { type ClientNotes, shortenValue } from './finding-list.ts';

/** Content with an ETag that the client has read. */
interface TaggedRead {
  readonly tag: string;
  /** Number of reads of the same content without If-None-Match. */
  count: number;
  readonly first: ExchangeMark;
}

/** Maximum numbers of remembered targets, tags, and reads of one tag. */
const [targetsMax, tagsMax, ownersMax] = [2000, 2000, 10];

/** Number of equal reads without a tag that is a finding. */
const readsMax = 5;

/** Number of repeated reads, without any conditional one, after which conditional reads are advised. */
const repeatedMax = 2;

/** The reads of one client at operations with ETags. */
export class ConditionalReads {
  private readonly notes: ClientNotes;
  private readonly reads = new RecentCache<string, TaggedRead>(targetsMax);
  /** The reads that each tag was given for; the last one is the newest. */
  private readonly owners = new RecentCache<string, readonly string[]>(tagsMax);
  private conditionalCount = 0;
  private repeatedCount = 0;

  constructor(notes: ClientNotes) {
    this.notes = notes;
  }

  /** Judges the next read at an operation with ETags. */
  observe(exchange: ClientExchange, operation: Operation): void {
    const field = headerOf(exchange.keptExchange.request.headers, 'if-none-match');
    if (field !== undefined) this.judgeTag(exchange, operation, field);
    const tag = headerOf(exchange.keptExchange.response.headers, 'etag');
    if (exchange.status === 200 && tag !== undefined && exchange.isDelivered) this.remember(exchange, operation, field, tag);
  }

  private remember(exchange: ClientExchange, operation: Operation, field: string | undefined, tag: string): void {
    const { target } = exchange;
    const taggedRead = this.reads.get(target);
    if (taggedRead?.tag === tag) {
      if (field === undefined && mayFollow(exchange, taggedRead.first)) this.judgeRepeated(exchange, taggedRead);
      return;
    }
    if (taggedRead !== undefined) this.notes.metSituations.add('read-again');
    this.reads.set(target, { tag, count: field === undefined ? 1 : 0, first: exchange.mark });
    const owner = ownerOf(operation, target);
    const owners = this.owners.get(tag);
    this.owners.set(tag, owners === undefined ? [owner] : [...owners.filter((other) => other !== owner).slice(1 - ownersMax), owner]);
  }

  private judgeRepeated(exchange: ClientExchange, taggedRead: TaggedRead): void {
    const { findings, metSituations } = this.notes;
    metSituations.add('read-again');
    taggedRead.count += 1;
    this.repeatedCount += 1;
    if (taggedRead.count >= readsMax)
      findings.add(exchange, {
        rule: 'client/tag-sent',
        message: `The same content was read ${taggedRead.count} times without If-None-Match.`,
        earlier: [taggedRead.first.number],
      });
    else if (this.conditionalCount === 0 && this.repeatedCount === repeatedMax)
      findings.add(exchange, {
        rule: 'client/conditional-reads',
        message: 'Unchanged content was read again, and no request so far has had If-None-Match.',
        earlier: [taggedRead.first.number],
      });
  }

  private judgeTag(exchange: ClientExchange, operation: Operation, field: string): void {
    const { findings, metSituations } = this.notes;
    const { target, status } = exchange;
    metSituations.add('tag-sent').add('read-again');
    this.conditionalCount += 1;
    if (!/^\s*(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)\s*$/.test(field)) {
      const message = `If-None-Match is ${shortenValue(field)}, which is not an ETag with its quotes.`;
      findings.add(exchange, { rule: 'client/tag-quoted', message });
      return;
    }
    const owners = status === 200 ? (this.owners.get(field.trim()) ?? []) : [];
    const owner = ownerOf(operation, target);
    // Another spelling of the same read has other parameters.
    if (owners.includes(owner) || namesIn(owners.at(-1) ?? '') !== namesIn(owner)) return;
    const message = `If-None-Match has the ETag of another record: ${shortenValue(field)}.`;
    findings.add(exchange, { rule: 'client/tag-owner', message });
  }
}

/** The operation and the target that a tag belongs to. */
function ownerOf({ id }: Operation, target: string): string {
  return `${id} ${target}`;
}

/** The operation and the names of the query parameters. */
function namesIn(owner: string): string {
  const [id = '', target = ''] = owner.split(' ');
  const names = splitTarget(target)
    .query.split('&')
    .map((pair) => pair.split('=')[0] ?? '');
  return `${id} ${names.sort().join('&')}`;
}
