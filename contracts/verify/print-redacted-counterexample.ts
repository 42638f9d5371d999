/**
 * Prints counterexamples for reports, without keys and personal data; their layout belongs to the reports. `play-run.ts` calls it for each violation at the end
 * of a run or watch, and `judge-interaction.ts` of `pact verify` for each failed interaction. `replay-counterexamples.ts` puts the keys back into each earlier
 * call, and prints each exchange that it sends again. `open-session-and-redaction.ts` and `verify-pacts.ts` create the redaction of all output at the start of a run.
 */

import { withoutUndefined } from '../../core/drop-undefined.ts';
import type { SourceLocation } from '../../core/errors.ts';
import { type Exchange, mapHeaders } from '../../core/http/exchange.ts';
import { isObject, type Json } from '../../core/json.ts';
import { excerptBody, excerptFile } from '../../core/lines-around-place.ts';
import { mapTexts } from '../../core/map-texts.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { isList } from '../../core/openapi/list-operation.ts';
import { createMask } from '../../core/redaction/mask-personal-data.ts';
import { createRedactor, type Secret } from '../../core/redaction/redact-secrets.ts';
import type { Counterexample, ReportedCall } from '../../core/results/run-result-and-events.ts';
import { type Reply, recordsIn } from './evidence/call-and-reply.ts';
import { keyOf } from './evidence/record-keys-and-filters.ts';
import type { Contradiction } from './rules/rule-and-findings.ts';

/** Functions and settings that print the exchanges of a run, without keys and personal data. */
export interface Printing {
  /** Hides keys in a text. */
  readonly clean: (text: string) => string;
  /** Hides personal fields of an exchange, and of a record of an operation. */
  readonly mask: (exchange: Exchange) => Exchange;
  readonly maskRecord: (reply: Reply, record: Json) => Json;
  /** The address of the target, without a slash at the end. */
  readonly url: string;
  /** The hidden keys, each printed as `$NAME`. */
  readonly secrets: readonly Secret[];
  /** Headers for a gateway, keys already hidden: `name: $VARIABLE`. */
  readonly headers: readonly string[];
  /** The text of a file of the contract. */
  readonly contractText: (file: string) => string | undefined;
  /** The files of the client certificate and its key. */
  readonly certificateFiles?: readonly [cert: string, key: string] | undefined;
}

/** Keys and settings from which a `Printing` is made. */
interface PrintingOptions {
  /** The keys that the run may send, in every variant. */
  readonly keys: readonly Secret[];
  /** Headers for a gateway: the value, and the variable that reports show instead. */
  readonly headers?: Readonly<Record<string, { readonly variable: string; readonly value: string }>> | undefined;
  readonly url: string;
  /** True if reports show personal data. */
  readonly showPersonal?: boolean | undefined;
  readonly certificateFiles?: Printing['certificateFiles'];
}

/** Creates the functions that redact and print the output of a run. */
export function createPrinting(contract: Contract, options: PrintingOptions): Printing {
  const { keys, headers = {}, url, showPersonal = false, certificateFiles } = options;
  const gateway = Object.entries(headers);
  const secrets = [...keys, ...gateway.map(([, { variable, value }]) => ({ name: variable, value }))];
  const { clean } = createRedactor(secrets);
  const { mask, maskRecord } = createMask(contract);
  return {
    clean,
    mask: showPersonal ? (exchange) => exchange : mask,
    maskRecord: showPersonal ? (_, record) => record : (reply, record) => maskRecord(reply.call.operation, record),
    url,
    secrets,
    contractText: (file) => contract.document.texts.get(file),
    headers: gateway.map(([name, { variable }]) => `${name}: $${variable}`),
    certificateFiles,
  };
}

/** Maximum number of shown characters of a body. */
const maxBody = 4000;

/** Prints the exchanges and records that show a contradiction. The caller hides keys in the records and sentences. */
export function printCounterexample(printing: Printing, contradiction: Contradiction, clause: SourceLocation): Counterexample {
  const { replies, expected, actual, records = [] } = contradiction;
  const distinct = replies.filter((reply, index) => replies.indexOf(reply) === index);
  const [first] = distinct;
  const cleanExchanges = distinct.map((reply) => hideSecrets(printing, reply));
  const curl = distinct.map((reply) => printCurl(printing, reply));
  const clearest = clearestReply(contradiction);
  const clearestIndex = clearest === undefined ? 0 : distinct.indexOf(clearest);
  const contractText = printing.contractText(clause.file);
  return {
    exchanges: cleanExchanges.map((exchange, index) => ({
      ...cutBody(exchange),
      ...withoutUndefined({ call: distinct[index] && reportCall(printing, distinct[index]) }),
    })),
    expected,
    actual,
    records: records.map((record) => (first === undefined ? record : printing.maskRecord(first, record))),
    clause,
    ...(contractText === undefined ? {} : { clauseExcerpt: excerptFile(contractText, clause.line, printing.clean) }),
    curl,
    // A request that no command repeats comes after one that a reader can send.
    best: curl[clearestIndex]?.startsWith('#')
      ? Math.max(
          0,
          curl.findLastIndex((command) => !command.startsWith('#')),
        )
      : clearestIndex,
    excerpts: cleanExchanges.map(({ response }, index) => excerptBody(response.body, pointerIn(contradiction, distinct, index))),
  };
}

