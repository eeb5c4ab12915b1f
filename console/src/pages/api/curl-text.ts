import { compactJson } from '../../format/json-text.ts';
import type { ReadyRequest } from './request-draft.ts';

/** Text that a shell takes as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Said beside a command that needs a token. */
export const curlTokenHint =
  'Set BUSBAR_TOKEN to the token first: the command takes it from there.';

interface CurlOptions {
  readonly origin: string;
  /** Whether the service wants a token. The text names a variable, never the token itself. */
  readonly needsToken: boolean;
  /** Shows what comes as it comes. */
  readonly isStream?: boolean;
}

/** The same request as a command line. */
export const curlText = (
  { method, path, body }: ReadyRequest,
  { origin, needsToken, isStream = false }: CurlOptions,
): string =>
  [
    isStream ? 'curl -N' : 'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(origin + path),
    ...(needsToken ? ['-H "Authorization: Bearer $BUSBAR_TOKEN"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `--data ${quoted(compactJson(body))}`]),
  ].join(' ');
