/** One bad place does not refuse a file: it is set aside with its own line and its operations, and the rest is read. Strictly, the file is refused. */

import { describe, expect, it } from 'vitest';
import { formatLocation } from '../../../../core/errors.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { plainDocument } from '../../../../core/openapi/plain-openapi-document.ts';
import { contractText, type Files, loadForeign, loadText, mistakeOf, positionOf } from '../../../helpers/contracts/contract-text.ts';

const ok = "responses: { '200': { description: Done. } }";

/** A file with a right operation and one with this schema in its response. */
const withSchema = (schema: string): string =>
  contractText(`paths:
  /right: { get: { ${ok} } }
  /wrong: { get: { responses: { '200': { description: Done., content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } } }
components:
  schemas:
    A: ${schema}
`);

/** A file with a right operation and one with these lines. */
const withOperation = (lines: string, path = '/wrong'): string =>
  contractText(`paths:\n  /right: { get: { ${ok} } }\n  ${path}:\n    get:\n      ${lines.replaceAll('\n', '\n      ')}\n`);

function placesOf({ setAside }: Contract): readonly string[] {
  return setAside.map(({ place, operations }) => `${formatLocation(place)} ${operations.join()}`);
}

describe('a keyword without meaning is set aside at its own line, and concerns what refers to it', () => {
  it.each([
    ['required in place of a list', '{ type: object, properties: { id: { type: integer, required: true } } }', 'required: true'],
    ['a list of no values', '{ enum: [] }', 'enum: []'],
    ['a boolean bound', '{ type: number, minimum: 0, exclusiveMinimum: true }', 'exclusiveMinimum'],
    ['slashes around a pattern', "{ type: string, pattern: '/^a$/' }", 'pattern'],
    ['a flag in a pattern', "{ type: string, pattern: '(?i)^(all|none)$' }", 'pattern'],
    ['an unknown type', '{ type: date }', 'type: date'],
    ['a name that depends on no list', '{ dependentRequired: { a: b } }', 'dependentRequired'],
    ['a nullable that is a text', "{ type: string, nullable: 'yes' }", 'nullable'],
    ['a reference that is a number', '{ type: object, $ref: 5 }', '$ref: 5'],
    ['an anchor that is a number', '{ $dynamicAnchor: 5 }', '$dynamicAnchor'],
    ['a reference to nothing', "{ properties: { a: { $ref:  '#/components/schemas/B' } } }", "$ref:  '"],
    ['a pattern of names', "{ patternProperties: { '(': {} } }", "'('"],
    ['a property that is no schema', '{ properties: { a: 5 } }', 'a: 5'],
  ])('%s', async (_, schema, at) => {
    const text = withSchema(schema);
    const contract = await loadForeign(text);
    expect(placesOf(contract)).toEqual([`api.yaml:${positionOf(text, at)} GET /wrong`]);
    expect(contract.operations.map(({ path }) => path)).toEqual(['/right', '/wrong']);
    expect(() => plainDocument(contract)).not.toThrow();
    expect((await mistakeOf(loadText(text))).message).toContain(`api.yaml:${positionOf(text, at)}: `);
  });
});

