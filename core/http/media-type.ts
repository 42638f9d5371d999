/** Media types (RFC 9110 §8.3): which documented one applies to a `content-type` field, and which ones are JSON. */

/** True for a JSON media type, with or without parameters. Only JSON bodies are validated; for other content, the type must be documented. */
export function isJsonType(type: string): boolean {
  const bareType = mediaTypeOf(type);
  return bareType === 'application/json' || bareType.endsWith('+json');
}

/** Returns a media type without its parameters, in lower case. */
export function mediaTypeOf(field: string): string {
  return (field.split(';')[0] ?? '').trim().toLowerCase();
}

/** True if the documented media type, or a range such as `text/*`, includes the type of a `content-type` field. */
export function matchesType(documented: string, field: string): boolean {
  const [type, sentType] = [mediaTypeOf(documented), mediaTypeOf(field)];
  return type === sentType || type === '*/*' || (type.endsWith('/*') && sentType.startsWith(type.slice(0, -1)));
}

/** Returns the documented media type that applies to a `content-type` field: the most specific one that includes it. */
export function documentedTypeOf(types: readonly string[], field: string): string | undefined {
  // application/json before application/* before */*.
  const countStars = (type: string): number => type.split('*').length;
  return types.filter((type) => matchesType(type, field)).toSorted((left, right) => countStars(left) - countStars(right))[0];
}
