/** Routes a request to its operation, by method and path template. The parameters are not read. */

import { splitTarget } from '../http/exchange.ts';
import { decodeOrKeep, encodePath } from '../parameters/query-string.ts';
import type { Operation } from './operation.ts';

/** Result of routing a request. `segments` has the raw text of each path parameter; `parameters` is the number of path parameters. */
export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly segments: ReadonlyMap<string, string>;
      readonly parameters: number;
    }
  | { readonly kind: 'method-not-allowed'; readonly allowed: readonly string[]; readonly parameters: number }
  | { readonly kind: 'no-path' };

/** Finds the operation of a request. HEAD is routed to GET (RFC 9110 §9.3.2). The path with the fewest parameters wins. */
export function routeTo(operations: readonly Operation[], method: string, target: string): Route {
  const { path } = splitTarget(target);
  const matches = operations.flatMap((operation) => {
    const segments = matchPath(operation.path, path);
    return segments === undefined ? [] : [{ operation, segments }];
  });
  const fewestParameters = Math.min(...matches.map(({ segments }) => segments.size));
  const candidates = matches.filter(({ segments }) => segments.size === fewestParameters);
  const methods = method === 'HEAD' ? ['HEAD', 'GET'] : [method];
  const match = methods.flatMap((candidate) => candidates.filter(({ operation }) => operation.method === candidate))[0];
  if (match !== undefined) return { kind: 'operation', ...match, parameters: fewestParameters };
  if (candidates.length === 0) return { kind: 'no-path' };
  return { kind: 'method-not-allowed', allowed: candidates.map(({ operation }) => operation.method), parameters: fewestParameters };
}

/** Lists the methods of the operations at the path of a request target; none if there is no such path. */
export function listMethods(operations: readonly Operation[], target: string): readonly string[] {
  // No operation has an empty method, so only the path decides.
  const route = routeTo(operations, '', target);
  return route.kind === 'method-not-allowed' ? route.allowed : [];
}

/** Returns the raw text of each template parameter; `undefined` if the path does not match the template. */
export function matchPath(template: string, path: string): ReadonlyMap<string, string> | undefined {
  const patterns = template.split('/');
  // One part more than expected is enough to see that there are too many.
  const segmentsOfPath = path.split('/', patterns.length + 1);
  if (patterns.length !== segmentsOfPath.length) return undefined;
  const segments = new Map<string, string>();
  for (const [index, pattern] of patterns.entries()) {
    if (!matchSegment(pattern, segmentsOfPath[index] ?? '', segments)) return undefined;
  }
  return segments;
}

/** Fills in a path template with encoded texts. What a URL cannot contain is encoded in the rest of it. */
export function fillPath(template: string, textOf: (name: string) => string): string {
  return template.replaceAll(/\{([^}]*)\}|[^{]+/g, (piece, name: string | undefined) =>
    name === undefined ? encodePath(piece) : textOf(name),
  );
}

function matchSegment(pattern: string, segment: string, segments: Map<string, string>): boolean {
  if (!pattern.includes('{')) return pattern === segment || pattern === decodeOrKeep(segment, false);
  const names = [...pattern.matchAll(/\{([^}]+)\}/g)].map((placeholder) => placeholder[1] ?? '');
  const source = pattern
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(.+?)');
  const match = new RegExp(`^${source}$`, 's').exec(segment);
  if (match === null) return false;
  for (const [index, name] of names.entries()) segments.set(name, match[index + 1] ?? '');
  return true;
}

/** Returns the longest common prefix of all paths without parameters, such as `/api/v1`. */
export function commonPath(operations: readonly Operation[]): string {
  const [firstFolder = [], ...otherFolders] = operations.map(({ path }) => path.split('/').slice(0, -1));
  const end = firstFolder.findIndex((part, index) => part.includes('{') || otherFolders.some((other) => other[index] !== part));
  return (end < 0 ? firstFolder : firstFolder.slice(0, end)).join('/');
}
