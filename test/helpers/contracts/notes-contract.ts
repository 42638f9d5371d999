/** A small contract that uses every annotation keyword. Tests read it, or replace a piece of its text. */

/** The text of the contract `api.yaml`. */
export const notesText = `openapi: 3.1.0
info: { title: Notes, version: 2.1.0 }
x-api:
  error: { schema: '#/components/schemas/Error', code: /code, message: /error/message, request: /request }
  tenancy: key
  scopes:
    notes.read: { name: { unspecified: scope-name } }
    notes.write: {}
  precedence: [throttled, unauthenticated]
x-invalid:
  malformed: refused
  sloppy: { unspecified: sloppy-values }
paths:
  /notes:
    get:
      operationId: listNotes
      summary: List notes
      security: [{ key: [notes.read] }, { bearer: [notes.read] }]
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 10 } }
        - { name: cursor, in: query, schema: { type: string, minLength: 1 } }
        - { name: state, in: query, explode: false, schema: { type: array, items: { $ref: '#/components/schemas/State' } } }
        - { name: since, in: query, schema: { type: string, format: date-time } }
        - { name: until, in: query, schema: { type: string, format: date-time } }
        - { name: q, in: query, schema: { type: string } }
      x-parameter-rules: [{ ordered: [since, until] }]
      x-collection:
        name: notes
        items: /notes
        head: /owner
        key: /id
        version: /at
        order: { unspecified: notes-order }
        page: { style: cursor, limit: limit, cursor: cursor, next: /page/next, more: /page/more, fixed: [state, since], changed: refused }
        filters:
          state: { any-of: /state }
          since: { from: /at }
          until: { before: /at }
          q: { matches: { fields: [/title, /text], fold: true } }
        visible: { field: /seen, shown: [public], hidden: absent }
      responses:
        '200': { $ref: '#/components/responses/Page' }
        '422': { $ref: '#/components/responses/Bad' }
  /notes/{id}:
    get:
      operationId: getNote
      security: [{ key: [notes.read] }, { bearer: [notes.read] }]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }
      x-resource: { name: notes, at: { unspecified: note-place }, by: { id: /id } }
      responses:
        '200':
          description: A note.
          headers: { ETag: { required: true, schema: { type: string, pattern: '^"' } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/NoteBody' } } }
        '304': { description: Unchanged. }
        '404': { $ref: '#/components/responses/Bad' }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    bearer: { type: http, scheme: bearer }
  responses:
    Page:
      description: A page of notes.
      content:
        application/json:
          schema:
            type: object
            required: [notes, page]
            properties:
              owner: { type: object, properties: { name: { type: string, x-personal: true } } }
              notes: { type: array, items: { $ref: '#/components/schemas/Note' } }
              page: { type: object, required: [more], properties: { next: { type: [string, 'null'], x-unspecified: last-next }, more: { type: boolean } } }
          examples:
            none: { summary: No note. , value: { notes: [], page: { more: false, next: null } } }
    Bad:
      description: A failure.
      content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
  schemas:
    State: { type: string, enum: [open, done] }
    Note:
      type: object
      required: [id, at, state, title, seen]
      properties:
        id: { type: integer }
        at: { type: string, format: date-time }
        state: { $ref: '#/components/schemas/State' }
        title: { type: string }
        seen: { type: string }
        text: false
    NoteDetail:
      properties: { id: { type: integer }, title: { type: string }, text: { type: string } }
    NoteBody:
      anyOf:
        - { required: [note], properties: { note: { $ref: '#/components/schemas/NoteDetail' } } }
        - { $ref: '#/components/schemas/NoteDetail' }
    Error:
      type: object
      required: [code, error]
      properties:
        code: { type: string }
        error: { type: object, properties: { message: { type: string } } }
        request: { type: string }
x-unspecified:
  scope-name: { question: What is the scope called?, source: §1, mock: plain, choices: { plain: notes.read, long: notes/read } }
  sloppy-values: { question: Are sloppy values read?, source: §2, mock: refused, choices: { refused: refused, accepted: accepted } }
  notes-order:
    question: In which order do the notes come?
    source: §3
    mock: newest
    choices:
      newest: [{ by: /at, direction: descending }, { by: /id, direction: descending }]
      by-title: [{ by: /title, direction: ascending }]
  note-place: { question: Where does a note stand?, source: §4, mock: inside, choices: { inside: /note, root: '' } }
  last-next: { question: What is next on the last page?, source: §5, mock: 'null', choices: { 'null': { type: 'null' }, absent: false, given: { type: string } } }
  colour: { question: Which colour has a note?, source: §6, mock: It has none. }
`;

/**
 * The contract with one piece of its text replaced.
 * @throws if the contract lacks the piece, since the test would then check an unchanged contract.
 */
export function notesWith(piece: string, replacement: string): string {
  if (!notesText.includes(piece)) throw new Error(`${piece} is not in the contract`);
  return notesText.replace(piece, () => replacement);
}
