import type { OpenSettings } from '../../../drivers/channel-settings.ts';
import { type RigChannel, SendRig, settle } from '../../testing/send-rig.ts';
import type { ReplayRecord } from '../replay-record.ts';
import type { ReplayRequest } from '../replay-request.ts';
import { ReplayService } from '../replay-service.ts';
import { type MemoryTraceOptions, MemoryTraces, type TracedEvent } from './memory-traces.ts';

/** A frame that a channel has accepted. */
export interface Acceptance {
  readonly atUs: number;
  readonly id: number;
}

/** A replay of a whole file, once and with its original timing. */
export const plainReplay = {
  file: 'drive.asc',
  speed: 1,
  loop: false,
  start_offset_us: 0,
} as const;

/** Replays on the virtual bench, with a clock controlled by the test. */
export class ReplayRig extends SendRig {
  readonly traces: MemoryTraces;
  /** Names of the databases that are attached to every channel. */
  databases: readonly string[] = [];
  readonly service: ReplayService;
  readonly startUs = this.clock.monotonicUs();
  readonly #channels = new Map<string, RigChannel>();

  constructor(trace: readonly TracedEvent[] | MemoryTraceOptions) {
    super();
    this.traces = new MemoryTraces('events' in trace ? trace : { events: trace });
    const { clock, scheduler, traces } = this;
    this.service = new ReplayService({ clock, scheduler, traces });
  }

  override async open(port: number, settings: OpenSettings = {}): Promise<RigChannel> {
    const channel = await super.open(port, settings);
    this.#channels.set(channel.selector, channel);
    return channel;
  }

  /** Two ports on one bus, so that frames of the first are received. */
  async openPair(port: number, settings: OpenSettings = {}): Promise<RigChannel> {
    await this.open(port + 1, settings);
    return this.open(port, settings);
  }

  /**
   * Records the frames accepted by a channel from now on, with times in microseconds since the
   * start of the test.
   */
  acceptancesOf({ outbox }: RigChannel): Acceptance[] {
    const accepted: Acceptance[] = [];
    const submit = outbox.submit.bind(outbox);
    outbox.submit = (lane, slot) => {
      const id = outbox.store.id[slot] as number;
      const result = submit(lane, slot);
      if (result === 'accepted') {
        accepted.push({ atUs: this.clock.monotonicUs() - this.startUs, id });
      }
      return result;
    };
    return accepted;
  }

  async begin(request: Partial<ReplayRequest> = {}): Promise<ReplayRecord> {
    const { file, ...plain } = plainReplay;
    const named = request.files ? plain : { ...plain, file };
    const whole = { ...named, channels: { 1: 'SIM00001/0' }, ...request };
    const record = await this.service.start(whole, async (selector) => {
      const channel = this.#channels.get(selector);
      if (!channel) throw new TypeError(`No channel ${selector}`);
      return { channel: Object.assign(channel, { databases: { names: this.databases } }) };
    });
    await settle();
    return record;
  }

  /** Advances the time in steps, so that the reader keeps up. */
  async play(durationUs: number, stepUs = 100): Promise<void> {
    for (let passed = 0; passed < durationUs; passed += stepUs) await this.pass(stepUs);
  }

  get record(): ReplayRecord {
    return this.service.status();
  }
}

/** This many events of channel 1, one every `gapUs`, with ids from 0 on. */
export const steadyTrace = (count: number, gapUs: number): TracedEvent[] =>
  Array.from({ length: count }, (_, index) => ({ atUs: index * gapUs, id: index % 0x800 }));