/** The reply that shows a contradiction best: the one that is probably wrong, or else the last one. */
function clearestReply({ replies, suspects = [] }: Contradiction): Reply | undefined {
  return replies.find((reply) => reply === suspects[0]?.reply) ?? replies.at(-1);
}

/**
 * The place in a body that a contradiction is about: the value itself, the first of its records, or the record at a page boundary. Empty for a body
 * without such a place.
 */
function pointerIn(contradiction: Contradiction, replies: readonly Reply[], index: number): string {
  const reply = replies[index];
  if (reply === undefined) return '';
  const { pointer, field = '', records = [] } = contradiction;
  if (pointer !== undefined && reply === clearestReply(contradiction)) return pointer;
  const { operation } = reply.call;
  const items = recordsIn(reply);
  if (!isList(operation) || items === undefined || items.length === 0) return '';
  const keys = new Set(records.filter(isObject).map((record) => keyOf(operation, record)));
  const recordIndex = items.findIndex((record) => keys.has(keyOf(operation, record)));
  const boundaryIndex = isLaterPage(replies[index + 1]) ? items.length - 1 : isLaterPage(reply) ? 0 : -1;
  const shownIndex = recordIndex >= 0 ? recordIndex : boundaryIndex;
  return shownIndex < 0 ? '' : `${operation.collection.items}/${shownIndex}${recordIndex >= 0 ? field : ''}`;
}

function isLaterPage(reply: Reply | undefined): boolean {
  const page = reply?.call.operation.collection?.page;
  const values = reply?.call.values ?? {};
  if (page === undefined) return false;
  return page.style === 'cursor' ? values[page.cursor] !== undefined : page.style === 'page' && Number(values[page.page] ?? 1) > 1;
}

/** An exchange without keys and personal fields. */
export function printExchange(printing: Printing, reply: Reply): Exchange {
  return cutBody(hideSecrets(printing, reply));
}

function hideSecrets({ clean, mask }: Printing, reply: Reply): Exchange {
  const { request, response } = mask({ request: reply.request, response: reply.response });
  return {
    request: { method: request.method, target: clean(request.target), headers: mapHeaders(request.headers, (_, value) => clean(value)) },
    response: { status: response.status, headers: mapHeaders(response.headers, (_, value) => clean(value)), body: clean(response.body) },
  };
}

/** The call of a reply with its keys hidden; `undefined` if the report masks a part of it, or if `restoreKeys` would not give it back. */
function reportCall({ clean, mask, secrets }: Printing, reply: Reply): ReportedCall | undefined {
  const { operation, values, raw, segments, headers } = reply.call;
  if (mask(reply).request.target !== reply.request.target) return undefined;
  const parts = withoutUndefined({ values, raw, segments, headers });
  const hidden = mapTexts(parts, clean);
  if (JSON.stringify(restoreKeys(hidden, secrets)) !== JSON.stringify(parts)) return undefined;
  const text = JSON.stringify(hidden);
  const variables = secrets.map(({ name }) => name).filter((name) => text.includes(`$${name}`));
  return { operation: operation.id, ...hidden, ...withoutUndefined({ key: reply.key }), variables };
}

/** Puts the keys back into the texts of a reported call. Queries and paths percent-encode them. */
export function restoreKeys<T extends Partial<ReportedCall>>(call: T, secrets: readonly Secret[]): T {
  const { values, raw, segments, headers } = call;
  const plain = (text: string): string => fillInKeys(text, secrets);
  const encoded = (text: string): string => fillInKeys(text, secrets, encodeURIComponent);
  const restored = { values: mapTexts(values, plain), raw: mapTexts(raw, encoded), segments: mapTexts(segments, encoded) };
  return { ...call, ...withoutUndefined({ ...restored, headers: mapTexts(headers, plain) }) };
}

function cutBody({ request, response }: Exchange): Exchange {
  const { body } = response;
  if (body.length <= maxBody) return { request, response };
  return { request, response: { ...response, body: `${body.slice(0, maxBody)}… (${body.length} characters)` } };
}

