/** Which of the comparator's opinions are told: those on what this check does not look at itself. */

import type { PactFinding } from '../../../core/pact-check.ts';
import type { Opinion } from './comparator.ts';
import { findingAt, type Subject } from './subject.ts';

/**
 * What is decided here already, each with the reason why the comparator's word adds nothing: where both look, this check reads the contract as the
 * mock and the laws do, and proves what it says.
 */
const decided: Readonly<Record<string, string>> = {
  'request.path-or-method.unknown': 'operations are found as the mock finds them; a wrong path parameter is told by its own name',
  'request.query.incompatible': 'parameters are read strictly, rules about several of them included',
  'request.header.incompatible': 'headers are parameters, and read like them',
  'request.authorization.missing': 'a missing key is one finding, not one for each way to send it, and none where a state says so',
  'response.status.unknown': 'statuses are compared, ranges and the default included',
  'response.header.unknown': 'headers are compared, and which may be missing',
  'response.header.incompatible': 'values of headers are compared with the schema, and what is promised of them',
  'response.content-type.incompatible': 'media types are compared without their parameters',
  'response.body.unknown': 'a body where none is documented is told',
  'response.body.incompatible':
    'examples are searched for in the whole schema: the comparator takes open objects for closed ones, and reads no prefixItems',
};

/** Findings of the comparator that are not decided here. */
export function toFindings(about: Pick<Subject, 'pact' | 'interaction'>, opinions: readonly Opinion[]): readonly PactFinding[] {
  const told = opinions.filter(({ code }) => !Object.hasOwn(decided, code));
  return told.map(({ code, message, keys }) =>
    findingAt(about, keys, {
      id: `comparator/${code}`,
      grade: 'impossible',
      message: `${message}; correct the pact, or have the contract say it`,
    }),
  );
}
