import type { Static } from 'typebox';
import type { ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { Home } from '../../link/home.ts';
import type { Caller } from '../../operations/dispatcher.ts';
import type { health } from '../../operations/health.ts';
import type { WebConfiguration } from '../../web/web-service.ts';

export type DaemonHealth = Static<typeof health.result>['daemon'];

/** Where this daemon is and who it is; the same in all of its threads. */
export interface DaemonIdentity {
  readonly home: Home;
  readonly projectRoot: string;
  readonly instanceId: string;
  readonly pid: number;
  readonly startedAtUs: number;
  /** Offset of Unix time from the monotonic clock, measured once for all threads. */
  readonly unixOffsetUs: number;
}

/** What the client thread is started with. */
export interface ClientThreadData {
  readonly identity: DaemonIdentity;
  readonly packagedConsole: string;
  /** The Web service to bring back after this thread's predecessor died; null: none ran. */
  readonly resumeWeb: WebConfiguration | null;
}

/** What the bench thread does for the client thread. */
export type BenchOffer = {
  /** The client thread serves callers from now on. */
  clientReady(): void;
  /** The client thread cannot serve callers. */
  clientFailed(error: ErrorRecord): void;
  invoke(operationId: string, input: unknown, caller: Caller): Promise<unknown>;
  daemonHealth(): DaemonHealth;
  /** Which Web service to bring back if the client thread dies. */
  rememberWeb(configuration: WebConfiguration | null): void;
  requestStop(): void;
};

/** What the client thread does for the bench thread. */
export type ClientOffer = {
  /** Takes no more callers and closes the Web service, its streams and its log. */
  shutDown(): Promise<void>;
};
