import type { IHttpOperation } from '@stoplight/types';
import { isRight } from 'fp-ts/lib/Either.js';
import type { Operation } from '../../../core/openapi/operation.ts';
import { prismRoute } from './load-prism.ts';

/** The operation that Prism chooses for a method and a path; `undefined` if it finds none. */
export function chooseOperation(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  if (operations.length === 0) return undefined;
  // Prism reads only the methods and the paths of its resources.
  const found = prismRoute()({
    resources: operations as unknown as IHttpOperation[],
    input: { method: method.toLowerCase() as 'get', url: { path } },
  });
  return isRight(found) ? (found.right as unknown as Operation) : undefined;
}
