/** The addresses of servers, with whose paths the URLs of all operations begin. */

import { isObject, type JsonObject } from '../../../core/json.ts';

/** Limit of addresses of a server with variables. */
const addressesMax = 100;

/** Lists the addresses of a server, one for each listed value of its variables, spelled alike; none if its URL cannot be read. Relative ones begin with `file:`. */
export function listAddresses({ url, variables }: JsonObject, which: 'all' | 'default' = 'all'): readonly string[] {
  let urls = [String(url)];
  for (const [name, variable] of Object.entries(isObject(variables) ? variables : {})) {
    const { enum: listed, default: fallback } = isObject(variable) ? variable : {};
    const values = which === 'all' && Array.isArray(listed) && listed.length > 0 ? listed : [fallback];
    if (String(url).includes(`{${name}}`))
      urls = urls.flatMap((each) => values.map((value) => each.replaceAll(`{${name}}`, () => String(value)))).slice(0, addressesMax);
  }
  // Relative addresses begin at the place of the file.
  return urls.filter((each) => URL.canParse(each, 'file:///')).map((each) => new URL(each, 'file:///').href.replace(/\/$/, ''));
}

/** Lists the paths of a server, one for each of its addresses. */
export function listPaths(server: JsonObject): readonly string[] {
  return listAddresses(server).map(pathOf);
}

export function pathOf(address: string): string {
  return new URL(address).pathname.replace(/\/$/, '');
}

export function serversIn({ servers }: JsonObject): readonly JsonObject[] {
  return Array.isArray(servers) ? servers.filter(isObject) : [];
}

/** The path with which the URLs of all operations of a file begin; `undefined` if its servers have several. */
function basePathOf(root: JsonObject): string | undefined {
  const paths = new Set(serversIn(root).flatMap(listPaths));
  return paths.size > 1 ? undefined : [...paths].join('');
}

/** The base paths of two files. */
export interface MovedBase {
  readonly old: string;
  readonly new: string;
}

/** The base paths if a part of them moved into the paths, or from there: then more operations have the same URL than have the same path. */
export function findMovedBase(oldRoot: JsonObject, newRoot: JsonObject): MovedBase | undefined {
  const [old, next] = [basePathOf(oldRoot), basePathOf(newRoot)];
  if (old === undefined || next === undefined || old === next) return undefined;
  const [oldPaths, newPaths] = [oldRoot, newRoot].map(({ paths }) => Object.keys(isObject(paths) ? paths : {})) as [string[], string[]];
  const countSame = (before: string, after: string): number => {
    const urls = new Set(newPaths.map((path) => `${after}${path}`));
    return oldPaths.filter((path) => urls.has(`${before}${path}`)).length;
  };
  return countSame(old, next) > countSame('', '') ? { old, new: next } : undefined;
}
