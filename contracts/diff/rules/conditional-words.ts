/** Conditional reads (RFC 9110 §13): a 304 beside a success with an ETag, asked for by If-None-Match. */

import { follow, placeBelow } from '../../../core/document.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { isConditional } from '../../conditional.ts';
import { rule } from './judge.ts';
import { objectAt } from './list-words.ts';
import { type Half, type Pair, writtenParameters } from './pair.ts';
import type { Finding } from './rule-change.ts';
import type { Spot } from './spot.ts';
import { compareSpots, type Word } from './word.ts';

/** Compares whether a read can be made conditional. What is missing for it is one change, whichever part it is. */
export function compareConditional(pair: Pair): readonly Finding[] {
  const [before, after] = [isDocumented(pair.old), isDocumented(pair.next)];
  if (before === after) return [];
  const part = missingPart(before ? pair.next : pair.old);
  const [old, next] = [spotOf(pair.old, part, before), spotOf(pair.next, part, after)];
  const findings = compareSpots({ operations: [pair.name], location: 'conditional read' }, conditionalWord, old, next);
  // What is missing may have been shared by several operations: it stood at one place, wherever each of them misses it.
  return findings.map((finding) => ({ ...finding, cause: JSON.stringify([finding.id, before ? old.place : next.place]) }));
}

const conditionalWord: Word = {
  group: 'read',
  key: 'conditional',
  keys: [],
  noun: 'the conditional read',
  direction: undefined,
  judge: (_, after) =>
    after === undefined
      ? rule('conditional-gone', [
          'breaking',
          'Clients that ask whether their copy is current get the whole body each time, or nothing to ask with.',
        ])
      : rule('conditional-added', ['compatible', 'Clients may ask whether their copy is current; those that do not are served as before.']),
};

type Part = '304' | 'If-None-Match' | 'ETag';

function isDocumented(half: Half): boolean {
  return isConditional(half.operation) && missingPart(half) === undefined;
}

function missingPart({ operation }: Half): Part | undefined {
  if (!operation.responses.has('304')) return '304';
  if (!isConditional(operation)) return 'If-None-Match';
  const successes = [...operation.responses.values()].filter(({ status }) => status.startsWith('2'));
  return successes.some(({ headers }) => headers.some(({ name }) => name === 'etag')) ? undefined : 'ETag';
}

/** Where a part stands, or should; its name is value enough. */
function spotOf(half: Half, part: Part | undefined, isThere: boolean): Spot {
  const readings = isThere ? ['304, ETag and If-None-Match'] : [];
  return { value: readings[0], place: placeOf(half, part), questions: [], readings };
}

function placeOf(half: Half, part: Part | undefined): Spot['place'] {
  const { document } = half.contract;
  if (part === 'If-None-Match') {
    const parameter = [...writtenParameters(half)].find(([id]) => id.toLowerCase() === 'header if-none-match')?.[1];
    return parameter === undefined ? placeBelow(document, half.written, ['parameters']) : document.place(parameter);
  }
  if (part === 'ETag') {
    const success = successOf(half);
    return placeBelow(document, success, ['headers', nameIn(success)]);
  }
  return placeBelow(document, half.written, ['responses', '304']);
}

function successOf({ contract, written }: Half): JsonObject {
  const [, entry] = Object.entries(objectAt(written, ['responses'])).find(([status]) => status.startsWith('2')) ?? [];
  const success = follow(contract.document, entry);
  return isObject(success) ? success : written;
}

function nameIn(response: JsonObject): string {
  return Object.keys(objectAt(response, ['headers'])).find((name) => name.toLowerCase() === 'etag') ?? 'ETag';
}
