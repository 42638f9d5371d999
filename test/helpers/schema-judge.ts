/** Judges of instances that know nothing of the generators: ajv, by itself for plain schemas and through core for those of a contract. */

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { addFormats } from '../../core/openapi/formats.ts';
import type { Schema } from '../../core/openapi/schema.ts';
import { isValid } from '../../generators/constraints/validity.ts';
import { openSchema, type SchemaSources } from '../../generators/schema/schema-location.ts';

/** One thing that is wrong with an instance. */
export interface Complaint {
  /** JSON Pointer of the place in the instance. */
  readonly path: string;
  readonly keyword: string;
}

/** Says what is wrong with an instance: nothing when it is valid. */
export type SchemaJudge = (instance: Json) => readonly Complaint[];

/** The judge of a plain schema. */
export function judgeOf(schema: Schema, sources: Pick<SchemaSources, 'remotes' | 'formats'> = {}): SchemaJudge {
  const ajv = new Ajv2020({
    ...{ strict: false, ownProperties: true, allErrors: true, validateSchema: false, logger: false },
    validateFormats: sources.formats !== 'annotation',
  });
  addFormats(ajv);
  for (const [uri, remote] of Object.entries(sources.remotes ?? {})) ajv.addSchema(remote, uri);
  const validate = ajv.compile(schema);
  return (instance) => {
    try {
      return validate(instance) ? [] : (validate.errors ?? []).filter(isTelling).map(toComplaint);
    } catch (error) {
      // ajv fails by itself in three cases: where members of the instance are named `valueOf` or `toString`, which it calls when it compares; where a
      // schema inside itself has items evaluated; and where it does not end. Our own evaluator judges then.
      if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
      return isValid(openSchema(schema, sources), instance) ? [] : [{ path: '', keyword: 'unknown' }];
    }
  };
}

/** The judge of a schema of a contract. */
export function judgeOfContract(contract: Contract, schema: Schema): SchemaJudge {
  const validate = contract.validators.compile(schema);
  return (instance) => validate(instance).map(({ path, keyword }) => ({ path, keyword }));
}

/** Items that are not what `contains` looks for are not wrong by themselves, and that `if` led to what failed is told by what failed. */
function isTelling({ keyword, schemaPath }: ErrorObject): boolean {
  return keyword !== 'if' && !schemaPath.includes('/contains/');
}

function toComplaint({ instancePath, keyword, propertyName }: ErrorObject): Complaint {
  // A wrong name is reported for the object that has it.
  return { path: instancePath, keyword: propertyName === undefined ? keyword : 'propertyNames' };
}
