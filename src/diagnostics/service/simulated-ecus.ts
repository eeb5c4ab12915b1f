import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { BenchSource, ChannelTable, FoundChannel } from '../../bench/channel-table.ts';
import { addressKey } from '../../pdu/isotp/addressing.ts';
import { type Link, type LinkRequest, linkFields, linkOf } from '../../pdu/isotp/link-settings.ts';
import { checkInService } from '../../transmit/selected-channel.ts';
import type { SignalReader } from '../ecu-dids.ts';
import type { EcuModel } from '../ecu-model.ts';
import { ecuEntry } from './diagnostic-links.ts';
import { checkBus } from './link-transport.ts';
import { SimulatedEcu } from './simulated-ecu.ts';
import type { SimulatedEcu as EcuRecord } from './simulated-ecu-record.ts';

export interface SimulatedEcusOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly channels: Pick<ChannelTable, 'use'>;
  readonly capacity: number;
  readonly readModel: (file: string) => Promise<EcuModel>;
  readonly readSignal: SignalReader;
}

export interface ServeRequest extends LinkRequest {
  readonly channel: string;
  readonly file: string;
  readonly ecu?: string | undefined;
}

export interface ServedEcu {
  readonly file: string;
  readonly model: EcuModel;
  readonly ecu: string | null;
  readonly link: Link;
}

const checkSlave = ({ channel, text }: FoundChannel): void => {
  if (channel.hardware.settings.lin?.role !== 'master') return;
  const message = `${text} is the LIN master; a simulated ECU is a slave`;
  throw invalidArgument('channel', message, { reason: 'not_slave' });
};

const notFound = (id: string): BusbarError =>
  new BusbarError('simulated_ecu_not_found', {
    message: `No such simulated ECU: ${id}`,
    details: { field: 'ecu_id', ecu_id: id },
  });

/** The simulated ECUs of a daemon. Each ends with its channel. */
export class SimulatedEcus {
  readonly #options: SimulatedEcusOptions;
  readonly #ecus = new Map<string, SimulatedEcu>();
  #started = 0;

  constructor(options: SimulatedEcusOptions) {
    this.#options = options;
  }

  async serve({ channel, file, ecu, ...given }: ServeRequest, bench: BenchSource) {
    const link = linkOf(ecu === undefined ? given : await this.#entryOf(ecu, given, bench));
    const model = await this.#options.readModel(file);
    const found = await this.#options.channels.use(channel, bench);
    checkInService(found);
    return this.start(found, { file, model, ecu: ecu ?? null, link });
  }

  start(found: FoundChannel, { file, model, ecu, link }: ServedEcu): EcuRecord {
    const { clock, scheduler, capacity, readSignal } = this.#options;
    checkBus(found.channel, found.text, link);
    checkSlave(found);
    this.#checkFree(found, link);
    if (this.#ecus.size >= capacity) {
      throw new BusbarError('capacity_exceeded', {
        message: `At most ${capacity} simulated ECUs can run`,
        details: { limit: capacity },
      });
    }
    this.#started += 1;
    const id = `ecu-${this.#started}`;
    const onEnded = () => void this.#ecus.delete(id);
    const served = { id, ecu, file, model, found, link, readSignal, clock, scheduler, onEnded };
    const started = new SimulatedEcu(served);
    this.#ecus.set(id, started);
    return started.record();
  }

  list(): EcuRecord[] {
    return [...this.#ecus.values()].map((ecu) => ecu.record());
  }

  stop(id: string): EcuRecord {
    const ecu = this.#ecus.get(id);
    if (!ecu) throw notFound(id);
    const record = ecu.record();
    ecu.end();
    return record;
  }

  stopAll(): void {
    for (const ecu of this.#ecus.values()) ecu.end();
  }

  /** The identifiers of an ECU are those of the bench file, or given. */
  async #entryOf(ecu: string, given: LinkRequest, bench: BenchSource): Promise<LinkRequest> {
    const extra = Object.keys(linkFields).find((field) => field in given);
    if (extra !== undefined) {
      throw invalidArgument(extra, `ecu and ${extra} exclude each other`, { reason: 'exclusive' });
    }
    return ecuEntry(await bench(), ecu);
  }

  #checkFree({ channel }: FoundChannel, { pair, settings }: Link): void {
    for (const { id, found, link } of this.#ecus.values()) {
      if (found.channel !== channel) continue;
      if (addressKey(link.pair.request) !== addressKey(pair.request)) continue;
      throw new BusbarError('already_exists', {
        message: `${id} has the same identifiers on ${channel.selector}`,
        details: { field: settings.nad === null ? 'request_id' : 'nad', ecu_id: id },
      });
    }
  }
}
