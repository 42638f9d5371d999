/**
 * Reads keys, gateway headers and client certificates when a command starts, and hides keys in errors. Options name environment variables, because other
 * programs can read a command line; no message may repeat a value.
 */

import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import type { VerifyOptions } from '../contracts/verify/run-options.ts';
import { nearest } from '../core/did-you-mean.ts';
import { UsageError } from '../core/errors.ts';
import type { Contract } from '../core/openapi/contract.ts';
import { needsKey } from '../core/openapi/operation.ts';
import type { Secret } from '../core/redaction/redact-secrets.ts';
import type { Arguments } from './command.ts';
import { readNamedFile } from './read-named-file.ts';

/** Environment variables. */
export type KeyEnvironment = Readonly<Record<string, string | undefined>>;

type NamedValues = NonNullable<VerifyOptions['keys']>;

/**
 * Reads `--key ROLE=ENV_VAR`, or `--key SCHEME=ENV_VAR` by the name of a security scheme, for one contract, or for several that are verified together.
 * @throws {UsageError} for an unknown role, a variable that is not set, or a contract that needs a key and has none.
 */
export function readKeys(values: readonly string[], contract: Contract | readonly Contract[], environment: KeyEnvironment): NamedValues {
  const contracts = 'operations' in contract ? [contract] : contract;
  const keys = readNamedValues('key', 'ROLE', values, environment, (role) => checkRole(role, contracts));
  const contractWithoutKey =
    keys['full'] === undefined
      ? contracts.find((each) => isUnreadableWithoutKey(each) && !schemesOf(each).some((name) => keys[name] !== undefined))
      : undefined;
  if (contractWithoutKey !== undefined) {
    throw new UsageError(
      `${contractWithoutKey.name} needs a key; set an environment variable to a key with full read access, and pass the name of the variable, as in --key full=FULL_KEY`,
    );
  }
  return keys;
}

/**
 * Reads `--header NAME=ENV_VAR`.
 * @throws {UsageError} for a variable that is not set.
 */
export function readHeaders(values: readonly string[], environment: KeyEnvironment): NamedValues {
  return readNamedValues('header', 'NAME', values, environment, (name) => checkHeaderName('--header', name));
}

function checkHeaderName(option: string, name: string): void {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    throw new UsageError(`${option} does not start with a valid header name; write it as in ${option} X-Gateway-Token=…`);
}

/**
 * Reads `--header NAME=ENV_VAR` and `--header-command NAME=COMMAND`. Outputs show `$(COMMAND)` in place of the output of a command.
 * @throws {UsageError} for a variable that is not set, or a command that fails.
 */
export async function readAllHeaders({ lists }: Pick<Arguments, 'lists'>, environment: KeyEnvironment): Promise<NamedValues> {
  const headers = { ...readHeaders(lists['header'] ?? [], environment) };
  for (const argument of lists['header-command'] ?? []) {
    const [, name = '', command = ''] = /^([^=]+)=(.+)$/s.exec(argument) ?? [];
    if (name === '') throw new UsageError('--header-command is not of the form NAME=COMMAND; write --header-command NAME=COMMAND');
    checkHeaderName('--header-command', name);
    if (Object.keys(headers).some((other) => other.toLowerCase() === name.toLowerCase()))
      throw new UsageError(`the header ${name} has two values; give it once, with --header or --header-command`);
    const value = (await runForHeader(name, command, environment)).trim();
    headers[name] = { variable: `(${command})`, value: requireHeaderValue(`--header-command ${name}: the output of the command`, value) };
  }
  return headers;
}

/** Time limit of a command in milliseconds. */
const commandTimeoutMs = 30_000;

async function runForHeader(name: string, command: string, environment: KeyEnvironment): Promise<string> {
  try {
    return (await promisify(exec)(command, { env: environment, timeout: commandTimeoutMs })).stdout;
  } catch (cause) {
    const { code, killed, stderr = '' } = cause as { readonly code?: unknown; readonly killed?: boolean; readonly stderr?: string };
    const reason = killed === true ? `took longer than ${commandTimeoutMs / 1000} s` : `ended with exit code ${String(code)}`;
    const line = stderr.trim().split('\n')[0] ?? '';
    throw new UsageError(
      `--header-command ${name}: the command ${reason}${line === '' ? '' : ` and printed: ${line}`}; run it in a shell and correct it`,
      {
        cause,
      },
    );
  }
}

/**
 * Reads the files of `--cert` and `--client-key`; `undefined` without them.
 * @throws {UsageError} for one without the other, or a file that cannot be read.
 */
export function readCertificate(values: Arguments['values']): VerifyOptions['certificate'] {
  const { cert, 'client-key': key } = values;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError('--cert and --client-key belong together; give both, each with a PEM file');
  const read = (option: string, file: string): string => readNamedFile(file, { noun: `--${option}: the file`, advice: 'name a PEM file' });
  return { cert: read('cert', cert), key: read('client-key', key), files: [cert, key] };
}