/**
 * A request as a command line. The shell fills in the keys; all other text is quoted. A comment in place of a request that the shell cannot restore: a text
 * that holds a key in another encoding, such as a cursor in base64.
 */
function printCurl(printing: Printing, { request }: Reply): string {
  const { clean, url, headers, certificateFiles } = printing;
  const names = printing.secrets.map(({ name }) => `$${name}`);
  const headerLines = Object.entries(request.headers)
    .filter(([name, value]) => name !== 'accept' || value !== 'application/json')
    // Without the semicolon, curl does not send a field without a value.
    .flatMap(([name, value]) => (value === undefined ? [] : [value].flat().map((each) => (each === '' ? `${name};` : `${name}: ${each}`))));
  const options = [...headerLines.map(clean), ...headers].map((line) => basicOption(line, names) ?? ` -H ${quoteForShell(line, names)}`);
  const [certFile, keyFile] = certificateFiles ?? [];
  const certificate =
    certFile === undefined || keyFile === undefined ? '' : ` --cert ${quoteForShell(certFile, [])} --key ${quoteForShell(keyFile, [])}`;
  const method = request.method === 'GET' ? '' : request.method === 'HEAD' ? ' -I' : ` -X ${request.method}`;
  const { target, keys } = takeKeys(clean(request.target), names);
  const isUnrepeatable = (text: string): boolean => fillInKeys(clean(text), printing.secrets) !== text;
  if (
    request.target.split(/[?&]/).some((piece) => isUnrepeatable(piece) && takeKeys(clean(`?${piece}`), names).keys.length === 0) ||
    headerLines.some((line) => isUnrepeatable(line) && basicOption(clean(line), names) === undefined)
  )
    return `# ${request.method} ${clean(request.target)} holds a key in another encoding, so no command line can repeat it`;
  // The shell fills in the plain key, and curl percent-encodes it for the query.
  const data = keys.map((pair) => ` --data-urlencode ${quoteForShell(pair, names)}`);
  const query = data.length === 0 ? '' : ` -G${data.join('')}`;
  return `curl -si${switchesFor(target)}${certificate}${method}${options.join('')}${query} ${quoteForShell(clean(url) + target, names)}`;
}

/** Puts the keys in place of their names, as a shell does. `write` encodes each key; a longer name may contain a shorter one, so it comes first. */
function fillInKeys(text: string, secrets: readonly Secret[], write = (value: string): string => value): string {
  const longestFirst = secrets.toSorted((left, right) => right.name.length - left.name.length);
  return longestFirst.reduce((filled, { name, value }) => filled.replaceAll(`$${name}`, () => write(value)), text);
}

/** Keeps curl from reading a target otherwise: it removes the segments `.` and `..`, and takes brackets for patterns. */
function switchesFor(target: string): string {
  return `${/(?:\.|%2e)(?:[/?]|$)/i.test(target) ? ' --path-as-is' : ''}${/[[\]{}]/.test(target) ? ' --globoff' : ''}`;
}

/** The curl option for a key as the password of Basic. curl writes the header, because a shell cannot fill a key into base64 (RFC 7617 §2). */
function basicOption(line: string, names: readonly string[]): string | undefined {
  const [, credentials] = /^authorization: basic (.+)$/i.exec(line) ?? [];
  const name = names.toSorted((left, right) => right.length - left.length).find((each) => credentials?.includes(each));
  return name === undefined ? undefined : ` -u ${quoteForShell(`:${name}`, names)}`;
}

/** Separates the parameters whose value is a hidden key from the rest of a request target. */
function takeKeys(target: string, names: readonly string[]): { readonly target: string; readonly keys: readonly string[] } {
  const queryStart = target.indexOf('?');
  if (queryStart < 0) return { target, keys: [] };
  const pairs = target.slice(queryStart + 1).split('&');
  const isKey = (pair: string): boolean => names.includes(pair.slice(pair.indexOf('=') + 1));
  const otherPairs = pairs.filter((pair) => !isKey(pair)).join('&');
  return { target: `${target.slice(0, queryStart)}${otherPairs === '' ? '' : `?${otherPairs}`}`, keys: pairs.filter(isKey) };
}

/** Quotes a text for a shell, which fills in nothing but the names of hidden keys. */
function quoteForShell(text: string, names: readonly string[]): string {
  if (!names.some((name) => text.includes(name))) return `'${text.replaceAll("'", `'\\''`)}'`;
  const quoted = text.replaceAll(/[\\"`$]/g, '\\$&');
  // A name may contain another: that of a nearly right key contains the name of the key.
  const longestFirst = names.toSorted((left, right) => right.length - left.length);
  return `"${longestFirst.reduce((line, name) => line.replaceAll(name.replaceAll(/[\\"`$]/g, '\\$&'), () => name), quoted)}"`;
}
