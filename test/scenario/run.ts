/** Runs a scenario against a server, step by step, and stops at the first step that is not as expected. */
import { spellingsOf } from './answer-checks.ts';
import type { Difference } from './match.ts';
import { type Outcome, readPlace } from './place.ts';
import { type HttpAnswer, request } from './request.ts';
import { type Keys, keyOf } from './role.ts';
import { fillHeader, fillPath, recall } from './saved.ts';
import { HIDDEN_SLUGS, type Scenario, type Step } from './scenario.ts';
import { walk } from './walk.ts';

/** The server to question, and what is known about it beforehand. */
export interface Stage {
  readonly baseUrl: string;
  /** API keys by role. */
  readonly keys: Keys;
  /** Slugs of wiki entries that exist but are not public; scenarios know them as `hidden-slugs`. */
  readonly hiddenSlugs: readonly string[];
}

/** A step that did not go as the scenario says; the message names file, line and step, and sets expected beside actual. */
export class StepFailure extends Error {
  override name = 'StepFailure';
}

/** Runs all steps of a scenario. */
export const runScenario = async (scenario: Scenario, stage: Stage): Promise<void> => {
  const saved = new Map<string, unknown>([[HIDDEN_SLUGS, stage.hiddenSlugs]]);
  for (const [index, step] of scenario.steps.entries()) {
    for (const value of valuesOf(scenario, index, step, saved)) {
      if (step.forEach !== undefined) saved.set(step.forEach.name, value);
      await runStep({ scenario, number: index + 1, step, stage, saved });
    }
  }
};

interface Run {
  readonly scenario: Scenario;
  readonly number: number;
  readonly step: Step;
  readonly stage: Stage;
  readonly saved: Map<string, unknown>;
}

const valuesOf = (scenario: Scenario, index: number, step: Step, saved: ReadonlyMap<string, unknown>): readonly unknown[] => {
  if (step.forEach === undefined) return [undefined];
  const { name, values } = step.forEach;
  const list = 'reference' in values ? recall(saved, values.reference) : values;
  if (Array.isArray(list) && list.length > 0) return list;
  throw new StepFailure(`${scenario.file}, step ${index + 1}: "for each ${name}" needs at least one value, but there is none`);
};

const runStep = async (run: Run): Promise<void> => {
  const { step, saved } = run;
  let path = step.path;
  try {
    path = fillPath(step.path, saved);
    const outcome = await perform(run, path);
    const differences = step.checks.flatMap((check) => check(outcome, saved));
    if (differences.length > 0) throw new StepFailure(list(differences));
    for (const [name, place] of step.save) saved.set(name, found(outcome, place));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StepFailure(conceal(`${heading(run, path)}\n${reason}`, run.stage.keys), {
      cause: error instanceof StepFailure ? undefined : error,
    });
  }
};

const perform = async (run: Run, path: string): Promise<Outcome> => {
  const headers = headersOf(run);
  const sentKeys = Object.entries(headers).flatMap(([name, value]) =>
    KEY_HEADERS.includes(name.toLowerCase()) ? [value.replace(/^Bearer /, '')] : [],
  );
  const fetchPath = (wanted: string): Promise<HttpAnswer> =>
    request({ baseUrl: run.stage.baseUrl, method: run.step.method, path: wanted, headers });
  if (run.step.walk) return { answer: undefined, body: await walk(path, fetchPath), sentKeys };
  const answer = await fetchPath(path);
  return { answer, body: answer.json, sentKeys };
};

const KEY_HEADERS: readonly string[] = ['authorization', 'x-service-api-key'];

const headersOf = ({ step, stage, saved }: Run): Readonly<Record<string, string>> => {
  const own = [...step.headers].map(([name, value]) => [name, fillHeader(value, saved)]);
  if (step.key === 'none') return Object.fromEntries(own);
  const key = keyOf(stage.keys, step.key);
  if (key === undefined)
    throw new Error(`there is no key for the role "${step.key}"; there are keys for: ${Object.keys(stage.keys).join(', ')}`);
  const carried = step.carrier === 'bearer' ? ['Authorization', `Bearer ${key}`] : ['X-SERVICE-API-Key', key];
  return Object.fromEntries([carried, ...own]);
};

const found = (outcome: Outcome, place: string): unknown => {
  const value = readPlace(outcome, place);
  if (value === undefined) throw new Error(`there is nothing to save at ${place}`);
  return value;
};

const MOST_DIFFERENCES = 8;
const LONGEST_LINE = 400;

const list = (differences: readonly Difference[]): string => {
  const more = differences.length - MOST_DIFFERENCES;
  return [...differences.slice(0, MOST_DIFFERENCES), ...(more > 0 ? [`and ${more} more`] : [])].map((line) => `  ${line}`).join('\n');
};

const heading = ({ scenario, number, step, saved }: Run, path: string): string => {
  const repetition = step.forEach === undefined ? '' : `, for ${step.forEach.name} = ${labelOf(saved.get(step.forEach.name))}`;
  return `${scenario.title}\n${step.where}, step ${number} (${step.walk ? 'walk' : step.method} ${path}, key: ${step.key}${repetition})`;
};

// A whole record would drown the message; its identity is enough to find it.
const labelOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return JSON.stringify('id' in value ? value.id : 'slug' in value ? value.slug : Object.keys(value));
};

// Keys are hidden before lines are cut, since half a key is still a secret.
const conceal = (message: string, keys: Keys): string =>
  Object.entries(keys)
    .flatMap(([role, key]) => spellingsOf(key).map((spelling) => [role, spelling] as const))
    .reduce((text, [role, spelling]) => text.replaceAll(spelling, `‹key ${role}›`), message)
    .split('\n')
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line))
    .join('\n');
