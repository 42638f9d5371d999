import { type HttpHeaders, headerOf } from '../../core/http/exchange.ts';
import { readPageFile } from '../../core/shipped-files.ts';
import { ControlError, type ControlResponse, clipText, type Endpoint } from './endpoint.ts';

/** Path at which browsers get the page too, unless an API has it. */
export const rootPagePath = '/';

/** Files of the page with their content types. */
const contentTypes: Readonly<Record<string, string>> = {
  'front-page.html': 'text/html; charset=utf-8',
  'front-page.css': 'text/css; charset=utf-8',
  'front-page.js': 'text/javascript; charset=utf-8',
  'request-log.js': 'text/javascript; charset=utf-8',
  'operation-forms.js': 'text/javascript; charset=utf-8',
  'elements.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** Creates the endpoints of the front page: `/__mock/page` and its files. */
export function frontPageEndpoints(): readonly Endpoint[] {
  return [
    { path: 'page', methods: { GET: () => readFile('front-page.html') } },
    { path: 'page/{file}', methods: { GET: ({ segment }) => readFile(segment) } },
  ];
}

function readFile(name: string): ControlResponse {
  const type = Object.hasOwn(contentTypes, name) ? contentTypes[name] : undefined;
  if (type === undefined)
    throw new ControlError(404, `The front page has no file ${clipText(name)}; its files are ${Object.keys(contentTypes).join(', ')}.`);
  return { status: 200, headers: { 'content-type': type, vary: 'Accept' }, body: readPageFile(name) };
}

/** True for a request that asks for HTML, as browsers do for a page. */
export function asksForHtml(headers: HttpHeaders): boolean {
  return /\btext\/html\b/i.test(headerOf(headers, 'accept') ?? '');
}
