/** Runs a scenario against the mock or the server in TOUCHSTONE_TARGET, and stops at the first step with a difference. */

import { spellingsOf } from './assertions.ts';
import type { Difference } from './expected-pattern.ts';
import {
  HIDDEN_SLUGS,
  keyOf,
  type RoleKeys,
  rolesOf,
  roleVariable,
  type Scenario,
  type ScenarioStep,
  usesHiddenSlugs,
} from './scenario.ts';
import { type ScenarioAnswer, sendRequest } from './scenario-http.ts';
import { fillHeader, fillPath, isObject, readPlace, readPointer, recall, type StepOutcome, sameValue, show } from './scenario-values.ts';

/** Fetches one page. */
type PageReader = (path: string) => Promise<ScenarioAnswer>;

const MOST_PAGES = 5000;

/** All items of a list; a page that breaks off the pagination (no 200, no cursor although there is more, too many items) is an error. */
const paginate = async (path: string, fetchPage: PageReader): Promise<readonly unknown[]> => {
  const items: unknown[] = [];
  const asked = new Set<string>();
  for (let next: NextPage | undefined = { path, beyond: false }; next !== undefined; ) {
    if (asked.has(next.path)) throw new Error(`pagination goes in circles: ${next.path} comes twice`);
    if (asked.size === MOST_PAGES) throw new Error(`pagination did not end within ${MOST_PAGES} pages`);
    asked.add(next.path);
    const answer = await fetchPage(next.path);
    if (next.beyond && bringsNothing(answer, items)) return items;
    const page = checkedPage(next.path, answer);
    items.push(...page.items);
    next = followingPage(path, page, items.length);
  }
  return items;
};

interface NextPage {
  readonly path: string;
  /** True when all items that the list claims to have are gathered. */
  readonly beyond: boolean;
}

// A full page may be the last one, and whether `total` is right is to be proved, so one more page is read. What a
// page past the end answers is open: nothing, the last page again or an error are all an end; new items are not.
const bringsNothing = ({ status, json }: ScenarioAnswer, gathered: readonly unknown[]): boolean => {
  if (status === 400 || status === 404) return true;
  const data = readPointer(json, '/data');
  return Array.isArray(data) && data.every((item) => gathered.some((other) => sameValue(item, other)));
};

interface ReadPage {
  readonly body: unknown;
  readonly items: readonly unknown[];
  readonly path: string;
}

const checkedPage = (path: string, { status, json }: ScenarioAnswer): ReadPage => {
  if (status !== 200) throw new Error(`the page ${path}: expected status 200, but came ${status} ${show(json)}`);
  const data = readPointer(json, '/data');
  const lists = Array.isArray(data) ? [data] : Object.values(isObject(data) ? data : {}).filter((member) => Array.isArray(member));
  const [items] = lists;
  if (items === undefined || lists.length > 1) throw new Error(`the page ${path}: expected one list in /data, but came ${lists.length}`);
  const limit = Number(parametersOf(path).get('limit') ?? Number.POSITIVE_INFINITY);
  if (items.length > limit) throw new Error(`the page ${path}: expected at most ${limit} items, but came ${items.length}`);
  return { body: json, items, path };
};

const followingPage = (first: string, page: ReadPage, gathered: number): NextPage | undefined =>
  readPointer(page.body, '/data/page') === undefined ? byNumber(first, page, gathered) : byCursor(first, page);

const byCursor = (first: string, { body, path }: ReadPage): NextPage | undefined => {
  const more = readPointer(body, '/data/page/has_more');
  if (typeof more !== 'boolean') throw new Error(`the page ${path}: expected true or false at /data/page/has_more, but came ${show(more)}`);
  if (!more) return undefined;
  const cursor = readPointer(body, '/data/page/next_cursor');
  if (typeof cursor === 'string' && cursor !== '') return { path: withParameter(first, 'cursor', cursor), beyond: false };
  throw new Error(`the page ${path}: has_more is true, so expected a text at /data/page/next_cursor, but came ${show(cursor)}`);
};

