import type { ArgumentsOf } from '../operations/define.ts';
import type { LogLevel } from '../operations/limits.ts';
import type { webStart } from '../operations/web.ts';

export interface WebConfiguration {
  readonly listen: string;
  /** The caller specified the listen address; it is not the default. */
  readonly listenGiven: boolean;
  readonly webRoot: string | null;
  readonly token: string | null;
  readonly allowInsecureHttp: boolean;
  readonly historyCapacity: number;
  readonly logLevel: LogLevel;
  readonly logFile: string | null;
}

/** Remembers the web service, to restart it after the client thread dies. */
export type WebKeeperRpc = { rememberWeb(configuration: WebConfiguration | null): void };

/** Accepted even from a thread that answers late. */
export const lateWebCalls = ['rememberWeb'] as const satisfies readonly (keyof WebKeeperRpc)[];

export const webConfiguration = (
  request: ArgumentsOf<typeof webStart>,
  listenGiven: boolean,
): WebConfiguration => ({
  listen: request.listen,
  listenGiven,
  webRoot: request.web_root ?? null,
  token: request.token ?? null,
  allowInsecureHttp: request.allow_insecure_http,
  historyCapacity: request.history_capacity,
  logLevel: request.log_level,
  logFile: request.log_file ?? null,
});
