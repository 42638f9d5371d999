/** Reads a scenario file into a title, a rule and steps; every unknown key is an error that names file, line and key. */

import { ANSWER_READERS, type Assertion, PAGINATION_READERS, parseExpectation } from './assertions.ts';
import { itemsOf, knownMembersOf, membersOf, readSource, ScenarioError, type SourceNode, textOf, yesOf } from './scenario-source.ts';
import { type OutcomePlace, parsePlace } from './scenario-values.ts';

/** One rule of a document, as requests and what they must answer. */
export interface Scenario {
  readonly file: string;
  readonly title: string;
  /** The document and section that state the rule. */
  readonly rule: string;
  /** True when the documents leave the matter open and the mock has chosen; other servers may differ. */
  readonly mocksChoice: boolean;
  readonly steps: readonly ScenarioStep[];
}

/** One request, or a pagination through a whole list, with its assertions. */
export interface ScenarioStep {
  readonly where: string;
  readonly paginated: boolean;
  readonly method: string;
  /** Path and query with `{name}` where a saved value goes. */
  readonly path: string;
  /** The role of the key to send; `none` sends none. */
  readonly key: string;
  readonly carrier: 'bearer' | 'header';
  readonly headers: ReadonlyMap<string, string>;
  /** The step is done once per value, each time saved under the name. */
  readonly forEach: StepRepetition | undefined;
  readonly assertions: readonly Assertion[];
  readonly save: ReadonlyMap<string, OutcomePlace>;
}

/** The values to repeat a step with: written out, or saved by an earlier step. */
interface StepRepetition {
  readonly name: string;
  readonly values: readonly string[] | { readonly reference: string };
}

const SCENARIO_KEYS: readonly string[] = ['title', 'rule', 'about', "mock's choice", 'key', 'steps'];
const REQUEST_KEYS: readonly string[] = ['get', 'head', 'options', 'send', 'paginate'];
const STEP_KEYS: readonly string[] = ['for each', ...REQUEST_KEYS, 'key', 'carrier', 'headers', 'expect', 'save'];

/** Reads the text of a scenario file. */
export const parseScenario = (file: string, text: string): Scenario => {
  const root = readSource(file, text);
  const members = knownMembersOf(root, 'the scenario', SCENARIO_KEYS);
  const choice = members.get("mock's choice");
  const key = members.get('key');
  const about = members.get('about');
  if (about !== undefined) textOf(about, 'about');
  const steps = itemsOf(needed(members, 'steps', root), 'steps');
  if (steps.length === 0) throw new ScenarioError(`${file}: a scenario without steps`);
  return {
    file,
    title: textOf(needed(members, 'title', root), 'title'),
    rule: textOf(needed(members, 'rule', root), 'rule'),
    mocksChoice: choice !== undefined && yesOf(choice, "mock's choice"),
    steps: steps.map((step) => parseStep(step, key === undefined ? 'none' : textOf(key, 'key'))),
  };
};

/** The name under which a scenario finds the slugs of hidden entries, without having saved them. */
export const HIDDEN_SLUGS = 'hidden-slugs';

/** True for a scenario about hidden entries, which must be known beforehand. */
export const usesHiddenSlugs = ({ steps }: Scenario): boolean =>
  steps.some(({ forEach }) => forEach !== undefined && 'reference' in forEach.values && forEach.values.reference === HIDDEN_SLUGS);

type Members = ReadonlyMap<string, SourceNode>;

const needed = (members: Members, key: string, node: SourceNode): SourceNode => {
  const member = members.get(key);
  if (member === undefined) throw new ScenarioError(`${node.where}: the key "${key}" is missing`);
  return member;
};

const parseStep = (node: SourceNode, defaultKey: string): ScenarioStep => {
  const members = knownMembersOf(node, 'a step', STEP_KEYS);
  const request = parseRequest(node, members);
  const key = members.get('key');
  const headers = members.get('headers');
  const save = members.get('save');
  return {
    where: node.where,
    ...request,
    key: key === undefined ? defaultKey : textOf(key, 'key'),
    carrier: parseCarrier(members.get('carrier')),
    headers: headers === undefined ? new Map() : mapTexts(headers, 'headers', (text) => text),
    forEach: parseRepetition(members.get('for each')),
    assertions: parseExpectation(members.get('expect'), node, request.paginated ? PAGINATION_READERS : ANSWER_READERS),
    save: save === undefined ? new Map() : mapTexts(save, 'save', parsePlace),
  };
};

const parseRequest = (node: SourceNode, members: Members): Pick<ScenarioStep, 'paginated' | 'method' | 'path'> => {
  const [verb, ...others] = REQUEST_KEYS.filter((key) => members.has(key));
  if (verb === undefined || others.length > 0)
    throw new ScenarioError(`${node.where}: a step needs exactly one of: ${REQUEST_KEYS.join(', ')}`);
  const target = needed(members, verb, node);
  if (verb !== 'send')
    return { paginated: verb === 'paginate', method: verb === 'paginate' ? 'GET' : verb.toUpperCase(), path: parsePath(target) };
  const parts = knownMembersOf(target, 'send', ['method', 'path']);
  return { paginated: false, method: textOf(needed(parts, 'method', target), 'method'), path: parsePath(needed(parts, 'path', target)) };
};

const parsePath = (node: SourceNode): string => {
  const path = textOf(node, 'a path');
  if (!path.startsWith('/')) throw new ScenarioError(`${node.where}: the path "${path}" must start with a slash`);
  return path;
};

const parseCarrier = (node: SourceNode | undefined): ScenarioStep['carrier'] => {
  const carrier = node === undefined ? 'bearer' : textOf(node, 'carrier');
  if (carrier === 'bearer' || carrier === 'header') return carrier;
  throw new ScenarioError(`${node?.where ?? ''}: carrier "${carrier}" is neither bearer nor header`);
};

const mapTexts = (node: SourceNode, what: string, read: (text: string, where: string) => string): ReadonlyMap<string, string> =>
  new Map([...membersOf(node, what)].map(([name, member]) => [name, read(textOf(member, `${what}: ${name}`), member.where)]));

const parseRepetition = (node: SourceNode | undefined): StepRepetition | undefined => {
  if (node === undefined) return undefined;
  const [only, ...others] = membersOf(node, 'for each');
  if (only === undefined || others.length > 0)
    throw new ScenarioError(`${node.where}: "for each" names one value, such as { limit: [0, 101] }`);
  const [name, values] = only;
  if (values.tag === 'saved') return { name, values: { reference: textOf(values, '!saved') } };
  return { name, values: itemsOf(values, 'for each').map((item) => textOf(item, 'a value of "for each"')) };
};

/** API keys by role. */
export type RoleKeys = Readonly<Record<string, string>>;

/** A role as a part of an environment variable: `without:orders.read` is WITHOUT_ORDERS_READ. */
export const roleVariable = (role: string): string => role.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

/** The key of a role; keys may be listed under the role itself or under its spelling in the environment. */
export const keyOf = (keys: RoleKeys, role: string): string | undefined =>
  Object.entries(keys).find(([name]) => roleVariable(name) === roleVariable(role))?.[1];

/** The roles whose keys a scenario sends. */
export const rolesOf = (scenario: Scenario): ReadonlySet<string> =>
  new Set(scenario.steps.map(({ key }) => key).filter((key) => key !== 'none'));
