/** Requirements of SARIF 2.1.0 for the objects in our reports: required members, types and enums, taken from the standard. */

import { Ajv2020 } from 'ajv/dist/2020.js';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string', minLength: 1 };
const object = (required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });
const bag: Schema = { type: 'object', properties: { tags: list({ type: 'string' }, { uniqueItems: true }) } };
const instant: Schema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' };
const level: Schema = { enum: ['none', 'note', 'warning', 'error'] };
const message = object(['text'], { text });
const region = object(['startLine', 'startColumn'], {
  startLine: { type: 'integer', minimum: 1 },
  startColumn: { type: 'integer', minimum: 1 },
});
const physical = object(['artifactLocation', 'region'], {
  // A reference of RFC 3986: no character that must be percent-encoded.
  artifactLocation: object(['uri'], {
    uriBaseId: text,
    uri: { type: 'string', pattern: "^(?:[A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=]|%[0-9A-F]{2})+$" },
  }),
  region,
});
const location = object([], {
  physicalLocation: physical,
  logicalLocations: list(object([], { fullyQualifiedName: text, kind: text }), { uniqueItems: true }),
});
const rule = object(['id'], {
  id: text,
  shortDescription: message,
  help: message,
  defaultConfiguration: object([], { level }),
  properties: bag,
});
const suppression = object(['kind'], {
  kind: { enum: ['inSource', 'external'] },
  status: { enum: ['accepted', 'underReview', 'rejected'] },
  justification: { type: 'string' },
});
const result = object(['message'], {
  ruleId: text,
  ruleIndex: { type: 'integer', minimum: 0 },
  level,
  kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
  message,
  locations: list(location),
  partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
  suppressions: list(suppression, { uniqueItems: true }),
});
const invocation = object(['executionSuccessful'], {
  executionSuccessful: { type: 'boolean' },
  startTimeUtc: instant,
  endTimeUtc: instant,
  exitCode: { type: 'integer' },
  exitCodeDescription: { type: 'string' },
  toolExecutionNotifications: list(object(['message'], { level, message })),
});
const driver = object(['name'], {
  name: text,
  version: text,
  semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
  informationUri: { type: 'string', pattern: '^https://' },
  rules: list(rule, { uniqueItems: true }),
});
const run = object(['tool'], {
  tool: object(['driver'], { driver }),
  originalUriBaseIds: { type: 'object', additionalProperties: object([], { description: message }) },
  automationDetails: object([], { id: text }),
  invocations: list(invocation),
  columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
  results: list(result),
  properties: bag,
});
const log = object(['version', 'runs'], {
  $schema: { type: 'string' },
  version: { const: '2.1.0' },
  runs: list(run),
});

const validate = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false }).compile(log);

/** Violations of a log; empty for a valid one. */
export function complaintsAboutSarif(value: unknown): readonly string[] {
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message: why }) => `${instancePath} ${why}`);
}
