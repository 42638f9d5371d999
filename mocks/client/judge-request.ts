/**
 * Judges each request by itself, after its exchange: the place of its key, its origin, the spelling of its checkpoint, and its parameters. Knows nothing of
 * earlier requests.
 */

import { type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';
import type { ListOperation } from '../../core/openapi/list-operation.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { printInstant } from '../../core/query/instants.ts';
import type { ClientExchange } from './client-exchange.ts';
import { checkpointOf, hasServiceKey } from './client-rules.ts';
import { type ClientNotes, hiddenKey, shortenValue } from './finding-list.ts';

/** Judges the form of a request. */
export function judgeRequest(exchange: ClientExchange, notes: ClientNotes): void {
  const { keptExchange, operation, role } = exchange;
  const { context } = keptExchange.response;
  judgeKeyPlaces(exchange, notes);
  if (operation === undefined) return;
  if (operation.rules.length > 0) notes.metSituations.add('parameter-rules');
  if (role !== 'stranger' && role !== 'anybody') {
    notes.metSituations.add('key');
    judgeOrigin(exchange, notes, operation);
  }
  if (context?.hasTwoKeys === true)
    notes.findings.add(exchange, {
      rule: 'client/one-key',
      message: 'The request has two different keys in two headers; only the first one counts.',
    });
  judgeReadOnly(exchange, notes);
  judgeDay(exchange, notes, operation);
  const page = operation.collection?.page;
  const cursor = page?.style === 'cursor' ? page.cursor : '';
  for (const [index, { class: kind, parameters }] of (context?.problems ?? []).entries()) {
    const cause = parameters.join();
    const message = (): string => exchange.summarize(keptExchange).problems[index]?.message ?? '';
    if (kind === 'undeclared') notes.findings.add(exchange, { rule: 'client/declared-parameters', cause, message });
    if (kind === 'broken-rule' && !parameters.includes(cursor))
      notes.findings.add(exchange, { rule: 'client/parameter-rules', cause, message });
  }
}

/** Reports a request that was refused as invalid, and that no other rule has explained. */
export function judgeRefusal(exchange: ClientExchange, { findings }: ClientNotes): void {
  const { status, keptExchange } = exchange;
  if ((status !== 400 && status !== 422) || findings.lastNumber === keptExchange.number) return;
  const message = (): string =>
    [`The request was rejected with ${status}.`, ...exchange.summarize(keptExchange).problems.map((problem) => problem.message)].join(' ');
  const cause = keptExchange.response.context?.problems.flatMap(({ parameters }) => parameters).join();
  findings.add(exchange, { rule: 'client/valid-requests', ...(cause !== undefined && { cause }), message });
}

function judgeReadOnly(exchange: ClientExchange, { findings, metSituations }: ClientNotes): void {
  const members = exchange.keptExchange.response.context?.readOnlyMembers;
  if (members === undefined) return;
  metSituations.add('read-only');
  if (members.length === 0) return;
  const message = `The body has ${members.join(' and ')}, which only responses have.`;
  findings.add(exchange, { rule: 'client/read-only', message });
}

/** Distance from now up to which a day may be today somewhere, in milliseconds. */
const todayMs = 36 * 3_600_000;

/** Advises a client that asks for today, while the mock lives on another day. */
function judgeDay(exchange: ClientExchange, { findings }: ClientNotes, operation: Operation): void {
  const { query, keptExchange, arrivedMs } = exchange;
  if (Math.abs(keptExchange.nowMs - arrivedMs) <= todayMs) return;
  const checkpoint = checkpointOf(operation);
  const today = [...query].find(
    ([name, value]) =>
      name !== checkpoint && /^\d{4}-\d{2}-\d{2}/.test(value) && Math.abs(Date.parse(value.slice(0, 10)) - arrivedMs) <= todayMs,
  );
  if (today === undefined) return;
  const message = `${today.join('=')} asks for today, but the mock's clock is at ${printInstant(keptExchange.nowMs)}.`;
  findings.add(exchange, { rule: 'client/clock', message });
}

/** Judges the spelling of the checkpoint of a list, and the filters beside it. */
export function judgeCheckpoint(exchange: ClientExchange, { findings, metSituations }: ClientNotes, operation: ListOperation): void {
  const checkpoint = checkpointOf(operation);
  const value = checkpoint !== undefined && exchange.target.includes(checkpoint) ? exchange.query.get(checkpoint) : undefined;
  if (value === undefined) return;
  metSituations.add('checkpoint');
  const { filters, key } = operation.collection;
  for (const [name, filter] of filters) {
    if (
      name === checkpoint ||
      !exchange.query.has(name) ||
      ('field' in filter && [key, operation.collection.version].includes(filter.field))
    )
      continue;
    const message = `${name} is sent together with ${checkpoint}: once a record changes so that it no longer matches this filter, the client never sees it again.`;
    findings.add(exchange, { rule: 'client/unfiltered-changes', cause: name, message });
  }
  const parameterText = `${checkpoint}=${shortenValue(value)}`;
  if (/\d \d{2}:?\d{2}$/.test(value) && /T/i.test(value))
    findings.add(exchange, {
      rule: 'client/offset-encoded',
      message: `${parameterText} has a space where the plus sign of its offset should be.`,
    });
  else if (/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/i.test(value))
    findings.add(exchange, {
      rule: 'client/offset-given',
      message: `${parameterText} has no offset, so the instant that it means is ambiguous.`,
    });
}

function judgeKeyPlaces(exchange: ClientExchange, { findings }: ClientNotes): void {
  const { keptExchange, operation, target } = exchange;
  const place = placeOfKey(keptExchange.request, operation, target);
  if (place !== undefined) findings.add(exchange, { rule: 'client/key-in-header', message: `The key is in ${place}.` });
}

function placeOfKey({ headers }: HttpRequest, operation: Operation | undefined, target: string): string | undefined {
  if (target.includes(hiddenKey) && withoutCarriers(target, operation).includes(hiddenKey)) return 'the URL';
  if (headerOf(headers, 'referer')?.includes(hiddenKey)) return 'the Referer header';
  return headerOf(headers, 'user-agent')?.includes(hiddenKey) ? 'the User-Agent header' : undefined;
}

/** A target without the query parameters that may carry a key by the contract. */
function withoutCarriers(target: string, operation: Operation | undefined): string {
  const names = (operation?.security.flat() ?? []).flatMap(({ carrier }) => (carrier.in === 'query' ? [carrier.name] : []));
  if (names.length === 0) return target;
  const { path, query } = splitTarget(target);
  return `${path}?${query
    .split('&')
    .filter((pair) => !names.includes(pair.split('=')[0] ?? ''))
    .join('&')}`;
}

/** Reports a key from a web page. Programs send neither header, except that some send the mode of the request. */
function judgeOrigin(exchange: ClientExchange, { findings }: ClientNotes, operation: Operation): void {
  const { headers } = exchange.keptExchange.request;
  const origin = headerOf(headers, 'origin');
  if (origin === undefined && headerOf(headers, 'sec-fetch-site') === undefined) return;
  if (!hasServiceKey(operation)) return;
  const message = `A web page${origin === undefined ? '' : ` from ${origin}`} sent the key.`;
  findings.add(exchange, { rule: 'client/key-on-server', message });
}
