/** Which mutants the type checker refuses: nobody can make such a change without hearing of it, so no test has to notice it. */

import { dirname, join } from 'node:path';
import ts from 'typescript';

/** What only says that something is not used any more; `npm run check` would refuse that as well, but it is no matter of what the code does. */
const unused = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

/** Tells whether a file of a project still has its types when a mutant stands in it. */
export function createCompiler(project) {
  const { config } = ts.readConfigFile(project, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...config, include: ['core', 'generators', 'contracts'] },
    ts.sys,
    dirname(project),
  );
  const changed = new Map();
  let version = 0;
  const service = ts.createLanguageService({
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => changed.get(file)?.version ?? '0',
    getScriptSnapshot: (file) => {
      const text = changed.get(file)?.text ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => dirname(project),
    getCompilationSettings: () => ({ ...options, ...unused }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return (path, source, { location, replacement }) => {
    const file = join(dirname(project), path);
    const lines = source.split('\n');
    const offset = ({ line, column }) => lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    version += 1;
    const text = source.slice(0, offset(location.start)) + replacement + source.slice(offset(location.end));
    changed.set(file, { text, version: String(version) });
    const isFine = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].length === 0;
    changed.set(file, { text: source, version: `${version} gone` });
    return isFine;
  };
}
