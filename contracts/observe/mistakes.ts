/** How a server takes requests whose mistakes the contract does not decide about. */

import type { Json } from '../../core/json.ts';
import { statusOf } from '../../core/operation.ts';
import type { Parameter } from '../../core/parameter.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Question } from '../../core/profile.ts';
import { isSuccess, type Reply, recordsIn } from '../reply.ts';
import { isList, keyOf, type ListOperation, totalIn } from '../walk.ts';
import type { Inquiry } from './inquiry.ts';
import { type Fate, fateOf, type Hypothesis, hypothesesFor, type Mistake, mistakesAt } from './mistake.ts';
import { choicesWhere, type Sight } from './sight.ts';

/** More combinations of choices than this are not told apart. */
const mostHypotheses = 200;

/** Sends wrong requests to the list that says most, and asks which choices would have them answered like that. */
export async function observeMistakes(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { contract } = inquiry.lab;
  const operation = contract.operations.filter(isList).find((each) => hypothesesFor(contract, each).length > 1);
  if (operation === undefined) return [];
  const hypotheses = hypothesesFor(contract, operation);
  if (hypotheses.length > mostHypotheses) return [];
  const page = await inquiry.fullest(operation);
  const looks: Look[] = [];
  for (const mistake of mistakesAt(contract, operation, (parameter) => observedIn(operation, page, parameter))) {
    const fates = hypotheses.map((hypothesis) => ({ hypothesis, fate: fateOf(contract, mistake.call, hypothesis) }));
    const questions = decidingQuestions(fates);
    // In a quick run, one look at each question is enough.
    const isNew = questions.some((question) => !looks.some((look) => look.questions.includes(question)));
    if (questions.length > 0 && (isNew || !inquiry.lab.quick))
      looks.push(...(await lookAt(inquiry, { operation, mistake, fates, questions })));
  }
  return looks.flatMap(toSights);
}

/** One request, and what could have answered it like that. */
interface Look {
  readonly what: string;
  readonly left: readonly Hypothesis[];
  /** The questions that make a difference to it. */
  readonly questions: readonly Question[];
}

/** Each request speaks for itself: a server that refuses one kind of mistake may well read another one. */
function toSights({ what, left, questions }: Look): readonly Sight[] {
  return questions.map((question) => ({
    question,
    suits: choicesWhere(question, (choice) => left.some((hypothesis) => hypothesis.get(question) === choice)),
    what,
  }));
}

/** A value that a filter was seen to have. */
function observedIn({ collection }: ListOperation, page: Reply | undefined, parameter: Parameter): Json | undefined {
  const filter = collection.filters.get(parameter.key);
  const [record] = page === undefined ? [] : (recordsIn(page) ?? []);
  return filter === undefined || filter.operator === 'matches' ? undefined : valueAt(record, filter.field);
}

interface Assumed {
  readonly hypothesis: Hypothesis;
  readonly fate: Fate;
}

interface Plan {
  readonly operation: ListOperation;
  readonly mistake: Mistake;
  readonly fates: readonly Assumed[];
  readonly questions: readonly Question[];
}

async function lookAt(inquiry: Inquiry, { operation, mistake, fates, questions }: Plan): Promise<readonly Look[]> {
  const reply = await inquiry.ask(mistake.call);
  if (reply === undefined) return [];
  const verdicts = new Map<string, Match>();
  for (const { fate } of fates) {
    const text = JSON.stringify(fate);
    if (!verdicts.has(text)) verdicts.set(text, await compare(inquiry, operation, reply, fate));
  }
  const matchOf = ({ fate }: Assumed): Match => verdicts.get(JSON.stringify(fate)) ?? 'unknown';
  const left = fates.filter((each) => ['yes', 'unknown'].includes(matchOf(each)));
  // What differs from everything that it is compared with may only have moved meanwhile.
  if (left.length === 0 && [...verdicts.values()].includes('other')) return [];
  const answer = isSuccess(reply) ? describeSuccess(operation, reply) : `answered with ${reply.response.status}`;
  const what = `${operation.id} with ${mistake.what} was ${answer}`;
  return [{ what, left: left.map(({ hypothesis }) => hypothesis), questions }];
}

