/** Elements, requests and messages that all parts of the front page share. Knows no endpoint. */

/** The element with an id. @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element;
}

/** A form of the page. @param {string} id @returns {HTMLFormElement} */
export function formById(id) {
  const form = byId(id);
  if (!(form instanceof HTMLFormElement)) throw new Error(`${id} is no form`);
  return form;
}

/** The text in a field of a form. @param {HTMLFormElement} form @param {string} name */
export function fieldOf(form, name) {
  return String(new FormData(form).get(name) ?? '').trim();
}

/**
 * Creates an element. Texts are inserted as texts, never as HTML.
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(string | Node)[]} content
 */
export function create(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...content);
  return element;
}

/** A text exactly as it was sent, in a block that can be scrolled by keyboard. @param {string} label @param {string} text */
export function codeBlock(label, text) {
  return create('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text);
}

/** A button that copies a text. @param {string} label @param {() => string} text @param {string} [shown] */
export function copyButton(label, text, shown = 'Copy') {
  const button = create('button', { type: 'button', 'aria-label': label }, shown);
  button.addEventListener('click', () =>
    navigator.clipboard.writeText(text()).then(
      () => say('Copied.'),
      () => say('The browser does not allow copying; select the text and copy it.'),
    ),
  );
  return button;
}

let silence = 0;

/** Shows a message for a few seconds, and reads it to users of a screen reader. @param {string} message */
export function say(message) {
  byId('said').textContent = message;
  clearTimeout(silence);
  silence = setTimeout(() => byId('said').replaceChildren(), 5000);
}

/**
 * Sends a request to an endpoint below `/__mock/`. Shows the message of a refusal, and returns nothing then.
 * @param {string} path
 * @param {'GET' | 'POST' | 'DELETE'} [method]
 * @param {object} [body]
 */
export async function control(path, method = 'GET', body) {
  try {
    const response = await fetch(`/__mock/${path}`, { method, body: body === undefined ? null : JSON.stringify(body) });
    const answer = await response.json();
    if (response.ok) return answer;
    say(answer.error.message);
  } catch {
    say('The mock does not respond; it may have stopped.');
  }
  return undefined;
}

/** Text of a JSON body with indentation; other bodies stay as they are. @param {string} body */
export function indented(body) {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
