/** Regular expressions of files and servers, which nobody has proved harmless: none runs for long. */

import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

/** An expression took too long. */
export class SlowExpression extends Error {
  override readonly name = 'SlowExpression' as const;
  /** The expression's source. */
  readonly expression: string;

  constructor(expression: string, text: string) {
    super(
      `the pattern ${expression} takes too long for a text of ${text.length} characters; write it without looking around and referring back, or so that no text can be read in more than one way`,
    );
    this.expression = expression;
  }
}

/** However an expression is written, it is quick with shorter texts. */
const shortText = 16;

/**
 * A regular expression that takes a time in proportion to the text: RE2 matches whatever may be slow otherwise. What RE2 does not know, looking around and
 * referring back, the engine matches within a limit of time.
 */
class BoundedExpression extends RegExp {
  private readonly isSimple: boolean;
  /** Compiled when it is needed; `undefined` when RE2 does not know it. */
  private linear: RE2JS | undefined | 'not compiled' = 'not compiled';

  constructor(source: string, flags: string) {
    super(source, flags);
    this.isSimple = isSimple(source);
  }

  /** @throws {SlowExpression} when it takes too long. */
  override test(text: string): boolean {
    if (this.isSimple || text.length <= shortText) return super.test(text);
    if (this.linear === 'not compiled') this.linear = compileLinear(this.source);
    return this.linear?.test(text) ?? testWithin(this, text);
  }
}

/** True when every text has one reading: the pattern is anchored, and at most one part, which is no group, varies in length. */
function isSimple(source: string): boolean {
  const plain = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'a');
  const varying = plain.match(/[*+]|\{\d+,\d*\}/g) ?? [];
  return plain.startsWith('^') && !withoutGroups(plain).includes('|') && varying.length <= 1 && !/\)[*+{]/.test(plain);
}

function withoutGroups(plain: string): string {
  const rest = plain.replaceAll(/\([^()]*\)/g, '');
  return rest === plain ? plain : withoutGroups(rest);
}

/** White space and line ends of ECMA-262 (§22.2.1, CharacterClassEscape). RE2 knows those of ASCII alone. */
const space = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const lineEnd = '\\n\\r\\x{2028}\\x{2029}';

/** The expression for RE2; `undefined` when there is none that matches the same texts. */
function compileLinear(source: string): RE2JS | undefined {
  // A set that holds what is no space cannot be written with other characters.
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
    // Looking around, referring back, and repetitions by the thousand.
    return undefined;
  }
}

/** Time limit for one text, in milliseconds: no request may block the event loop for more than 50. */
const limitMs = 25;

/** On a busy machine the time passes without any work; then it is tried again. */
const triesMost = 8;

const job = { exec: RegExp.prototype.exec, expression: /(?:)/, text: '' };
const context = createContext({ job });
/** The engine stops in the middle of an expression only for a script that has a time limit. */
const script = new Script('job.exec.call(job.expression, job.text) !== null');

function testWithin(expression: RegExp, text: string): boolean {
  Object.assign(job, { expression, text });
  const before = process.cpuUsage();
  for (let tries = 0; tries < triesMost && workedMs(before) < limitMs; tries += 1) {
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
 * Compiles a pattern of JSON Schema: in Unicode mode, as its specification recommends (§6.4), or in the older one, since many published patterns escape
 * characters that Unicode mode does not let be escaped.
 * @throws {SyntaxError} when it is a pattern in neither.
 */
export function compileExpression(source: string): RegExp {
  try {
    return new BoundedExpression(source, 'u');
  } catch {
    // If the older mode refuses it too, its reason is told.
    return new BoundedExpression(source, '');
  }
}
