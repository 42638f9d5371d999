/** Requests of an earlier report as calls: who asked is told by the name that stands in place of the key. */

import type { Contract } from '../core/contract.ts';
import { type HttpRequest, headerOf, splitTarget } from '../core/exchange.ts';
import { routeTo } from '../core/operation.ts';
import { createRedactor, type Secret } from '../core/redaction.ts';
import { type Call, nobody, toRequest } from './call.ts';
import { variantSecrets } from './key-variant.ts';
import { type Keyring, secretsOf } from './keyring.ts';

/** A request as a call, or why it is none. */
export type EarlierCall = { readonly call: Call } | { readonly reason: string };

/** Reads a request of a report: a path of the contract, with keys that are given now. */
export function toEarlierCall(contract: Contract, keys: Keyring, request: HttpRequest): EarlierCall {
  const route = routeTo(contract.operations, request.method, request.target);
  if (route.kind !== 'operation' || route.operation.method !== request.method)
    return { reason: `${contract.name} has no operation ${request.method} ${splitTarget(request.target).path}` };
  const hidden = [request.target, ...Object.values(textHeaders(request))].find((text) => placeholder.test(text));
  if (hidden !== undefined)
    return { reason: `the report hides what it was sent with: ${hidden}; verify --show-personal leaves personal values in` };
  const { operation, segments } = route;
  const secrets = [...secretsOf(keys), ...variantSecrets(keys)].toSorted((left, right) => right.name.length - left.name.length);
  const { query } = splitTarget(request.target);
  const asked = { raw: piecesOf(query), headers: textHeaders(request) };
  const key = findKey({ operation }, keys, asked, secrets);
  const isKey = ([name, value]: readonly [string, string]): boolean => key?.headers[name] === plainBasic(value);
  const own = Object.entries(asked.headers).filter((field) => !isKey(field));
  const pieces = asked.raw.filter((piece) => !(key?.query ?? []).includes(piece));
  const unknown = findUnknown(operation, own, pieces, secrets);
  if (unknown !== undefined) return { reason: `it was sent with ${unknown}, and no --key or --header names that variable` };
  const headers = Object.fromEntries(own.map(([name, value]) => [name, fillIn(value, secrets)]));
  // What stands in a query or a path is percent-encoded there, a key that is filled in as well.
  const raw = pieces.map((piece) => fillIn(piece, secrets, encodeURIComponent));
  const filled = Object.fromEntries([...segments].map(([name, value]) => [name, fillIn(value, secrets, encodeURIComponent)]));
  // The cursor is of another day, so any refusal of it will do.
  const isDamaged = operation.collection?.page.style === 'cursor' && raw.some((piece) => piece.startsWith(`${cursorOf(operation)}=`));
  const who = key === undefined ? { as: nobody } : { as: key.role, carrier: key.carrier };
  return { call: { operation, raw, segments: filled, headers, isDamaged, ...who } };
}

/** What stands in a report in place of a personal value, or of a secret that no name may stand for. */
const placeholder = /‹\w+›/;

interface FoundKey {
  readonly role: string;
  readonly carrier: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly string[];
}

/** The role and the carrier whose key, hidden as in reports, is what the request had. */
function findKey(
  { operation }: Call,
  keys: Keyring,
  asked: { readonly raw: readonly string[]; readonly headers: Readonly<Record<string, string>> },
  secrets: readonly Secret[],
): FoundKey | undefined {
  const { clean } = createRedactor(secrets);
  for (const role of keys.keys()) {
    for (const carrier of operation.security.keys()) {
      const { headers, target } = toRequest({ operation, as: role, carrier }, keys);
      const own = Object.entries(textHeaders({ headers })).filter(([name]) => name !== 'accept');
      const hidden = Object.fromEntries(own.map(([name, value]) => [name, plainBasic(clean(value))]));
      const pieces = piecesOf(clean(splitTarget(target).query));
      const isSame = Object.entries(hidden).every(([name, value]) => plainBasic(asked.headers[name] ?? '') === value);
      if (own.length + pieces.length > 0 && isSame && pieces.every((piece) => asked.raw.includes(piece)))
        return { role, carrier, headers: hidden, query: pieces };
    }
  }
  return undefined;
}

/** What surrounds a hidden password in base64 depends on its length: it is left out, so that a key of another length is still the same key. */
function plainBasic(value: string): string {
  return value.replace(/^Basic [A-Za-z0-9+/]*(\$\w+)=*$/i, 'Basic $1');
}

/** What was hidden and is not known now: in a header, where it begins a value, or in place of a key in the query. */
function findUnknown(
  { security }: Call['operation'],
  headers: readonly (readonly [string, string])[],
  pieces: readonly string[],
  secrets: readonly Secret[],
): string | undefined {
  const carriers = security.flat().flatMap(({ carrier }) => (carrier.in === 'query' ? [encodeURIComponent(carrier.name)] : []));
  const isHidden = (value: string): boolean => /^(?:\w+ )?\$[A-Za-z_(]|^Basic \S*\$/i.test(fillIn(value, secrets, () => ''));
  const isHiddenPair = (pair: string): boolean => isHidden(pair.slice(pair.indexOf('=') + 1));
  const header = headers.find(([name, value]) => isHidden(value) || (name === 'cookie' && value.split('; ').some(isHiddenPair)));
  return header?.[1] ?? pieces.find((piece) => carriers.includes(piece.split('=')[0] ?? '') && isHiddenPair(piece));
}

function piecesOf(query: string): readonly string[] {
  return query === '' ? [] : query.split('&');
}

function textHeaders({ headers }: Pick<HttpRequest, 'headers'>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, headerOf(headers, name) ?? '']));
}

function fillIn(text: string, secrets: readonly Secret[], write = (value: string): string => value): string {
  return secrets.reduce((filled, { name, value }) => filled.replaceAll(`$${name}`, () => write(value)), text);
}

function cursorOf({ collection }: Call['operation']): string {
  return collection?.page.style === 'cursor' ? collection.page.cursor : '';
}
