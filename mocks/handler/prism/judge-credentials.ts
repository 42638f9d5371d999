/** Judges the credentials of a request by their form, with Prism. */

import * as E from 'fp-ts/lib/Either.js';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { ReceivedRequest } from '../call.ts';
import { toPrismOperation } from './http-operation.ts';
import { prismSecurity } from './load-prism.ts';
import { toPrismRequest } from './prism-request.ts';

/** A mistake in the credentials of a request, with the schemes that would help (RFC 9110 §11.6.1). */
interface KeyViolation {
  readonly reason: string;
  readonly challenges: string[];
}

/** The mistake in the credentials of a request; `undefined` if they are of the documented form. */
export function judgeCredentials(operation: Operation, request: ReceivedRequest): KeyViolation | undefined {
  const element = toPrismRequest(request, operation);
  const result = prismSecurity().validateSecurity({ element, resource: toPrismOperation(operation) });
  if (E.isRight(result)) return undefined;
  const [{ tags = [] }] = result.left;
  return {
    reason: 'This request lacks the credentials that the OpenAPI file requires.',
    challenges: tags.map(String).filter((tag) => tag !== ''),
  };
}
