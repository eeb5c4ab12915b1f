import type { ArgumentsOf } from '../operations/define.ts';
import type { LogLevel } from '../operations/limits.ts';
import type { webStart } from '../operations/web.ts';

/** Everything `web start` settles. Plain data: a restarted client thread starts from it again. */
export interface WebConfiguration {
  readonly listen: string;
  /** Whether the caller said where to listen, rather than taking the default. */
  readonly listenGiven: boolean;
  readonly webRoot: string | null;
  readonly token: string | null;
  readonly allowInsecureHttp: boolean;
  readonly historyCapacity: number;
  readonly logLevel: LogLevel;
  readonly logFile: string | null;
}

/** What keeps in mind which Web service to bring back. */
export type WebKeeperRpc = {
  /** Which one to bring back if the client thread dies. */
  rememberWeb(configuration: WebConfiguration | null): void;
};

/** Heard of also by a thread that answers late. */
export const lateWebCalls = ['rememberWeb'] as const satisfies readonly (keyof WebKeeperRpc)[];

/** What a caller asks for. */
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
