/** The law about identifiers that are none. */

import { splitTarget } from '../../../core/exchange.ts';
import { isObject } from '../../../core/json.ts';
import type { Parameter } from '../../../core/parameter.ts';
import { valueAt } from '../../../core/pointer.ts';
import { splitQuery } from '../../../core/style.ts';
import { encodeText } from '../../call.ts';
import { isRecordRead, listOf, type RecordRead } from '../../detail.ts';
import type { Lab } from '../../lab.ts';
import type { Law } from '../../law.ts';
import { isRefused } from '../../mistakes.ts';
import { callByText, nameIn } from '../../named-read.ts';
import { examineOddities, type Oddity } from '../../oddity.ts';

/** The law. */
export const identifier: Law = {
  id: 'details/identifier',
  title: 'An identifier that cannot be one is refused, and a huge one is no server error',
  why: 'Clients mistype identifiers and other systems send longer ones; a server that reads half of one gives away a record that nobody named.',
  strength: 'stated',
  slow: true,
  clause: (operation, contract) => (isRecordRead(operation, contract) ? concerned(operation)[0]?.place : undefined),
  examine: async (lab, operation) => {
    if (!isRecordRead(operation, lab.contract)) throw new TypeError(`${operation.id} reads no record of a list`);
    const { records } = await lab.universe(listOf(lab, operation));
    const oddities = concerned(operation).flatMap((parameter) => {
      const field = operation.resource.by.get(parameter.key) ?? '';
      const known = records.map((record) => valueAt(record, field)).find((value) => value !== undefined && value !== null);
      return textsFor(parameter, String(known ?? 1), lab.quick).map((text) => toOddity(operation, parameter, text));
    });
    return examineOddities(lab, [...oddities, ...missingName(lab, operation)], (reply) => {
      const parameter =
        concerned(operation).find(({ name }) => textOf(name, reply.request.target) !== undefined) ?? concerned(operation)[0];
      const sent = textOf(parameter?.name ?? '', reply.request.target) ?? '';
      const name = parameter === undefined ? undefined : nameIn(lab, parameter, reply);
      if (name === undefined || name === sent) return undefined;
      return name === null ? 'and no record' : `and the record of ${parameter?.name} ${name}`;
    });
  },
};

/** The parameters that have wrong values at all: numbers, and texts in a query. Wrong texts of a path lead to other paths. */
function concerned(operation: RecordRead): readonly Parameter[] {
  return operation.parameters.filter(
    (parameter) => operation.resource.by.has(parameter.key) && (parameter.in === 'query' || !parameter.kinds.includes('string')),
  );
}

/** Two numbers that do not fit 64 and 32 bits; what is left of the second in 32 bits is an identifier that exists. */
const beyond64 = '9223372036854775808';
const bits32 = 4_294_967_296;

function textsFor(parameter: Parameter, known: string, isQuick: boolean): readonly string[] {
  if (parameter.kinds.includes('string')) return isQuick ? [] : [''];
  const minimum = isObject(parameter.schema) ? parameter.schema['minimum'] : undefined;
  const below = typeof minimum === 'number' ? [String(minimum - 1)] : [];
  const wraps = Number.isSafeInteger(Number(known) + bits32) ? [String(Number(known) + bits32)] : [];
  const few = [`${known}abc`, ...wraps];
  // A reader that drops the sign finds the record.
  return isQuick ? few.slice(0, 1) : [...few, ...below, `-${known}`, beyond64];
}

function toOddity(operation: RecordRead, parameter: Parameter, text: string): Oddity {
  return { call: callByText(operation, parameter, encodeText(text)), what: `${parameter.name}=${text}`, clause: parameter.place };
}

/** A required name that is left out. */
function missingName({ contract, quick }: Lab, operation: RecordRead): readonly Oddity[] {
  const parameter = concerned(operation).find(({ required }) => required);
  const call = { operation, values: {} };
  if (quick || parameter === undefined || parameter.in === 'path' || !isRefused(contract, call)) return [];
  return [{ call, what: `no ${parameter.name}`, clause: parameter.place }];
}

/** What was sent of a query parameter. */
function textOf(name: string, target: string): string | undefined {
  return splitQuery(splitTarget(target).query).find(([each]) => each === name)?.[1];
}
