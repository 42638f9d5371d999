/**
 * Finds the consumers that a change affects: those with interactions that the old contract guaranteed and the new one does not. It relies on an earlier check
 * of their pacts, and checks none itself.
 */

import { fromPointer } from '../../core/pointer.ts';
import type { AffectedConsumer } from '../../core/results/diff-result.ts';
import type { CheckedInteraction, PactCheck, PactFinding } from '../../core/results/pact-check-result.ts';
import type { Difference } from './difference.ts';
import type { Finding } from './fold-consequences.ts';

/** The consumers of a check, each with the interactions that a change breaks. */
type Consumers = readonly AffectedConsumer[];

/** All consumers, with every interaction that the new contract breaks. */
export function listConsumers(check: PactCheck): Consumers {
  return consumersOf(check, (interaction) => brokenPlaces(interaction).length > 0);
}

/** Consumers by finding. An interaction that breaks at no place of a change counts for the most severe change of its operation. */
export function assignConsumers(findings: readonly Finding[], check: PactCheck): ReadonlyMap<Finding, Consumers> {
  const oldNames = listOldNames(findings);
  const brokenBy = new Map<CheckedInteraction, readonly Finding[]>();
  for (const interaction of check.pacts.flatMap(({ interactions }) => interactions)) {
    const places = brokenPlaces(interaction);
    if (places.length === 0) continue;
    const atOperation = findings.filter((finding) => differencesAt(finding, interaction, oldNames).length > 0);
    const atPlace = atOperation.filter((finding) =>
      differencesAt(finding, interaction, oldNames).some((each) => places.some((place) => concernsPlace(each, place))),
    );
    brokenBy.set(interaction, atPlace.length > 0 ? atPlace : atOperation.slice(0, 1));
  }
  const isBrokenBy = (finding: Finding) => (interaction: CheckedInteraction) => brokenBy.get(interaction)?.includes(finding) === true;
  return new Map(findings.map((finding) => [finding, consumersOf(check, isBrokenBy(finding)).filter(({ broken }) => broken.length > 0)]));
}

/** One entry for each consumer. Pending interactions do not count. */
function consumersOf({ pacts }: PactCheck, isBroken: (interaction: CheckedInteraction) => boolean): Consumers {
  return [...new Set(pacts.map(({ consumer }) => consumer))].map((consumer) => {
    const own = pacts.filter((pact) => pact.consumer === consumer);
    const interactions = own.flatMap((pact) => pact.interactions.filter(({ pending }) => !pending));
    return { consumer, interactions: interactions.length, broken: interactions.filter(isBroken).map(({ description }) => description) };
  });
}

/** Old names of renamed operations, by the new one. */
function listOldNames(findings: readonly Finding[]): ReadonlyMap<string, string> {
  const renames = findings.map(({ shown }) => shown).filter(({ id }) => id === 'operation/renamed');
  return new Map(renames.map(({ changedItem, operation = '' }) => [operation, changedItem]));
}

/** Differences of a finding, and of what follows from it, at the operation of an interaction. Descriptions break nothing. */
function differencesAt(finding: Finding, interaction: CheckedInteraction, oldNames: ReadonlyMap<string, string>): readonly Difference[] {
  const all = [finding, ...finding.consequences].flatMap(({ differences }) => differences);
  return all.filter(
    ({ operation = '', level }) => level !== 'documentation' && isRequestOf(oldNames.get(operation) ?? operation, interaction.request),
  );
}

/** True if `GET /things/7` is a request of `GET /things/{id}`. */
function isRequestOf(operation: string, request: string): boolean {
  const texts = operation.split(/\{[^}]*\}/).map((text) => text.replaceAll(/[^\w/ ]/g, '\\$&'));
  return new RegExp(`^${texts.join('[^/]+')}$`).test(request);
}

/** Places at which the new contract breaks an interaction, as the locations of differences. */
function brokenPlaces(interaction: CheckedInteraction): readonly string[] {
  if (interaction.pending) return [];
  return interaction.findings.filter(({ promised }) => promised !== undefined).map((finding) => locationOf(interaction, finding));
}

function locationOf({ pointer: start, status }: CheckedInteraction, { pointer, id }: PactFinding): string {
  const [half, part, ...keys] = fromPointer(pointer.slice(start.length));
  if (id === 'request/operation') return '';
  if (half === 'request') {
    if (id === 'request/key') return 'security';
    if (part === 'body') return `request body${bodyPathOf(keys)}`;
    return part === undefined ? half : `${part.replace(/s$/, '')} parameter ${keys[0] ?? ''}`;
  }
  return `response ${status}${part === 'headers' ? `, header ${keys[0] ?? ''}` : part === 'body' ? bodyPathOf(keys) : ''}`;
}

/** Path in a body as locations show it. Version 4 of pacts wraps a body in `content`. */
function bodyPathOf([first, ...rest]: readonly string[]): string {
  const keys = first === undefined || first === 'content' ? rest : [first, ...rest];
  const path = keys.map((key) => (/^\d+$/.test(key) ? '[]' : `.${key}`)).join('');
  return path === '' ? '' : `, ${path.replace(/^\./, '')}`;
}

/**
 * True if a difference is at a place, or encloses it. A place `request` stands for all its parameters. A difference in a branch, such as `(Detail).totals`,
 * is at every path that ends as its path below the branch, since a record may stand at several places.
 */
function concernsPlace(difference: Difference, place: string): boolean {
  if (place === 'request') return difference.direction === 'request';
  const [exchange = '', path = ''] = partsOf(place);
  const [location = '', where = ''] = partsOf(oldLocation(difference));
  const branches = where.replaceAll(/\[\d+\]/g, '[]').split(/ ?\([^)]*\)/);
  const inner = branches.at(-1) ?? '';
  const starts = branches.length === 1 ? [0] : Array.from(`${path}.`, (_, start) => start);
  const isOnPath = starts.some((start) => path.startsWith(inner, start) && /^(?:[.[]|$)/.test(path.slice(start + inner.length)));
  return isOnPath && location.toLowerCase() === exchange.toLowerCase();
}

/** Splits a location into the part of the exchange and the path in its body, which begins with a dot. */
function partsOf(location: string): readonly string[] {
  const [, exchange = location, path] = /^([^,]*(?:, header [^,]*)?)(?:, (.*))?$/.exec(location) ?? [];
  return [exchange, path === undefined ? '' : `.${path}`.replace(/^\.(?=[([])/, '')];
}

/** Location in the old contract. The changed item of a rename begins with the old name. */
function oldLocation({ id, location, changedItem }: Difference): string {
  const [name = ''] = changedItem.split(' ');
  if (/-parameter\/renamed$|\/error-status-changed$/.test(id)) return location.replace(/\S+$/, name);
  return /\/(?:required-)?property-/.test(id) ? `${location}${location.includes(', ') ? '.' : ', '}${name}` : location;
}
