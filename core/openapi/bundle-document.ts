/** Bundles a loaded contract's files into one OpenAPI document when somebody asks for it. The bundle is a copy, whose values have no positions. */

import { isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import { fromPointer, valueAt } from '../pointer.ts';
import type { Document } from './document.ts';
import { type MemberMeaning, mapMembers } from './member-meanings.ts';
import { follow, rawOf, splitReference } from './raw-document.ts';

/** Values of other files that became components: their reference in the bundle, and their content, by kind and name. */
interface Components {
  readonly references: Map<string, string>;
  readonly componentsByKind: Map<string, Map<string, Json>>;
}

/** A place in the document: the file, the meaning of its members, and the key that holds it or the list or map around it. */
interface Place {
  readonly file: string;
  readonly meaning: MemberMeaning;
  readonly holder: string;
}

/** Bundles a document. Values of other files become components; path items are copied to their place, since tools do not follow them. */
export function bundleDocument(document: Document): JsonObject {
  const components: Components = { references: new Map(), componentsByKind: new Map() };
  const start: Place = { file: document.file, meaning: 'keywords', holder: '' };
  const root = copyValue(document, components, withPathItems(document), start) as JsonObject;
  if (components.componentsByKind.size === 0) return root;
  const ownComponents: JsonObject = objectOrEmpty(root['components']);
  const kinds = [...components.componentsByKind].map(([kind, values]) => [
    kind,
    { ...objectOrEmpty(ownComponents[kind]), ...Object.fromEntries(values) },
  ]);
  return { ...root, components: { ...ownComponents, ...Object.fromEntries(kinds) } };
}

function withPathItems(document: Document): JsonObject {
  const { root } = rawOf(document);
  const { paths } = root;
  if (!isObject(paths)) return root;
  const items = Object.entries(paths).map(([path, item]) => [path, follow(document, item) ?? {}] as const);
  return { ...root, paths: Object.fromEntries(items) };
}

function copyValue(document: Document, components: Components, value: Json, { file, meaning, holder }: Place): Json {
  // A referenced path item may come from another file, so the file of each value is looked up.
  const valueFile = isObject(value) && meaning !== 'data' ? document.place(value).file : file;
  return mapMembers(value, meaning, ({ key, member, meaning: memberMeaning }) => {
    if (key === '$ref' && typeof member === 'string' && meaning === 'keywords')
      return bundledReference(
        document,
        components,
        splitReference(value as JsonObject, key, document.place(value as JsonObject, key)),
        holder,
      );
    return copyValue(document, components, member, {
      file: valueFile,
      meaning: memberMeaning,
      holder: meaning === 'names' || typeof key === 'number' ? holder : key,
    });
  });
}

/** Returns the reference to a value in the bundle. A value of another file becomes a component first. */
function bundledReference(
  document: Document,
  components: Components,
  { file, pointer }: { readonly file: string; readonly pointer: string },
  holder: string,
): string {
  if (file === document.file) return `#${pointer}`;
  const kind = kindsByHolder.get(holder) ?? 'schemas';
  const target = `${kind} ${file}#${pointer}`;
  const earlierReference = components.references.get(target);
  if (earlierReference !== undefined) return earlierReference;
  const values = getOrCompute(components.componentsByKind, kind, () => new Map<string, Json>());
  const name = freeName(document, kind, values, fromPointer(pointer).at(-1) ?? file.split('/').at(-1) ?? file);
  const reference = `#/components/${kind}/${name}`;
  // Both come first, because the value may refer to itself.
  components.references.set(target, reference);
  values.set(name, {});
  const value = valueAt(rawOf(document).files.get(file), pointer) ?? {};
  values.set(name, copyValue(document, components, value, { file, meaning: 'keywords', holder }));
  return reference;
}

/** Kinds of components by the key that holds a reference, or the list or map around it; everything else is a schema. */
const kindsByHolder: ReadonlyMap<string, string> = new Map([
  ...['parameters', 'responses', 'headers', 'examples', 'links', 'callbacks', 'securitySchemes'].map((kind) => [kind, kind] as const),
  ['requestBody', 'requestBodies'],
]);

/** Makes a name that is allowed for components (OpenAPI 3.1 §4.8.7.1) and not taken. */
function freeName(document: Document, kind: string, values: ReadonlyMap<string, Json>, wantedName: string): string {
  const base = wantedName.replace(/(\.openapi)?\.(ya?ml|json)$/i, '').replaceAll(/[^\w.-]/g, '_') || 'value';
  const { components } = rawOf(document).root;
  const ownComponents = objectOrEmpty(objectOrEmpty(components)[kind]);
  let name = base;
  for (let number = 2; values.has(name) || Object.hasOwn(ownComponents, name); number += 1) name = `${base}${number}`;
  return name;
}
