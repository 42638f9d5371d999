/** Walks through the source of a regular expression: by code points where the flag u holds, by UTF-16 units otherwise. */

/** A construct that the engine knows and this reading does not; the message names it. */
export class UnknownConstruct extends Error {
  override readonly name = 'UnknownConstruct' as const;
}

const deepest = 200;

/** A place in the source of a regular expression. */
export class PatternReader {
  readonly source: string;
  /** Whether the flag u holds. */
  readonly unicode: boolean;
  /** The name of each capturing group, the first at 0; without a name, `undefined`. */
  readonly groupNames: readonly (string | undefined)[];
  #at = 0;
  #depth = 0;

  constructor(source: string, unicode: boolean) {
    this.source = source;
    this.unicode = unicode;
    this.groupNames = listGroups(source);
  }

  /** Whether nothing is left. */
  get atEnd(): boolean {
    return this.#at >= this.source.length;
  }

  /** Whether the given text comes next; nothing is consumed. */
  sees(text: string): boolean {
    return this.source.startsWith(text, this.#at);
  }

  /** Consumes the given text if it comes next. */
  eat(text: string): boolean {
    if (!this.sees(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** Consumes what a sticky expression matches here, if it does. */
  match(expression: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(expression.source, 'y');
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.source) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  /** Consumes one character: its number. */
  next(): number {
    const point = this.unicode ? this.source.codePointAt(this.#at) : this.source.charCodeAt(this.#at);
    if (point === undefined || Number.isNaN(point)) throw this.unknown('the end of the expression');
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }

  /** Reads what stands inside of a group. Whoever nests groups hundreds deep would exhaust the engine's stack. */
  nested<T>(read: () => T): T {
    if (this.#depth === deepest) throw this.unknown(`a group inside of ${deepest} others`);
    this.#depth += 1;
    const inner = read();
    this.#depth -= 1;
    return inner;
  }

  /** The error about a construct that is not understood. */
  unknown(what: string): UnknownConstruct {
    return new UnknownConstruct(`${what} at character ${this.#at} of the pattern ${this.source} is not understood`);
  }
}

/** Capturing groups in the order of their opening parentheses: references may point forward, so they are counted before anything is read. */
function listGroups(source: string): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  const piece = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<(?![=!])([^>]*)>|(.)))?/gsu;
  for (const [text, name, extension] of source.matchAll(piece)) {
    if (text.startsWith('(') && extension === undefined) names.push(name);
  }
  return names;
}
