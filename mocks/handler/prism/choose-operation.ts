import type { ProblemJsonError } from '@stoplight/prism-http/dist/types.js';
import type { IHttpOperation } from '@stoplight/types';
import { isRight } from 'fp-ts/lib/Either.js';
import type { Operation } from '../../../core/openapi/operation.ts';
import { prismRoute } from './load-prism.ts';

/** The operation that Prism chooses for a method and a path, or the reason why there is none. */
export function chooseOperation(operations: readonly Operation[], method: string, path: string): Operation | 'no-path' | 'wrong-method' {
  if (operations.length === 0) return 'no-path';
  // Prism reads only the methods and the paths of its resources.
  const resources = operations as unknown as IHttpOperation[];
  const found = prismRoute()({ resources, input: { method: method.toLowerCase() as 'get', url: { path } } });
  if (isRight(found)) return found.right as unknown as Operation;
  return (found.left as ProblemJsonError).status === 405 ? 'wrong-method' : 'no-path';
}
