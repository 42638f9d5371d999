/** The operations of the APIs, each with its documentation and a form to try it. Requests have `Mock-Judge: off`, so that the client judge ignores them. */

import { byId, codeBlock, copyButton, create, indented, say } from './elements.js';

/**
 * @typedef {import('../control/control-bodies.ts').ServedState} ServedState
 * @typedef {{ [name: string]: any }} Value
 * @typedef {{ document: Value, method: string, path: string, operation: Value, parameters: Value[] }} Operation
 */

/**
 * Shows all operations. Returns a first command: a read of the first list.
 * @param {ServedState} served
 * @param {Record<string, string>} keys
 */
export async function showOperations({ contracts, url }, keys) {
  let first = `curl -s ${url}/`;
  for (const { name, title, version } of contracts) {
    const address = `/openapi.json?contract=${encodeURIComponent(name)}`;
    const document = await (await fetch(address)).json();
    const operations = listOperations(document);
    const forms = operations.map((operation) => new OperationForm(operation, keys, url));
    byId('apis').append(
      create('h3', {}, `${title} ${version}`),
      create('p', {}, create('a', { href: address }, 'OpenAPI document'), ' for code generators, Postman and other tools'),
      ...forms.map(({ element }) => element),
    );
    const list =
      forms[operations.findIndex(({ parameters }) => parameters.some(({ name: parameter }) => parameter === 'limit'))] ?? forms[0];
    if (list !== undefined && byId('apis').querySelectorAll('h3').length === 1) first = list.curl();
  }
  return first;
}

/** @param {Value} document @returns {Operation[]} */
function listOperations(document) {
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  return Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const operation = item[method];
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) => resolve(document, each));
        return { document, method: method.toUpperCase(), path, operation, parameters };
      }),
  );
}

/** A value, or what its reference in the same document names. @param {Value} document @param {Value} value @returns {Value} */
function resolve(document, value) {
  const reference = value?.['$ref'];
  if (typeof reference !== 'string') return value ?? {};
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return resolve(document, names.reduce((inner, name) => inner?.[name], document) ?? {});
}

/** Documentation of one operation, and the form that sends it. */
class OperationForm {
  /** @type {HTMLElement} */
  element;
  #operation;
  #keys;
  #url;
  /** @type {HTMLFormElement} */
  #form;

