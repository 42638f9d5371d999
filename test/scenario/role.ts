/** Knows the roles of keys: which a scenario asks for, and which key belongs to one, however the role is spelled. */
import type { Scenario } from './scenario.ts';

/** API keys by role. */
export type Keys = Readonly<Record<string, string>>;

/** A role as a part of an environment variable: `without:orders.read` is WITHOUT_ORDERS_READ. */
export const roleVariable = (role: string): string => role.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

/** The key of a role; keys may be listed under the role itself or under its spelling in the environment. */
export const keyOf = (keys: Keys, role: string): string | undefined =>
  Object.entries(keys).find(([name]) => roleVariable(name) === roleVariable(role))?.[1];

/** The roles whose keys a scenario sends. */
export const rolesOf = (scenario: Scenario): ReadonlySet<string> =>
  new Set(scenario.steps.map(({ key }) => key).filter((key) => key !== 'none'));
