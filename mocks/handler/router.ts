/** Finds the operation of a request to one API, the methods of its path, and a similar path for an unknown one. Reads no parameters. */

import { nearest } from '../../core/did-you-mean.ts';
import { formatLocation } from '../../core/errors.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { operationLabel } from '../../core/openapi/mending/set-aside.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { listMethods, matchPath, type Route, routeTo } from '../../core/openapi/route-request.ts';
import { chooseOperation } from './prism/choose-operation.ts';

/** Maximum number of paths that an unknown path is compared with, and its maximum length, since comparing them takes a while. */
const [comparedMost, comparedLengthMost] = [50, 200] as const;

/** The route of a request. */
export interface Routed {
  readonly route: Route;
  /** The path without that of a server. */
  readonly path: string;
  /** What is set aside of the operation, as sentences. The operation itself may be set aside, so that the request has no route. */
  readonly setAside: readonly string[];
}

/** Finds routes. The path of a request may begin with the path of a server of the contract, or not. */
export class Router {
  private readonly operations: readonly Operation[];
  private readonly operationsByLength: ReadonlyMap<number, readonly Operation[]>;
  private readonly bases: readonly string[];
  /** What is set aside in the contract, as sentences, by the label of each operation that it concerns. */
  private readonly setAside: ReadonlyMap<string, readonly string[]>;

  constructor(contract: Contract) {
    this.operations = contract.operations;
    this.operationsByLength = groupByLength(contract.operations);
    this.bases = basesOf(contract);
    this.setAside = groupSetAside(contract);
  }

  /** Routes a method and a path. */
  find(method: string, sentPath: string): Routed {
    const paths = this.pathsOf(sentPath);
    const routes = paths.map((path) => ({ path, route: this.routeThroughPrism(method, path) }));
    const found = routes.find(({ route }) => route.kind !== 'no-path') ?? { path: sentPath, route: { kind: 'no-path' } };
    return { ...found, setAside: this.setAside.size === 0 ? [] : this.setAsideOf(method, paths, found.route) };
  }

  /** Methods of a path; empty if the API does not have the path. */
  methodsAt(sentPath: string): readonly string[] {
    const methodsByPath = this.pathsOf(sentPath).map((path) => listMethods(this.operations, path));
    return methodsByPath.find((methods) => methods.length > 0) ?? [];
  }

  private setAsideOf(method: string, paths: readonly string[], route: Route): readonly string[] {
    if (route.kind === 'operation') return this.setAside.get(operationLabel(route.operation.method, route.operation.path)) ?? [];
    return [...this.setAside].flatMap(([label, sentences]) => {
      const [labelMethod, template = ''] = label.split(' ', 2);
      return labelMethod === method && paths.some((path) => matchPath(template, path) !== undefined) ? sentences : [];
    });
  }

  /** The path template that an unknown path probably means: a similar one, or one that it is a part of. */
  nearestPath(sentPath: string): string | undefined {
    const path = sentPath.length > comparedLengthMost ? '' : sentPath.replace(/\/+$/, '');
    if (path === '') return undefined;
    const segments = path.split('/');
    const templates = [...new Set(this.operations.map((operation) => operation.path))]
      .map((template) => ({ template, ends: equalEnds(template, path) }))
      .sort((left, right) => right.ends - left.ends)
      .slice(0, comparedMost)
      .map(({ template }) => template);
    const templateByPath = new Map(templates.map((template) => [filledFrom(segments, template), template]));
    const paths = [...templateByPath.keys()];
    const nearestPath = nearest(path, paths) ?? paths.find((longerPath) => longerPath.startsWith(`${path}/`) || longerPath.endsWith(path));
    return nearestPath === undefined ? undefined : templateByPath.get(nearestPath);
  }

  /** Prism chooses among the operations with as many segments: it compares all that it gets, which takes 5 ms for a thousand. */
  private routeThroughPrism(method: string, path: string): Route {
    let candidates = this.operationsByLength.get(path.split('/').length) ?? [];
    for (;;) {
      const chosen = chooseOperation(candidates, method, path);
      if (chosen === 'no-path') return { kind: 'no-path' };
      // Prism has no HEAD beside GET (RFC 9110 §9.3.2).
      if (chosen === 'wrong-method') return method === 'HEAD' ? this.routeThroughPrism('GET', path) : routeTo(candidates, '', path);
      const route = routeTo([chosen], method, path);
      if (route.kind === 'operation') return route;
      // Prism takes a part of a segment for the whole (`/a:{verb}` for `/xa:run`).
      candidates = candidates.filter((each) => each !== chosen);
    }
  }

  /** A path, and the same path without the path of each server that it begins with. */
  private pathsOf(path: string): readonly string[] {
    return [path, ...this.bases.flatMap((base) => (path.startsWith(`${base}/`) ? [path.slice(base.length)] : []))];
  }
}

/** Operations by the number of segments of their paths. */
function groupByLength(operations: readonly Operation[]): ReadonlyMap<number, readonly Operation[]> {
  const groups = new Map<number, Operation[]>();
  for (const operation of operations) getOrCompute(groups, operation.path.split('/').length, () => []).push(operation);
  return groups;
}

function groupSetAside({ setAside }: Contract): ReadonlyMap<string, readonly string[]> {
  const sentences = new Map<string, string[]>();
  for (const { place, message, operations } of setAside) {
    const sentence = `skipped in the contract: ${formatLocation(place)}: ${message}`;
    for (const label of operations) getOrCompute(sentences, label, () => []).push(sentence);
  }
  return sentences;
}

/** Number of characters that two texts share at their beginnings and at their ends. */
function equalEnds(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let start = 0;
  while (start < length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < length - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return start + end;
}

/** A path template with the segments of a request in place of its parameters. */
function filledFrom(segments: readonly string[], template: string): string {
  return template
    .split('/')
    .map((part, index) => (part.includes('{') ? (segments[index] ?? part) : part))
    .join('/');
}

/** The paths of the servers of a contract, the longest first. */
function basesOf({ operations }: Contract): readonly string[] {
  const urls = new Set(operations.flatMap(({ servers }) => servers));
  const paths = [...urls].flatMap((url) =>
    URL.canParse(url, 'http://localhost') ? [new URL(url, 'http://localhost').pathname.replace(/\/+$/, '')] : [],
  );
  return [...new Set(paths)].filter((path) => path !== '').sort((left, right) => right.length - left.length);
}