  /** @param {Operation} operation @param {Record<string, string>} keys @param {string} url */
  constructor(operation, keys, url) {
    this.#operation = operation;
    this.#keys = keys;
    this.#url = url;
    const { method, path, operation: described } = operation;
    this.#form = document.createElement('form');
    const answer = create('div', { 'aria-live': 'polite' });
    this.#form.append(create('div', { class: 'fields' }, ...this.#fields()), ...this.#bodyField(), this.#buttons());
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send(answer);
    });
    this.element = create(
      'details',
      {},
      create('summary', {}, create('span', { class: 'target' }, `${method} ${path}`), ` ${described['summary'] ?? ''}`),
      create('div', {}, create('p', {}, described['description'] ?? ''), this.#form, answer, ...this.#responses()),
    );
  }

  /** The request as a curl command. */
  curl() {
    const { method, target, headers, body } = this.#request();
    const quote = (/** @type {string} */ text) => `'${text.replaceAll("'", `'\\''`)}'`;
    const options = Object.entries(headers).map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`);
    const sent = body === undefined ? '' : ` -d ${quote(body)}`;
    return `curl -si${method === 'GET' ? '' : ` -X ${method}`}${options.join('')}${sent} ${quote(this.#url + target)}`;
  }

  #fields() {
    const { document: api, parameters } = this.#operation;
    const fields = parameters.map((parameter) => {
      const schema = resolve(api, parameter['schema']);
      const label = create('span', {}, `${parameter['name']}${parameter['required'] ? ' (required)' : ''}`);
      return create(
        'label',
        {},
        label,
        inputFor(api, parameter, schema),
        create('span', { class: 'about' }, aboutOf(api, parameter, schema)),
      );
    });
    const roles = Object.keys(this.#keys);
    if (this.#carrier() === undefined || roles.length === 0) return fields;
    const options = [...roles, ''].map((role) => create('option', { value: role }, role === '' ? 'no key' : role));
    return [create('label', {}, create('span', {}, 'Key'), create('select', { name: '@key' }, ...options)), ...fields];
  }

  #bodyField() {
    const { document: api, operation } = this.#operation;
    const content = resolve(api, operation['requestBody'])['content'];
    if (content === undefined) return [];
    const [media] = Object.values(content);
    const example = media?.example ?? Object.values(media?.examples ?? {}).map((each) => resolve(api, each)['value'])[0];
    return [
      create(
        'label',
        {},
        'Body',
        create('textarea', { name: '@body', rows: '6' }, example === undefined ? '' : indented(JSON.stringify(example))),
      ),
    ];
  }

  #buttons() {
    return create(
      'div',
      { class: 'row' },
      create('button', {}, 'Send'),
      copyButton('Copy curl command', () => this.curl(), 'Copy curl command'),
    );
  }

  #responses() {
    const { document: api, operation } = this.#operation;
    const rows = Object.entries(operation['responses'] ?? {}).flatMap(([status, response]) => [
      create('dt', {}, status),
      create('dd', {}, resolve(api, response)['description'] ?? ''),
    ]);
    return [create('h4', {}, 'Responses'), create('dl', {}, ...rows)];
  }

  /** Place of the key: the first security requirement. @returns {Value | undefined} */
  #carrier() {
    const { document: api, operation } = this.#operation;
    const [requirement] = operation['security'] ?? api['security'] ?? [];
    const [name] = Object.keys(requirement ?? {});
    return name === undefined ? undefined : resolve(api, api['components']?.securitySchemes?.[name]);
  }

  /** @param {string | undefined} key @param {string[]} query @param {Record<string, string>} headers */
  #addKey(key, query, headers) {
    const carrier = this.#carrier();
    if (key === undefined || carrier === undefined) return;
    if (carrier['in'] === 'query') query.push(`${encodeURIComponent(carrier['name'])}=${key}`);
    else if (carrier['in'] === 'header') headers[carrier['name']] = key;
    else if (carrier['type'] === 'http')
      headers['Authorization'] = carrier['scheme'] === 'basic' ? `Basic ${btoa(`:${key}`)}` : `Bearer ${key}`;
  }

  #request() {
    const { method, path, parameters, operation, document: api } = this.#operation;
    const values = new FormData(this.#form);
    const given = (/** @type {string} */ place) =>
      parameters
        .filter((parameter) => parameter['in'] === place)
        .map((parameter) => [String(parameter['name']), String(values.get(parameter['name']) ?? '')])
        .filter(([, value]) => value !== '');
    const query = given('query').map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    const headers = Object.fromEntries(given('header'));
    this.#addKey(this.#keys[String(values.get('@key') ?? '')], query, headers);
    const text = String(values.get('@body') ?? '');
    const body = text === '' ? undefined : text;
    const [type] = Object.keys(resolve(api, operation['requestBody'])['content'] ?? {});
    if (body !== undefined && type !== undefined) headers['Content-Type'] = type;
    const filled = given('path').reduce((all, [name = '', value = '']) => all.replace(`{${name}}`, encodeURIComponent(value)), path);
    return { method, target: `${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`, headers, body };
  }

  /** @param {HTMLElement} answer */
  async #send(answer) {
    const { method, target, headers, body } = this.#request();
    try {
      const started = performance.now();
      const response = await fetch(target, { method, headers: { ...headers, 'Mock-Judge': 'off' }, body: body ?? null, cache: 'no-store' });
      const text = await response.text();
      const tone = response.ok ? 'good' : response.status >= 500 ? 'bad' : 'doubtful';
      answer.replaceChildren(
        create('h4', {}, 'Answer'),
        create('p', { class: tone }, `${response.status} ${response.statusText}, ${Math.round(performance.now() - started)} ms`),
        codeBlock('Response headers', [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')),
        codeBlock('Response body', indented(text)),
      );
    } catch {
      say('The request got no response: the mock has stopped, or chaos cut the connection.');
    }
  }
}

/** A field for the value of a parameter. @param {Value} api @param {Value} parameter @param {Value} schema */
function inputFor(api, parameter, schema) {
  const attributes = { name: parameter['name'], autocomplete: 'off', ...(parameter['required'] ? { required: '' } : {}) };
  if (schema['enum'] !== undefined)
    return create(
      'select',
      attributes,
      create('option', { value: '' }),
      ...schema['enum'].map((/** @type {unknown} */ value) => create('option', {}, String(value))),
    );
  const example = parameter['example'] ?? Object.values(parameter['examples'] ?? {}).map((each) => resolve(api, each)['value'])[0];
  const shown = example ?? schema['default'];
  return create('input', { ...attributes, ...(shown === undefined ? {} : { placeholder: String(shown) }) });
}

/** The description of a parameter with its allowed values. @param {Value} api @param {Value} parameter @param {Value} schema */
function aboutOf(api, parameter, schema) {
  const items = schema['type'] === 'array' ? resolve(api, schema['items']) : schema;
  const bounds = [schema['minimum'], schema['maximum']].every((bound) => bound !== undefined)
    ? [`${schema['minimum']} to ${schema['maximum']}.`]
    : [];
  const values = items['enum'] === undefined || items === schema ? [] : [`Values, separated by commas: ${items['enum'].join(', ')}.`];
  return [parameter['description'] ?? '', ...bounds, ...values].join(' ');
}
