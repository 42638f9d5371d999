/** What an interaction is called: the request and its circumstances in words, the same for every exchange of one shape. */

import type { Operation } from '../../core/operation.ts';
import { nounsOf } from '../../core/pact-words.ts';
import type { Circumstances } from './circumstances.ts';
import type { Sighting } from './sighting.ts';

/** Describes an exchange: `a request to list things by status, of which more follow`. */
export function describeInteraction(sighting: Sighting, circumstances: Circumstances): string {
  const { operation } = sighting.open;
  const { given } = sighting;
  const subject = operation.collection === undefined ? nameOne(operation) : `to list ${inWords(operation.collection.name)}`;
  const pieces = [
    `a request ${subject}${byParameters(operation, given)}`,
    ...pageWords(operation, given),
    ...outcomeWords(sighting, circumstances),
  ];
  return pieces.join(', ');
}

function nameOne({ resource, summary, id }: Operation): string {
  if (resource === undefined) return `to ${summary === '' ? inWords(id) : summary.charAt(0).toLowerCase() + summary.slice(1)}`;
  const { singular } = nounsOf(inWords(resource.name));
  const thing = resource.by.size === 0 ? `the ${singular}` : `${/^[aeiou]/i.test(singular) ? 'an' : 'a'} ${singular}`;
  return `for ${resource.view === undefined ? thing : `the ${inWords(resource.view)} of ${thing}`}`;
}

/** Filters and keys by their names, and what else was given beside them. */
function byParameters(operation: Operation, given: ReadonlySet<string>): string {
  const page = operation.collection?.page;
  const ofPage = page === undefined ? [] : Object.values(page).filter((value) => typeof value === 'string');
  const names = operation.parameters
    .map(({ name }) => name)
    .filter((name) => given.has(name) && !ofPage.includes(name) && name.toLowerCase() !== 'if-none-match');
  return names.length === 0 ? '' : ` by ${listWords(names)}`;
}

function pageWords({ collection }: Operation, given: ReadonlySet<string>): readonly string[] {
  if (collection === undefined) return [];
  const { page } = collection;
  const place = page.style === 'cursor' ? page.cursor : page.style === 'page' ? page.page : page.offset;
  const isFurther = given.has(place);
  const words = page.style === 'cursor' ? 'the next page' : page.style === 'page' ? 'a page by its number' : 'from a place on';
  return [...(isFurther ? [words] : []), ...(given.has(page.limit) ? [`with a ${inWords(page.limit)}`] : [])];
}

function outcomeWords({ response, key, visit, isConditional, code }: Sighting, { facts, isMore }: Circumstances): readonly string[] {
  const words: Readonly<Record<number, readonly string[]>> = {
    304: ['whose copy is current'],
    401: [key === 'missing' ? 'without a key' : key === 'expired' ? 'with an expired key' : 'with an unknown key'],
    403: [`with a key that lacks the scope ${typeof key === 'object' ? key.lacking.join(' and ') : ''}`],
    404: ['which does not exist'],
    429: ['when no more requests are allowed'],
    503: [
      `while the service is not ready${facts.some((fact) => fact.kind === 'unavailable' && fact.code !== undefined) ? ` (${code ?? ''})` : ''}`,
    ],
  };
  const found = words[response.status];
  const copy = isConditional ? ['with a copy'] : [];
  if (found !== undefined) return response.status === 304 ? found : [...found, ...copy];
  if (response.status >= 400) return [`with wrong ${listWords(wrongNames(visit))}`, ...copy];
  return [...(isMore ? ['of which more follow'] : []), ...(isConditional ? ['whose copy is old'] : [])];
}

/** The parameters with which something is wrong. */
function wrongNames({ problems }: Sighting['visit']): readonly string[] {
  return [...new Set(problems.flatMap(({ parameters }) => parameters))].toSorted();
}

function inWords(name: string): string {
  return name.replaceAll(/[-_]+/g, ' ');
}

function listWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
