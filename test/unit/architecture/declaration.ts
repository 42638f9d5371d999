/** Exports of a source file with their doc comments. */

import ts from 'typescript';

/** One exported declaration. */
export interface ExportedDeclaration {
  readonly name: string;
  readonly line: number;
  readonly documented: boolean;
}

/** The exported declarations of a file. Re-exports are left out: the declaration itself is documented where it stands. */
export function listDeclarations(file: ts.SourceFile): readonly ExportedDeclaration[] {
  const exportedLater = listNamesExportedLater(file);
  return file.statements.flatMap((statement) => {
    const names = namesOf(statement);
    const exported = isExported(statement) || names.some((name) => exportedLater.has(name));
    if (!exported) return [];
    const line = file.getLineAndCharacterOfPosition(statement.getStart(file)).line + 1;
    return names.map((name) => ({ name, line, documented: isDocumented(file, statement) }));
  });
}

/** Names in `export { a, b }` of the same file. */
function listNamesExportedLater(file: ts.SourceFile): ReadonlySet<string> {
  const names = file.statements
    .filter(ts.isExportDeclaration)
    .filter((statement) => statement.moduleSpecifier === undefined)
    .flatMap(({ exportClause }) => (exportClause !== undefined && ts.isNamedExports(exportClause) ? [...exportClause.elements] : []));
  return new Set(names.map((element) => (element.propertyName ?? element.name).text));
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  const named =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isModuleDeclaration(statement);
  return named ? [statement.name?.getText() ?? 'default'] : [];
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** The comment that opens a file is attached to its first statement as well, yet it describes the file: such a statement needs a second one. */
function isDocumented(file: ts.SourceFile, statement: ts.Statement): boolean {
  const comments = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  const own = comments.filter((comment) => statement !== file.statements[0] || comment !== comments[0] || !opensFile(file, comment));
  return own.some((comment) => comment.comment !== undefined || (comment.tags?.length ?? 0) > 0);
}

function opensFile(file: ts.SourceFile, comment: ts.JSDoc): boolean {
  return (
    file.text
      .slice(0, comment.pos)
      .replace(/^#![^\n]*/, '')
      .trim() === ''
  );
}
