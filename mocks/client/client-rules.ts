/** The table of client rules: title, advice, place in the contract, and the situation in which a request can break the rule. Finds no mistakes. */

import type { SourceLocation } from '../../core/errors.ts';
import { placeInOperation, securityPlace } from '../../core/openapi/clauses.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { placeOfOtherDirection } from '../../core/openapi/schema-direction.ts';
import type { ClientRuleId } from '../../core/results/client-rule.ts';

/** A situation in which a client can break a rule, with the sentence for its absence. */
export const situations = {
  request: 'No request reached an operation.',
  key: 'No request had a valid key.',
  'second-page': 'No list was read beyond its first page.',
  'last-page': 'No list was read to its last page.',
  checkpoint: 'No request had a checkpoint.',
  'checkpoint-after-pages': 'No request with a checkpoint came after a list of several pages.',
  'parameter-rules': 'No request reached an operation with rules about several parameters.',
  throttled: 'No request was throttled (429).',
  unavailable: 'No request got a 503.',
  refusal: 'No request was rejected.',
  'read-only': 'No body was sent to an operation with readOnly members.',
  'tag-sent': 'No request had If-None-Match.',
  'read-again': 'No resource with an ETag was read twice.',
  compared: 'The client did not send its records to /__mock/client/compare.',
} as const;

/** The name of a situation. */
export type Situation = keyof typeof situations;

/** A client rule. */
export interface ClientRule {
  /** The rule as a sentence. */
  readonly title: string;
  /** Correction for a client that breaks it. */
  readonly advice: string;
  readonly situation: Situation;
  /** Place where an operation states the rule; `undefined` if the rule does not apply to the operation. */
  readonly place: (operation: Operation) => SourceLocation | undefined;
}

