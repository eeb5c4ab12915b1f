import type { ArgumentsOf } from '../operations/define.ts';
import {
  defaultListen,
  defaultLogLevel,
  historyCapacity,
  type LogLevel,
} from '../operations/limits.ts';
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

/** What a caller asks for, with the defaults of what was left out. */
export const webConfiguration = (
  request: ArgumentsOf<typeof webStart>,
  listenGiven: boolean,
): WebConfiguration => ({
  listen: request.listen ?? defaultListen,
  listenGiven,
  webRoot: request.web_root ?? null,
  token: request.token ?? null,
  allowInsecureHttp: request.allow_insecure_http ?? false,
  historyCapacity: request.history_capacity ?? historyCapacity.default,
  logLevel: request.log_level ?? defaultLogLevel,
  logFile: request.log_file ?? null,
});
