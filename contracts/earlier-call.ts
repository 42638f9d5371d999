/** Requests of an earlier report as calls: who asked is told by the name that stands in place of the key. */

import type { Contract } from '../core/contract.ts';
import { type HttpRequest, headerOf, splitTarget } from '../core/exchange.ts';
import { routeTo } from '../core/operation.ts';
import type { Secret } from '../core/redaction.ts';
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
  const { operation, segments } = route;
  const secrets = [...secretsOf(keys), ...variantSecrets(keys)].toSorted((left, right) => right.name.length - left.name.length);
  const { query } = splitTarget(request.target);
  const asked = { raw: query === '' ? [] : query.split('&'), headers: textHeaders(request) };
  const key = findKey({ operation }, keys, asked, secrets);
  const isKey = ([name, value]: readonly [string, string]): boolean => key?.headers[name] === value;
  const headers = Object.fromEntries(
    Object.entries(asked.headers)
      .filter((field) => !isKey(field))
      .map(([name, value]) => [name, fillIn(value, secrets)]),
  );
  const raw = asked.raw.filter((piece) => !(key?.query ?? []).includes(piece)).map((piece) => fillIn(piece, secrets));
  const unknown = Object.values(headers).find((value) => /^(\w+ )?\$[A-Za-z_(]/.test(value));
  if (unknown !== undefined) return { reason: `it was sent with ${unknown}, and no --key or --header names that variable` };
  const filled = Object.fromEntries([...segments].map(([name, value]) => [name, fillIn(value, secrets)]));
  // The cursor is of another day, so any refusal of it will do.
  const isDamaged = operation.collection?.page.style === 'cursor' && raw.some((piece) => piece.startsWith(`${cursorOf(operation)}=`));
  const who = key === undefined ? { as: nobody } : { as: key.role, carrier: key.carrier };
  return { call: { operation, raw, segments: filled, headers, isDamaged, ...who } };
}

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
  const hide = (text: string): string => secrets.reduce((hidden, { name, value }) => hidden.replaceAll(value, `$${name}`), text);
  for (const role of keys.keys()) {
    for (const carrier of operation.security.keys()) {
      const { headers, target } = toRequest({ operation, as: role, carrier }, keys);
      const own = Object.entries(textHeaders({ headers })).filter(([name]) => name !== 'accept');
      const hidden = Object.fromEntries(own.map(([name, value]) => [name, hide(value)]));
      const { query } = splitTarget(target);
      const pieces = query === '' ? [] : [hide(query)];
      const isSame = Object.entries(hidden).every(([name, value]) => asked.headers[name] === value);
      if (own.length + pieces.length > 0 && isSame && pieces.every((piece) => asked.raw.includes(piece)))
        return { role, carrier, headers: hidden, query: pieces };
    }
  }
  return undefined;
}

function textHeaders({ headers }: Pick<HttpRequest, 'headers'>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, headerOf(headers, name) ?? '']));
}

function fillIn(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((filled, { name, value }) => filled.replaceAll(`$${name}`, () => value), text);
}

function cursorOf({ collection }: Call['operation']): string {
  return collection?.page.style === 'cursor' ? collection.page.cursor : '';
}
