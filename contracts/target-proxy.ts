/** Which proxy stands between this machine and a URL, by the variables that command lines agree on. */

import { UsageError } from '../core/errors.ts';
import { hostOf, portOf } from './target-url.ts';

/** A proxy. */
export interface ProxyServer {
  /** Without user and password. */
  readonly url: URL;
  /** As it may be printed. */
  readonly name: string;
  /** The field `Proxy-Authorization`, when the proxy wants one. */
  readonly authorization: string | undefined;
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL: `HTTP_PROXY` or `HTTPS_PROXY` by its scheme, else `ALL_PROXY`, unless `NO_PROXY` lists its host. The names may be in any case.
 * @throws {UsageError} when the variable holds no URL of an HTTP proxy.
 */
export function chooseProxy(url: URL, environment: Environment): ProxyServer | undefined {
  const names = [`${url.protocol.slice(0, -1)}_proxy`, 'all_proxy'];
  const name = names.find((each) => variable(environment, each) !== '');
  if (name === undefined || isExcepted(url, variable(environment, 'no_proxy'))) return undefined;
  return readProxy(name, variable(environment, name));
}

/** A variable in any case; the lower-case name is the older custom and goes first. */
function variable(environment: Environment, name: string): string {
  const spellings = [name, name.toUpperCase(), ...Object.keys(environment).filter((each) => each.toLowerCase() === name)];
  return spellings.map((each) => (environment[each] ?? '').trim()).find((value) => value !== '') ?? '';
}

/** The value is never printed: it may hold a password. */
function readProxy(name: string, value: string): ProxyServer {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const wrong = `the variable ${name.toUpperCase()} does not hold the URL of an HTTP proxy; write http://HOST:PORT, unset it, or list the host in NO_PROXY`;
  if (!URL.canParse(text)) throw new UsageError(wrong);
  const url = new URL(text);
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') throw new UsageError(wrong);
  const authorization = url.username === '' && url.password === '' ? undefined : basic(url, wrong);
  return { url: new URL(`${url.protocol}//${url.host}`), name: `${url.protocol}//${url.host}`, authorization };
}

function basic(url: URL, wrong: string): string {
  try {
    return `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`;
  } catch (cause) {
    throw new UsageError(`${wrong}; a % in its user or password is written %25`, { cause });
  }
}

/** Whether a list of exceptions names the host: by its name, a domain above it, an address or a range of addresses, each with a port or without. */
function isExcepted(url: URL, exceptions: string): boolean {
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .some((exception) => exception === '*' || isNamed(url, exception));
}

function isNamed(url: URL, exception: string): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  const { name, port } = splitPort(exception);
  if (port !== undefined && port !== portOf(url)) return false;
  if (name.includes('/')) return isInRange(host, name);
  const address = parseAddress(name);
  if (address !== undefined) return parseAddress(host)?.bits === address.bits;
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** An IPv6 address has colons of its own, so its port stands only behind brackets. */
function splitPort(exception: string): { readonly name: string; readonly port: number | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(exception);
  const plain = /^([^:]*):(\d+)$/.exec(exception);
  const [, name = exception, port] = bracketed ?? plain ?? [];
  return { name, port: port === undefined ? undefined : Number(port) };
}

function isInRange(host: string, range: string): boolean {
  const [start = '', length = ''] = range.split('/');
  const [address, first] = [parseAddress(host), parseAddress(start)];
  if (address === undefined || first === undefined || address.size !== first.size || !/^\d+$/.test(length)) return false;
  const rest = BigInt(Math.max(0, first.size - Number(length)));
  return address.bits >> rest === first.bits >> rest;
}

/** An IP address as a number of 32 or 128 bits. */
interface Address {
  readonly bits: bigint;
  readonly size: 32 | 128;
}

function parseAddress(text: string): Address | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return { bits: join(text.split('.').map(Number), 8n), size: 32 };
  // The URL parser knows every spelling of an IPv6 address and gives the shortest one.
  if (!text.includes(':') || !URL.canParse(`http://[${text}]`)) return undefined;
  const [left = '', right] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const [head, tail] = [groups(left), groups(right ?? '')];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return { bits: join([...head, ...zeros, ...tail], 16n), size: 128 };
}

function groups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function join(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((bits, part) => (bits << width) | BigInt(part), 0n);
}
