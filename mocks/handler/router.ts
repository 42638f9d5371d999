/** The operation that a request of an API leads to, and the methods of its path. */

import { type HttpRequest, splitTarget } from '../../core/http/exchange.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { listMethods, type Operation, type Route, routeTo } from '../../core/openapi/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import { RecentCache } from '../data/history/recent-cache.ts';

/** Number of cached routes, and the longest method and path together. */
const [placesMost, longestPlace] = [1000, 500] as const;

/** Finds routes, and remembers them. A path leads to the same operation as it is and below the address of a server that the file names. */
export class Router {
  private readonly operations: readonly Operation[];
  private readonly bases: readonly string[];
  /** The request that was routed last: several steps ask for it, one right after the other. */
  private latest: { readonly request: HttpRequest; readonly route: Route } | undefined;
  /** By method and path: the query leads nowhere else. */
  private readonly places = new RecentCache<string, Route>(placesMost);

  constructor(contract: Contract) {
    this.operations = contract.operations;
    this.bases = basesOf(contract);
  }

  route(request: HttpRequest): Route {
    if (this.latest?.request === request) return this.latest.route;
    const { path } = splitTarget(request.target);
    const place = `${request.method} ${path}`;
    const remembered = this.places.get(place);
    const route = remembered ?? this.find(request.method, path);
    this.latest = { request, route };
    if (remembered === undefined && place.length <= longestPlace) this.places.set(place, route);
    return route;
  }

  /** The request as the file would write it: without the address of the server. */
  within(request: HttpRequest): HttpRequest {
    if (this.bases.length === 0) return request;
    const { path } = splitTarget(request.target);
    const inside = this.pathsOf(path).find((each) => routeTo(this.operations, request.method, each).kind !== 'no-path') ?? path;
    return inside === path ? request : { ...request, target: `${inside}${request.target.slice(path.length)}` };
  }

  /** The methods that the path of a request answers; none when it is no path of the API. */
  methodsAt({ target }: HttpRequest): readonly string[] {
    const methods = this.pathsOf(splitTarget(target).path).map((path) => listMethods(this.operations, path));
    return methods.find(({ length }) => length > 0) ?? [];
  }

  private find(method: string, path: string): Route {
    const routes = this.pathsOf(path).map((each) => routeTo(this.operations, method, each));
    return routes.find(({ kind }) => kind !== 'no-path') ?? { kind: 'no-path' };
  }

  private pathsOf(path: string): readonly string[] {
    return [path, ...this.bases.flatMap((base) => (path.startsWith(`${base}/`) ? [path.slice(base.length)] : []))];
  }
}

/** The paths of the servers that a file names, with the defaults of their variables (OpenAPI 3.1 §4.8.5). */
function basesOf({ document }: Contract): readonly string[] {
  const { servers } = document.root;
  const urls = (Array.isArray(servers) ? (servers as readonly Json[]) : []).flatMap((server) => {
    if (!isObject(server) || typeof server['url'] !== 'string') return [];
    return [server['url'].replaceAll(/\{([^}]+)\}/g, (_, name: string) => String(valueAt(server, `/variables/${name}/default`) ?? ''))];
  });
  const paths = urls.filter((url) => URL.canParse(url, 'http://localhost')).map((url) => new URL(url, 'http://localhost').pathname);
  return [...new Set(paths.map((path) => path.replace(/\/+$/, '')))].filter((path) => path !== '');
}
