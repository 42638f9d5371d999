/** Compares servers by their addresses, one for each listed value of their variables (OpenAPI 3.1 §4.8.5 and §4.8.6). */

import type { Json, JsonObject } from '../../../core/json.ts';
import { type ComparedPart, type ObjectPair, reportDifference } from '../comparison-context.ts';
import { type ChangeVerb, listNames } from '../describe-value-change.ts';
import type { Difference } from '../difference.ts';
import { listAddresses, listPaths, pathOf, serversIn } from './server-paths.ts';

/** The servers of both sides, and what their changes have in common. */
interface ComparedServers {
  readonly old: readonly JsonObject[];
  readonly new: readonly JsonObject[];
  /** True if a part of the addresses moved into the paths, or from there. */
  readonly isMoved: boolean;
  readonly report: (verb: ChangeVerb, text: string, before: Json | undefined, after: Json | undefined, rating: RatedServer) => void;
}

type RatedServer = Pick<Difference, 'level'> & Partial<Difference>;

/** Reports removed and added servers of a file or of an operation. One of each is a changed address, which is breaking if no server keeps an old path. */
export function compareServers(part: ComparedPart, idPrefix: 'contract' | 'operation', holders: ObjectPair): void {
  const servers: ComparedServers = {
    old: serversIn(holders.old),
    new: serversIn(holders.new),
    isMoved: part.context.movedBase !== undefined,
    report: (verb, text, before, after, rating) =>
      reportDifference(part, {
        id: `${idPrefix}/server-${verb}`,
        before: { value: before, place: part.context.document.place(holders.old, 'servers') },
        after: { value: after, place: part.context.document.place(holders.new, 'servers') },
        changedItem: text,
        edit: text,
        text,
        ...rating,
      }),
  };
  if (isDefault(servers.old) && isDefault(servers.new)) return;
  const kept = urlsOf(servers.old).filter((url) => urlsOf(servers.new).includes(url));
  for (const url of kept) compareVariables(servers, url);
  compareUrls(servers, kept);
}

/** True for no servers, and for the only one that they stand for: `/` (OpenAPI 3.1 §4.8.1). */
function isDefault(servers: readonly JsonObject[]): boolean {
  return servers.length < 2 && servers.every(({ url }) => url === '/');
}

function urlsOf(servers: readonly JsonObject[]): readonly string[] {
  return [...new Set(servers.map(({ url }) => String(url)))];
}

/** Compares servers with the same URL, whose variables may have other values. */
function compareVariables({ old, new: next, isMoved, report }: ComparedServers, url: string): void {
  const [before, after] = [old, next].map((servers) => servers.filter((each) => String(each['url']) === url)) as [
    JsonObject[],
    JsonObject[],
  ];
  const [lost, gained] = [addressesBeyond(before, next), addressesBeyond(after, old)];
  const [was, is] = [before, after].map((servers) => servers.flatMap((each) => listAddresses(each, 'default')).join(' and ')) as [
    string,
    string,
  ];
  if (lost.length + gained.length > 0) {
    const isPathLost = !isMoved && lost.some((address) => !next.flatMap(listPaths).includes(pathOf(address)));
    report('changed', describeAddresses(url, lost, gained), lost, gained, rateServer(lost[0], isPathLost));
  } else if (was !== is) report('changed', `the server ${url} is ${is} by default, no longer ${was}`, was, is, rateServer(was, false));
}

function describeAddresses(url: string, lost: readonly string[], gained: readonly string[]): string {
  if (lost.length === 0) return `the server ${url} can now be ${listNames(gained, 'or')} too`;
  if (gained.length === 0) return `the server ${url} can no longer be ${listNames(lost, 'or')}`;
  return `the server ${url} is now ${listNames(gained, 'or')} instead of ${listNames(lost, 'or')}`;
}

function addressesBeyond(servers: readonly JsonObject[], others: readonly JsonObject[]): readonly string[] {
  const known = new Set(others.flatMap((each) => listAddresses(each)));
  return servers.flatMap((each) => listAddresses(each)).filter((address) => !known.has(address));
}

/** Compares the servers whose URLs are written in one contract only. */
function compareUrls({ old, new: next, isMoved, report }: ComparedServers, kept: readonly string[]): void {
  const [oldPaths, newPaths] = [old.flatMap(listPaths), next.flatMap(listPaths)];
  const hasOtherPaths = !isMoved && newPaths.length > 0 && !oldPaths.some((path) => newPaths.includes(path));
  const urlsBeyond = (servers: readonly JsonObject[], others: readonly JsonObject[]): readonly string[] =>
    urlsOf(servers.filter((each) => listAddresses(each).length === 0 || addressesBeyond([each], others).length > 0)).filter(
      (url) => !kept.includes(url),
    );
  const [gone, added] = [urlsBeyond(old, next), urlsBeyond(next, old)];
  const [[from], [to]] = [gone, added];
  if (from !== undefined && to !== undefined && gone.length + added.length === 2) {
    const rating = isMoved && hostOf(from) === hostOf(to) ? sameUrls : rateServer(from, hasOtherPaths);
    report('changed', `the server ${from} is now ${to}`, from, to, rating);
    return;
  }
  for (const url of gone) report('removed', `the server ${url} was removed`, url, undefined, rateServer(url, hasOtherPaths));
  for (const url of added) report('added', `the server ${url} was added`, undefined, url, rateServer(undefined, hasOtherPaths));
}

const sameUrls: RatedServer = {
  level: 'compatible',
  reason: 'The paths gained what the server URL lost, or the other way round, so clients call the same URLs.',
};

/** Level and reason of a changed server; of an added one, the default reason. */
function rateServer(before: string | undefined, hasOtherPaths: boolean): RatedServer {
  if (before === undefined) return { level: 'compatible' };
  return hasOtherPaths
    ? { level: 'breaking', reason: 'A deployed client whose base URL has the old path fails: no server has that path any longer.' }
    : { level: 'risky', reason: 'Clients that are deployed with this address may no longer reach the server.' };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
