/** The schemas of JSON Schema itself (draft 2020-12 and its vocabularies), for references that name them. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from './json.ts';
import type { Schema } from './schema.ts';

let known: Ajv2020 | undefined;

/** The meta-schema of a URI such as `https://json-schema.org/draft/2020-12/schema`, or `undefined` when it names none. */
export function metaSchema(uri: string): Schema | undefined {
  known ??= new Ajv2020({ logger: false });
  const found: unknown = known.getSchema(uri)?.schema;
  return isObject(found) ? found : undefined;
}
