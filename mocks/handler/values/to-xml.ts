/** Prints values as XML, with the names and attributes of their schemas (OpenAPI 3.1 §4.8.26). */

import { XMLBuilder } from 'fast-xml-parser';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../../../core/json.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { certainSchemas, propertiesOf, type Schema } from '../../../core/openapi/schema-facts.ts';

/** Marks attributes for the builder; no name of an element begins with it. */
const attributeMark = '@';

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: attributeMark, suppressEmptyNode: false });

/** A value in an element with the name of its schema, or `xml` as Prism has it. */
export function toXml(document: Document, schema: Schema, value: Json): string {
  const name = elementName(document, [schema], 'xml');
  if (!isArray(value)) return String(builder.build({ [name]: contentOf(document, [schema], value) }));
  const items = itemSchemas(document, [schema]);
  const itemName = elementName(document, items, 'item');
  const elements = { [itemName]: value.map((each) => contentOf(document, items, each)) };
  return String(builder.build({ [name]: { ...namespaceOf(document, [schema]), ...elements } }));
}

/** The attribute that declares the namespace of an element. */
function namespaceOf(document: Document, schemas: readonly Schema[]): Readonly<Record<string, string>> {
  const { namespace, prefix } = xmlOf(document, schemas);
  if (typeof namespace !== 'string') return {};
  return { [`${attributeMark}xmlns${typeof prefix === 'string' ? `:${prefix}` : ''}`]: namespace };
}

function contentOf(document: Document, schemas: readonly Schema[], value: Json): unknown {
  const namespace = namespaceOf(document, schemas);
  const content = membersOf(document, schemas, value);
  if (Object.keys(namespace).length === 0 || Array.isArray(content)) return content;
  return { ...namespace, ...(isObject(content) ? content : { '#text': content }) };
}

function membersOf(document: Document, schemas: readonly Schema[], value: Json): unknown {
  if (!isObject(value))
    return isArray(value) ? value.map((each) => contentOf(document, itemSchemas(document, schemas), each)) : (value ?? '');
  const properties = propertiesOf(partsOf(document, schemas));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => memberOf(document, properties.get(name) ?? [], name, member)));
}

function memberOf(document: Document, schemas: readonly Schema[], name: string, value: Json): readonly [string, unknown] {
  const xml = xmlOf(document, schemas);
  const ownName = elementName(document, schemas, name);
  if (xml['attribute'] === true) return [`${attributeMark}${ownName}`, value];
  if (!isArray(value)) return [ownName, contentOf(document, schemas, value)];
  const items = itemSchemas(document, schemas);
  const elements = value.map((each) => contentOf(document, items, each));
  const itemName = elementName(document, items, ownName);
  return xml['wrapped'] === true ? [ownName, { ...namespaceOf(document, schemas), [itemName]: elements }] : [itemName, elements];
}

function itemSchemas(document: Document, schemas: readonly Schema[]): readonly Schema[] {
  return partsOf(document, schemas).flatMap(({ items }) => (isObject(items) ? [items] : []));
}

function elementName(document: Document, schemas: readonly Schema[], usual: string): string {
  const { name: stated, prefix } = xmlOf(document, schemas);
  const name = typeof stated === 'string' ? stated : usual;
  return typeof prefix === 'string' ? `${prefix}:${name}` : name;
}

function xmlOf(document: Document, schemas: readonly Schema[]): JsonObject {
  return objectOrEmpty(partsOf(document, schemas).find(({ xml }) => isObject(xml))?.['xml']);
}

function partsOf(document: Document, schemas: readonly Schema[]): readonly JsonObject[] {
  return schemas.flatMap((schema) => certainSchemas(document, schema)).filter(isObject);
}
