/** The request of an interaction: what was asked, with a placeholder for its key and generators for what a fact puts into it. */

import { headerOf, splitTarget } from '../../core/exchange.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Credential } from '../../core/operation.ts';
import { type RequestReading, readRequest } from '../../core/request.ts';
import { decodeOrKeep, splitQuery } from '../../core/style.ts';
import { keyIn } from '../caller.ts';
import type { Circumstances } from './circumstances.ts';
import { shapeOf } from './personal-example.ts';
import type { Sighting } from './sighting.ts';

/** What stands in place of every key. */
const placeholder = 'your-key';

const conditionalHeader = 'If-None-Match';

/** Writes the request of an exchange. `personal` names the parameters whose values are not written down. */
export function writeRequest(sighting: Sighting, { injected }: Circumstances, personal: ReadonlySet<string>): JsonObject {
  const writer = new RequestWriter(sighting, injected, personal);
  return writer.write();
}

/**
 * Whether a pact can say what was asked: it holds decoded texts, and means the same when they are encoded again. What is broken in a way that only
 * the wire shows cannot be said.
 */
export function isSayable(sighting: Sighting): boolean {
  const { operation, reading, segments } = sighting.open;
  const query = new RequestWriter(sighting, new Map(), new Set()).query();
  const pairs = [...query].flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`));
  const target = `${splitTarget(sighting.request.target).path}?${pairs.join('&')}`;
  return meaningOf(readRequest(operation, { ...sighting.request, target }, segments)) === meaningOf(reading);
}

/** A header with its name as the contract spells it. */
type Header = readonly [string, string];

class RequestWriter {
  private readonly sighting: Sighting;
  private readonly injected: ReadonlyMap<string, string>;
  private readonly personal: ReadonlySet<string>;

  constructor(sighting: Sighting, injected: ReadonlyMap<string, string>, personal: ReadonlySet<string>) {
    this.sighting = sighting;
    this.injected = injected;
    this.personal = personal;
  }

  write(): JsonObject {
    const { operation } = this.sighting.open;
    const query = this.query();
    const headers = this.headers();
    const path = this.path((name, raw) => (this.personal.has(name) ? shapeOf(raw) : raw));
    const generators = this.generators([...query.keys()], headers);
    return {
      method: operation.method,
      path,
      ...(query.size === 0 ? {} : { query: Object.fromEntries(query) }),
      ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers.map(([name, value]) => [name, [value]])) }),
      ...(Object.keys(generators).length === 0 ? {} : { generators, matchingRules: rulesFor(generators) }),
    };
  }

  private path(write: (name: string, raw: string) => string): string {
    const { operation, segments } = this.sighting.open;
    return operation.path.replaceAll(/\{([^}]+)\}/g, (all, name: string) => {
      const raw = segments.get(name);
      return raw === undefined ? all : write(name, raw);
    });
  }

  /** What the operation knows of the query, in the order of names; what it does not know is ignored and left out. */
  query(): ReadonlyMap<string, readonly string[]> {
    const { open, request } = this.sighting;
    const carriers = this.credentials().flatMap(({ carrier }) => (carrier.in === 'query' ? [carrier.name] : []));
    const undeclared = new Set(open.reading.problems.flatMap((problem) => (problem.class === 'undeclared' ? problem.parameters : [])));
    const found = new Map<string, string[]>();
    for (const [name, raw] of splitQuery(splitTarget(request.target).query)) {
      const isKey = open.operation.security.flat().some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
      if (undeclared.has(name) || (isKey && !carriers.includes(name))) continue;
      const value = isKey ? placeholder : this.personal.has(name) ? shapeOf(decodeOrKeep(raw)) : decodeOrKeep(raw);
      found.set(name, [...(found.get(name) ?? []), value]);
    }
    return new Map([...found].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }

  private headers(): readonly Header[] {
    const { open, request, response, isConditional } = this.sighting;
    const declared = open.operation.parameters.filter(
      (parameter) => parameter.in === 'header' && parameter.name.toLowerCase() !== 'if-none-match',
    );
    const sent = declared.flatMap(({ name }): readonly Header[] => {
      const value = headerOf(request.headers, name);
      return value === undefined ? [] : [[name, this.personal.has(name) ? shapeOf(value) : value]];
    });
    const tag = response.status === 304 ? headerOf(response.headers, 'etag') : undefined;
    const condition: readonly Header[] = isConditional
      ? [[conditionalHeader, tag ?? headerOf(request.headers, conditionalHeader) ?? '']]
      : [];
    return [...this.credentials().flatMap(keyHeader), ...this.cookies(), ...sent, ...condition].toSorted(([left], [right]) =>
      left < right ? -1 : 1,
    );
  }

  /** Cookies travel in one header: those of keys, and those of parameters. */
  private cookies(): readonly Header[] {
    const { open, request } = this.sighting;
    const keys = this.credentials().flatMap(({ carrier }) => (carrier.in === 'cookie' ? [`${carrier.name}=${placeholder}`] : []));
    const sent = (headerOf(request.headers, 'cookie') ?? '').split(/;\s*/);
    const declared = open.operation.parameters.filter((parameter) => parameter.in === 'cookie').map(({ name }) => name);
    const others = declared.flatMap((name) => sent.filter((pair) => pair.startsWith(`${name}=`)));
    const all = [...keys, ...others];
    return all.length === 0 ? [] : [['Cookie', all.join('; ')]];
  }

  /** The first way of showing a key that the request took; none when the key is missing or not needed. */
  private credentials(): readonly Credential[] {
    const { open, request, key } = this.sighting;
    if (key === 'not-needed' || key === 'missing') return [];
    return open.operation.security.find((alternative) => alternative.every((each) => keyIn(request, each) !== undefined)) ?? [];
  }

  private generators(query: readonly string[], headers: readonly Header[]): JsonObject {
    const { operation, segments } = this.sighting.open;
    const inQuery = query.flatMap((name) => this.generator(name));
    const inHeaders = headers.flatMap(([name]) => this.generator(name));
    const isInPath = operation.parameters.some(({ in: place, name }) => place === 'path' && segments.has(name) && this.injected.has(name));
    const expression = this.path((name, raw) => (this.injected.has(name) ? `\${${this.injected.get(name) ?? ''}}` : raw));
    return {
      ...(inHeaders.length === 0 ? {} : { header: Object.fromEntries(inHeaders) }),
      ...(isInPath ? { path: { type: 'ProviderState', expression } } : {}),
      ...(inQuery.length === 0 ? {} : { query: Object.fromEntries(inQuery) }),
    };
  }

  private generator(name: string): readonly (readonly [string, JsonObject])[] {
    const field = this.injected.get(name);
    return field === undefined ? [] : [[name, { type: 'ProviderState', expression: `\${${field}}` }]];
  }
}

function keyHeader({ carrier }: Credential): readonly Header[] {
  if (carrier.in === 'header') return [[carrier.name, placeholder]];
  if (carrier.in !== 'authorization') return [];
  const value = carrier.word === 'Basic' ? Buffer.from(`:${placeholder}`).toString('base64') : placeholder;
  return [['Authorization', `${carrier.word} ${value}`]];
}

/** Commas part the members of lists. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',');
}

function meaningOf({ values, problems }: RequestReading): string {
  const wrong = problems.filter((problem) => problem.class !== 'undeclared').map((problem) => [problem.class, problem.parameters]);
  return JSON.stringify([[...values], wrong]);
}

/** What is filled in may have any value, as Pact writes it down itself. */
function rulesFor(generators: JsonObject): JsonObject {
  const rule = { combine: 'AND', matchers: [{ match: 'type' }] };
  const rulesOf = (part: Json): Json => Object.fromEntries(Object.keys(part as JsonObject).map((name) => [name, rule]));
  return Object.fromEntries(Object.entries(generators).map(([part, value]) => [part, part === 'path' ? rule : rulesOf(value)]));
}
