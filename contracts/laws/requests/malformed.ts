/** The rule about queries that no client means to send. */

import type { Contract } from '../../../core/contract.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Parameter } from '../../../core/parameter.ts';
import type { Law } from '../../law.ts';
import { examineOddities, type Oddity } from '../../oddity.ts';
import { recordsIn } from '../../reply.ts';
import { shareOf } from '../../wrong-values.ts';

/** The rule. */
export const malformed: Law = {
  id: 'requests/malformed',
  title: 'A malformed query is no server error',
  why: 'Links are cut, encoded twice and tried out by robots; a server that breaks on them fills its logs and hides real failures.',
  strength: 'implied',
  slow: true,
  clause: (operation) => (isAskedByQuery(operation) ? queryParameters(operation)[0]?.place : undefined),
  examine: async (lab, operation) => {
    const all = malformations(lab.contract, operation);
    return examineOddities(lab, all, (reply) =>
      operation.collection !== undefined && recordsIn(reply) === undefined ? 'and no list' : undefined,
    );
  },
};

/** Whether everything that an operation needs stands in its query: a path without its record leads elsewhere. */
function isAskedByQuery({ method, parameters }: Operation): boolean {
  return (
    method === 'GET' &&
    parameters.some((each) => each.in === 'query') &&
    parameters.every(({ in: place, required }) => place === 'query' || (place === 'header' && !required))
  );
}

function queryParameters({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

/** Malformed forms of a query parameter, with what is malformed about each. */
const forms: readonly (readonly [what: string, write: (name: string) => string])[] = [
  ['cut-off percent-encoding', (name) => `${name}=%`],
  ['bytes that are no UTF-8', (name) => `${name}=%C3%28`],
  ['a NUL byte', (name) => `${name}=%00`],
  ['no value', (name) => `${name}=`],
];

/** The form that breaks most servers, for all parameters at once, and of the others a share: one piece of code usually reads all queries. */
function malformations({ operations }: Contract, operation: Operation): readonly Oddity[] {
  const asked = operations.filter(isAskedByQuery);
  const parameters = queryParameters(operation);
  const others = shareOf(forms, asked.indexOf(operation), asked.length).flatMap(([what, write], index) => {
    const { name, place } = parameters[index % parameters.length] ?? {};
    return name === undefined ? [] : [toOddity(operation, `${what} for ${name}`, write(encodeURIComponent(name)), place)];
  });
  const arrays = parameters.map(({ name }) => `${encodeURIComponent(name)}[]=1`).join('&');
  return [toOddity(operation, 'an array for each parameter', arrays, parameters[0]?.place), ...others];
}

function toOddity(operation: Operation, what: string, raw: string, clause: Parameter['place'] | undefined): Oddity {
  return { call: { operation, raw: [raw] }, what, ...(clause === undefined ? {} : { clause }) };
}
