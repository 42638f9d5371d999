/** openapi-backend with Express, set up as in its own guide: node backend.mjs PORT FOLDER */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// They are installed where this file is copied to, not in this project.
const [{ default: express }, { OpenAPIBackend }] = await Promise.all(['express', 'openapi-backend'].map((name) => import(name)));
const [port, folder] = process.argv.slice(2);
const definition = JSON.parse(readFileSync(join(folder, 'examples.openapi.json'), 'utf8'));
const api = new OpenAPIBackend({ definition, quick: true });
api.register({
  validationFail: (context, _request, response) => response.status(422).json({ errors: context.validation.errors }),
  notFound: (_context, _request, response) => response.status(404).json({}),
  notImplemented: (context, _request, response) => {
    const { status, mock } = api.mockResponseForOperation(context.operation.operationId);
    return response.status(status).json(mock);
  },
});
await api.init();
const app = express();
app.use((incoming, outgoing) =>
  api.handleRequest({ method: incoming.method, path: incoming.path, query: incoming.query, headers: incoming.headers }, incoming, outgoing),
);
app.listen(Number(port), '127.0.0.1');
