import type { SendDatagram } from '../../base/native/unix-datagrams.ts';

export interface ServiceEnvironment {
  readonly NOTIFY_SOCKET?: string | undefined;
  readonly WATCHDOG_USEC?: string | undefined;
  readonly WATCHDOG_PID?: string | undefined;
}

/** This process and its parent: the main process of the service is the command line. */
export interface ServiceProcess {
  readonly pid: number;
  readonly ppid: number;
}

const isMeant = ({ WATCHDOG_PID }: ServiceEnvironment, { pid, ppid }: ServiceProcess): boolean =>
  WATCHDOG_PID === undefined || [pid, ppid].includes(Number(WATCHDOG_PID));

export const watchdogPeriodUs = (
  env: ServiceEnvironment,
  process: ServiceProcess,
): number | null => {
  const limitUs = Number(env.WATCHDOG_USEC);
  if (!Number.isSafeInteger(limitUs) || limitUs <= 0 || !isMeant(env, process)) return null;
  // sd_watchdog_enabled(3) recommends half; a third tolerates one lost message.
  return Math.floor(limitUs / 3);
};

export class ServiceManager {
  readonly #send: SendDatagram;

  constructor(send: SendDatagram) {
    this.#send = send;
  }

  ready(): void {
    this.#send('READY=1\nSTATUS=Serving callers');
  }

  reloading(monotonicUs: number): void {
    this.#send(`RELOADING=1\nMONOTONIC_USEC=${Math.floor(monotonicUs)}`);
  }

  stopping(): void {
    this.#send('STOPPING=1\nSTATUS=Stopping');
  }

  alive(): void {
    this.#send('WATCHDOG=1');
  }
}
