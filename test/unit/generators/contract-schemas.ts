/** Lists the schemas of a contract: components, responses, request bodies and parameters. */

import { isObject, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';

/** A schema and what it is for, as a reader would look it up. */
export interface ContractSchema {
  readonly title: string;
  readonly schema: Schema;
}

/** The schemas of a contract, each once. */
export function schemasOf(contract: Contract): readonly ContractSchema[] {
  const components = rawOf(contract.closed).root['components'];
  const named = Object.entries(membersOf(isObject(components) ? components['schemas'] : undefined)) as [string, Schema][];
  const found = [
    ...named.map(([name, schema]) => ({ title: `components/schemas/${name}`, schema })),
    ...contract.operations.flatMap((operation) => [...responsesOf(operation), ...parametersOf(operation)]),
  ];
  return [...new Map(found.toReversed().map((each) => [each.schema, each])).values()].toReversed();
}

function responsesOf(operation: Operation): readonly ContractSchema[] {
  return [...operation.responses.values()].flatMap(({ status, content, headers }) => [
    ...[...content].map(([type, { schema }]) => ({ title: `${operation.id} ${status} ${type}`, schema })),
    ...headers.map(({ name, parameter }) => ({ title: `${operation.id} ${status} header ${name}`, schema: parameter.schema })),
  ]);
}

function parametersOf(operation: Operation): readonly ContractSchema[] {
  return operation.parameters.map((parameter) => ({
    title: `${operation.id} ${parameter.in} ${parameter.name}`,
    schema: parameter.schema,
  }));
}

function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