/** The rules by id. */
export const clientRules: Readonly<Record<ClientRuleId, ClientRule>> = {
  'client/checkpoint-after-last-page': {
    title: 'The checkpoint moves only after the last page.',
    advice: 'Store the new checkpoint only after the last page; after a failure, start again from the old checkpoint.',
    situation: 'checkpoint-after-pages',
    place: (operation) =>
      hasCursors(operation) && checkpointOf(operation) ? placeInOperation(operation, 'x-collection', 'page', 'fixed') : undefined,
  },
  'client/filters-kept': {
    title: 'Filters and checkpoint stay the same from page to page.',
    advice: 'Request each page with the same filters and the same checkpoint; to use other values, start again without a cursor.',
    situation: 'second-page',
    place: (operation) => (hasCursors(operation) ? placeInOperation(operation, 'x-collection', 'page', 'fixed') : undefined),
  },
  'client/cursor-given': {
    title: 'Each cursor comes from the previous page.',
    advice: 'Take the cursor from the previous page, unchanged, and percent-encode it once; leave the parameter out for the first page.',
    situation: 'second-page',
    place: (operation) => (hasCursors(operation) ? placeInOperation(operation, 'x-collection', 'page', 'cursor') : undefined),
  },
  'client/cursor-owner': {
    title: 'A cursor is used only with the key and the list that it was issued for.',
    advice: 'Keep separate cursors for each key and each list.',
    situation: 'second-page',
    place: (operation) => (hasCursors(operation) ? placeInOperation(operation, 'x-collection', 'page', 'cursor') : undefined),
  },
  'client/retry-after': {
    title: 'After a 429, the next request waits as long as Retry-After says.',
    advice: 'Read Retry-After, as seconds or as a date, and send nothing with this key before it has passed.',
    situation: 'throttled',
    place: (operation) => operation.responses.get('429')?.place,
  },
  'client/key-in-header': {
    title: 'The key is sent only in its header.',
    advice: 'Send the key in its header, and keep it out of URLs, which end up in logs; then rotate the key.',
    situation: 'key',
    place: (operation) => (operation.security.length > 0 ? securityPlace(operation) : undefined),
  },
  'client/key-on-server': {
    title: 'A service key is never sent by a web page.',
    advice: 'Call the API from your server; a page gives its key to every visitor.',
    situation: 'key',
    place: (operation) => (hasServiceKey(operation) ? securityPlace(operation) : undefined),
  },
  'client/parameter-rules': {
    title: 'Parameters that exclude each other are not sent together.',
    advice: 'Send only combinations of parameters that the operation allows.',
    situation: 'parameter-rules',
    place: (operation) => (operation.rules.length > 0 ? placeInOperation(operation, 'x-parameter-rules') : undefined),
  },
  'client/records-complete': {
    title: 'The client has every record that its reads cover.',
    advice: 'Store every record on every page, and read the list to its last page before you move the checkpoint.',
    situation: 'compared',
    place: (operation) => (operation.collection === undefined ? undefined : placeInOperation(operation, 'x-collection', 'page')),
  },
  'client/records-current': {
    title: 'The client has the newest version of each record.',
    advice:
      'Replace a stored record when a response has it again, and read all changes since the checkpoint, including those at exactly its time.',
    situation: 'compared',
    place: (operation) =>
      operation.collection?.version === undefined ? undefined : placeInOperation(operation, 'x-collection', 'version'),
  },
  'client/records-real': {
    title: 'The client has each record once, and no other records.',
    advice: 'Store records by their key, and take keys only from responses.',
    situation: 'compared',
    place: (operation) => (operation.collection === undefined ? undefined : placeInOperation(operation, 'x-collection', 'key')),
  },
  'client/values-kept': {
    title: 'The client keeps the values of the responses unchanged, including days.',
    advice: 'Store values as they are. Take the day of an instant as the response writes it, without converting it to another time zone.',
    situation: 'compared',
    place: (operation) => (operation.collection === undefined ? undefined : placeInOperation(operation, 'x-collection', 'items')),
  },
  'client/checkpoint-served': {
    title: 'A checkpoint comes from a response.',
    advice: 'Use the newest time of change among the records of the last complete read. Do not use a clock, and add nothing to the value.',
    situation: 'checkpoint',
    place: checkpointPlace,
  },
  'client/unfiltered-changes': {
    title: 'Changes are read without a filter that a changed record may no longer match.',
    advice: 'Read all changes since the checkpoint, and filter your copy; or read the whole filtered list again, without a checkpoint.',
    situation: 'checkpoint',
    place: checkpointPlace,
  },
  'client/offset-given': {
    title: 'An instant is sent with an offset.',
    advice: 'Send instants with Z or an offset, as the responses do.',
    situation: 'checkpoint',
    place: checkpointPlace,
  },
  'client/offset-encoded': {
    title: 'The plus sign of an offset is percent-encoded.',
    advice: 'Encode query values: the plus sign of an offset becomes %2B.',
    situation: 'checkpoint',
    place: checkpointPlace,
  },
  'client/last-page': {
    title: 'Nothing is read past the last page.',
    advice: 'Stop when the response says that no further page follows, even if it has a cursor.',
    situation: 'last-page',
    place: (operation) => (hasCursors(operation) ? placeInOperation(operation, 'x-collection', 'page', 'more') : undefined),
  },
  'client/valid-requests': {
    title: 'No request is rejected as invalid.',
    advice: 'Send only what the contract allows. If a request is rejected, stop and report the message in the response.',
    situation: 'request',
    place: ({ place }) => place,
  },
  'client/refusal-repeated': {
    title: 'A rejected request is not sent again unchanged.',
    advice: 'Do not retry 4xx responses other than 429; report them, with the request id if there is one.',
    situation: 'refusal',
    place: ({ place }) => place,
  },
  'client/pause-after-503': {
    title: 'After a 503, a client pauses before it tries again.',
    advice: 'Wait before each retry, longer each time, with some randomness.',
    situation: 'unavailable',
    place: (operation) => operation.responses.get('503')?.place,
  },
  'client/tag-quoted': {
    title: 'ETags in If-None-Match have their quotes.',
    advice: 'Send the ETag exactly as received, with its quotes.',
    situation: 'tag-sent',
    place: conditionalPlace,
  },
  'client/tag-owner': {
    title: 'The ETag in If-None-Match belongs to the requested record.',
    advice: 'Store each ETag with its URL.',
    situation: 'tag-sent',
    place: conditionalPlace,
  },
  'client/tag-sent': {
    title: 'A resource that is read again and again is requested with its ETag.',
    advice: 'Store the ETag of each response, and send it in If-None-Match.',
    situation: 'read-again',
    place: conditionalPlace,
  },
  'client/one-key': {
    title: 'A request has only one key.',
    advice: 'Send the key once, in one header.',
    situation: 'key',
    place: (operation) => (operation.security.length > 1 ? securityPlace(operation) : undefined),
  },
  'client/declared-parameters': {
    title: 'Each query parameter is documented.',
    advice: 'Remove the parameter, or correct its name; a server may ignore it or reject it.',
    situation: 'request',
    place: (operation) => placeInOperation(operation, 'parameters'),
  },
  'client/read-only': {
    title: 'A request has no readOnly members.',
    advice: 'Leave these members out: the server sets them, and ignores or rejects what a client sends.',
    situation: 'read-only',
    place: readOnlyPlace,
  },
  'client/polling': {
    title: 'A client polls again only when something may have changed.',
    advice: 'Wait between polls; times of change have a resolution of one second.',
    situation: 'request',
    place: ({ place }) => place,
  },
  'client/pages-finished': {
    title: 'A list is read to its last page.',
    advice: 'Follow the cursor to the last page, unless the first page is all you show.',
    situation: 'second-page',
    place: (operation) => (hasCursors(operation) ? placeInOperation(operation, 'x-collection', 'page', 'next') : undefined),
  },
  'client/conditional-reads': {
    title: 'A resource that is read twice is read conditionally.',
    advice: 'Send the ETag of the last response in If-None-Match; the response for an unchanged record then has no body.',
    situation: 'read-again',
    place: conditionalPlace,
  },
  'client/page-size': {
    title: 'A page has more than one record.',
    advice: 'Ask for the largest page that the contract allows.',
    situation: 'second-page',
    place: (operation) => (operation.collection === undefined ? undefined : placeInOperation(operation, 'x-collection', 'page', 'limit')),
  },
  'client/detail-reads': {
    title: 'A record is read in full again only if the list shows a newer change.',
    advice:
      'Compare the last-modified time of each record in the list with the one that you stored, and read only the records that have changed.',
    situation: 'read-again',
    place: (operation) =>
      operation.resource !== undefined && operation.resource.by.size > 0 ? placeInOperation(operation, 'x-resource') : undefined,
  },
  'client/clock': {
    title: "A request for today has the date of the mock's clock.",
    advice: "Start the mock with --clock live, or take today's date from the mock's clock.",
    situation: 'request',
    place: ({ place }) => place,
  },
};

