import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { BusbarError } from '../../../../src/base/errors/busbar-error.ts';
import type {
  ChannelSettings,
  OpenSettings,
  SettingChange,
} from '../../../../src/drivers/channel-settings.ts';
import type { ChannelSink } from '../../../../src/drivers/channel-sink.ts';
import { busStates, type ChannelStats } from '../../../../src/drivers/channel-stats.ts';
import type {
  BrokerAccess,
  DeviceInfo,
  Driver,
  WriterThread,
} from '../../../../src/drivers/driver.ts';
import type { CanChannel } from '../../../../src/drivers/driver-channel.ts';
import type { PortCapabilities } from '../../../../src/drivers/port-capabilities.ts';
import { deviceLost } from '../../../../src/drivers/refusals.ts';
import type { SendResult } from '../../../../src/drivers/send-result.ts';
import { frameFlag } from '../../../../src/frame/frm2-layout.ts';
import { type Command, statsFields, type Told } from './messages.ts';

/** The thread as a separate file, as workers require. */
export const bundleThread = (): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'busbar-thread-')), 'device-thread.cjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, 'device-thread.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: file,
    external: ['koffi'],
    logLevel: 'error',
  });
  return file;
};

interface Opened {
  readonly settings: ChannelSettings;
  readonly capabilities: PortCapabilities;
  readonly bus: 'can' | 'canfd';
}

/** The bench side of a channel: it returns immediately, and the thread does the work. */
class ThreadChannel implements CanChannel {
  readonly sn: string;
  readonly port: number;
  readonly bus: 'can' | 'canfd';
  readonly capabilities: PortCapabilities;
  readonly txDepth = 4;
  settings: ChannelSettings;
  isLost = false;
  busState = busStates.indexOf('error_active');
  #isClosed = false;
  #accepted = 0;
  readonly #sink: ChannelSink;
  readonly #post: (command: Command) => void;
  readonly #call: <Value>(command: Command) => Promise<Value>;
  readonly #settled: Int32Array;
  readonly #stats: Float64Array;

  constructor(
    { sn, port, settled, stats }: Extract<Command, { what: 'open' }>,
    { settings, capabilities, bus }: Opened,
    sink: ChannelSink,
    driver: Pick<ThreadDriver, 'post' | 'call'>,
  ) {
    this.sn = sn;
    this.port = port;
    this.settings = settings;
    this.capabilities = capabilities;
    this.bus = bus;
    this.#sink = sink;
    this.#post = (command) => driver.post(command);
    this.#call = (command) => driver.call(command);
    this.#settled = new Int32Array(settled);
    this.#stats = new Float64Array(stats);
  }

  get pending(): number {
    if (!this.#isClosed) this.#sink.drain();
    return this.#accepted - Atomics.load(this.#settled, 0);
  }

  check(flags: number): SendResult {
    if (this.isLost || this.#isClosed) return 'lost';
    const impossible = frameFlag.error | (this.bus === 'canfd' ? 0 : frameFlag.fd);
    if ((flags & impossible) !== 0) return 'not_on_bus';
    if (this.settings.mode === 'listen_only') return 'listen_only';
    return busStates[this.busState] === 'bus_off' ? 'bus_off' : 'accepted';
  }

  send(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    deadlineUs?: number,
  ): SendResult {
    const result = this.check(flags);
    if (result !== 'accepted') return result;
    if (this.pending >= this.capabilities.txQueue) return 'full';
    this.#accepted += 1;
    const copy = data.slice(offset, offset + length);
    const slot = this.#sink.channel;
    const number = this.#accepted;
    this.#post({ what: 'send', slot, number, id, flags, dlc, data: copy, deadlineUs });
    return 'accepted';
  }

  async recover(): Promise<void> {
    this.#post({ what: 'recover', slot: this.#sink.channel });
  }

  async configure(change: SettingChange): Promise<void> {
    if (this.isLost) throw deviceLost(this.sn);
    this.settings = await this.#call({ what: 'configure', slot: this.#sink.channel, change });
    this.#sink.drain();
  }

  stats(): ChannelStats {
    if (!this.#isClosed) this.#sink.drain();
    const values = Object.fromEntries(
      statsFields.map((field, index) => [field, this.#stats[index] ?? 0]),
    );
    return { ...values, busState: busStates[values.busState ?? 0] } as unknown as ChannelStats;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#call({ what: 'close', slot: this.#sink.channel });
    this.#sink.drain();
    this.#isClosed = true;
  }
}

/** A driver whose device, the virtual one, lives in a thread that writes the records itself. */
export class ThreadDriver implements Driver {
  readonly kind = 'thread';
  readonly #worker: Worker;
  readonly #broker: BrokerAccess;
  readonly #writer: number;
  readonly #answers = new Map<number, (reported: Extract<Told, { call: number }>) => void>();
  readonly #channels = new Map<number, { channel: ThreadChannel; sink: ChannelSink }>();
  #calls = 0;

  constructor(file: string, broker: BrokerAccess, startUs: number) {
    this.#broker = broker;
    this.#writer = broker.claimWriter();
    const workerData = { memory: broker.memory.buffer, writer: this.#writer, startUs };
    this.#worker = new Worker(file, { workerData });
    this.#worker.on('message', (reported: Told) => this.#hear(reported));
  }

  writerOf(): WriterThread {
    return {
      writer: this.#writer,
      growRing: (slot, slots) => this.call({ what: 'grow', slot, slots }),
    };
  }

  devices(): Promise<readonly DeviceInfo[]> {
    return this.call({ what: 'devices' });
  }

  async open(
    sn: string,
    port: number,
    settings: OpenSettings,
    sink: ChannelSink,
  ): Promise<ThreadChannel> {
    const command = {
      what: 'open',
      sn,
      port,
      settings,
      ring: sink.ring,
      settled: new SharedArrayBuffer(4),
      stats: new SharedArrayBuffer(8 * statsFields.length),
    } as const;
    const channel = new ThreadChannel(command, await this.call<Opened>(command), sink, this);
    this.#channels.set(sink.channel, { channel, sink });
    return channel;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#channels.values()].map(({ channel }) => channel.close()));
    await this.#worker.terminate();
    this.#broker.releaseWriter(this.#writer);
  }

  post(command: Command): void {
    this.#worker.postMessage({ call: 0, command });
  }

  call<Value>(command: Command): Promise<Value> {
    const call = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#answers.set(call, ({ value, error }) => {
        this.#answers.delete(call);
        if (error) reject(new BusbarError(error.code, error));
        else resolve(value as Value);
      });
      this.#worker.postMessage({ call, command });
    });
  }

  #hear(reported: Told): void {
    if ('call' in reported) {
      this.#answers.get(reported.call)?.(reported);
      return;
    }
    const open = this.#channels.get(reported.slot);
    if (!open) return;
    const { channel, sink } = open;
    const [first = 0, second = 0, third = 0] = reported.values;
    // Earlier records of the thread come first.
    sink.drain();
    if (reported.what === 'failed') {
      sink.failed(first, second, third);
    } else if (reported.what === 'state') {
      channel.busState = first;
      const state = busStates[first];
      if (state) sink.stateChanged(state, second);
    } else if (reported.what === 'lost') {
      channel.isLost = true;
      sink.lost();
    } else {
      channel.isLost = false;
      channel.busState = 0;
      sink.returned();
    }
  }
}