describe('what cannot be read of an operation is set aside', () => {
  it.each([
    ['a parameter without a name', `parameters: [{ in: query }]\n${ok}`, '{ in: query'],
    ['an unknown style', `parameters: [{ name: a, in: query, style: matrix }]\n${ok}`, 'style: matrix'],
    ['a status that is none', "responses: { '999': { description: Odd. } }", "'999'"],
    ['an undefined security scheme', `security: [{ none: [] }]\n${ok}`, 'none'],
    ['a reference of a response', "responses: { '200': { $ref:  '#/nope' } }", "$ref:  '"],
    ['a reference of a parameter', `parameters: [{ $ref:  '#/nope' }]\n${ok}`, "$ref:  '"],
  ])('%s', async (_, lines, at) => {
    const text = withOperation(lines);
    const contract = await loadForeign(text);
    expect(placesOf(contract)).toEqual([`api.yaml:${positionOf(text, at)} GET /wrong`]);
    expect(contract.operations).toHaveLength(2);
  });

  it('all of it, if nothing of it can be read', async () => {
    const contract = await loadForeign(withOperation('responses: []'));
    expect(contract.operations.map(({ path }) => path)).toEqual(['/right', '/wrong']);
    const badPath = await loadForeign(contractText(`paths:\n  /right: { get: { ${ok} } }\n  wrong: { get: { ${ok} }, put: { ${ok} } }\n`));
    expect(badPath.operations.map(({ path }) => path)).toEqual(['/right']);
    expect(badPath.setAside[0]?.operations).toEqual(['GET wrong', 'PUT wrong']);
  });

  it.each([
    ['a method in capitals', `  /wrong: { GET: { ${ok} } }`, 'GET', 'GET /wrong'],
    ['a path with a query', `  /wrong?a=1: { get: { ${ok} } }`, '/wrong?a=1', 'GET /wrong?a=1'],
    ['a path with a fragment', `  '/wrong#a': { get: { ${ok} } }`, "'/wrong#a'", 'GET /wrong#a'],
    ['a path item that is missing', "  /wrong: { $ref:  './nowhere.yaml' }", "$ref:  '", ''],
  ])('%s', async (_, lines, at, operation) => {
    const text = contractText(`paths:\n  /right: { get: { ${ok} } }\n${lines}\n`);
    const contract = await loadForeign(text);
    expect(placesOf(contract)).toEqual([`api.yaml:${positionOf(text, at)} ${operation}`]);
    expect(contract.operations.map(({ path }) => path)).toEqual(['/right']);
  });

  it('a security scheme of an unknown type', async () => {
    const text = `${withOperation(`security: [{ key: [] }]\n${ok}`)}components: { securitySchemes: { key: { type: magic } } }\n`;
    const contract = await loadForeign(text);
    expect(placesOf(contract)).toEqual([`api.yaml:${positionOf(text, '{ type: magic')} GET /wrong`]);
    expect(contract.operations).toHaveLength(2);
  });

  it('but a range of statuses in lower case is read', async () => {
    const [, wrong] = (await loadForeign(withOperation('responses: { 2xx: { description: Done. } }'))).operations;
    expect([...(wrong?.responses.keys() ?? [])]).toEqual(['2XX']);
  });

  it('an operation whose requests another one takes', async () => {
    const parameter = (name: string): string => `parameters: [{ in: path, name: ${name}, required: true, schema: { type: string } }]`;
    const text = contractText(`paths:
  /right/{id}: { ${parameter('id')}, get: { ${ok} } }
  /right/{name}: { ${parameter('name')}, get: { ${ok} }, put: { ${ok} } }
`);
    const contract = await loadForeign(text);
    expect(placesOf(contract)).toEqual([`api.yaml:${positionOf(text, '/right/{name}')} GET /right/{name}`]);
    expect(contract.operations.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /right/{id}', 'PUT /right/{name}']);
    const continued = await loadForeign(`${text}  /right/{name}/parts: { ${parameter('name')}, get: { ${ok} } }\n`);
    expect(continued.setAside.map(({ operations }) => operations.join())).toEqual(['GET /right/{id}']);
  });

  it('a path parameter that is not declared takes any text', async () => {
    const contract = await loadForeign(withOperation(ok, '/wrong/{id}'));
    expect(contract.setAside.map(({ message }) => message).join()).toContain('{id}');
    expect(contract.operations[1]?.parameters.map(({ name, in: location, required }) => [name, location, required])).toEqual([
      ['id', 'path', true],
    ]);
  });

  it('a path parameter that the path does not have is left out', async () => {
    const contract = await loadForeign(withOperation(`parameters: [{ name: id, in: path, required: true, schema: {} }]\n${ok}`, '/wrong'));
    expect(contract.setAside.map(({ message }) => message)).toEqual([
      'the path /wrong has no {id}; add it to the path, or remove this parameter',
    ]);
    expect(contract.operations[1]?.parameters).toEqual([]);
  });

  it('a repeated operationId, which gets another id', async () => {
    const contract = await loadForeign(contractText(`paths:\n  /a: { get: { operationId: x, ${ok} }, put: { operationId: x, ${ok} } }\n`));
    expect(contract.operations.map(({ id }) => id)).toEqual(['x', 'put /a']);
  });
});

describe('a schema with an unknown part', () => {
  it.each<readonly [string, string, unknown]>([
    ['of oneOf', "{ oneOf: [{ type: string }, { $ref: '#/nope' }] }", 5],
    ['of not', "{ not: { $ref: '#/nope' } }", 5],
    ['of if', "{ if: { $ref: '#/nope' }, then: false }", 5],
    ['of allOf', "{ allOf: [{ $ref: '#/nope' }] }", 5],
  ])('%s accepts what the rest accepts', async (_, schema, value) => {
    const contract = await loadForeign(withSchema(schema));
    const validate = contract.operations[1]?.responses.get('200')?.content.get('application/json')?.validate;
    expect(validate?.(value as never)).toEqual([]);
  });
});

describe('a file', () => {
  it('that is missing or broken is told once, where it is wrong', async () => {
    const uses = "{ properties: { a: { $ref: 'other.yaml#/A' }, b: { $ref: 'other.yaml#/B' } } }";
    const missing = await loadForeign(withSchema(uses));
    expect(placesOf(missing)).toEqual([`api.yaml:${positionOf(withSchema(uses), "$ref: 'other.yaml#/A")} GET /wrong`]);
    const broken = await loadForeign(withSchema(uses), { 'other.yaml': 'A: {\nB: [\n' });
    expect(placesOf(broken).join()).toMatch(/^other\.yaml:\d+:\d+ GET \/wrong$/);
  });

  it('without paths has no operations', async () => {
    const contract = await loadForeign(contractText('webhooks: { }\n'));
    expect(contract.operations).toEqual([]);
    expect(contract.setAside.map(({ message }) => message).join()).toContain('no paths');
  });

  it('has its mistakes told together, and no more than ten of them', async () => {
    const schemas = Array.from({ length: 12 }, (_, at) => `    S${at}: { enum: [] }\n`).join('');
    const text = contractText(`paths: { /a: { get: { ${ok} } } }\ncomponents:\n  schemas:\n${schemas}`);
    const { message } = await mistakeOf(loadText(text));
    expect(message.split('\n')).toHaveLength(11);
    expect(message).toContain('api.yaml:6:11: enum: []');
    expect(message.endsWith('and 2 more')).toBe(true);
    const annotations = contractText(`x-api: { tenancy: key }\npaths:\n  /a: { get: { x-resource: { at: data, name: a }, ${ok} } }\n`);
    expect((await mistakeOf(loadText(annotations))).message.split('\n')).toHaveLength(2);
  });
});

describe('an extension of another tool with the name of ours', () => {
  it.each([
    ['at a tag', 'tags: [{ name: a, x-collection: vendor_table }]\n', `paths: { /a: { get: { ${ok} } } }\n`, 'x-collection'],
    ['in an operation', '', `paths: { /a: { get: { x-resource: users, ${ok} } } }\n`, 'x-resource'],
    ['with other members', '', `paths: { /a: { get: { x-collection: { table: users }, ${ok} } } }\n`, 'x-collection'],
    ['for the file', 'x-api: { id: 7, audience: public }\n', `paths: { /a: { get: { ${ok} } } }\n`, 'x-api'],
  ])('%s is ignored with a remark', async (_, first, rest, keyword) => {
    const text = contractText(`${first}${rest}`);
    const { setAside, remarks, collections, resources, error } = await loadForeign(text);
    expect([setAside, collections, resources, error]).toEqual([[], [], [], undefined]);
    expect(remarks.map(({ place, message }) => `${formatLocation(place)} ${message}`).join()).toMatch(
      new RegExp(`^api\\.yaml:${positionOf(text, keyword)} ${keyword} is ignored`),
    );
  });
});

describe('references', () => {
  const schemas = (members: string): string =>
    contractText(`paths:
  /a: { get: { responses: { '200': { description: Done., content: { application/json: { schema: { $ref: '#/components/schemas/Page' } } } } } } }
components:
  schemas:
    Page:
      type: object
      properties: { list: { type: array, items: { $ref: '#/components/schemas/Use' } } }
    Use: ${members}
`);
  const check = async (text: string, others: Files = {}): Promise<readonly boolean[]> => {
    const contract = await loadForeign(text, others);
    expect(contract.setAside).toEqual([]);
    const validate = contract.operations[0]?.responses.get('200')?.content.get('application/json')?.validate;
    return [{ list: [{ id: 1 }] }, { list: [{ id: 'x' }] }].map((value) => validate?.(value).length === 0);
  };
  const item = 'type: object, required: [id], properties: { id: { type: integer } }';

  it.each<readonly [string, string, Files]>([
    ['by $id', `{ $ref: 'https://example.com/item' }\n    Item: { $id: 'https://example.com/item', ${item} }`, {}],
    ['by $anchor', `{ $ref: '#item' }\n    Item: { $anchor: item, ${item} }`, {}],
    ['by $dynamicRef', `{ $dynamicRef: '#item' }\n    Item: { $dynamicAnchor: item, ${item} }`, {}],
    ['by an anchor of another file', "{ $ref: 'item.yaml#item' }", { 'item.yaml': `a: { $anchor: item, ${item} }\n` }],
    [
      'in a file of another folder',
      "{ $ref: 'parts/item.yaml' }",
      {
        'parts/item.yaml': '$ref: more/item.json\n',
        'parts/more/item.json': `{ "type": "object", "properties": { "id": { "type": "integer" } } }`,
      },
    ],
    [
      'by the $id of another file',
      "{ $ref: 'item.yaml' }",
      { 'item.yaml': `$id: 'https://example.com/all/item'\nallOf: [{ $ref: '#/$defs/Own' }]\n$defs: { Own: { ${item} } }\n` },
    ],
    [
      'relative to an $id',
      `{ $ref: '#/components/schemas/Outer/properties/own' }\n    Outer: { $id: 'https://example.com/a/outer', properties: { own: { $ref: item } } }\n    Item: { $id: 'https://example.com/a/item', ${item} }`,
      {},
    ],
  ])('%s are found', async (_, members, others) => {
    expect(await check(schemas(members), others)).toEqual([true, false]);
    const plain = JSON.stringify(plainDocument(await loadForeign(schemas(members), others)));
    expect(plain).not.toMatch(/"\$(id|dynamicRef)"|\.yaml/);
  });

  const pages = (
    id: (name: string) => string,
  ): string => `{ ${id('use')} $defs: { item: { $dynamicAnchor: item, $ref: 'items.yaml#/Item' } }, $ref: '#/components/schemas/Template' }
    Other: { ${id('other')} $defs: { item: { $dynamicAnchor: item, type: string } }, allOf: [{ $ref: '#/components/schemas/Template' }] }
    Template: { ${id('template')} $defs: { item: { $dynamicAnchor: item, not: {} } }, allOf: [{ $dynamicRef: '#item' }] }`;

  it.each<readonly [string, string, Files]>([
    ['a template', pages(() => ''), { 'items.yaml': `Item: { ${item} }\n` }],
    ['a template with an $id', pages((name) => `$id: ${name},`).replaceAll("'#/", "'api.yaml#/"), { 'items.yaml': `Item: { ${item} }\n` }],
    [
      'a tree in another file',
      "{ $ref: 'tree.yaml#/Strict' }",
      {
        'tree.yaml': `Strict: { $id: strict, $dynamicAnchor: node, required: [id], $ref: tree }
Tree: { $id: tree, $dynamicAnchor: node, type: object, properties: { id: { type: integer }, list: { items: { $dynamicRef: '#node' } } } }
`,
      },
    ],
  ])('of %s are bound to the anchors of the schema that refers to it', async (_, members, others) => {
    expect(await check(schemas(members), others)).toEqual([true, false]);
    const contract = await loadForeign(schemas(members), others);
    const validate = contract.operations[0]?.responses.get('200')?.content.get('application/json')?.validate;
    const nested = validate?.({ list: [{ id: 1, list: [{}] }] }).length;
    expect(nested).toBe(members.includes('tree.yaml') ? 1 : 0);
    expect(JSON.stringify(plainDocument(contract))).not.toContain('dynamic');
  });

  it('are found at every object, and at maps', async () => {
    const text = contractText(`paths:
  /op: { get: { $ref: 'parts.yaml#/operation' } }
  /item: { $ref: 'parts.yaml#/item' }
components:
  mediaTypes: { all: { application/json: { schema: { type: integer } } } }
tags: [{ $ref: 'parts.yaml#/tag' }]
`);
    const parts = `operation:
  parameters: { $ref: '#/parameters' }
  responses: { '200': { $ref: '#/response' } }
item: { get: { responses: { '200': { description: Done., content: { $ref: 'api.yaml#/components/mediaTypes/all' } } } } }
parameters: [{ $ref: '#/parameter' }]
parameter: { name: p, in: query, schema: { type: integer }, examples: { one: { $ref: '#/example' } } }
example: { value: 7 }
response: { description: Done., headers: { X-Count: { $ref: '#/header' } }, content: { application/json: { $ref: '#/media' } } }
header: { schema: { type: integer } }
media: { schema: { type: string } }
tag: { name: a }
`;
    const { operations, setAside } = await loadForeign(text, { 'parts.yaml': parts });
    expect(setAside).toEqual([]);
    const [first, second] = operations;
    expect(first?.parameters.map(({ name, examples }) => [name, examples])).toEqual([['p', [7]]]);
    expect(first?.responses.get('200')?.headers.map(({ name }) => name)).toEqual(['x-count']);
    expect(first?.responses.get('200')?.content.get('application/json')?.schema).toEqual({ type: 'string' });
    expect(second?.responses.get('200')?.content.get('application/json')?.schema).toEqual({ type: 'integer' });
  });

  it('may lead to a text, such as a description in Markdown', async () => {
    const text = contractText(
      `paths: { /a: { get: { description: { $ref: about.md }, ${ok} } } }\ntags: [{ name: a, description: { $ref: about.md } }]\n`,
    );
    const contract = await loadForeign(text, { 'about.md': '# About\n' });
    expect(contract.setAside).toEqual([]);
    expect(plainDocument(contract)['tags']).toEqual([{ name: 'a', description: '# About\n' }]);
  });

  it('of a circle are set aside', async () => {
    const text = withSchema("{ $ref: '#/components/schemas/A' }");
    expect((await loadForeign(text)).setAside.map(({ message }) => message).join()).toContain('refers to itself');
  });
});

describe('what other tools read', () => {
  it('merge keys of YAML are read, and refused strictly', async () => {
    const text = contractText(`paths:\n  /a: { get: &op { ${ok} } }\n  /b:\n    get:\n      <<: *op\n      summary: Other\n`);
    const { operations } = await loadForeign(text);
    expect(operations.map(({ path, summary, responses }) => [path, summary, [...responses.keys()]])).toEqual([
      ['/a', '', ['200']],
      ['/b', 'Other', ['200']],
    ]);
    expect((await mistakeOf(loadText(text))).message).toContain('merge keys');
  });

  it.each([
    ['a reference', "{ $ref: '#/components/schemas/B', nullable: true }"],
    ['allOf', "{ allOf: [{ $ref: '#/components/schemas/B' }], nullable: true }"],
  ])('nullable beside %s allows null, with a remark', async (_, schema) => {
    const contract = await loadForeign(withSchema(`${schema}\n    B: { type: object }`).replace('3.1.0', '3.0.3'));
    const validate = contract.operations[1]?.responses.get('200')?.content.get('application/json')?.validate;
    expect([null, {}, 5].map((value) => validate?.(value).length === 0)).toEqual([true, true, false]);
    expect(contract.remarks.map(({ message }) => message).join()).toContain('null is allowed');
  });

  it('keys beside a reference in OpenAPI 3.0 as ignored, with a remark', async () => {
    const schema = "{ $ref: '#/components/schemas/B', maxLength: 5, description: a name }\n    B: { type: string }";
    const contract = await loadForeign(withSchema(schema).replace('3.1.0', '3.0.3'));
    const validate = contract.operations[1]?.responses.get('200')?.content.get('application/json')?.validate;
    expect(validate?.('a long text')).toEqual([]);
    expect(contract.remarks.map(({ message }) => message).join()).toContain('maxLength beside $ref has no effect');
  });

  it('servers of an operation, its path and the file', async () => {
    const text = contractText(`servers: [{ url: 'https://{zone}.example.com', variables: { zone: { default: eu } } }]
paths:
  /file: { get: { ${ok} } }
  /path: { servers: [{ url: /path }], get: { ${ok} }, put: { servers: [{ url: /operation }], ${ok} } }
`);
    expect((await loadForeign(text)).operations.map(({ servers }) => servers)).toEqual([
      ['https://eu.example.com'],
      ['/path', 'https://eu.example.com'],
      ['/operation', '/path', 'https://eu.example.com'],
    ]);
  });

  it('OpenAPI 3.2, without its new methods', async () => {
    const text = contractText(`paths: { /a: { get: { ${ok} }, query: { ${ok} }, additionalOperations: { LINK: { ${ok} } } } }\n`).replace(
      '3.1.0',
      '3.2.0',
    );
    const { operations, setAside } = await loadForeign(text);
    expect(operations.map(({ method }) => method)).toEqual(['GET']);
    expect(setAside.map((each) => each.operations.join())).toEqual(['QUERY /a', 'LINK /a']);
  });

  it('an operation without responses, and every method', async () => {
    const methods = ['options', 'head', 'trace'];
    const text = contractText(`paths: { /a: { ${methods.map((method) => `${method}: { summary: x }`).join(', ')} } }\n`);
    const { operations, setAside } = await loadForeign(text);
    expect([operations.map(({ method }) => method), setAside]).toEqual([['OPTIONS', 'HEAD', 'TRACE'], []]);
  });
});

it('aliases of YAML that multiply a file are refused in a sentence', async () => {
  const level = (at: number): string =>
    `  l${at}: &l${at} [${Array.from({ length: 10 }, () => (at === 0 ? '1' : `*l${at - 1}`)).join(', ')}]\n`;
  const bomb = contractText(`x-bomb:\n${[0, 1, 2, 3, 4, 5].map(level).join('')}paths: { /a: { get: { ${ok} } } }\n`);
  expect((await mistakeOf(loadForeign(bomb))).message).toMatch(/aliases here expand to more than \d+ values/);
});

it('the schema of the items of a stream is noted as not read, with its line', async () => {
  const stream = 'content: { text/event-stream: { itemSchema: { type: object } } }';
  const text = contractText(`paths:\n  /ticks: { get: { responses: { '200': { description: Ticks., ${stream} } } } }\n`);
  const { remarks, setAside } = await loadText(text);
  expect(setAside).toEqual([]);
  expect(remarks.map(({ place }) => formatLocation(place))).toEqual([`api.yaml:${positionOf(text, 'itemSchema')}`]);
});

it.each(['{ id: boat, type: object }', "{ type: object, $recursiveRef: '#' }"])(
  'a keyword of an older draft means nothing: %s',
  async (schema) => {
    const { operations, setAside } = await loadText(withSchema(schema));
    expect(setAside).toEqual([]);
    const body = operations[1]?.responses.get('200')?.content.get('application/json');
    expect([body?.validate({ a: 1 }).length, body?.validate(5).length]).toEqual([0, 1]);
  },
);

describe('a circle of schemas for one value', () => {
  it.each([
    ['through allOf', '{ allOf: [{ $ref:  "#/components/schemas/A" }, { type: string }] }', ['x'], [1]],
    ['that is an alternative of itself', '{ anyOf: [{ $ref:  "#/components/schemas/A" }, { type: string }] }', ['x'], [1]],
    ['that is the only alternative', '{ type: string, oneOf: [{ $ref:  "#/components/schemas/A" }] }', ['x'], [1]],
    ['through not', '{ type: string, not: { $ref:  "#/components/schemas/A" } }', ['x'], [1]],
  ])('%s is set aside at its reference, and the rest is judged', async (_, schema, right, wrong) => {
    const text = withSchema(schema);
    const contract = await loadForeign(text);
    expect(placesOf(contract)).toEqual([`api.yaml:${positionOf(text, '$ref:  ')} GET /wrong`]);
    const validate = contract.operations[1]?.responses.get('200')?.content.get('application/json')?.validate;
    expect([...right, ...wrong].map((value) => validate?.(value).length === 0)).toEqual([
      ...right.map(() => true),
      ...wrong.map(() => false),
    ]);
  });

  it('of a union whose branches inherit from it is read as its author means it', async () => {
    const text = contractText(`paths:
  /cat: { get: { responses: { '200': { description: A cat., content: { application/json: { schema: { $ref: '#/components/schemas/Cat' } } } } } } }
  /pet: { get: { responses: { '200': { description: A pet., content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } } } }
components:
  schemas:
    Pet:
      required: [kind]
      properties: { kind: { type: string } }
      discriminator: { propertyName: kind }
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { required: [lives], properties: { lives: { type: integer } } }] }
    Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }, { required: [bark], properties: { bark: { type: string } } }] }
`);
    const contract = await loadForeign(text);
    expect(contract.setAside).toEqual([]);
    const [cat, pet] = contract.operations.map(({ responses }) => responses.get('200')?.content.get('application/json')?.validate);
    expect(pet?.({ kind: 'Cat', lives: 9 })).toEqual([]);
    expect(cat?.({ kind: 'Cat', lives: 9 })).toEqual([]);
    expect(JSON.stringify(pet?.({ kind: 'Dog', lives: 9 }))).toContain('bark');
    expect(JSON.stringify(cat?.({ lives: 9 }))).toContain('kind');
  });
});