/** The filter that takes the checkpoint: the lower bound of the last change. */
export function checkpointOf({ collection }: Operation): string | undefined {
  if (collection?.version === undefined) return undefined;
  for (const [parameter, filter] of collection.filters)
    if ((filter.operator === 'from' || filter.operator === 'after') && filter.field === collection.version) return parameter;
  return undefined;
}

/** True if a header carries a key of an application, which a web page must not have. */
export function hasServiceKey({ security }: Operation): boolean {
  return security.flat().some(({ carrier }) => carrier.in === 'header');
}

function hasCursors({ collection }: Operation): boolean {
  return collection?.page.style === 'cursor';
}

function checkpointPlace(operation: Operation): SourceLocation | undefined {
  const parameter = checkpointOf(operation);
  return parameter === undefined ? undefined : placeInOperation(operation, 'x-collection', 'filters', parameter);
}

function conditionalPlace({ responses }: Operation): SourceLocation | undefined {
  return responses.get('304')?.place;
}

/** The place of the first `readOnly` member in the body of a request. */
function readOnlyPlace({ document, requestBody }: Operation): SourceLocation | undefined {
  const places = [...(requestBody?.content.values() ?? [])].map(({ schema }) => placeOfOtherDirection(document, schema));
  return places.find((place) => place !== undefined);
}
