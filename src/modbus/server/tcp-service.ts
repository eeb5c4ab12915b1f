import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { ByteLink, LinkReceiver } from '../transport/byte-link.ts';
import { listenTcp, type TcpListener } from '../transport/tcp-listener.ts';
import { Outbox } from './outbox.ts';
import type { RequestHandler } from './request-handler.ts';
import type { ServerCounters } from './server-counters.ts';
import { outboxBytes, TcpClient, type TcpClientContext } from './tcp-client.ts';

export interface TcpServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly unit: number;
  readonly handler: RequestHandler;
  readonly counters: ServerCounters;
  readonly maxClients: number;
  /** Clients that are silent for longer are closed; infinite for never. */
  readonly idleTimeoutMs: number;
}

const turnedAway: LinkReceiver = { opened() {}, bytes() {}, closed() {} };

/** The time-out of a client is counted in so many ticks, so that hearing it need not look at a clock. */
const idleTicks = 8;

/** Serves clients over TCP. */
export class TcpService {
  readonly #options: TcpServiceOptions;
  readonly #clients = new Set<TcpClient>();
  /** Clients that asked for more than was served in their turn, in the order of their next. */
  readonly #waiting = new Set<TcpClient>();
  readonly #context: TcpClientContext;
  readonly #turns: Task;
  readonly #idleWatch: Task;
  readonly #tickUs: number;
  #listener: TcpListener | undefined;

  constructor(options: TcpServiceOptions) {
    const { clock, scheduler, unit, handler, counters } = options;
    this.#options = options;
    this.#context = {
      unit,
      handler,
      counters,
      outbox: new Outbox(outboxBytes),
      postpone: (client) => {
        this.#waiting.add(client);
        this.#turns.scheduleAt(clock.monotonicUs());
      },
      left: (client) => {
        this.#clients.delete(client);
        this.#waiting.delete(client);
      },
    };
    this.#tickUs = (options.idleTimeoutMs * 1000) / idleTicks;
    this.#turns = scheduler.createTask('Modbus clients', (nowUs) => this.#takeTurn(nowUs));
    this.#idleWatch = scheduler.createTask('Modbus idle clients', (nowUs) => this.#tick(nowUs));
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Starts to listen; tells where. */
  async open(address: string, port: number): Promise<{ address: string; port: number }> {
    const listener = await listenTcp({ address, port, accept: (link) => this.#accept(link) });
    this.#listener = listener;
    this.#idleWatch.scheduleAt(this.#options.clock.monotonicUs() + this.#tickUs);
    return { address: listener.address, port: listener.port };
  }

  async close(): Promise<void> {
    this.#turns.cancel();
    this.#idleWatch.cancel();
    const closed = this.#listener?.close();
    for (const client of this.#clients) client.close();
    await closed;
  }

  #accept(link: ByteLink): LinkReceiver {
    const { counters, maxClients } = this.#options;
    if (this.#clients.size >= maxClients) {
      counters.clientsRefused += 1;
      link.close();
      return turnedAway;
    }
    counters.clientsAccepted += 1;
    const client = new TcpClient(link, this.#context);
    this.#clients.add(client);
    return client;
  }

  /** One client at a time, so that the thread is never held for long. */
  #takeTurn(nowUs: number): number {
    const [client] = this.#waiting;
    if (client !== undefined) {
      this.#waiting.delete(client);
      client.serveRest();
    }
    return this.#waiting.size > 0 ? nowUs : Number.POSITIVE_INFINITY;
  }

  #tick(nowUs: number): number {
    for (const client of this.#clients) {
      client.quietTicks += 1;
      // The first of them may have come right behind the last byte.
      if (client.quietTicks <= idleTicks) continue;
      this.#options.counters.clientsTimedOut += 1;
      client.close();
    }
    return nowUs + this.#tickUs;
  }
}
