/** Decides before a run which operations it may send, from what the contract says of them. Nothing here is sent. */

import { matchesPattern } from '../../core/name-pattern.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { isPlain, needsKey, type Operation } from '../../core/openapi/operation.ts';
import { hasKeyFor } from './evidence/call.ts';
import type { Keyring } from './evidence/callers.ts';

/** Why a run sends no request of an operation: it writes, it seems to change something though it is a GET, or its key was not given. */
export type NotSentReason = 'writes' | 'changes' | 'key';

/** Choices of the user about what may be sent. */
export interface SendChoice {
  /** Patterns for ids of operations that are sent although they seem to change something. */
  readonly send?: readonly string[] | undefined;
  readonly keys: Keyring;
}

/** The operations that a run does not send, with the reason. If every readable operation needs a key, its refusal says more than this list. */
export function findUnsent({ operations }: Contract, { send = [], keys }: SendChoice): ReadonlyMap<Operation, NotSentReason> {
  const isChosen = ({ id }: Operation): boolean => send.some((pattern) => matchesPattern(pattern, id));
  const readable = operations.filter((operation) => operation.method === 'GET' && (isChosen(operation) || !seemsToChange(operation)));
  const mayLackKey = keys.size === 0 && readable.every(needsKey);
  return new Map(
    operations.flatMap((operation): readonly (readonly [Operation, NotSentReason])[] => {
      if (operation.method !== 'GET') return [[operation, 'writes']];
      if (!readable.includes(operation)) return [[operation, 'changes']];
      return mayLackKey || !needsKey(operation) || hasKeyFor(operation, keys) ? [] : [[operation, 'key']];
    }),
  );
}

/** Verbs of changes that no reading operation has as its first word. */
const verbs =
  'activate|add|approve|archive|assign|cancel|clear|close|confirm|create|deactivate|decline|delete|deploy|destroy|disable|enable|enqueue|erase|execute|expire|flush|generate|import|init|initialize|insert|install|invoke|kill|lock|logoff|logout|migrate|open|pause|populate|post|publish|purge|put|reboot|rebuild|recreate|refresh|regenerate|register|reject|reload|remove|rename|renew|reset|restart|restore|resume|retry|revoke|rotate|run|save|seed|send|set|shutdown|signoff|signout|start|stop|submit|subscribe|suspend|sync|synchronize|terminate|toggle|trigger|truncate|uninstall|unlock|unregister|unsubscribe|update|upgrade|wipe';
const isVerb = new RegExp(`^(?:${verbs})$`);

/** Verbs that are part of a longer word without spaces, such as `createdb`. Their other forms, such as `created`, describe a state. */
const compound = /^(?:create|delete|destroy|purge|recreate|remove|reset|truncate|wipe)(?!(?:d|s|r|rs)$|d[^b]|able|ing|ion)[a-z]+$/;

/** First words of a sentence that says what an operation does: `Creates the tables`, `Delete all users`. */
const sentence = new RegExp(`^(?:(?:${verbs})|(?:${verbs})e?s|logs (?:\\w+ )*out|log (?:\\w+ )*out)\\b`, 'i');

/** Verbs in a path that no name or summary takes back. Others may be nouns: an installation has updates, posts and imports. */
const isStrong =
  /^(?:cancel|create|delete|destroy|execute|flush|logoff|logout|purge|reboot|recreate|regenerate|remove|reset|restart|revoke|rotate|run|send|shutdown|signout|start|stop|terminate|trigger|truncate|unsubscribe|wipe)$/;

/** Words that say that an operation only reads. */
const isReadingVerb =
  /^(?:get|list|read|fetch|find|search|show|retrieve|return|download|export|check|describe|lookup|query|count|view|is|has)s?(?:es)?$/;

/** `Send a GET request to …` and `Run a search …` say how to read, and `Set of …` nothing of a change. */
const harmless =
  /^(?:(?:send|post|submit|add|put)s? (?:an? |the )?(?:\w+ )*?(?:request|query)|(?:run|execute)s? (?:an? |the )?(?:\w+ )?(?:search|query|report)|open\b|sets? of\b|close to\b)/i;

/** True for a GET whose path, id, summary or description speaks of a change. An annotated operation is read as its annotations say. */
export function seemsToChange(operation: Operation): boolean {
  const { path, id, summary, description } = operation;
  if (!isPlain(operation)) return false;
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const lastWords = wordsOf(segments.at(-1) ?? '');
  const [pathVerb = ''] = lastWords.length < 4 ? lastWords : [];
  if (segments.flatMap(wordsOf).some((word) => compound.test(word)) || isStrong.test(pathVerb)) return true;
  const idWords = id.includes(' ') ? [] : wordsOf(id);
  if ([...idWords, ...wordsOf(summary).slice(0, 1)].some((word) => isReadingVerb.test(word))) return false;
  if ([pathVerb, idWords[0], idWords.at(-1)].some((word = '') => isVerb.test(word))) return true;
  const [firstSentence = ''] = description.split(/[.!?]\s|\n/);
  return [summary, firstSentence].some((text) => sentence.test(text.trim()) && !harmless.test(text.trim()));
}

/** True for the name of a parameter that begins with a verb of a change, such as `resetCounters`. */
export function speaksOfChange(name: string): boolean {
  return isVerb.test(wordsOf(name)[0] ?? '');
}

/** The words of an identifier: `resetDatabase`, `reset-database` and `reset_database` have two. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
