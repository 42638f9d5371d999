/** The objects of an OpenAPI document by their place: which member of which object is a schema, a parameter, a response and so on. */

/** A kind of object in an OpenAPI document. */
export type ObjectKind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'requestBody'
  | 'response'
  | 'media'
  | 'encoding'
  | 'schema'
  | 'example'
  | 'link'
  | 'securityScheme'
  | 'callback';

/** How a member holds objects of a kind. In an open map, keys with `x-` are extensions; in others they are names. */
export interface MemberShape {
  readonly as: 'one' | 'list' | 'map' | 'open-map';
  readonly kind: ObjectKind;
}

const one = (kind: ObjectKind): MemberShape => ({ as: 'one', kind });
const list = (kind: ObjectKind): MemberShape => ({ as: 'list', kind });
const map = (kind: ObjectKind): MemberShape => ({ as: 'map', kind });
const openMap = (kind: ObjectKind): MemberShape => ({ as: 'open-map', kind });

/** The methods that have a member of their own in a path item (OpenAPI 3.1 §4.8.9). */
export const methods: readonly ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
];

const schemaMembers = {
  ...Object.fromEntries(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'].map((key) => [key, map('schema')])),
  ...Object.fromEntries(['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => [key, list('schema')])),
  ...Object.fromEntries(
    [
      ...['items', 'contains', 'additionalProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
      ...['not', 'if', 'then', 'else', 'contentSchema'],
    ].map((key) => [key, one('schema')]),
  ),
};

const valueHolder = { schema: one('schema'), content: map('media'), examples: map('example') };

/** The members of each kind that hold further objects. */
const grammar: Readonly<Record<ObjectKind, Readonly<Record<string, MemberShape>>>> = {
  document: { paths: openMap('pathItem'), webhooks: map('pathItem'), components: one('components') },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('requestBody'),
    headers: map('header'),
    securitySchemes: map('securityScheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('pathItem'),
    mediaTypes: map('media'),
  },
  pathItem: {
    parameters: list('parameter'),
    additionalOperations: map('operation'),
    ...Object.fromEntries([...methods, 'query'].map((method) => [method, one('operation')])),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: openMap('response'),
    callbacks: map('callback'),
  },
  parameter: valueHolder,
  header: valueHolder,
  requestBody: { content: map('media') },
  response: { headers: map('header'), content: map('media'), links: map('link') },
  media: { schema: one('schema'), itemSchema: one('schema'), examples: map('example'), encoding: map('encoding') },
  encoding: { headers: map('header') },
  schema: schemaMembers,
  example: {},
  link: {},
  securityScheme: {},
  callback: {},
};

/** Returns how a member of an object of a kind holds further objects; `undefined` if it holds none. */
export function shapeOfMember(kind: ObjectKind, key: string): MemberShape | undefined {
  if (kind === 'callback') return key.startsWith('x-') ? undefined : one('pathItem');
  const members = grammar[kind];
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

/** True for objects that everyone reads through a reference. A reference to another one is replaced by its target when the document is loaded. */
export function isReferable(kind: ObjectKind): boolean {
  return !['document', 'components', 'operation', 'media', 'encoding'].includes(kind);
}
