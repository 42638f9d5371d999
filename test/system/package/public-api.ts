/** The public API of the package as the compiler sees it: what each entry point exports, what is reachable from it, and how it is documented. */

import { join, relative } from 'node:path';
import ts from 'typescript';
import { repository } from '../../helpers/tree.ts';

/** An entry point, and what it exports. */
export interface EntryPoint {
  /** The name that users import, such as `touchstone/mock`. */
  readonly name: string;
  readonly exports: readonly PublicDeclaration[];
}

/** An exported name with its declaration in the sources. */
export interface PublicDeclaration {
  readonly name: string;
  readonly symbol: ts.Symbol;
  readonly node: ts.Declaration;
}

/** The entry points with their files, the smaller ones first. */
export const entryFiles: Readonly<Record<string, string>> = {
  'touchstone/mock': 'mocks/index.ts',
  'touchstone/verify': 'contracts/verify/index.ts',
  'touchstone/diff': 'contracts/diff/index.ts',
  'touchstone/pact': 'contracts/pact/index.ts',
  'touchstone/generators': 'generators/index.ts',
  'touchstone/control': 'mocks/control/index.ts',
  'touchstone/vitest': 'contracts/vitest/index.ts',
  touchstone: 'index.ts',
};

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  types: ['node'],
  noEmit: true,
  paths: Object.fromEntries(Object.entries(entryFiles).map(([name, file]) => [name, [join(repository, file)]])),
};

const sourceFiles = new Map<string, ts.SourceFile | undefined>();

/** A program of the entry points and of files that exist only here, by path. Sources are read once for all programs. */
export function createProgram(virtual: ReadonlyMap<string, string> = new Map()): ts.Program {
  const plain = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...plain,
    getCurrentDirectory: () => repository,
    fileExists: (name) => virtual.has(name) || plain.fileExists(name),
    getSourceFile: (name, how) => {
      const text = virtual.get(name);
      if (text !== undefined) return ts.createSourceFile(name, text, how);
      if (!sourceFiles.has(name)) sourceFiles.set(name, plain.getSourceFile(name, how));
      return sourceFiles.get(name);
    },
  };
  const roots = Object.values(entryFiles).map((file) => join(repository, file));
  return ts.createProgram([...roots, ...virtual.keys()], options, host);
}

