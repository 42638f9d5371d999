/** Words of one particular API. Code that names them works for that API alone; it must read them from the contract instead. */

import ts from 'typescript';

/** Plurals only where the singular is a word of its own trade: an order of records is what sorting gives. */
const forbidden: ReadonlySet<string> = new Set(['orders', 'reservation', 'reservations', 'menu', 'menus', 'wiki']);

/** Identifiers and literal texts of a file that contain a forbidden word, as `line: text`. Content may name what it is about. */
export function listForbiddenWords(path: string, file: ts.SourceFile): readonly string[] {
  if (path.startsWith('specs/') || /^mocks\/data\/(business\/|wiki\/|dataset-catalogue\.ts)/.test(path)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    const word = text === undefined ? undefined : splitWords(text).find((candidate) => forbidden.has(candidate));
    if (word !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.push(`${line}: “${word}” belongs to one API; read it from the contract`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isRegularExpressionLiteral(node)) return node.text;
  return undefined;
}

/** `listOrders`, `orders_by_id` and `/orders/view.php` all name orders; `reorders` does not. */
function splitWords(text: string): readonly string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}
