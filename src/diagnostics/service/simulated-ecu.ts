import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { FoundChannel } from '../../bench/channel-table.ts';
import type { Link } from '../../pdu/isotp/link-settings.ts';
import { selectedChannel } from '../../transmit/selected-channel.ts';
import type { SignalReader } from '../ecu-dids.ts';
import type { EcuModel } from '../ecu-model.ts';
import { EcuServer } from '../ecu-server.ts';
import { isSuppressed, negativeResponse, sid } from '../services.ts';
import { CanEcuPort } from './can-ecu-port.ts';
import type { EcuPort, EcuPortListener } from './ecu-port.ts';
import { LinEcuPort } from './lin-ecu-port.ts';
import type { SimulatedEcu as EcuRecord } from './simulated-ecu-record.ts';

export interface SimulatedEcuOptions {
  readonly id: string;
  readonly ecu: string | null;
  readonly file: string;
  readonly model: EcuModel;
  readonly found: FoundChannel;
  readonly link: Link;
  readonly readSignal: SignalReader;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly onEnded: () => void;
}

/** An ECU that answers requests on a channel until it is stopped or the channel closes. */
export class SimulatedEcu implements EcuPortListener {
  readonly id: string;
  readonly link: Link;
  readonly found: FoundChannel;
  readonly #options: SimulatedEcuOptions;
  readonly #server: EcuServer;
  readonly #port: EcuPort;
  readonly #timer: Task;
  readonly #stopListening: () => void;
  readonly #createdAtUs: number;
  readonly #counters = { requests: 0, responses: 0, negative: 0, abandoned: 0 };
  #isNegative = false;
  #isServing = false;

  constructor(options: SimulatedEcuOptions) {
    const { id, found, link, model, readSignal, clock, scheduler } = options;
    this.id = id;
    this.link = link;
    this.found = found;
    this.#options = options;
    this.#createdAtUs = clock.unixUs();
    this.#server = new EcuServer({ model, readSignal });
    this.#timer = scheduler.createTask('simulated ecu', (nowUs) => {
      this.#server.expire(nowUs);
      this.#serve();
      return undefined;
    });
    const { channel } = found;
    const port = { clock, scheduler, channel, link, listener: this };
    this.#port = link.settings.nad === null ? new CanEcuPort(port) : new LinEcuPort(port);
    this.#stopListening = channel.onInterrupted((why) => {
      if (why === 'closed') this.end();
      else if (why === 'lost') this.#abandon();
    });
  }

  requested(payload: Uint8Array, functional: boolean, atUs: number): void {
    this.#counters.requests += 1;
    const isPresence = payload[0] === sid.testerPresent && isSuppressed(payload);
    // A tester that sends another request does not await the rest of the last response.
    if (!functional && !isPresence) this.#abandon();
    this.#server.request(payload, functional, atUs);
    if (functional && !this.#port.answersFunctional) this.#discard();
    this.#serve();
  }

  ended(isSent: boolean): void {
    if (!isSent) this.#counters.abandoned += 1;
    else {
      this.#counters.responses += 1;
      if (this.#isNegative) this.#counters.negative += 1;
    }
    this.#serve();
  }

  end(): void {
    this.#timer.cancel();
    this.#stopListening();
    this.#port.close();
    this.#options.onEnded();
  }

  record(): EcuRecord {
    const { ecu, file, model } = this.#options;
    const { session, securityLevel, faultsLeft } = this.#server;
    return {
      ecu_id: this.id,
      ...selectedChannel(this.found),
      ecu,
      file,
      settings: this.link.settings,
      session,
      security_level: securityLevel,
      counters: { ...this.#counters },
      faults: (model.faults ?? []).map(({ kind, frame = 1 }, index) => ({
        kind,
        frame,
        left: faultsLeft[index] ?? null,
      })),
      created_at_us: this.#createdAtUs,
    };
  }

  #abandon(): void {
    this.#discard();
    if (!this.#port.isResponding) return;
    this.#port.abandon();
    this.#counters.abandoned += 1;
  }

  #discard(): void {
    while (this.#server.takeResponse() !== null);
  }

  #serve(): void {
    // A response can be sent, and end, in the call that starts it.
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      this.#respond();
    } finally {
      this.#isServing = false;
    }
    const { deadlineUs } = this.#server;
    if (deadlineUs === Number.POSITIVE_INFINITY) this.#timer.cancel();
    else this.#timer.scheduleAt(deadlineUs);
  }

  #respond(): void {
    while (!this.#port.isResponding) {
      const response = this.#server.takeResponse();
      if (!response) return;
      this.#isNegative = response.payload[0] === negativeResponse;
      this.#port.respond(response.payload, response.faults);
    }
  }
}
