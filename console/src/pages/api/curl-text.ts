import type { ReadyRequest } from './request-draft.ts';

/** Text that a shell takes as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface CurlOptions {
  readonly origin: string;
  /** Whether the service wants a token. The token itself never gets into the text. */
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
    ...(needsToken ? ["-H 'Authorization: Bearer …'"] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `--data ${quoted(JSON.stringify(body))}`]),
  ].join(' ');
