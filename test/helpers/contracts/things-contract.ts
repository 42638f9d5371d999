/** A contract with one list and one single read, whose annotations a test sets. */

/** The parts of the contract that a test sets, each as YAML on one line. */
export interface ThingsParts {
  /** The value of `page`. */
  readonly page: string;
  /** The value of `order`. */
  readonly order?: string;
  /** The value of `filters`. */
  readonly filters?: string;
  /** Parameters of the list besides `limit`, `cursor`, `page` and `offset`, as flow mappings. */
  readonly parameters?: readonly string[];
  /** The value of `x-invalid`. */
  readonly invalid?: string;
  /** The value of `visible`. */
  readonly visible?: string;
  /** The schema of the page members, with the properties `next`, `more`, `limit`, `page` and `total`. */
  readonly envelope?: string;
}

const whole = '{ name: limit, in: query, schema: { type: integer, minimum: 0, default: 3 } }';

/** The contract as YAML. A thing has the fields id, rank, name, kind and at. */
export function thingsContract(parts: ThingsParts): string {
  const {
    page,
    order = '[{ by: /id, direction: ascending }]',
    filters = '{}',
    parameters = [],
    invalid = '{ undeclared: ignored }',
  } = parts;
  return `
openapi: 3.1.0
jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema
info: { title: Things, version: '1' }
x-api: { error: { schema: '#/components/schemas/Error', code: /code, message: /message } }
x-invalid: ${invalid}
paths:
  /things:
    get:
      operationId: listThings
      parameters:
${[whole, ...paging, ...parameters].map((parameter) => `        - ${parameter}`).join('\n')}
      x-collection:
        name: things
        items: /things
        key: /id
        order: ${order}
        page: ${page}
        filters: ${filters}
${parts.visible === undefined ? '' : `        visible: ${parts.visible}`}
      responses:
        '200':
          description: A page.
          content: { application/json: { schema: { $ref: '#/components/schemas/Page' } } }
        '404': { description: Nothing., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
        '422': { description: Wrong., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
components:
  schemas:
    Error:
      type: object
      required: [code, message]
      properties: { code: { type: string }, message: { type: string } }
    Page:
      type: object
      required: [things]
      properties:
        things: { type: array, items: { $ref: '#/components/schemas/Thing' } }
        page: ${parts.envelope ?? '{ type: object, properties: { next: { type: [string, "null"] }, more: { type: boolean }, limit: { type: integer }, page: { type: integer }, total: { type: integer } } }'}
    Thing:
      type: object
      required: [id]
      properties:
        id: { type: integer }
        rank: { type: number }
        name: { type: string }
        kind: { type: string }
        at: { type: string, format: date-time }
`;
}

const paging = [
  '{ name: cursor, in: query, schema: { type: string, minLength: 1 } }',
  '{ name: page, in: query, schema: { type: integer, default: 1 } }',
  '{ name: offset, in: query, schema: { type: integer, default: 0 } }',
];

/** A `page` of each style. */
export const styles = {
  cursor: '{ style: cursor, limit: limit, cursor: cursor, next: /page/next, more: /page/more, fixed: [], changed: refused }',
  page: '{ style: page, limit: limit, page: page, echo: { limit: /page/limit, page: /page/page }, total: /page/total }',
  offset: '{ style: offset, limit: limit, offset: offset, total: /page/total, more: /page/more }',
} as const;
