// Files of the clients that are generated from the OpenAPI document.
import { renderPythonClient } from './python-client.mjs';
import { renderTypescriptClient } from './typescript-client.mjs';

export const clientFiles = (document) => ({
  ...Object.fromEntries(
    Object.entries(renderPythonClient(document)).map(([name, text]) => [
      `clients/python/busbar/${name}`,
      text,
    ]),
  ),
  'clients/typescript/src/schema.ts': renderTypescriptClient(document),
});