const byNumber = (first: string, { body, items, path }: ReadPage, gathered: number): NextPage | undefined => {
  const total = readPointer(body, '/meta/total');
  const limit = readPointer(body, '/meta/limit');
  if (typeof total !== 'number' || typeof limit !== 'number') {
    throw new Error(`the page ${path}: expected numbers at /meta/total and /meta/limit, but came ${show(total)} and ${show(limit)}`);
  }
  if (items.length < limit) return undefined;
  const following = Number(parametersOf(path).get('page') ?? 1) + 1;
  return { path: withParameter(first, 'page', String(following)), beyond: gathered >= total };
};

const parametersOf = (path: string): URLSearchParams => new URLSearchParams(path.split('?')[1] ?? '');

const withParameter = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

/** The server to question, and what is known about it beforehand. */
export interface ScenarioTarget {
  readonly baseUrl: string;
  /** API keys by role. */
  readonly keys: RoleKeys;
  /** Slugs of wiki entries that exist but are not public; scenarios know them as `hidden-slugs`. */
  readonly hiddenRecords: readonly string[];
}

/** A step that did not go as the scenario says; the message names file, line and step, and sets expected beside actual. */
class StepFailure extends Error {
  override name = 'StepFailure';
}

/** Runs all steps of a scenario. */
export const runScenario = async (scenario: Scenario, target: ScenarioTarget): Promise<void> => {
  const saved = new Map<string, unknown>([[HIDDEN_SLUGS, target.hiddenRecords]]);
  for (const [index, step] of scenario.steps.entries()) {
    for (const value of valuesOf(scenario, index, step, saved)) {
      if (step.forEach !== undefined) saved.set(step.forEach.name, value);
      await runStep({ scenario, number: index + 1, step, target, saved });
    }
  }
};

interface StepRun {
  readonly scenario: Scenario;
  readonly number: number;
  readonly step: ScenarioStep;
  readonly target: ScenarioTarget;
  readonly saved: Map<string, unknown>;
}

const valuesOf = (scenario: Scenario, index: number, step: ScenarioStep, saved: ReadonlyMap<string, unknown>): readonly unknown[] => {
  if (step.forEach === undefined) return [undefined];
  const { name, values } = step.forEach;
  const list = 'reference' in values ? recall(saved, values.reference) : values;
  if (Array.isArray(list) && list.length > 0) return list;
  throw new StepFailure(`${scenario.file}, step ${index + 1}: "for each ${name}" needs at least one value, but there is none`);
};

const runStep = async (run: StepRun): Promise<void> => {
  const { step, saved } = run;
  let path = step.path;
  try {
    path = fillPath(step.path, saved);
    const outcome = await perform(run, path);
    const differences = step.assertions.flatMap((check) => check(outcome, saved));
    if (differences.length > 0) throw new StepFailure(differencesText(differences));
    for (const [name, place] of step.save) saved.set(name, found(outcome, place));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StepFailure(conceal(`${heading(run, path)}\n${reason}`, run.target.keys), {
      cause: error instanceof StepFailure ? undefined : error,
    });
  }
};

const perform = async (run: StepRun, path: string): Promise<StepOutcome> => {
  const headers = headersOf(run);
  const sentKeys = Object.entries(headers).flatMap(([name, value]) =>
    KEY_HEADERS.includes(name.toLowerCase()) ? [value.replace(/^Bearer /, '')] : [],
  );
  const fetchPath = (wanted: string): Promise<ScenarioAnswer> =>
    sendRequest({ baseUrl: run.target.baseUrl, method: run.step.method, path: wanted, headers });
  if (run.step.paginated) return { answer: undefined, body: await paginate(path, fetchPath), sentKeys };
  const answer = await fetchPath(path);
  return { answer, body: answer.json, sentKeys };
};

const KEY_HEADERS: readonly string[] = ['authorization', 'x-service-api-key'];

