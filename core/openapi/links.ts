/** Reads the links of responses (OpenAPI 3.1 §4.8.20), as far as they take a parameter from the body. */

import { objectOrEmpty } from '../json.ts';
import { fromPointer, toPointer } from '../pointer.ts';
import type { Operation } from './operation.ts';
import { follow, valueBehind } from './raw-document.ts';

/** A parameter of another operation that a member of a response gives. */
export interface Link {
  readonly name: string;
  /** The id of the operation that the link leads to. */
  readonly target: string;
  readonly parameter: string;
  /** The name of the member of the body. */
  readonly member: string;
}

/** The links of the successful responses of an operation. Links by `operationRef` are not read. */
export function linksOf({ document, pointer, responses }: Operation): readonly Link[] {
  const successes = [...responses.keys()].filter((status) => status.startsWith('2'));
  return successes.flatMap((status) =>
    Object.entries(objectOrEmpty(follow(document, valueBehind(document, pointer + toPointer(['responses', status, 'links']))))).flatMap(
      ([name, link]) => {
        const { operationId: target, parameters } = objectOrEmpty(follow(document, link));
        if (typeof target !== 'string') return [];
        return Object.entries(objectOrEmpty(parameters)).flatMap(([parameter, expression]) => {
          const [, place] = /^\$response\.body#(\/.+)$/.exec(String(expression)) ?? [];
          const member = place === undefined ? undefined : fromPointer(place).at(-1);
          // A parameter may be named with its place, as in `path.id`.
          return member === undefined ? [] : [{ name, target, parameter: parameter.replace(/^path\./, ''), member: String(member) }];
        });
      },
    ),
  );
}