/** The questions whose answer makes a difference to a request, whatever the other answers are. */
function decidingQuestions(fates: readonly Assumed[]): readonly Question[] {
  const questions = new Set(fates.flatMap(({ hypothesis }) => [...hypothesis.keys()]));
  return [...questions].filter((question) => {
    const byOthers = new Map<string, Set<string>>();
    for (const { hypothesis, fate } of fates) {
      const others = JSON.stringify([...hypothesis].flatMap(([each, choice]) => (each === question ? [] : [[each.id, choice]])));
      byOthers.set(others, (byOthers.get(others) ?? new Set()).add(JSON.stringify(fate)));
    }
    return [...byOthers.values()].some((each) => each.size > 1);
  });
}

/** `other` is a list that is not like the one it is compared with. */
type Match = 'yes' | 'no' | 'other' | 'unknown';

/** Whether a request was answered as it would be by a server of this kind: as it says itself, or as an equal request is answered. */
async function compare(inquiry: Inquiry, operation: ListOperation, reply: Reply, fate: Fate): Promise<Match> {
  if (fate === 'refused') return reply.response.status === statusOf(operation, 'invalid') ? 'yes' : 'no';
  if (!isSuccess(reply)) return 'no';
  if (fate === 'empty') return recordsIn(reply)?.length === 0 ? 'yes' : 'no';
  const echoed = echoOf(operation, reply);
  if (echoed.some(([name, value]) => value !== fate.all[name])) return fate.isLegal ? 'unknown' : 'no';
  // Where only the echo could tell, it told.
  if (Object.keys(fate.sent).every((name) => echoed.some(([each]) => each === name)) && isOfPaging(operation, reply)) return 'yes';
  const equal = await inquiry.ask({ operation, values: fate.sent });
  return equal === undefined || !isSuccess(equal) || equal.number === reply.number ? 'unknown' : compareLists(operation, equal, reply);
}

function compareLists(operation: ListOperation, ...replies: readonly [Reply, Reply]): Match {
  const [first, second] = replies.map((reply) =>
    JSON.stringify([totalIn(operation.collection.page, reply) ?? null, (recordsIn(reply) ?? []).map((record) => keyOf(operation, record))]),
  );
  if (first === second) return 'yes';
  // That many records came or went between two requests is hard to believe.
  const sizes = replies.map((reply) => recordsIn(reply)?.length ?? 0);
  return Math.min(...sizes) === 0 && Math.max(...sizes) > 2 ? 'no' : 'other';
}

/** The parameters of paging that an answer repeats. */
function echoOf({ collection }: ListOperation, reply: Reply): readonly (readonly [string, Json])[] {
  const { page } = collection;
  if (page.style !== 'page') return [];
  const pairs = [[page.limit, page.echo?.limit] as const, [page.page, page.echo?.page] as const];
  return pairs.flatMap(([name, at]) => {
    const value = at === undefined ? undefined : valueAt(reply.body, at);
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** Whether all that a request says is about paging. */
function isOfPaging(operation: ListOperation, { call }: Reply): boolean {
  const names = (call.raw ?? []).map((piece) => piece.split('=', 1)[0] ?? '');
  const { page } = operation.collection;
  return page.style === 'page' && names.every((name) => name === page.limit || name === page.page);
}

function describeSuccess(operation: ListOperation, reply: Reply): string {
  const echoed = echoOf(operation, reply).map(([name, value]) => `${name}=${String(value)}`);
  const size = recordsIn(reply)?.length ?? 0;
  return `answered with ${size === 1 ? 'one record' : `${size} records`}${echoed.length === 0 ? '' : ` and ${echoed.join(', ')}`}`;
}
