import { countNoun } from '../../core/count-noun.ts';
import type { HttpResponse } from '../../core/http/exchange.ts';
import type { Replay, ReplayedCheck, ReplayedExchange, ReplayVerdict } from '../../core/results/replay-result.ts';
import { clip } from '../clip-text.ts';
import { type Block, type Entry, type Fact, faint, type Report, type Tone } from '../report-model.ts';

const titles: Readonly<Record<ReplayVerdict, string>> = { stands: 'Still stands', unknown: 'Cannot be checked', gone: 'Gone' };
const tones: Readonly<Record<ReplayVerdict, Tone>> = { stands: 'bad', unknown: 'doubtful', gone: 'good' };
const responseMax = 80;

/** Builds the report of a replay. Counterexamples that are still violated come first. */
export function reportOfReplay({ checks, target, unavailable, exitCode }: Replay): Report {
  const checksWith = (verdict: ReplayVerdict): readonly ReplayedCheck[] => checks.filter((check) => check.verdict === verdict);
  const countOf = (verdict: ReplayVerdict): number => checksWith(verdict).length;
  return {
    subject: 'Replay',
    headline: [{ text: countNoun(checks.length, 'counterexample'), as: 'strong' }, ` at ${target}`],
    verdict: `${countOf('stands')} still ${countOf('stands') === 1 ? 'stands' : 'stand'}, ${countOf('gone')} gone, ${countOf('unknown')} cannot be checked`,
    tone: exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'doubtful',
    ...(unavailable && { lead: [unavailable] }),
    sections: (['stands', 'unknown', 'gone'] as const).map((verdict) => ({
      id: verdict,
      title: titles[verdict],
      tone: tones[verdict],
      full: true,
      open: true,
      entries: checksWith(verdict).map(entryOf),
    })),
  };
}

function entryOf({ before, verdict, message, exchanges }: ReplayedCheck): Entry {
  return {
    name: [{ text: before.rule, as: tones[verdict] }, ` in ${before.operation}`],
    title: before.title,
    tone: tones[verdict],
    line: message,
    blocks: [
      {
        kind: 'facts',
        facts: [
          ['result', message],
          ['earlier', before.message],
        ],
      },
      ...exchanges.map(blockOf),
    ],
  };
}

function blockOf({ before, now, reason }: ReplayedExchange): Block {
  const newResponse = now === undefined ? `not sent: ${reason ?? ''}` : describeResponse(now.response);
  const isEqual = now !== undefined && describeResponse(before.response) === newResponse && before.response.body === now.response.body;
  const facts: readonly Fact[] = [
    ['request', `${before.request.method} ${before.request.target}`],
    ['before', describeResponse(before.response)],
    ['now', isEqual ? faint('the same') : newResponse],
  ];
  return { kind: 'facts', facts };
}

function describeResponse({ status, body }: HttpResponse): string {
  return clip(`${status} ${body}`.trimEnd(), responseMax);
}