/** Lists the names of the security schemes that the operations of a contract take. */
function schemesOf({ operations }: Contract): readonly string[] {
  return [...new Set(operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)))];
}

/** Returns true if every operation of a contract that may be read needs a key. Public ones are judged without. */
function isUnreadableWithoutKey({ operations }: Contract): boolean {
  const readable = operations.filter(({ method }) => method === 'GET');
  return readable.length > 0 && readable.every(needsKey);
}

/** Returns true if a contract has an operation that needs a key. */
export function wantsKey(contract: Contract): boolean {
  return contract.operations.some(needsKey);
}

/** Lists the secrets that no output may show. */
export function secretsIn(...valuesByName: readonly NamedValues[]): readonly Secret[] {
  return valuesByName.flatMap((each) => Object.values(each).map(({ variable, value }) => ({ name: variable, value })));
}

/** Reads `NAME=ENV_VAR`. The right side may be a key by mistake, so no message repeats it. */
function readNamedValues(
  option: string,
  nameLabel: string,
  values: readonly string[],
  environment: KeyEnvironment,
  check: (name: string) => void,
): NamedValues {
  const namedValues = new Map<string, { readonly variable: string; readonly value: string }>();
  for (const argument of values) {
    const separator = argument.indexOf('=');
    if (separator <= 0) throw new UsageError(`--${option} is not of the form ${nameLabel}=ENV_VAR; write --${option} ${nameLabel}=ENV_VAR`);
    const [name, variable] = [argument.slice(0, separator), argument.slice(separator + 1)];
    check(name);
    const key = option === 'header' ? name.toLowerCase() : name;
    if ([...namedValues.keys()].some((other) => other.toLowerCase() === key.toLowerCase()))
      throw new UsageError(`--${option} ${name} was given more than once; give it once`);
    namedValues.set(name, { variable, value: readVariable(`--${option} ${name}`, name, variable, environment) });
  }
  return Object.fromEntries(namedValues);
}

function readVariable(option: string, name: string, variable: string, environment: KeyEnvironment): string {
  const value = environment[variable];
  const instruction = `write ${option}=${exampleVariable(name)} after export ${exampleVariable(name)}=…`;
  if (!/^[A-Z_][A-Z0-9_]*$/i.test(variable)) {
    throw new UsageError(
      `${option} is not followed by the name of an environment variable; never put a key on the command line, which other programs can read: ${instruction}`,
    );
  }
  if (value === undefined) {
    // Only variables that are named like secrets are suggested, since the value goes to the target.
    const secrets = Object.keys(environment).filter((each) => /KEY|TOKEN|SECRET/i.test(each));
    const suggestion = nearest(variable, secrets);
    throw new UsageError(
      `${option} names an environment variable that is not set; ${suggestion === undefined ? instruction : `did you mean ${option}=${suggestion}?`}`,
    );
  }
  return requireHeaderValue(`${option}: the variable ${variable}`, value);
}

/** Checks that HTTP can carry a value. The message does not repeat it. */
function requireHeaderValue(valueName: string, value: string): string {
  if (value.trim() === '') throw new UsageError(`${valueName} is empty; put the key into it`);
  if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value) || value !== value.trim()) {
    throw new UsageError(
      `${valueName} starts or ends with a space, or has a line break or another character that headers do not allow; correct its value`,
    );
  }
  return value;
}

/** Returns an example of a variable name for the key of a role: `without:x.read` becomes `WITHOUT_X_READ_KEY`. */
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
  const knownRoles = ['full', 'other', 'expired', ...scopes.map((scope) => `without:${scope}`), ...contracts.flatMap(schemesOf)];
  if (knownRoles.includes(role)) return;
  const suggestion = nearest(role, knownRoles);
  if (suggestion === undefined && /^[a-z]+(-[a-z]+)*$/.test(role)) return;
  const advice =
    suggestion === undefined
      ? `roles are ${knownRoles.join(', ')}, and any word of lower-case letters and hyphens for a further tenant`
      : `did you mean ${suggestion}?`;
  const names = contracts.map(({ name }) => name);
  const lackOfRole = `${names.join(' and ')} ${names.length === 1 ? 'does' : 'do'} not have`;
  throw new UsageError(`--key is given for a role that ${lackOfRole}${shownRole(role)}; ${advice}`);
}

/** Returns the role for a message, unless it could be a key by mistake. */
function shownRole(role: string): string {
  return /^[a-z][a-z:.-]{0,30}$/.test(role) ? `, ${role}` : '';
}

/** Runs work that uses keys, and redacts them in its errors and their causes. */
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
