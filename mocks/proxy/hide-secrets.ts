/**
 * Hides secrets in exchanges with a real service, whose keys nobody knows beforehand: by the places of keys in the contract, and by the usual names of secrets.
 * Must run before anything is kept or printed.
 */

import { type Exchange, type HttpHeaders, mapHeaders, splitTarget } from '../../core/http/exchange.ts';
import { keyIn } from '../../core/http/key-of-request.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/query-string.ts';
import { createRedactor } from '../../core/redaction/redact-secrets.ts';
import { replacePairs, replaceSecretMembers } from '../secret-members.ts';

/** An exchange without secrets, and the function that hides the same secrets in a text. */
interface HiddenExchange {
  readonly exchange: Exchange;
  readonly clean: (text: string) => string;
}

/** Shortest secret that is hidden wherever it appears; shorter ones may be ordinary words. */
const secretMin = 8;

/** Names of headers and parameters with secrets. */
const secretNames = /(^|[-_]|api|access)key($|[-_])|token|secret|auth(?!or(?!i[sz]))|cookie|passw|signature|session/i;

/** Headers with such a name that have no secret. */
const harmlessHeaders: ReadonlySet<string> = new Set(['www-authenticate', 'proxy-authenticate']);

/** Creates the function for the exchanges of a contract. Parameters that the contract declares are not secrets, whatever their names. */
export function createSecretHider({ operations }: Contract): (exchange: Exchange) => HiddenExchange {
  const credentials = operations.flatMap((operation) => operation.security.flat());
  const declaredNames = new Set(operations.flatMap(({ parameters }) => parameters.map(({ name }) => name.toLowerCase())));
  const carriers = new Set(credentials.flatMap(({ carrier }) => ('name' in carrier ? [carrier.name.toLowerCase()] : [])));
  const isSecret = (name: string): boolean => {
    const lowerName = name.toLowerCase();
    return carriers.has(lowerName) || (secretNames.test(lowerName) && !declaredNames.has(lowerName) && !harmlessHeaders.has(lowerName));
  };
  return ({ request, response }) => {
    const keys = credentials.map((credential) => keyIn(request, credential) ?? '');
    const fields = [...Object.entries(request.headers), ...Object.entries(response.headers)].filter(([name]) => isSecret(name));
    const fieldSecrets = fields.flatMap(([name, value]) => [value ?? []].flat().flatMap((text) => secretsIn(name, text)));
    const querySecrets = splitQuery(splitTarget(request.target).query).flatMap(([name, value]) =>
      isSecret(decodeOrKeep(name)) ? [decodeOrKeep(value)] : [],
    );
    const secrets = new Set([...keys, ...fieldSecrets, ...querySecrets].filter((value) => value.length >= secretMin));
    const { clean } = createRedactor([...secrets].map((value) => ({ name: 'KEY', value })));
    const hideHeaders = (headers: HttpHeaders): HttpHeaders =>
      mapHeaders(headers, (name, text) => (isSecret(name) ? text.replace(/^((?:Bearer|Basic|Digest)\s+)?.*$/is, '$1$$KEY') : clean(text)));
    const hideTarget = (target: string): string => clean(replacePairs(target, /([?&])([^=&]+)=([^&]*)/g, isSecret, () => '$KEY'));
    const hideBody = (text: string): string => clean(replaceSecretMembers(text, () => '$KEY'));
    const { body, ...head } = request;
    return {
      clean,
      exchange: {
        request: {
          ...head,
          target: hideTarget(request.target),
          headers: hideHeaders(request.headers),
          ...(body === undefined ? {} : { body: hideBody(body) }),
        },
        response: { ...response, headers: hideHeaders(response.headers), body: hideBody(response.body) },
      },
    };
  };
}

/** The secrets in a header: values of cookies, credentials without their scheme and the password in them, or the whole value. */
function secretsIn(name: string, text: string): readonly string[] {
  const afterName = (pair: string): string => pair.replace(/^[^=]*=/, '').trim();
  if (name === 'cookie') return text.split(';').map(afterName);
  if (name === 'set-cookie') return [afterName(text.split(';', 1)[0] ?? '')];
  const credentials = text.trim().replace(/^(Bearer|Basic|Digest)\s+/i, '');
  if (!/^Basic\s/i.test(text)) return [credentials];
  return [credentials, ...Buffer.from(credentials, 'base64').toString().split(/:(.*)/s)];
}
