/** Mistakes of an HTTP Archive by the published schemas of HAR 1.2. */

import { createRequire } from 'node:module';
import { Ajv, type AnySchema } from 'ajv';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import addFormats from 'ajv-formats';

const ajv = new Ajv({ strict: false, allErrors: true }).addMetaSchema(draft6);
addFormats.default(ajv);
const { har = false, ...parts } = createRequire(import.meta.url)('har-schema') as Readonly<Record<string, AnySchema>>;
for (const part of Object.values(parts)) ajv.addSchema(part);
const validate = ajv.compile(har);

/** Lists the mistakes of an archive; none for a valid one. */
export function harMistakes(archive: unknown): readonly unknown[] {
  validate(archive);
  return validate.errors ?? [];
}
