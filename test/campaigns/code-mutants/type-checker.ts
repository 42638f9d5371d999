/** Tells whether the project still compiles with one piece of a file replaced: a mutant that does not compile needs no test. */

import { join } from 'node:path';
import ts from 'typescript';

/** Unused names are allowed, since a mutant often leaves one behind. */
const lenient = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

/** 0-based, as Stryker counts. */
interface Location {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

/** A function that says whether `replacement` at a location of a file, relative to `root`, has types. */
export function createTypeChecker(
  root: string,
  files: readonly string[],
): (file: string, location: Location, replacement: string) => boolean {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const changed = new Map<string, { readonly text: string; readonly version: number }>();
  const service = ts.createLanguageService({
    getScriptFileNames: () => files.map((file) => join(root, file)),
    getScriptVersion: (file) => String(changed.get(file)?.version ?? 0),
    getScriptSnapshot: (file) => {
      const text = changed.get(file)?.text ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ ...options, ...lenient }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  let version = 0;
  return (path, { start, end }, replacement) => {
    const file = join(root, path);
    const source = ts.sys.readFile(file) ?? '';
    const starts = ts.getPositionOfLineAndCharacter.bind(ts, ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
    const text = source.slice(0, starts(start.line, start.column)) + replacement + source.slice(starts(end.line, end.column));
    version += 2;
    changed.set(file, { text, version });
    const hasTypes = service.getSyntacticDiagnostics(file).length + service.getSemanticDiagnostics(file).length === 0;
    changed.set(file, { text: source, version: version + 1 });
    return hasTypes;
  };
}
