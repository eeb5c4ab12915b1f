/** What the Web service tells about its own life. A field that is not named here is not logged. */
export interface LifecycleEvents {
  readonly starting: { readonly listen: string };
  readonly listening: {
    readonly listen: string;
    readonly web_root: string;
    readonly auth: 'bearer' | 'none';
    readonly log_level: string;
    readonly log_destination: string;
  };
  readonly log_reopened: { readonly log_destination: string };
  readonly stopping: { readonly reason: 'command' | 'daemon_stop' };
  readonly stopped: { readonly uptime_us: number };
}

export type LifecycleName = keyof LifecycleEvents;

const fieldOrder: { readonly [N in LifecycleName]: readonly (keyof LifecycleEvents[N])[] } = {
  starting: ['listen'],
  listening: ['listen', 'web_root', 'auth', 'log_level', 'log_destination'],
  log_reopened: ['log_destination'],
  stopping: ['reason'],
  stopped: ['uptime_us'],
};

/** The declared fields in their declared order, whatever else the given object holds. */
export const lifecycleFields = <N extends LifecycleName>(
  name: N,
  fields: LifecycleEvents[N],
): Record<string, unknown> =>
  Object.fromEntries([['name', name], ...fieldOrder[name].map((key) => [key, fields[key]])]);
