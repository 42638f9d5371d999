/**
 * Finds the consumers that a change affects: those with interactions that the old contract guaranteed and the new one does not. It relies on an earlier check
 * of their pacts, and checks none itself.
 */

import { fromPointer } from '../../core/pointer.ts';
import type { AffectedConsumer } from '../../core/results/diff-result.ts';
import type { CheckedInteraction, PactCheck, PactFinding } from '../../core/results/pact-check-result.ts';
import type { Difference } from './difference.ts';
import type { ExchangePart } from './exchange-place.ts';
import type { Finding } from './fold-consequences.ts';
import type { SchemaStep } from './schemas/schema-pair.ts';

/** The consumers of a check, each with the interactions that a change breaks. */
type Consumers = readonly AffectedConsumer[];

/** All consumers, with every interaction that the new contract breaks. */
export function listConsumers(check: PactCheck): Consumers {
  return consumersOf(check, (interaction) => brokenPlaces(interaction).length > 0);
}

/** Consumers by finding. An interaction whose failures match the place of no change is assigned to the most severe change of its operation. */
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

/** A place of an exchange as a pact names it. Without a part, the operation itself; without keys, the whole part. */
interface PactPlace {
  readonly part?: ExchangePart;
  readonly keys: readonly string[];
}

/** Places at which the new contract breaks an interaction. */
function brokenPlaces(interaction: CheckedInteraction): readonly PactPlace[] {
  if (interaction.pending) return [];
  return interaction.findings.filter(({ promised }) => promised !== undefined).map((finding) => placeOf(interaction, finding));
}

function placeOf({ pointer: start, status }: CheckedInteraction, { pointer, id }: PactFinding): PactPlace {
  const [half, member, ...keys] = fromPointer(pointer.slice(start.length));
  if (id === 'request/operation') return { keys: [] };
  if (id === 'request/key') return { part: { kind: 'security' }, keys: [] };
  const [name = ''] = keys;
  const inBody = member === 'body' ? keysInBody(keys) : [];
  if (half !== 'request') {
    const part: ExchangePart = { kind: 'response', status: String(status) };
    return { part: member === 'headers' ? { ...part, header: name } : part, keys: inBody };
  }
  if (member === undefined) return { part: { kind: 'request' }, keys: [] };
  if (member === 'body') return { part: { kind: 'request body' }, keys: inBody };
  return { part: { kind: 'parameter', in: member.replace(/s$/, ''), name }, keys: [] };
}

/** Keys in a body. Version 4 of pacts wraps a body in `content`. */
function keysInBody([first, ...rest]: readonly string[]): readonly string[] {
  return first === undefined || first === 'content' ? rest : [first, ...rest];
}

/**
 * True if a difference is at a place, or encloses it. A place `request` stands for all its parameters. A difference in a branch, such as `(Detail).totals`,
 * is at every path that ends as its path below the branch, since a record may stand at several places.
 */
function concernsPlace(difference: Difference, place: PactPlace): boolean {
  if (place.part?.kind === 'request') return difference.direction === 'request';
  const { at, property, names: [oldName] = [] } = difference;
  const isRenamed = /-parameter\/renamed$|\/(?:error|success)-status-changed$/.test(difference.id);
  if (at.annotation !== undefined || partKey(at.part, isRenamed ? oldName : undefined) !== partKey(place.part)) return false;
  const path = at.path ?? [];
  const branch = path.findLastIndex(({ kind }) => kind === 'same' || kind === 'negated' || kind === 'names');
  const inner = [...path.slice(branch + 1).map(keyOf), ...(property === undefined ? [] : [property])];
  const starts = branch < 0 ? [0] : [...place.keys.keys(), place.keys.length];
  return starts.some((start) =>
    inner.every((key, index) => start + index < place.keys.length && (key === undefined || key === place.keys[start + index])),
  );
}

/** The key of a step; `undefined` if it leads to any element or to members with any name. */
function keyOf(step: SchemaStep): string | undefined {
  return step.kind === 'property' ? step.name : undefined;
}

/** A part of an exchange without what does not tell it from others, with another name or status if it has a new one. */
function partKey(part: ExchangePart | undefined, oldName?: string): string {
  if (part?.kind === 'parameter') return `${part.in} ${oldName ?? part.name}`.toLowerCase();
  if (part?.kind === 'response') return `${oldName ?? part.status} ${part.header ?? ''}`.toLowerCase();
  return part?.kind ?? '';
}
