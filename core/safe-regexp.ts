/**
 * Regular expressions of contracts and pacts, which may be slow by mistake or on purpose: no match may block the process for long. Patterns in our own code
 * need no protection.
 */

import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

/** A match exceeded its time limit. */
export class SlowExpression extends Error {
  override readonly name = 'SlowExpression' as const;

  constructor(expression: string, text: string) {
    super(
      `the pattern ${expression} takes too long for a string of ${text.length} characters; remove lookarounds and backreferences, or ambiguous repetitions such as (a+)+`,
    );
  }
}

/** Length up to which every expression is quick, in characters. */
const shortText = 16;

/** Limit of ways that V8 may try one after the other: less than a millisecond. */
const maxWays = 200_000;

/**
 * A regular expression with a bounded matching time. V8 matches what cannot have many ways to match a text. RE2 matches the other patterns, in linear
 * time. Lookarounds and backreferences are unknown to RE2, so V8 matches the ambiguous ones among them with a time limit.
 */
class BoundedExpression extends RegExp {
  private readonly choices: Choices;
  /** Compiled on first use; `undefined` if RE2 cannot match the pattern. */
  private linear: RE2JS | undefined | 'not compiled' = 'not compiled';

  constructor(source: string, flags: string) {
    super(source, flags);
    this.choices = countChoices(source);
  }

  /** @throws {SlowExpression} when it takes too long. */
  override test(text: string): boolean {
    if (text.length <= shortText || waysToMatch(this.choices, text.length) <= maxWays) return super.test(text);
    if (this.linear === 'not compiled') this.linear = compileLinear(this.source);
    return this.linear?.test(text) ?? testWithin(this, text);
  }
}

/** What a backtracking engine may have to try in every combination. */
interface Choices {
  /** Places where the match can begin and parts that can have any length. `Infinity` if such a part is inside of a repeated group. */
  readonly lengths: number;
  /** Parts of which there are two, or which may be absent. */
  readonly alternatives: number;
}

/** The greatest number of combinations for a text of a length. */
function waysToMatch({ lengths, alternatives }: Choices, length: number): number {
  return length ** lengths * 2 ** alternatives;
}

/** Reads a pattern that is valid. In its outline, `*` repeats, `#` repeats a fixed number of times, `v` is a group that varies, and `a` is anything else. */
function countChoices(source: string): Choices {
  let outline = source
    .replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'a')
    .replaceAll(/\(\?(?:<?[=!]|:|<\w+>)/g, '(')
    .replaceAll(/\{\d+\}\??/g, '#')
    .replaceAll(/(?:[*+]|\{\d+,\d*\})\??/g, '*')
    .replaceAll(/\?\??/g, '?')
    .replaceAll(/[^()|*#?^]/gu, 'a');
  let lengths = outline.split('*').length - 1;
  const alternatives = outline.split(/[|?]/).length - 1;
  while (outline.includes('(')) {
    outline = outline.replaceAll(/\(([^()]*)\)/g, (_, body: string) => (/[*|?v]/.test(body) ? 'v' : 'a'));
    if (/v[*#]/.test(outline)) lengths = Number.POSITIVE_INFINITY;
  }
  const isAnchored = outline.startsWith('^') && !outline.includes('|');
  return { lengths: isAnchored ? lengths : lengths + 1, alternatives };
}

/** White space and line ends of ECMA-262 (§22.2.1, CharacterClassEscape). RE2 only knows the ASCII ones. */
const space = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const lineEnd = '\\n\\r\\x{2028}\\x{2029}';

/** Compiles an expression for RE2; `undefined` if RE2 has no expression that matches the same texts. */
function compileLinear(source: string): RE2JS | undefined {
  // RE2 has no notation for \S inside a set.
  if (/\[\]|\[(?:\\.|[^\]\\])*\\S/s.test(source)) return undefined;
  const translated = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (token) => {
    if (token === '.') return `[^${lineEnd}]`;
    if (token === '\\s') return `[${space}]`;
    if (token === '\\S') return `[^${space}]`;
    return token === '[^]' || !token.startsWith('[') ? token : `[${token.slice(1).replaceAll('\\s', space).replaceAll('[', '\\[')}`;
  });
  try {
    return RE2JS.compile(RE2JS.translateRegExp(translated));
  } catch {
    // RE2 rejects lookarounds, backreferences, and repetitions of more than a thousand.
    return undefined;
  }
}

/** Limit of processor time for one text, in milliseconds: no request may block the event loop for more than 50. */
const limitMs = 25;

/** Limit of attempts. On a busy machine the clock may reach the limit before the process has worked for that long. */
const maxTries = 8;

const job = { exec: RegExp.prototype.exec, expression: /(?:)/, text: '' };
const context = createContext({ job });
/** V8 interrupts a running expression only inside a script with a time limit. */
const script = new Script('job.exec.call(job.expression, job.text) !== null');

function testWithin(expression: RegExp, text: string): boolean {
  Object.assign(job, { expression, text });
  const before = process.cpuUsage();
  for (let tries = 0; tries < maxTries && workedMs(before) < limitMs; tries += 1) {
    try {
      return script.runInContext(context, { timeout: limitMs }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    }
  }
  throw new SlowExpression(expression.source, text);
}

function workedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Compiles a pattern of JSON Schema. Unicode mode comes first, as its specification recommends (§6.4). Many published patterns escape characters that
 * Unicode mode forbids to escape, so the older mode comes second.
 * @throws {SyntaxError} if the pattern is invalid in both modes.
 */
export function compileExpression(source: string): RegExp {
  try {
    return new BoundedExpression(source, 'u');
  } catch {
    // If this fails too, its error is thrown.
    return new BoundedExpression(source, '');
  }
}

/** Compiles an expression of Unicode mode that ignores the case of letters. */
export function compileForAnyCase(source: string): RegExp {
  return new BoundedExpression(source, 'iu');
}

/** Escapes a text, so that an expression matches it literally. */
export function escapeExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
