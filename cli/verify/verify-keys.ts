/** Keys and gateway headers of the command line: named there by variables of the environment, since a command line is no place for a secret. */

import type { VerifyOptions } from '../../contracts/verify/verify.ts';
import { nearest, UsageError } from '../../core/errors.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Secret } from '../../core/redaction/redaction.ts';

/** The variables of the environment. */
export type KeyEnvironment = Readonly<Record<string, string | undefined>>;

type Named = NonNullable<VerifyOptions['keys']>;

/**
 * Reads `--key ROLE=ENV_VAR` for one contract, or for several that are judged together.
 * @throws {UsageError} for a role that no contract knows, a variable that is not set, or a contract that wants a key and gets none.
 */
export function readKeys(values: readonly string[], contract: Contract | readonly Contract[], environment: KeyEnvironment): Named {
  const contracts = 'operations' in contract ? [contract] : contract;
  const keys = readNamed('key', 'ROLE', values, environment, (role) => checkRole(role, contracts));
  const wanting = keys['full'] === undefined ? contracts.find(wantsKey) : undefined;
  if (wanting !== undefined) {
    throw new UsageError(
      `${wanting.name} wants a key: put one that may read everything into a variable of the environment and name that variable, as in --key full=FULL_KEY`,
    );
  }
  return keys;
}

/**
 * Reads `--header NAME=ENV_VAR`.
 * @throws {UsageError} for a variable that is not set.
 */
export function readHeaders(values: readonly string[], environment: KeyEnvironment): Named {
  return readNamed('header', 'NAME', values, environment, (name) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      throw new UsageError('--header begins with something that is not the name of a header field; write --header NAME=ENV_VAR');
  });
}

/** Whether some read of a contract cannot be done without a key. */
export function wantsKey(contract: Contract): boolean {
  return contract.operations.some(({ security }) => security.length > 0 && security.every((alternative) => alternative.length > 0));
}

/** Everything that no output may show. */
export function secretsIn(...named: readonly Named[]): readonly Secret[] {
  return named.flatMap((each) => Object.values(each).map(({ variable, value }) => ({ name: variable, value })));
}

/** What stands right of the sign may be a key by mistake, so no message repeats it. */
function readNamed(
  option: string,
  left: string,
  values: readonly string[],
  environment: KeyEnvironment,
  check: (name: string) => void,
): Named {
  const found = new Map<string, { readonly variable: string; readonly value: string }>();
  for (const given of values) {
    const mark = given.indexOf('=');
    if (mark <= 0) throw new UsageError(`--${option} is not of the form ${left}=ENV_VAR; write --${option} ${left}=ENV_VAR`);
    const [name, variable] = [given.slice(0, mark), given.slice(mark + 1)];
    check(name);
    const key = option === 'header' ? name.toLowerCase() : name;
    if ([...found.keys()].some((other) => other.toLowerCase() === key.toLowerCase()))
      throw new UsageError(`--${option} ${name} is given twice; give it once`);
    found.set(name, { variable, value: readVariable(`--${option} ${name}`, name, variable, environment) });
  }
  return Object.fromEntries(found);
}

function readVariable(option: string, name: string, variable: string, environment: KeyEnvironment): string {
  const value = environment[variable];
  const write = `write ${option}=${exampleVariable(name)} after export ${exampleVariable(name)}=…`;
  if (!/^[A-Z_][A-Z0-9_]*$/i.test(variable)) {
    throw new UsageError(
      `${option} is not followed by the name of a variable of the environment; a key itself never goes on a command line, which other programs can read: ${write}`,
    );
  }
  if (value === undefined) {
    const meant = nearest(variable, Object.keys(environment));
    throw new UsageError(
      `${option} names a variable that is not set in the environment; ${meant === undefined ? write : `is ${option}=${meant} meant?`}`,
    );
  }
  if (value.trim() === '') throw new UsageError(`${option}: the variable ${variable} is empty; put the key into it`);
  if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value) || value !== value.trim()) {
    throw new UsageError(
      `${option}: the value of the variable ${variable} begins or ends with a space, or has a line break or a character that a header cannot carry; look at how it is set`,
    );
  }
  return value;
}

/** A name for a variable that a message can show: `without:x.read` becomes `WITHOUT_X_READ_KEY`. */
/** A name for a variable that holds the key of a role. */
export function exampleVariable(name: string): string {
  const word = name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return `${/^\d/.test(word) ? '_' : ''}${word}_KEY`;
}

function checkRole(role: string, contracts: readonly Contract[]): void {
  const scopes = [
    ...new Set([
      ...contracts.flatMap((contract) => contract.scopes.map((scope) => scope.role)),
      ...contracts
        .flatMap((contract) => contract.operations)
        .flatMap((operation) => operation.security.flat())
        .flatMap((credential) => credential.scopes),
    ]),
  ];
  const known = ['full', 'other', 'expired', ...scopes.map((scope) => `without:${scope}`)];
  if (known.includes(role)) return;
  const meant = nearest(role, known);
  if (meant === undefined && /^[a-z]+(-[a-z]+)*$/.test(role)) return;
  const advice =
    meant === undefined
      ? `roles are ${known.join(', ')}, and any word of small letters and hyphens for a further tenant`
      : `is ${meant} meant?`;
  const names = contracts.map(({ name }) => name);
  const who = `${names.join(' and ')} ${names.length === 1 ? 'does' : 'do'} not know`;
  throw new UsageError(`--key is given for a role that ${who}${shownRole(role)}; ${advice}`);
}

/** A role is shown when it can hardly be a key that was written by mistake. */
function shownRole(role: string): string {
  return /^[a-z][a-z:.-]{0,30}$/.test(role) ? `, ${role}` : '';
}

/** Does what may use keys; an error that ends it names none, nor does what caused it. */
export async function withoutKeys<T>(clean: (text: string) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (let each = error; each instanceof Error; each = each.cause) {
      each.message = clean(each.message);
      if (each.stack !== undefined) each.stack = clean(each.stack);
    }
    throw error;
  }
}
