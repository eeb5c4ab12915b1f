import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import { createStreamFraming } from '../framing/serial-framing.ts';
import { TcpFraming } from '../framing/tcp-framing.ts';
import type { TcpKind } from '../transport/endpoint.ts';
import { listenTcp, type TcpListener } from '../transport/tcp-listener.ts';
import { AnswerBuffer } from './answer-buffer.ts';
import type { ServedUnits } from './served-unit.ts';
import type { ServerCounters } from './server-counters.ts';
import { answerBufferBytes, TcpClient, type TcpClientContext } from './tcp-client.ts';

export interface TcpServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly kind: TcpKind;
  /** Longest pause inside a request of RTU; the usual one when left out. */
  readonly gapMs?: number | undefined;
  readonly units: ServedUnits;
  readonly counters: ServerCounters;
  readonly maxClients: number;
  /** Clients that are silent for longer are closed; infinite for never. */
  readonly idleTimeoutMs: number;
}

const turnedAway: LinkReceiver = { opened() {}, bytes() {}, closed() {} };

/** Silence is counted in ticks, so that hearing a client need not look at a clock. */
const longestTickMs = 15_000;
/** A time-out has so many ticks at the least. */
const fewestTicks = 8;
/** A client that was silent for so long has to leave where there is no room for another. */
const yieldingMs = 60_000;

/** Serves clients over TCP. */
export class TcpService {
  readonly #options: TcpServiceOptions;
  readonly #clients = new Set<TcpClient>();
  /** Clients that asked for more than was served in their turn, in the order of their next. */
  readonly #waiting = new Set<TcpClient>();
  /** Clients that have something to do without hearing more, by when. */
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
    this.#tickMs = Math.min(options.idleTimeoutMs / fewestTicks, longestTickMs);
    this.#turns = scheduler.createTask('Modbus clients', (nowUs) => this.#takeTurn(nowUs));
    this.#wakeUps = scheduler.createTask('Modbus client wake-ups', (nowUs) => this.#wake(nowUs));
    this.#idleWatch = scheduler.createTask('Modbus idle clients', (nowUs) => this.#tick(nowUs));
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Starts to listen; tells where. */
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

  /** One client at a time here, too. */
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

  /** Clients may be gone without a word; those who come should not have to wait until that shows. */
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

  /** The first tick does not count: it may have come right behind the last byte. */
  #isQuietFor({ quietTicks }: TcpClient, ms: number): boolean {
    return (quietTicks - 1) * this.#tickMs >= ms;
  }

  #timeOut(client: TcpClient): void {
    this.#options.counters.clientsTimedOut += 1;
    client.close();
  }
}