const headersOf = ({ step, target, saved }: StepRun): Readonly<Record<string, string>> => {
  const own = [...step.headers].map(([name, value]) => [name, fillHeader(value, saved)]);
  if (step.key === 'none') return Object.fromEntries(own);
  const key = keyOf(target.keys, step.key);
  if (key === undefined)
    throw new Error(`there is no key for the role "${step.key}"; there are keys for: ${Object.keys(target.keys).join(', ')}`);
  const carried = step.carrier === 'bearer' ? ['Authorization', `Bearer ${key}`] : ['X-SERVICE-API-Key', key];
  return Object.fromEntries([carried, ...own]);
};

const found = (outcome: StepOutcome, place: string): unknown => {
  const value = readPlace(outcome, place);
  if (value === undefined) throw new Error(`there is nothing to save at ${place}`);
  return value;
};

const MOST_DIFFERENCES = 8;
const LONGEST_LINE = 400;

const differencesText = (differences: readonly Difference[]): string => {
  const more = differences.length - MOST_DIFFERENCES;
  return [...differences.slice(0, MOST_DIFFERENCES), ...(more > 0 ? [`and ${more} more`] : [])].map((line) => `  ${line}`).join('\n');
};

const heading = ({ scenario, number, step, saved }: StepRun, path: string): string => {
  const repetition = step.forEach === undefined ? '' : `, for ${step.forEach.name} = ${labelOf(saved.get(step.forEach.name))}`;
  return `${scenario.title}\n${step.where}, step ${number} (${step.paginated ? 'paginate' : step.method} ${path}, key: ${step.key}${repetition})`;
};

// A whole record would drown the message; its identity is enough to find it.
const labelOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return JSON.stringify('id' in value ? value.id : 'slug' in value ? value.slug : Object.keys(value));
};

// Keys are hidden before lines are cut, since half a key is still a secret.
const conceal = (message: string, keys: RoleKeys): string =>
  Object.entries(keys)
    .flatMap(([role, key]) => spellingsOf(key).map((spelling) => [role, spelling] as const))
    .reduce((text, [role, spelling]) => text.replaceAll(spelling, `‹key ${role}›`), message)
    .split('\n')
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line))
    .join('\n');

/** The environment, as `process.env` has it. */
type TargetEnvironment = Readonly<Record<string, string | undefined>>;

const KEY_PREFIX = 'TOUCHSTONE_KEY_';

/** The server named by TOUCHSTONE_TARGET, or undefined when there is none. Keys stay under their variable's name: TOUCHSTONE_KEY_FULL. */
export const targetOf = (environment: TargetEnvironment): ScenarioTarget | undefined => {
  const { TOUCHSTONE_TARGET: baseUrl, TOUCHSTONE_HIDDEN_SLUGS: slugs = '' } = environment;
  if (baseUrl === undefined || baseUrl === '') return undefined;
  const keys = Object.entries(environment).filter(([name, value]) => name.startsWith(KEY_PREFIX) && value !== undefined && value !== '');
  return {
    baseUrl,
    keys: Object.fromEntries(keys.map(([name, value]) => [name.slice(KEY_PREFIX.length), value ?? ''])),
    hiddenRecords: slugs.split(',').filter((slug) => slug !== ''),
  };
};

/** Why a scenario says nothing about this server; undefined when it does say something. */
export const reasonToSkip = (scenario: Scenario, target: ScenarioTarget): string | undefined => {
  if (scenario.mocksChoice) return "the documents leave this open; it is the mock's choice";
  const missing = [...rolesOf(scenario)].find((role) => keyOf(target.keys, role) === undefined);
  if (missing !== undefined) return `needs ${KEY_PREFIX}${roleVariable(missing)}`;
  if (usesHiddenSlugs(scenario) && target.hiddenRecords.length === 0) return 'needs TOUCHSTONE_HIDDEN_SLUGS';
  return undefined;
};
