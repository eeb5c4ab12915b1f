import { Mutex } from '../../base/mutex.ts';
import type { Channel } from '../../bench/channel.ts';
import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import type { IsotpPair } from '../../pdu/isotp/addressing.ts';
import { linkOf } from '../../pdu/isotp/link-settings.ts';
import { type DidFile, DidTable } from '../dids.ts';
import type { DiagnosticLinks } from './diagnostic-links.ts';

export interface DidNames {
  readonly name?: string;
  readonly length?: number;
}

export interface DescribedEcu {
  readonly pair: IsotpPair;
  readonly dids: ReadonlyMap<number, DidNames>;
}

export interface ListenedEcusOptions {
  readonly channels: Pick<ChannelTable, 'use' | 'onOpened' | 'channels'>;
  readonly links: Pick<DiagnosticLinks, 'on' | 'onChanged'>;
  /** Bench of the daemon. Its ECUs are known before their first request. */
  readonly ownBench: BenchSource;
  readonly readDids: (file: string) => Promise<DidFile>;
  readonly listen: (slot: number, ecus: readonly DescribedEcu[]) => Promise<void>;
  readonly onDefect: (thrown: unknown) => void;
}

interface Described {
  readonly pair: IsotpPair;
  readonly dids: unknown;
}

/** Reports the ECUs of each channel to the listener of its payloads. */
export class ListenedEcus {
  readonly #options: ListenedEcusOptions;
  readonly #turns = new Mutex();
  /** Slots whose ECUs were reported. */
  readonly #reported = new Set<number>();

  constructor(options: ListenedEcusOptions) {
    this.#options = options;
    options.channels.onOpened((channel) => this.#queue(channel));
    options.links.onChanged((channel) => this.#queue(channel));
  }

  /** For another listener, which knows no ECUs yet. */
  reportAll(): void {
    for (const channel of this.#options.channels.channels) this.#queue(channel);
  }

  #queue(channel: Channel): void {
    this.#turns.take(() => this.#report(channel)).catch(this.#options.onDefect);
  }

  async #report(channel: Channel): Promise<void> {
    const { links, listen } = this.#options;
    const open = links.on(channel);
    const closed = await this.#ofBench(channel, new Set(open.map(({ ecu }) => ecu)));
    const described = [...open.map(({ link: { pair }, dids }) => ({ pair, dids })), ...closed];
    const { slot } = channel;
    if (described.length === 0 && !this.#reported.has(slot)) return;
    this.#reported.add(slot);
    await listen(slot, await Promise.all(described.map((each) => this.#named(each))));
  }

  async #ofBench(channel: Channel, open: ReadonlySet<string>): Promise<Described[]> {
    const { channels, ownBench } = this.#options;
    const bench = await ownBench().catch(() => null);
    const found: Described[] = [];
    for (const [ecu, entry] of Object.entries(bench?.ecus ?? {})) {
      if (open.has(ecu)) continue;
      const used = await channels.use(entry.channel, ownBench).catch(() => null);
      if (used?.channel === channel) found.push({ pair: linkOf(entry).pair, dids: entry.dids });
    }
    return found;
  }

  async #named({ pair, dids = {} }: Described): Promise<DescribedEcu> {
    // Names are of less importance than the addresses: a file that cannot be read has none.
    const file =
      typeof dids === 'string' ? await this.#options.readDids(dids).catch(() => ({})) : dids;
    return { pair, dids: new DidTable(file as DidFile).names };
  }
}