/** The entry points of a program, by the names that users import and their files. */
export function listEntryPoints(program: ts.Program, files: Readonly<Record<string, string>> = entryFiles): readonly EntryPoint[] {
  const checker = program.getTypeChecker();
  return Object.entries(files).map(([name, file]) => {
    const source = program.getSourceFile(join(repository, file));
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is no module`);
    const exported = checker.getExportsOfModule(module).map((symbol) => declare(symbol.name, resolve(symbol, checker)));
    return { name, exports: exported.toSorted((left, right) => (left.name < right.name ? -1 : 1)) };
  });
}

function declare(name: string, symbol: ts.Symbol): PublicDeclaration {
  const [node] = symbol.declarations ?? [];
  if (node === undefined) throw new Error(`${name} has no declaration`);
  return { name, symbol, node };
}

function resolve(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The types of our sources that are reachable from the exports of an entry point without being exported by it: `Type, from Other`. */
export function listUnexported({ exports }: EntryPoint, program: ts.Program): readonly string[] {
  const checker = program.getTypeChecker();
  const known = new Set(exports.map(({ symbol }) => symbol));
  const missing: string[] = [];
  const queue = [...exports];
  for (const { name, node } of queue) {
    visitPublic(node, (part) => {
      if (!ts.isIdentifier(part)) return;
      const found = checker.getSymbolAtLocation(part);
      const symbol = found && resolve(found, checker);
      if (symbol === undefined || known.has(symbol) || !isOwnDeclaration(symbol)) return;
      known.add(symbol);
      missing.push(`${symbol.name}, from ${name}`);
      queue.push(declare(symbol.name, symbol));
    });
  }
  return missing;
}

/** A declaration at the top of one of our files. */
function isOwnDeclaration({ declarations: [first] = [] }: ts.Symbol): boolean {
  if (first === undefined) return false;
  const isTop = ts.isSourceFile(first.parent) || (ts.isVariableDeclaration(first) && ts.isSourceFile(first.parent.parent.parent));
  return isTop && !/(^|\/)node_modules\//.test(relative(repository, first.getSourceFile().fileName));
}

/** Visits the parts of a declaration that users see: no bodies, no initial values, no private members. */
function visitPublic(node: ts.Node, visit: (part: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => {
    const isValue = ts.isBlock(child) || ('initializer' in node && node.initializer === child);
    if (!isValue && !isPrivate(child)) visitPublic(child, visit);
  });
}

function isPrivate(node: ts.Node): boolean {
  const name = ts.isClassElement(node) ? node.name : undefined;
  const isModified = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  return isModified === true || (name !== undefined && ts.isPrivateIdentifier(name));
}

/**
 * The exports and their members without a doc comment: `Type.member`. A member needs none if it has only one value, or stands in an object type on one
 * line within a documented member.
 */
export function listUndocumented({ exports }: EntryPoint): readonly string[] {
  const found: string[] = [];
  const require = (name: string, node: ts.Node): void => {
    if (docComment(node).trim() === '') found.push(name);
  };
  for (const { name, node } of exports) {
    require(name, ts.isVariableDeclaration(node) ? node.parent.parent : node);
    visitPublic(node, (part) => {
      if (isMember(part) && !explainsItself(part)) require(`${name}.${part.name?.getText() ?? ''}`, part);
    });
  }
  return found;
}

function isMember(node: ts.Node): node is ts.TypeElement | ts.ClassElement {
  return (ts.isTypeElement(node) || ts.isClassElement(node)) && !ts.isIndexSignatureDeclaration(node) && !ts.isConstructorDeclaration(node);
}

/** A discriminant such as `kind: 'request'`, or a member of an object type on one line within a documented member. */
function explainsItself(node: ts.TypeElement | ts.ClassElement): boolean {
  if (ts.isPropertySignature(node) && node.type !== undefined && ts.isLiteralTypeNode(node.type)) return true;
  if (ts.isPropertyDeclaration(node) && node.initializer !== undefined && ts.isAsExpression(node.initializer)) return true;
  return !node.parent.getText().includes('\n') && ts.findAncestor(node.parent, isMember) !== undefined;
}

function docComment(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comment?.comment) ?? '';
}

/** The programs in the `@example` of each exported function, by its name; an empty text for a function without one. */
export function listExamples({ exports }: EntryPoint): ReadonlyMap<string, string> {
  return new Map(exports.filter(({ node }) => ts.isFunctionDeclaration(node)).map(({ name, node }) => [name, exampleOf(node)]));
}

function exampleOf(node: ts.Node): string {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'example');
  const text = ts.getTextOfJSDocComment(tag?.comment) ?? '';
  return /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
}

/** The complaints of the compiler about programs, by their names. They import the entry points from the sources. */
export function compile(programs: ReadonlyMap<string, string>): string {
  const files = new Map([...programs].map(([name, text]) => [join(repository, `${name}.ts`), text]));
  const program = createProgram(files);
  const complaints = [...files.keys()].flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
  return ts.formatDiagnostics(complaints, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => repository,
    getNewLine: () => '\n',
  });
}

/** A report of each entry point: the signatures of its exports. A declaration that an earlier entry point exports is only named. */
export function renderApi(points: readonly EntryPoint[]): ReadonlyMap<string, string> {
  const shown = new Map<ts.Symbol, string>();
  return new Map(
    points.map(({ name, exports }) => {
      const others = points.map((point) =>
        renderSame(
          point.name,
          exports.filter(({ symbol }) => shown.get(symbol) === point.name),
        ),
      );
      const own = exports.filter(({ symbol }) => !shown.has(symbol));
      for (const { symbol } of own) shown.set(symbol, name);
      return [name, `${[...others.filter((text) => text !== ''), ...own.map(renderSignature)].join('\n\n')}\n`];
    }),
  );
}

function renderSame(from: string, same: readonly PublicDeclaration[]): string {
  return same.length === 0 ? '' : `export {\n${same.map(({ name }) => `    ${name},\n`).join('')}} from '${from}';`;
}

const printer = ts.createPrinter({ removeComments: true });
const declarations = new Map<ts.SourceFile, ts.SourceFile>();

function renderSignature({ name, node }: PublicDeclaration): string {
  const source = node.getSourceFile();
  const file = declarations.get(source) ?? emitDeclarations(source);
  declarations.set(source, file);
  const statements = file.statements.filter((statement) => namesOf(statement).includes(name));
  if (statements.length === 0) throw new Error(`${name} is not in the declarations of ${source.fileName}`);
  return statements.map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, file)).join('\n');
}

function emitDeclarations({ fileName, text }: ts.SourceFile): ts.SourceFile {
  const { outputText } = ts.transpileDeclaration(text, { fileName, compilerOptions: { ...options, noEmit: false, declaration: true } });
  return ts.createSourceFile(fileName, outputText, ts.ScriptTarget.ES2022, true);
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  const named = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement);
  return named || ts.isFunctionDeclaration(statement) ? [statement.name?.text ?? ''] : [];
}
