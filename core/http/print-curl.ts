/** Prints requests as curl commands. Keys must have been hidden before: in every text that arrives here, a key is `$NAME`. */

import type { HttpRequest } from './exchange.ts';

/**
 * Prints a request to a server. The shell expands the variables, and nothing else. A variable may be a command in parentheses, whose output is the key.
 * `options` are further options of curl, already quoted, and `logins` the variables that hold `user:password`.
 */
export function printCurl(
  url: string,
  request: HttpRequest,
  variables: readonly string[],
  options: readonly string[] = [],
  logins: readonly string[] = [],
): string {
  const { target, headers, body } = request;
  const { rest, keys } = takeKeys(target, variables);
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => printField(name, each, variables, logins)),
  );
  return [
    'curl -si',
    // curl removes the segments `.` and `..`, and takes brackets for patterns.
    ...(/(?:\.|%2e)(?:[/?]|$)/i.test(target) ? ['--path-as-is'] : []),
    ...(/[[\]{}]/.test(target) ? ['--globoff'] : []),
    ...options,
    ...printMethod(request),
    ...fields,
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
    // The shell fills in the plain key, and curl percent-encodes it for the query. Beside a body, only curl 7.87 and later can do so.
    ...keys.map((pair) => `${body === undefined ? '-G --data-urlencode' : '--url-query'} ${quoteForShell(pair, variables)}`),
    quoteForShell(`${url}${rest}`, variables),
  ].join(' ');
}

/** The method, unless curl chooses it: without a body it sends GET, with one POST. It refuses `-I` beside a body. */
function printMethod({ method, body }: HttpRequest): readonly string[] {
  if (body === undefined && method === 'GET') return [];
  return [body === undefined && method === 'HEAD' ? '-I' : `-X ${method}`];
}

function printField(name: string, value: string, variables: readonly string[], logins: readonly string[]): string {
  const password = passwordVariable(name, value, variables);
  if (password !== undefined) return `-u ${quoteForShell(`${logins.includes(password) ? '' : ':'}$${password}`, variables)}`;
  // Without the semicolon, curl does not send a field without a value.
  return `-H ${quoteForShell(value === '' ? `${name};` : `${name}: ${value}`, variables)}`;
}

/** The variable of a key that is the password of Basic. curl writes such a header, because a shell cannot fill a key into base64 (RFC 7617 §2). */
export function passwordVariable(name: string, value: string, variables: readonly string[]): string | undefined {
  if (name.toLowerCase() !== 'authorization' || !/^basic ./i.test(value)) return undefined;
  return longestFirst(variables).find((each) => value.includes(`$${each}`));
}

/** True if the value of a query parameter is a key. */
export function isKeyPair(pair: string, variables: readonly string[]): boolean {
  return variables.some((name) => pair.slice(pair.indexOf('=') + 1) === `$${name}`);
}

/** Separates the query parameters whose value is a key from the rest of a target. */
function takeKeys(target: string, variables: readonly string[]): { readonly rest: string; readonly keys: readonly string[] } {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const pairs = query.split('&');
  const keys = pairs.filter((pair) => isKeyPair(pair, variables));
  if (keys.length === 0) return { rest: target, keys };
  const otherPairs = pairs.filter((pair) => !keys.includes(pair)).join('&');
  return { rest: otherPairs === '' ? path : `${path}?${otherPairs}`, keys };
}

/** Quotes a text for a shell, which expands the given variables and nothing else. */
export function quoteForShell(text: string, variables: readonly string[] = []): string {
  const names = longestFirst(variables).map((name) => `$${name}`);
  if (!names.some((name) => text.includes(name))) return `'${text.replaceAll("'", `'\\''`)}'`;
  const expanded = names.reduce(
    (line, name) =>
      line.replaceAll(escapeForShell(name), (written, offset: number) =>
        // Empty quotes end the name of the variable.
        /^[\w:[]/.test(line.slice(offset + written.length)) ? `${name}""` : name,
      ),
    escapeForShell(text),
  );
  return `"${expanded}"`;
}

/** A name may contain another: that of a nearly right key contains the name of the key. */
function longestFirst(names: readonly string[]): readonly string[] {
  return names.toSorted((left, right) => right.length - left.length);
}

/** Escapes a text for double quotes. An interactive shell expands `!` there even after a backslash, so it stands in single quotes. */
function escapeForShell(text: string): string {
  return text.replaceAll(/[\\"`$]/g, '\\$&').replaceAll('!', `"'!'"`);
}
