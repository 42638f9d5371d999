/** Requests whose parameters are right one by one and wrong together: too few, too many, in the wrong order, or none that the operation has. */

import { type Arbitrary, constantFrom, tuple } from 'fast-check';
import type { Json } from '../../core/json.ts';
import { encodeText } from '../../core/style.ts';
import type { Fault } from './fault.ts';
import { putOutOfOrder } from './ordering.ts';
import { tryPrint } from './parameter-values.ts';
import { type Desk, partsOrNone, type RequestParts } from './request-parts.ts';

/** Requests that lack a parameter, break a rule about several, have one too many, or go on from a cursor that was damaged. */
export function ruleFaults(desk: Desk): readonly Arbitrary<Fault | undefined>[] {
  return [...missing(desk), ...exclusive(desk), ...disordered(desk), undeclared(desk), ...damagedCursors(desk)];
}

function without(parts: RequestParts, keys: readonly string[]): RequestParts {
  return { ...parts, values: new Map([...parts.values].filter(([key]) => !keys.includes(key))) };
}

function missing(desk: Desk): readonly Arbitrary<Fault>[] {
  const required = desk.operation.parameters.filter((parameter) => parameter.required && parameter.in !== 'path');
  return required.map(({ key, name }) =>
    desk.parts().map((parts): Fault => ({ rule: 'required', parameters: [name], change: 'is missing', parts: without(parts, [key]) })),
  );
}

function exclusive(desk: Desk): readonly Arbitrary<Fault>[] {
  return desk.operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'exactly-one-of') return [];
    const none = desk.parts().map((parts): Fault => ({ rule, parameters, change: 'are all missing', parts: without(parts, parameters) }));
    const members = desk.sendable.filter(({ parameter }) => parameters.includes(parameter.key));
    const two = members.flatMap(({ parameter: { key: first } }, index) =>
      members.slice(index + 1).flatMap(({ parameter: { key: second }, values }) =>
        partsOrNone(desk, { with: [first] }).map((sound) =>
          tuple(sound, values).map(([parts, value]): Fault => {
            const both = new Map<string, Json>([...parts.values, [second, value]]);
            return { rule, parameters, change: `are there together: ${first} and ${second}`, parts: { ...parts, values: both } };
          }),
        ),
      ),
    );
    return [none, ...two];
  });
}

function disordered(desk: Desk): readonly Arbitrary<Fault | undefined>[] {
  return desk.operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'ordered') return [];
    const pairs = parameters.slice(1).map((high, index) => [parameters[index] ?? '', high] as const);
    return pairs.flatMap(([low, high]) =>
      partsOrNone(desk, { with: [low, high] }).map((sound) =>
        sound.map((parts): Fault | undefined => {
          const values = putOutOfOrder(desk.operation, parts.values, [low, high]);
          return values && { rule, parameters, change: `has ${high} before ${low}`, parts: { ...parts, values } };
        }),
      ),
    );
  });
}

function undeclared(desk: Desk): Arbitrary<Fault> {
  const pair = tuple(constantFrom('unknown', 'debug', 'x-unknown', 'Unknown', '_'), constantFrom('1', 'true', ''));
  return tuple(desk.parts(), pair).map(
    ([parts, [name, value]]): Fault => ({
      rule: 'undeclared',
      parameters: [name],
      change: 'is no parameter of the operation',
      parts: { ...parts, pairs: [`${encodeText(name)}=${value}`] },
    }),
  );
}

/** Cursors that were made up, or known ones that were tampered with: tildes are in no encoding that cursors come in. */
function damagedCursors(desk: Desk): readonly Arbitrary<Fault | undefined>[] {
  const { operation, options } = desk;
  const page = operation.collection?.page;
  const parameter = page?.style === 'cursor' ? operation.parameters.find(({ key }) => key === page.cursor) : undefined;
  if (parameter === undefined) return [];
  const known = (options.known?.[parameter.key] ?? []).filter((value) => typeof value === 'string');
  const damaged = known.flatMap((text) => [`${text.slice(0, text.length >> 1)}~`, `${text}~`, `~${text}`]);
  return [
    tuple(desk.parts({ without: [parameter.key] }), constantFrom('not~a~cursor', '~', ...damaged)).map(([parts, cursor]) => {
      const text = tryPrint(parameter, cursor);
      if (text === undefined) return undefined;
      const texts = new Map([[parameter.key, text]]);
      return {
        rule: 'cursor',
        parameters: [parameter.name],
        change: 'was not given by the server',
        parts: { ...parts, texts },
        unseen: 'damaged-cursor',
      } satisfies Fault;
    }),
  ];
}
