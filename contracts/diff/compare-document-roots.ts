/**
 * Compares what stands outside of operations: servers, `info`, third-party extensions, and the names of components. The content of components is compared
 * where operations use it.
 */

import { isObject, type Json, type JsonObject, printJson } from '../../core/json.ts';
import { canonicalText } from '../../core/json-equality.ts';
import { type MemberMeaning, membersOf } from '../../core/openapi/member-meanings.ts';
import { fromPointer, toPointer, valueAt } from '../../core/pointer.ts';
import { type ComparisonContext, memberSide, reportChangedMembers, reportDifference } from './comparison-context.ts';
import { compareServers } from './operations/compare-servers.ts';
import { pairRenamed } from './pair-renamed-entries.ts';

/** Compares servers, `info`, extensions and the names of components of both files. */
export function compareRoots(context: ComparisonContext): void {
  const part = { context, operation: undefined };
  const roots = { old: context.oldRoot, new: context.newRoot };
  compareServers(part, 'contract', roots);
  compareComponentNames(context);
  const infoOf = ({ info: stated }: JsonObject): JsonObject => (isObject(stated) ? stated : {});
  const info = { old: infoOf(roots.old), new: infoOf(roots.new) };
  reportChangedMembers(part, info, ['title', 'description', 'summary', 'termsOfService', 'contact', 'license'], (keyword, happened) => ({
    id: `contract/${keyword === 'termsOfService' ? 'terms' : keyword}-changed`,
    level: 'documentation',
    text: `info.${keyword} ${happened}`,
  }));
  const extensions = [...new Set(Object.values(roots).flatMap(Object.keys))].filter(isOtherExtension);
  reportChangedMembers(part, roots, extensions, (keyword, happened) => ({
    id: `contract/extension-${keyword}-changed`,
    level: 'documentation',
    text: `the ${keyword} ${happened}`,
  }));
}

/** Annotations, which are compared by themselves. A file may keep those of operations at its root, as targets of references. */
const annotations: ReadonlySet<string> = new Set([
  ...['x-api', 'x-invalid', 'x-unspecified'],
  ...['x-collection', 'x-resource', 'x-parameter-rules', 'x-personal'],
]);

function isOtherExtension(keyword: string): boolean {
  return keyword.startsWith('x-') && !annotations.has(keyword);
}

/** A component, and the places that refer to it; empty if none does. */
interface UsedComponent {
  readonly content: Json;
  readonly uses: string;
}

const componentKinds = ['schemas', 'parameters', 'responses', 'headers', 'securitySchemes'] as const;

/** The new references to renamed components, by the old one. */
export function findRenamedComponents(oldRoot: JsonObject, newRoot: JsonObject): ReadonlyMap<string, string> {
  const [oldUses, newUses] = [listUses(oldRoot), listUses(newRoot)];
  return new Map(
    componentKinds.flatMap((kind) => {
      const [old, next] = [componentsOf(oldRoot, kind), componentsOf(newRoot, kind)];
      const withUses = (components: JsonObject, uses: ReadonlyMap<string, string>): ReadonlyMap<string, UsedComponent> =>
        new Map(Object.entries(components).map(([name, content]) => [name, { content, uses: uses.get(referenceTo(kind, name)) ?? '' }]));
      const renamed = pairRenamed(
        withUses(old, oldUses),
        withUses(next, newUses),
        ({ content }) => canonicalText(content),
        ({ uses }) => uses || undefined,
      );
      return [...renamed]
        .filter(([before, after]) => areAlike(old[before] ?? null, next[after] ?? null))
        .map(([before, after]) => [referenceTo(kind, before), referenceTo(kind, after)] as const);
    }),
  );
}

function referenceTo(kind: string, name: string): string {
  return `#${toPointer(['components', kind, name])}`;
}

function componentsOf(root: JsonObject, kind: string): JsonObject {
  const components = valueAt(root, toPointer(['components', kind]));
  return isObject(components) ? components : {};
}

/** Reports renamed components. Their content is compared where operations use them. */
function compareComponentNames(context: ComparisonContext): void {
  for (const [from, to] of context.renamedComponents) {
    const [, kind = '', before = ''] = fromPointer(from.slice(1));
    const name = fromPointer(to.slice(1)).at(-1) ?? '';
    reportDifference(
      { context, operation: undefined },
      {
        id: 'contract/component-renamed',
        level: 'documentation',
        before: memberSide(context, before, componentsOf(context.oldRoot, kind), before),
        after: memberSide(context, name, componentsOf(context.newRoot, kind), name),
        changedItem: before,
        text: `the component \`${before}\` is now \`${name}\``,
        reason: 'Only generated code may take its names from it.',
      },
    );
  }
}

/** The places that refer to each component, as one text by its reference. */
function listUses(root: JsonObject): ReadonlyMap<string, string> {
  const uses = new Map<string, string>();
  const collect = (value: Json, meaning: MemberMeaning, pointer: string): void => {
    for (const { key, member, meaning: inner } of membersOf(value, meaning)) {
      if (key === '$ref' && meaning === 'keywords' && typeof member === 'string') uses.set(member, `${uses.get(member) ?? ''}${pointer}\n`);
      collect(member, inner, `${pointer}${toPointer([String(key)])}`);
    }
  };
  collect(root, 'keywords', '');
  return uses;
}

/** True if two components have at least half of their values in common. */
function areAlike(old: Json, next: Json): boolean {
  const [left, right] = [listLeaves(old), new Set(listLeaves(next))];
  return 2 * left.filter((leaf) => right.has(leaf)).length >= Math.max(left.length, right.size);
}

/** The plain values of a value, each with its pointer. */
function listLeaves(value: Json, pointer = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${pointer}=${printJson(value)}`];
  return Object.entries(value).flatMap(([key, member]) => listLeaves(member, `${pointer}${toPointer([key])}`));
}
