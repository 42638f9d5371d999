/** The parts of a Markdown page that a reader would type, run or save: fenced blocks, with the output that the page promises for them. */

/** A fenced block that is run, with what it should print, or that is saved. */
export interface Example {
  /** `sh` lines are typed into a terminal, `ts` programs are type-checked and run, a `file` is written. */
  readonly language: 'sh' | 'ts' | 'file';
  readonly text: string;
  /** Line of the fence, counted from 1. */
  readonly line: number;
  /** The block that follows under `<!-- output -->`. */
  readonly output?: { readonly language: 'text' | 'json'; readonly text: string };
  /** The exit code that an `<!-- exit N -->` in front of the block announces; 0 otherwise. */
  readonly exitCode: number;
  /** The name of a file that a `<!-- file NAME -->` in front of the block announces. */
  readonly file?: string;
}

/** A piece of the page: a fence, or a comment that says something about one. */
type Piece =
  | { readonly kind: 'fence'; readonly language: string; readonly text: string; readonly line: number }
  | { readonly kind: 'output' | 'prose'; readonly line: number }
  | { readonly kind: 'exit'; readonly code: number; readonly line: number }
  | { readonly kind: 'file'; readonly name: string; readonly line: number };

/** Languages that say the same as `sh` or `ts`, but would be passed over silently. */
const misspelt: ReadonlyMap<string, string> = new Map([
  ['bash', 'sh'],
  ['shell', 'sh'],
  ['console', 'sh'],
  ['zsh', 'sh'],
  ['js', 'ts'],
  ['javascript', 'ts'],
  ['typescript', 'ts'],
]);

/** The examples of a page in their order. A comment that belongs to no block is an error: it would promise a check that is not made. */
export function listExamples(markdown: string): readonly Example[] {
  const pieces = listPieces(markdown);
  const outputs = pieces.flatMap((piece, at) => (piece.kind === 'output' ? [requireOutput(pieces, at)] : []));
  const examples = pieces.flatMap((piece, at) => {
    if (piece.kind === 'exit' && !isRunnable(pieces[at + 1]))
      throw new Error(`line ${piece.line}: <!-- exit N --> stands before no sh or ts block`);
    if (piece.kind === 'file') return [toFile(pieces, at, piece)];
    return isRunnable(piece) && pieces[at - 1]?.kind !== 'file' ? [toExample(pieces, at, piece)] : [];
  });
  const claimed = examples.filter((example) => example.output !== undefined).length;
  if (claimed !== outputs.length) throw new Error(`${outputs.length - claimed} <!-- output --> blocks follow no sh or ts block`);
  return examples;
}

/** The texts of the programs among examples. */
export function listPrograms(examples: readonly Example[]): readonly string[] {
  return examples.filter(({ language }) => language === 'ts').map(({ text }) => text);
}

type Fence = Extract<Piece, { kind: 'fence' }>;

function isRunnable(piece: Piece | undefined): piece is Fence & { language: 'sh' | 'ts' } {
  return piece?.kind === 'fence' && (piece.language === 'sh' || piece.language === 'ts');
}

function toExample(pieces: readonly Piece[], at: number, { language, text, line }: Fence & { language: 'sh' | 'ts' }): Example {
  const before = pieces[at - 1];
  const exitCode = before?.kind === 'exit' ? before.code : 0;
  const plain = { language, text, line, exitCode };
  return pieces[at + 1]?.kind === 'output' ? { ...plain, output: requireOutput(pieces, at + 1) } : plain;
}

function toFile(pieces: readonly Piece[], at: number, { name, line }: Extract<Piece, { kind: 'file' }>): Example {
  const fence = pieces[at + 1];
  if (fence?.kind !== 'fence') throw new Error(`line ${line}: <!-- file ${name} --> stands before no block`);
  return { language: 'file', text: fence.text, line: fence.line, exitCode: 0, file: name };
}

function requireOutput(pieces: readonly Piece[], at: number): { readonly language: 'text' | 'json'; readonly text: string } {
  const fence = pieces[at + 1];
  if (fence?.kind !== 'fence' || (fence.language !== 'text' && fence.language !== 'json')) {
    throw new Error(`line ${pieces[at]?.line}: <!-- output --> is not followed by a text or json block`);
  }
  return { language: fence.language, text: fence.text };
}

function listPieces(markdown: string): readonly Piece[] {
  const lines = markdown.split(/\r?\n/);
  const pieces: Piece[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const opening = /^\s*(`{3,})\s*(\S*)/.exec(lines[at] ?? '');
    if (opening === null) {
      pieces.push(...readProse(lines[at] ?? '', at + 1));
      continue;
    }
    const end = lines.findIndex((line, index) => index > at && line.trim().startsWith(opening[1] ?? '```'));
    if (end === -1) throw new Error(`line ${at + 1}: the fence is never closed`);
    const language = opening[2] ?? '';
    const instead = pieces.at(-1)?.kind === 'file' ? undefined : misspelt.get(language);
    if (instead !== undefined)
      throw new Error(`line ${at + 1}: write \`\`\`${instead} instead of \`\`\`${language}, or the block is not tested`);
    pieces.push({ kind: 'fence', language, text: lines.slice(at + 1, end).join('\n'), line: at + 1 });
    at = end;
  }
  return pieces;
}

function readProse(text: string, line: number): readonly Piece[] {
  if (text.trim() === '') return [];
  if (/^\s*<!--\s*output\s*-->\s*$/.test(text)) return [{ kind: 'output', line }];
  const exit = /^\s*<!--\s*exit\s+(\d+)\s*-->\s*$/.exec(text);
  const file = /^\s*<!--\s*file\s+(\S+)\s*-->\s*$/.exec(text);
  if (file !== null) return [{ kind: 'file', name: file[1] ?? '', line }];
  return exit === null ? [{ kind: 'prose', line }] : [{ kind: 'exit', code: Number(exit[1]), line }];
}
