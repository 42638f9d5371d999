/** Knows the server that the environment names instead of the mock, and which scenarios cannot be held against it. */
import { keyOf, rolesOf, roleVariable } from './role.ts';
import type { Stage } from './run.ts';
import { type Scenario, usesHiddenSlugs } from './scenario.ts';

/** The environment, as `process.env` has it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const KEY_PREFIX = 'TOUCHSTONE_KEY_';

/** The server named by TOUCHSTONE_TARGET, or undefined when there is none. Keys stay under their variable's name: TOUCHSTONE_KEY_FULL. */
export const targetStage = (environment: Environment): Stage | undefined => {
  const { TOUCHSTONE_TARGET: baseUrl, TOUCHSTONE_HIDDEN_SLUGS: slugs = '' } = environment;
  if (baseUrl === undefined || baseUrl === '') return undefined;
  const keys = Object.entries(environment).filter(([name, value]) => name.startsWith(KEY_PREFIX) && value !== undefined && value !== '');
  return {
    baseUrl,
    keys: Object.fromEntries(keys.map(([name, value]) => [name.slice(KEY_PREFIX.length), value ?? ''])),
    hiddenSlugs: slugs.split(',').filter((slug) => slug !== ''),
  };
};

/** Why a scenario says nothing about this server; undefined when it does say something. */
export const reasonToSkip = (scenario: Scenario, target: Stage): string | undefined => {
  if (scenario.mocksChoice) return "the documents leave this open; it is the mock's choice";
  const missing = [...rolesOf(scenario)].find((role) => keyOf(target.keys, role) === undefined);
  if (missing !== undefined) return `needs ${KEY_PREFIX}${roleVariable(missing)}`;
  if (usesHiddenSlugs(scenario) && target.hiddenSlugs.length === 0) return 'needs TOUCHSTONE_HIDDEN_SLUGS';
  return undefined;
};
