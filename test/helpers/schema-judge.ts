/** Checks of instances without the generators: with ajv alone for plain schemas, and through core for the schemas of a contract. */

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isObject, type Json } from '../../core/json.ts';
import { lazy, memoize } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { addFormats } from '../../core/openapi/formats.ts';
import { createDocument } from '../../core/openapi/raw-document.ts';
import type { Schema } from '../../core/openapi/schema-facts.ts';
import { createValidators } from '../../core/openapi/validator.ts';
import { isValid } from '../../generators/constraints/validate-instance.ts';
import { openSchema, type SchemaSources } from '../../generators/schema/located-schema.ts';

/** A violation in an instance. */
export interface Complaint {
  /** JSON Pointer of the place in the instance. */
  readonly path: string;
  readonly keyword: string;
}

/** Returns the violations in an instance; empty for a valid instance. */
export type SchemaJudge = (instance: Json) => readonly Complaint[];

/** The judge of a plain schema. */
export function judgeOf(
  schema: Schema,
  { allErrors = true, ...sources }: Pick<SchemaSources, 'remotes' | 'formats'> & { readonly allErrors?: boolean } = {},
): SchemaJudge {
  // ajv alone takes a bigint for no number.
  const exactly = lazy(() => createValidators(createDocument('', new Map([['', isObject(schema) ? schema : {}]]))).compile(schema));
  const validateExactly: SchemaJudge = (instance) => exactly()(instance).map(({ path, keyword }) => ({ path, keyword }));
  if (hasBigint(schema)) return validateExactly;
  const judgesFormats = sources.formats !== 'annotation';
  const isAlone = sources.remotes === undefined && !JSON.stringify(schema).includes('"$id"');
  const ajv = isAlone ? sharedAjv(`${allErrors} ${judgesFormats}`) : createAjv(allErrors, judgesFormats);
  for (const [uri, remote] of Object.entries(sources.remotes ?? {})) ajv.addSchema(remote, uri);
  const validate = ajv.compile(schema);
  return (instance) => {
    if (hasBigint(instance)) return validateExactly(instance);
    try {
      return validate(instance) ? [] : (validate.errors ?? []).filter(isRelevant).map(toComplaint);
    } catch (error) {
      // ajv fails in three cases: if the instance has members named `valueOf` or `toString`, which it calls for comparisons; if a recursive schema
      // evaluates items; and if its recursion does not end. Then the evaluator of generators/ judges.
      if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
      return isValid(openSchema(schema, sources), instance) ? [] : [{ path: '', keyword: 'unknown' }];
    }
  };
}

function createAjv(allErrors: boolean, validateFormats: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    allErrors,
    validateSchema: false,
    logger: false,
    // Numbers are decimal: 0.3 is a multiple of 0.1, although 0.3 / 0.1 is 2.9999999999999996.
    multipleOfPrecision: 9,
    validateFormats,
  });
  addFormats(ajv);
  return ajv;
}

/** An instance of ajv takes longer to make than most schemas take to compile. */
const sharedAjv = memoize((options: string) => createAjv(options.startsWith('true'), options.endsWith('true')));

function hasBigint(value: Json): boolean {
  return typeof value === 'bigint' || (typeof value === 'object' && value !== null && Object.values(value).some(hasBigint));
}

/** The judge of a schema of a contract. */
export function judgeOfContract(contract: Contract, schema: Schema): SchemaJudge {
  const validate = contract.validators.compile(schema);
  return (instance) => validate(instance).map(({ path, keyword }) => ({ path, keyword }));
}

/** True for violations that decide. Items that do not match `contains` are no violations, and an `if` repeats the violation below it. */
function isRelevant({ keyword, schemaPath }: ErrorObject): boolean {
  return keyword !== 'if' && !schemaPath.includes('/contains/');
}

function toComplaint({ instancePath, keyword, propertyName }: ErrorObject): Complaint {
  // A wrong name is reported for the object that has it.
  return { path: instancePath, keyword: propertyName === undefined ? keyword : 'propertyNames' };
}
