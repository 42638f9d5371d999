/** Requirements for one source file besides imports: size, comments, names and vocabulary. */

import { basename } from 'node:path';
import ts from 'typescript';
import { listAmbientUses } from './ambient.ts';
import { listDeclarations } from './declaration.ts';
import { listForbiddenWords } from './vocabulary.ts';

/** The most lines that a source file may have. */
export const linesMax = 450;

/** The rules, each under the name that its complaints carry. */
export const sourceRules = [
  'size',
  'header',
  'documentation',
  'default-export',
  'file-name',
  'vocabulary',
  'ambient',
  'reference',
] as const;

/** One rule's name. */
export type SourceRule = (typeof sourceRules)[number];

/** Violation in a file, with its line. */
export interface Complaint {
  readonly rule: SourceRule;
  readonly message: string;
}

/** Everything that a source file does wrong; `path` is relative to the repository, and `fileNames` has the names of all its TypeScript files. */
export function inspectSource(path: string, text: string, fileNames: ReadonlySet<string>): readonly Complaint[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Readonly<Record<SourceRule, readonly string[]>> = {
    size: listSizeProblems(text),
    header: listHeaderProblems(text),
    documentation: listDeclarations(file)
      .filter((declaration) => !declaration.documented)
      .map(({ name, line }) => `${line}: ${name} is exported without a doc comment`),
    'default-export': listDefaultExports(file),
    'file-name': listNameProblems(path),
    vocabulary: listForbiddenWords(path, file),
    ambient: listAmbientUses(path, file),
    reference: listStaleReferences(text, fileNames),
  };
  return sourceRules.flatMap((rule) => found[rule].map((message) => ({ rule, message: `${path}:${message}` })));
}

function listSizeProblems(text: string): readonly string[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines > linesMax ? [`${lines}: the file has ${lines} lines, ${linesMax} are allowed; move a part of it to a file of its own`] : [];
}

/** A header stands alone: an empty line keeps it from being read as the comment of the first declaration. */
function listHeaderProblems(text: string): readonly string[] {
  const header = /^(?:#![^\n]*\n+)?\/\*\*(?:(?!\*\/)[\s\S])+\*\/\n\n/;
  return header.test(text) ? [] : ['1: the file does not start with a doc comment of its own, followed by an empty line'];
}

function listDefaultExports(file: ts.SourceFile): readonly string[] {
  return file.statements.filter(isDefaultExport).map((statement) => `${lineOf(file, statement)}: default export`);
}

function isDefaultExport(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return true;
  if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause)) {
    return statement.exportClause.elements.some((element) => element.name.text === 'default');
  }
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
}

/** Entry points of the package: the only files that may be called index. */
const entryPoint = /^((mocks|mocks\/control|generators|contracts\/(verify|diff|pact|vitest))\/)?index\.ts$/;

/** Names that say nothing about what is inside; such files become attics. */
function listNameProblems(path: string): readonly string[] {
  if (entryPoint.test(path)) return [];
  const segments = path.split('/').map((segment) => basename(segment, '.ts'));
  return segments
    .filter((name) => /^(utils?|helpers?|commons?|types?|index|misc)$/.test(name))
    .map((name) => `1: nothing may be called ${name}`);
}

/** Comments name the callers of a file. A rename would leave the old name behind. */
function listStaleReferences(text: string, fileNames: ReadonlySet<string>): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const [, comment = ''] = /(?:^\s*\*|\/\*\*|\/\/ )(.*)/.exec(line) ?? [];
    return [...comment.matchAll(/`(?:[\w-]+\/)*([\w-]+\.ts)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !fileNames.has(name))
      .map((name) => `${index + 1}: a comment names ${name}, which does not exist`);
  });
}

function lineOf(file: ts.SourceFile, node: ts.Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}
