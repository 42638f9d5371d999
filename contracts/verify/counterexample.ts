/** Turns a contradiction into the counterexample of a report, without keys and personal data. Its layout is left to the reports. */

import { withoutUndefined } from '../../core/drop-undefined.ts';
import type { SourceLocation } from '../../core/errors.ts';
import { excerptBody, excerptFile } from '../../core/excerpt.ts';
import { type Exchange, mapHeaders } from '../../core/http/exchange.ts';
import { isKeyPair, passwordVariable, printCurl, quoteForShell } from '../../core/http/print-curl.ts';
import { isObject, type Json, printJson } from '../../core/json.ts';
import { mapTexts } from '../../core/map-texts.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { isList } from '../../core/openapi/list-operation.ts';
import { createMask } from '../../core/redaction/mask-personal-data.ts';
import { createRedactor, type Secret } from '../../core/redaction/redact-secrets.ts';
import type { Counterexample, ReportedCall, TimedExchange } from '../../core/results/run-result.ts';
import { type Reply, recordsIn } from './evidence/call.ts';
import { recordKeyOf } from './evidence/record-keys-and-filters.ts';
import type { Contradiction } from './rules/rule.ts';

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
  /** Headers for a gateway by name, each with `$VARIABLE` as its value. */
  readonly headers: Readonly<Record<string, string>>;
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
    headers: Object.fromEntries(gateway.map(([name, { variable }]) => [name, `$${variable}`])),
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
  const commands = distinct.map((reply) => printCommand(printing, reply));
  const clearest = clearestReply(contradiction);
  const clearestIndex = clearest === undefined ? 0 : distinct.indexOf(clearest);
  const lastRepeatableIndex = commands.findLastIndex(({ isRepeatable }) => isRepeatable);
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
    curl: commands.map(({ line }) => line),
    // Prefer a request that the reader can repeat with its command.
    best: commands[clearestIndex]?.isRepeatable === false ? Math.max(0, lastRepeatableIndex) : clearestIndex,
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
  const keys = new Set(records.filter(isObject).map((record) => recordKeyOf(operation, record)));
  const recordIndex = items.findIndex((record) => keys.has(recordKeyOf(operation, record)));
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

/** An exchange without keys and personal fields, with its time after the first one of the run. */
export function printTimed(printing: Printing, reply: Reply, first: Reply = reply): TimedExchange {
  const [startedMs, durationMs] = [reply.startedMs - first.startedMs, reply.endedMs - reply.startedMs].map(Math.round);
  return { ...hideSecrets(printing, reply), startedMs: startedMs ?? 0, durationMs: durationMs ?? 0 };
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
  const { operation, values, raw, segments, headers, method } = reply.call;
  if (mask(reply).request.target !== reply.request.target) return undefined;
  const parts = withoutUndefined({ values, raw, segments, headers });
  const hidden = mapTexts(parts, clean);
  if (printJson(restoreKeys(hidden, secrets)) !== printJson(parts)) return undefined;
  const text = printJson(hidden);
  const variables = secrets.map(({ name }) => name).filter((name) => text.includes(`$${name}`));
  return { operation: operation.id, ...hidden, ...withoutUndefined({ method, key: reply.key }), variables };
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
 * A request as a command line, in which the shell fills in the keys. A comment in place of a request that the shell cannot restore: a text that holds a key in
 * another encoding, such as a cursor in base64.
 */
function printCommand(printing: Printing, { request }: Reply): { readonly line: string; readonly isRepeatable: boolean } {
  const { clean, url, secrets, headers, certificateFiles } = printing;
  const names = secrets.map(({ name }) => name);
  const { accept, ...otherHeaders } = request.headers;
  const sentHeaders = accept === 'application/json' ? otherHeaders : request.headers;
  const isRestored = (text: string): boolean => fillInKeys(clean(text), secrets) === text;
  const isRepeatable =
    request.target.split(/[?&]/).every((piece) => isRestored(piece) || isKeyPair(clean(piece), names)) &&
    Object.entries(sentHeaders).every(([name, value]) =>
      [value ?? []].flat().every((each) => isRestored(each) || passwordVariable(name, clean(each), names) !== undefined),
    );
  const target = clean(request.target);
  if (!isRepeatable)
    return { line: `# ${request.method} ${target} holds a key in another encoding, so no command line can repeat it`, isRepeatable };
  const [certFile, keyFile] = (certificateFiles ?? []).map((file) => quoteForShell(file));
  const certificate = certFile === undefined || keyFile === undefined ? [] : [`--cert ${certFile} --key ${keyFile}`];
  const shown = { method: request.method, target, headers: { ...mapHeaders(sentHeaders, (_, value) => clean(value)), ...headers } };
  const logins = secrets.filter(({ value }) => value.includes(':')).map(({ name }) => name);
  return { line: printCurl(clean(url), shown, names, certificate, logins), isRepeatable };
}

/** Puts the keys in place of their names, as a shell does. `write` encodes each key; a longer name may contain a shorter one, so it comes first. */
function fillInKeys(text: string, secrets: readonly Secret[], write = (value: string): string => value): string {
  const longestFirst = secrets.toSorted((left, right) => right.name.length - left.name.length);
  return longestFirst.reduce((filled, { name, value }) => filled.replaceAll(`$${name}`, () => write(value)), text);
}
