/** What rules of trouble can be about at one mock: its operations, its key roles and the codes of its outages. A name that is none of these is a mistake. */

import { nearest, UsageError } from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import { certainSchemas, schemasAt } from '../../core/schema.ts';
import type { ServedApi } from '../served-api.ts';
import { matchesPattern, type Rule } from './rule.ts';

/** The names that rules may use. */
export interface Subjects {
  readonly operations: readonly string[];
  readonly roles: readonly string[];
  /** The codes that some operation documents for 503. */
  readonly codes: readonly string[];
}

/** The names of some APIs. Requests without a key, or with a wrong one, have roles too. */
export function listSubjects(apis: readonly Pick<ServedApi, 'contract' | 'keys'>[]): Subjects {
  return {
    operations: apis.flatMap(({ contract }) => contract.operations.map((operation) => operation.id)),
    roles: [...new Set([...apis.flatMap(({ keys }) => [...keys.byRole.keys()]), 'anybody', 'stranger'])],
    codes: [...new Set(apis.flatMap(listCodes))],
  };
}

function listCodes({ contract }: Pick<ServedApi, 'contract'>): readonly string[] {
  const { error, closed } = contract;
  if (error === undefined) return [];
  const contents = contract.operations.flatMap((operation) => [...(operation.responses.get('503')?.content.values() ?? [])]);
  const schemas = contents
    .flatMap(({ schema }) => schemasAt(closed, schema, error.code))
    .flatMap((schema) => certainSchemas(closed, schema))
    .filter(isObject);
  const values = schemas.flatMap((schema) => [schema['const'], ...(Array.isArray(schema['enum']) ? schema['enum'] : [])]);
  return values.filter((value): value is string => typeof value === 'string');
}

/**
 * Checks that every name of a rule is one that the mock knows: a rule with a slip in it would wait for ever.
 * @throws {UsageError} that names the rule, the name and what is near.
 */
export function checkSubjects({ text, operations, roles, happening }: Rule, known: Subjects): void {
  for (const name of operations) check(text, name, known.operations, 'operation');
  for (const name of roles) check(text, name, known.roles, 'key role');
  if (happening.kind === 'unavailable' && happening.code !== undefined) check(text, happening.code, known.codes, 'code of a 503');
}

function check(text: string, pattern: string, known: readonly string[], what: string): void {
  if (known.some((name) => matchesPattern(pattern, name))) return;
  const meant = nearest(pattern, known);
  const list = known.length === 0 ? 'there is none here' : `there are ${known.slice(0, 20).join(', ')}`;
  const advice = meant === undefined ? list : `is ${meant} meant?`;
  throw new UsageError(`the trouble ${JSON.stringify(text)} cannot be: no ${what} is called ${pattern}; ${advice}`);
}
