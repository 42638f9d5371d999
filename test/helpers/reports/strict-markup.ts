/** Reads HTML and XML more strictly than a browser: a missing escape or a missing end tag is an error. */

/** An element with its content. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The text of the element and of all elements inside it. */
  text: string;
  readonly children: Element[];
}

/** Elements of HTML without an end tag. */
const voids: ReadonlySet<string> = new Set(['meta', 'br', 'wbr', 'input']);
const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const token = /<!DOCTYPE html>|<\?xml [^>]*\?>|<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-z-]+(?:="[^"<]*")?)*)\s*(\/?)>|([^<]+)/gy;

/**
 * Reads a document.
 * @throws {Error} for an unclosed, misplaced or malformed tag, an unknown reference, and a character that XML forbids.
 */
export function readMarkup(markup: string): Element {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(markup)) throw new Error('a character that XML cannot hold');
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const open: Element[] = [root];
  token.lastIndex = 0;
  while (token.lastIndex < markup.length) {
    const at = token.lastIndex;
    const found = token.exec(markup);
    if (found === null) throw new Error(`no markup: ${markup.slice(at, at + 60)}`);
    const [whole, closing, name, attributes = '', single, text] = found;
    if (text !== undefined) addText(open, decode(text));
    if (name === undefined) continue;
    if (closing === '/') close(open, name);
    else begin(open, name, attributes, single === '/');
    if (closing === '' && (name === 'style' || name === 'script')) token.lastIndex = skipRaw(markup, at + whole.length, name, open);
  }
  if (open.length !== 1) throw new Error(`never closed: ${open.at(-1)?.name}`);
  return root;
}

/** All elements with a name, at any depth. */
export function elementsOf(root: Element, name: string): readonly Element[] {
  return root.children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsOf(child, name)]);
}

function begin(open: Element[], name: string, attributes: string, isSingle: boolean): void {
  const pairs = [...attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, decode(value)] as const);
  const element: Element = { name, attributes: Object.fromEntries(pairs), text: '', children: [] };
  open.at(-1)?.children.push(element);
  if (!isSingle && !voids.has(name)) open.push(element);
}

function close(open: Element[], name: string): void {
  const last = open.pop();
  if (last?.name !== name) throw new Error(`</${name}> closes <${last?.name}>`);
}

function addText(open: readonly Element[], text: string): void {
  for (const element of open) element.text += text;
}

/** Elements whose content is no markup. */
function skipRaw(markup: string, start: number, name: string, open: readonly Element[]): number {
  const end = markup.indexOf(`</${name}`, start);
  addText(open.slice(-1), markup.slice(start, end));
  return end;
}

function decode(text: string): string {
  return text.replaceAll(/&([^;\s]*;?)/g, (whole, name: string) => {
    const character = references[name.replace(/;$/, '')];
    if (character === undefined || !name.endsWith(';')) throw new Error(`an unknown reference: ${whole}`);
    return character;
  });
}
