/** Media types (RFC 9110 §8.3): which documented one applies to a `content-type` field, and in which format its content is read. */

/** The formats of content that can be told apart; `binary` is everything that is not read. */
export type ContentFormat = 'json' | 'text' | 'form' | 'multipart' | 'xml' | 'binary';

/** Types outside of `text/` whose content is text. */
const textTypes: ReadonlySet<string> = new Set(
  ['csv', 'graphql', 'javascript', 'ecmascript', 'sql', 'toml', 'yaml', 'x-yaml', 'x-sh', 'x-ndjson', 'ndjson', 'jsonl', 'jwt'].map(
    (subtype) => `application/${subtype}`,
  ),
);

/** Returns the format of content of a media type. */
export function formatOf(field: string): ContentFormat {
  const type = mediaTypeOf(field);
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  if (type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml')) return 'xml';
  return type.startsWith('text/') || type.endsWith('+yaml') || textTypes.has(type) ? 'text' : 'binary';
}

/** True for a JSON media type, with or without parameters. */
export function isJsonType(type: string): boolean {
  return formatOf(type) === 'json';
}

/** Returns a media type without its parameters, in lower case. */
export function mediaTypeOf(field: string): string {
  return (field.split(';')[0] ?? '').trim().toLowerCase();
}

/** Returns a parameter of a media type, such as the boundary of `multipart/form-data; boundary=x`, without quotes. */
export function mediaParameterOf(field: string, name: string): string | undefined {
  return parametersOf(field).get(name);
}

function parametersOf(field: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of field.matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g))
    parameters.set(name.toLowerCase(), quoted === undefined ? token : quoted.replaceAll(/\\(.)/g, '$1'));
  return parameters;
}

/** Parameters that choose no representation: the charset of JSON is fixed, and the others belong to one message. */
const transportParameters: ReadonlySet<string> = new Set(['charset', 'boundary', 'q']);

/**
 * True if the documented media type, or a range such as `text/*`, includes the type of a `content-type` field. A parameter with another value, such as a
 * profile, is another type; one that only one side has is not.
 */
export function matchesType(documented: string, field: string): boolean {
  const [type, sentType] = [mediaTypeOf(documented), mediaTypeOf(field)];
  const isIncluded = type === sentType || type === '*/*' || (type.endsWith('/*') && sentType.startsWith(type.slice(0, -1)));
  if (!isIncluded || !documented.includes(';')) return isIncluded;
  const sentParameters = parametersOf(field);
  return [...parametersOf(documented)].every(
    ([name, value]) => transportParameters.has(name) || (sentParameters.get(name) ?? value).toLowerCase() === value.toLowerCase(),
  );
}

/** Returns the documented media type that applies to a `content-type` field: the most specific one that includes it. */
export function documentedTypeOf(types: readonly string[], field: string): string | undefined {
  const matching = types.filter((type) => matchesType(type, field));
  return matching.toSorted((left, right) => specificity(right, field) - specificity(left, field))[0];
}

/** Orders `application/json;v=1` before `application/json`, that before `application/*`, and that before the range of all types. A parameter that the field lacks says less. */
function specificity(documented: string, field: string): number {
  const sentParameters = parametersOf(field);
  const parameters = [...parametersOf(documented).keys()].filter((name) => !transportParameters.has(name));
  const shared = parameters.filter((name) => sentParameters.has(name)).length;
  const stars = mediaTypeOf(documented).split('*').length - 1;
  return -1000 * stars + 10 * shared - (parameters.length - shared);
}
