import type { SendDatagram } from '../../base/native/unix-datagrams.ts';

/** What a service manager such as systemd sets for a service (sd_notify(3), sd_watchdog_enabled(3)). */
export interface ServiceEnvironment {
  readonly NOTIFY_SOCKET?: string | undefined;
  readonly WATCHDOG_USEC?: string | undefined;
  readonly WATCHDOG_PID?: string | undefined;
}

/** The process, and the one that started it: the service's own main process is the command line. */
export interface ServiceProcess {
  readonly pid: number;
  readonly ppid: number;
}

const isMeant = ({ WATCHDOG_PID }: ServiceEnvironment, { pid, ppid }: ServiceProcess): boolean =>
  WATCHDOG_PID === undefined || [pid, ppid].includes(Number(WATCHDOG_PID));

/** How often to tell the watchdog that this thread runs, or null where no service manager waits for that. */
export const watchdogPeriodUs = (
  env: ServiceEnvironment,
  process: ServiceProcess,
): number | null => {
  const limitUs = Number(env.WATCHDOG_USEC);
  if (!Number.isSafeInteger(limitUs) || limitUs <= 0 || !isMeant(env, process)) return null;
  // Half of it is what sd_watchdog_enabled(3) advises; a third leaves one that may be lost.
  return Math.floor(limitUs / 3);
};

/** Tells the service manager how the daemon is. */
export class ServiceManager {
  readonly #send: SendDatagram;

  constructor(send: SendDatagram) {
    this.#send = send;
  }

  /** Callers are served. */
  ready(): void {
    this.#send('READY=1\nSTATUS=Serving callers');
  }

  /** Log files are opened anew; `ready` follows. */
  reloading(monotonicUs: number): void {
    this.#send(`RELOADING=1\nMONOTONIC_USEC=${Math.floor(monotonicUs)}`);
  }

  stopping(): void {
    this.#send('STOPPING=1\nSTATUS=Stopping');
  }

  /** The thread that keeps deadlines runs. */
  alive(): void {
    this.#send('WATCHDOG=1');
  }
}
