import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import { createStreamFraming } from '../framing/serial-framing.ts';
import { TcpFraming } from '../framing/tcp-framing.ts';
import type { TcpKind } from '../transport/endpoint.ts';
import { listenTcp, type TcpListener } from '../transport/tcp-listener.ts';
import type { ServedUnits } from './served-unit.ts';
import type { ServerCounters } from './server-counters.ts';
import { AnswerBuffer, answerBufferBytes, TcpClient, type TcpClientContext } from './tcp-client.ts';
export interface TcpServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly kind: TcpKind;
  readonly gapMs?: number | undefined;
  readonly units: ServedUnits;
  readonly counters: ServerCounters;
  readonly maxClients: number;
  readonly idleTimeoutMs: number;
}

const rejected: LinkReceiver = { opened() {}, bytes() {}, closed() {} };

/** Idle time is counted in ticks, so that receiving needs no clock. */
const maxTickMs = 15_000;
/** Minimum number of ticks of a timeout. */
const fewestTicks = 8;
/** A client idle for this long is closed if the server is full. */
const yieldingMs = 60_000;

export class TcpService {
  readonly #options: TcpServiceOptions;
  readonly #clients = new Set<TcpClient>();
  readonly #waiting = new Set<TcpClient>();
  readonly #wakings = new Map<TcpClient, number>();
  readonly #context: TcpClientContext;
  readonly #turns: Task;
  readonly #wakeUps: Task;
  readonly #idleWatch: Task;
  readonly #tickMs: number;
  #listener: TcpListener | undefined;

  constructor(options: TcpServiceOptions) {
    const { clock, scheduler, kind, gapMs, units, counters } = options;
    this.#options = options;
    this.#context = {
      clock,
      units,
      counters,
      answers: new AnswerBuffer(answerBufferBytes),
      createFraming: (receiver) =>
        kind === 'tcp'
          ? new TcpFraming(receiver)
          : createStreamFraming(receiver, { side: 'server', gapMs }),
      postpone: (client) => {
        this.#waiting.add(client);
        this.#turns.scheduleAt(clock.monotonicUs());
      },
      wakeAt: (client, dueUs) => {
        this.#wakings.set(client, dueUs);
        this.#wakeUps.scheduleAt(Math.min(dueUs, this.#wakeUps.dueUs));
      },
      left: (client) => {
        this.#clients.delete(client);
        this.#waiting.delete(client);
        this.#wakings.delete(client);
      },
    };
    this.#tickMs = Math.min(options.idleTimeoutMs / fewestTicks, maxTickMs);
    this.#turns = scheduler.createTask('Modbus clients', (nowUs) => this.#takeTurn(nowUs));
    this.#wakeUps = scheduler.createTask('Modbus client wake-ups', (nowUs) => this.#wake(nowUs));
    this.#idleWatch = scheduler.createTask('Modbus idle clients', (nowUs) => this.#tick(nowUs));
  }

  get clients(): number {
    return this.#clients.size;
  }

  async open(address: string, port: number): Promise<{ address: string; port: number }> {
    const listener = await listenTcp({ address, port, accept: (link) => this.#accept(link) });
    this.#listener = listener;
    this.#idleWatch.scheduleAt(this.#options.clock.monotonicUs() + 1000 * this.#tickMs);
    return { address: listener.address, port: listener.port };
  }

  async close(): Promise<void> {
    this.#turns.cancel();
    this.#wakeUps.cancel();
    this.#idleWatch.cancel();
    const closed = this.#listener?.close();
    for (const client of this.#clients) client.close();
    await closed;
  }

  #accept(link: ByteLink): LinkReceiver {
    const { counters, maxClients } = this.#options;
    if (this.#clients.size >= maxClients) this.#makeRoom();
    if (this.#clients.size >= maxClients) {
      counters.clientsRefused += 1;
      link.close();
      return rejected;
    }
    counters.clientsAccepted += 1;
    const client = new TcpClient(link, this.#context);
    this.#clients.add(client);
    return client;
  }

  /** One client per turn, to meet the thread's deadlines. */
  #takeTurn(nowUs: number): number {
    const [client] = this.#waiting;
    if (client !== undefined) {
      this.#waiting.delete(client);
      client.serveRest();
    }
    return this.#waiting.size > 0 ? nowUs : Number.POSITIVE_INFINITY;
  }

  #wake(nowUs: number): number {
    for (const [client, dueUs] of this.#wakings) {
      if (dueUs > nowUs) continue;
      const againUs = client.wake(nowUs);
      if (againUs === Number.POSITIVE_INFINITY) this.#wakings.delete(client);
      else this.#wakings.set(client, againUs);
      break;
    }
    return Math.min(...this.#wakings.values());
  }

  /** Vanished clients must not keep new ones out. */
  #makeRoom(): void {
    let quietest: TcpClient | undefined;
    for (const client of this.#clients) {
      if (client.quietTicks > (quietest?.quietTicks ?? 0)) quietest = client;
    }
    if (quietest && this.#isQuietFor(quietest, yieldingMs)) this.#timeOut(quietest);
  }

  #tick(nowUs: number): number {
    for (const client of this.#clients) {
      client.quietTicks += 1;
      if (this.#isQuietFor(client, this.#options.idleTimeoutMs)) this.#timeOut(client);
    }
    return nowUs + 1000 * this.#tickMs;
  }

  /** The first tick does not count: it may follow the last byte immediately. */
  #isQuietFor({ quietTicks }: TcpClient, ms: number): boolean {
    return (quietTicks - 1) * this.#tickMs >= ms;
  }

  #timeOut(client: TcpClient): void {
    this.#options.counters.clientsTimedOut += 1;
    client.close();
  }
}
