/**
 * Describes a recorded exchange in words, by which Pact identifies its interaction, together with the states. With other words, the same requests become new
 * interactions.
 */

import { isArray, isObject } from '../../core/json.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { nounsOf } from '../../core/pact/state-condition.ts';
import { splitQuery } from '../../core/parameters/query-string.ts';
import type { InferredStates } from './infer-recorded-states.ts';
import type { RecordableExchange } from './recordable-exchange.ts';

/** Describes an exchange, such as `a request to list things by status, of which more follow`. */
export function describeInteraction(recordable: RecordableExchange, states: InferredStates): string {
  const { operation } = recordable.withoutProfile;
  const { sentParameters } = recordable;
  const target = operation.collection === undefined ? describeTarget(operation) : `to list ${withSpaces(operation.collection.name)}`;
  const pieces = [
    `a request ${target}${describeParameters(operation, sentParameters)}`,
    ...describePage(operation, sentParameters),
    ...describeBody(recordable),
    ...describeOutcome(recordable, states),
  ];
  return pieces.join(', ');
}

function describeTarget({ resource, summary, id }: Operation): string {
  if (resource === undefined) return `to ${summary === '' ? withSpaces(id) : summary.charAt(0).toLowerCase() + summary.slice(1)}`;
  const { singular } = nounsOf(withSpaces(resource.name));
  const thing = resource.by.size === 0 ? `the ${singular}` : `${/^[aeiou]/i.test(singular) ? 'an' : 'a'} ${singular}`;
  return `for ${resource.view === undefined ? thing : `the ${withSpaces(resource.view)} of ${thing}`}`;
}

/** Lists the parameters of the request, except those of the page. */
function describeParameters(operation: Operation, sentParameters: ReadonlySet<string>): string {
  const page = operation.collection?.page;
  const pageParameters = page === undefined ? [] : Object.values(page).filter((value) => typeof value === 'string');
  const names = operation.parameters
    .map(({ name }) => name)
    .filter((name) => sentParameters.has(name) && !pageParameters.includes(name) && name.toLowerCase() !== 'if-none-match');
  return names.length === 0 ? '' : ` by ${listWords(names)}`;
}

function describePage({ collection }: Operation, sentParameters: ReadonlySet<string>): readonly string[] {
  if (collection === undefined) return [];
  const { page } = collection;
  const place = page.style === 'cursor' ? page.cursor : page.style === 'page' ? page.page : page.offset;
  const isFurther = sentParameters.has(place);
  const words = page.style === 'cursor' ? 'the next page' : page.style === 'page' ? 'a page by its number' : 'from a place on';
  return [...(isFurther ? [words] : []), ...(sentParameters.has(page.limit) ? [`with a ${withSpaces(page.limit)}`] : [])];
}

/** Names the members of the request body, or its media type. */
function describeBody({ sentBody }: RecordableExchange): readonly string[] {
  if (sentBody === undefined) return [];
  const { format, type, value } = sentBody;
  const names = namesOf(sentBody);
  const kind = format === 'json' ? (isArray(value) ? 'a list' : 'a value') : type;
  return [names.length > 0 ? `with ${listWords(names)}${format === 'json' ? '' : ` as ${type}`}` : `with ${kind} as body`];
}

/** The names of the members of a request body, sorted. */
export function namesOf({ format, value }: NonNullable<RecordableExchange['sentBody']>): readonly string[] {
  const names = format === 'form' ? splitQuery(String(value)).map(([name]) => name) : isObject(value) ? Object.keys(value) : [];
  return [...new Set(names)].toSorted();
}

function describeOutcome(
  { response, key, context, isConditional, code }: RecordableExchange,
  { conditions, hasMore }: InferredStates,
): readonly string[] {
  const outcomes: Readonly<Record<number, readonly string[]>> = {
    304: ['whose copy is current'],
    401: [key === 'missing' ? 'without a key' : key === 'expired' ? 'with an expired key' : 'with an unknown key'],
    403: [`with a key that lacks the scope ${typeof key === 'object' ? key.lacking.join(' and ') : ''}`],
    404: ['which does not exist'],
    429: ['when no more requests are allowed'],
    503: [
      `while the service is not ready${conditions.some((condition) => condition.kind === 'unavailable' && condition.code !== undefined) ? ` (${code ?? ''})` : ''}`,
    ],
  };
  const outcome = outcomes[response.status];
  const copy = isConditional ? ['with a copy'] : [];
  if (outcome !== undefined) return response.status === 304 ? outcome : [...outcome, ...copy];
  const wrong = wrongNames(context);
  if (response.status >= 400) return [wrong.length > 0 ? `with wrong ${listWords(wrong)}` : 'which is refused', ...copy];
  return [...(hasMore ? ['of which more follow'] : []), ...(isConditional ? ['whose copy is old'] : [])];
}

/** Returns the names of the invalid parameters. */
function wrongNames({ problems }: RecordableExchange['context']): readonly string[] {
  return [...new Set(problems.flatMap(({ parameters }) => parameters))].toSorted();
}

function withSpaces(name: string): string {
  return name.replaceAll(/[-_]+/g, ' ');
}

function listWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
