/** Header fields of requests and answers: what is sent besides the request's own, and how repeated fields are kept. */

import { UsageError } from '../core/errors.ts';
import type { HttpHeaders } from '../core/exchange.ts';

/** Fields of a request by lower-case name. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** What every request says unless it says otherwise. */
const customary: Fields = { 'accept-encoding': 'gzip', 'user-agent': 'touchstone' };

/** The characters of a field's name (RFC 9110 §5.1). */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A value is a line of Latin-1 without control characters (RFC 9110 §5.5). */
const valuePattern = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/**
 * Reads the fields that a gateway wants.
 * @throws {UsageError} when HTTP cannot carry one. Its value is not told: it is likely a secret.
 */
export function readFields(headers: Readonly<Record<string, string>>): Fields {
  for (const [name, value] of Object.entries(headers)) {
    if (!namePattern.test(name)) throw new UsageError(`${name} is not the name of a header field; write --header NAME=ENV_VAR`);
    if (!valuePattern.test(value))
      throw new UsageError(
        `the value of the header field ${name} has a line break or a character that HTTP cannot carry; look at its variable`,
      );
  }
  return lowerCase(headers);
}

/** A request's fields together with the customary ones and those of a gateway; what the request itself says counts. */
export function mergeFields(gateway: Fields, own: HttpHeaders): Fields {
  return { ...customary, ...gateway, ...lowerCase(own) };
}

/** The fields of an answer: a repeated one is a list, so that a law can see the repetition. */
export function fieldsOf(fields: Readonly<Record<string, readonly string[] | undefined>>): HttpHeaders {
  return Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values?.length === 1 ? values[0] : values]));
}

function lowerCase(headers: HttpHeaders): Fields {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value] as const])),
  );
}
