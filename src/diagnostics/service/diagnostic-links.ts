import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { suggest } from '../../base/suggest.ts';
import type { Bench } from '../../bench/bench-record.ts';
import type { Channel } from '../../bench/channel.ts';
import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import type { EcuEntry } from '../../bench/ecu-entry.ts';
import { checkName } from '../../bench/name-rule.ts';
import { addressKey, type IsotpPair } from '../../pdu/isotp/addressing.ts';
import { type Link, linkOf } from '../../pdu/isotp/link-settings.ts';
import { interruptedBy, refusedBy } from '../../transmit/send-failures.ts';
import { didProblems } from '../dids.ts';
import { CanTransport } from './can-transport.ts';
import { DiagnosticLink, type FunctionalRequest } from './diagnostic-link.ts';
import { type FindSlots, LinTransport } from './lin-transport.ts';
import type { DiagnosticLink as LinkRecord } from './link-record.ts';
import { checkBus } from './link-transport.ts';

export interface DiagnosticLinksOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly channels: Pick<ChannelTable, 'use' | 'onOpened'>;
  readonly capacity: number;
  /** Default: no channel runs a LIN schedule. */
  readonly slotsOn?: FindSlots;
}

export interface OpenLinkRequest extends EcuEntry {
  readonly name: string;
}

/** Checks that a channel can carry a link. */
const checkCarrier = (channel: Channel, link: Link): void => {
  const { hardware, selector } = channel;
  checkBus(channel, selector, link);
  if (hardware.bus === 'lin' && hardware.check() === 'not_master') {
    throw refusedBy('not_master', 'channel');
  }
};

const noSlots: FindSlots = () => undefined;

const notFound = (ecu: string, known: readonly string[]): BusbarError => {
  const near = suggest(ecu, known);
  const message = `No such ECU: ${ecu}${near === null ? '' : `. Did you mean ${near}?`}`;
  return new BusbarError('ecu_not_found', { message, details: { field: 'ecu', ecu } });
};

const entryOf = ({ ecus }: Pick<Bench, 'ecus'>, name: string): EcuEntry | undefined =>
  Object.hasOwn(ecus, name) ? ecus[name] : undefined;

/** An ECU of the bench file. `others` are known by other means. */
export const ecuEntry = (
  { ecus }: Pick<Bench, 'ecus'>,
  name: string,
  others: readonly string[] = [],
): EcuEntry => {
  const entry = entryOf({ ecus }, name);
  if (entry) return entry;
  throw notFound(name, [...others, ...Object.keys(ecus)]);
};

const closedRecord = (ecu: string, entry: EcuEntry): LinkRecord => ({
  ecu,
  in_bench: true,
  channel: entry.channel,
  selector: null,
  slot: null,
  state: 'closed',
  settings: linkOf(entry).settings,
  session: 1,
  security_level: 0,
  tester_present: false,
  tester_present_ms: null,
  queued: 0,
  counters: { sent: 0, received: 0, timeouts: 0, findings: 0 },
  last_finding: null,
  opened_at_us: null,
});

/** The diagnostic links of a daemon, by the names of their ECUs. */
export class DiagnosticLinks {
  readonly #options: DiagnosticLinksOptions;
  readonly #links = new Map<string, DiagnosticLink>();
  #changed: (channel: Channel) => void = () => {};

  constructor(options: DiagnosticLinksOptions) {
    this.#options = options;
    options.channels.onOpened((channel) => this.#channelOpened(channel));
  }

  /** The listener is called when a link of a channel was opened or closed. */
  onChanged(listener: (channel: Channel) => void): void {
    this.#changed = listener;
  }

  on(channel: Channel): DiagnosticLink[] {
    return [...this.#links.values()].filter((link) => link.channel === channel);
  }

  async list(bench: BenchSource): Promise<LinkRecord[]> {
    const { ecus } = await bench();
    const closed = Object.entries(ecus)
      .filter(([name]) => !this.#links.has(name))
      .map(([name, entry]) => closedRecord(name, entry));
    return [...[...this.#links.values()].map((link) => link.record()), ...closed];
  }

  async show(name: string, bench: BenchSource): Promise<LinkRecord> {
    const link = this.#links.get(name);
    if (link) return link.record();
    return closedRecord(name, await this.#entryOf(name, bench));
  }

  async open({ name, ...entry }: OpenLinkRequest, bench: BenchSource): Promise<LinkRecord> {
    checkName(name);
    const [problem] = typeof entry.dids === 'object' ? didProblems(entry.dids, ['dids']) : [];
    if (problem) throw invalidArgument(problem.field, problem.message);
    this.#checkFree(name);
    if (entryOf(await bench(), name)) {
      throw new BusbarError('already_exists', {
        message: `The bench file has an ECU ${name}`,
        details: { field: 'name', name },
      });
    }
    return (await this.#open(name, entry, false, bench)).record();
  }

  /** Closes a link. An ECU of the bench file remains, and its next request opens it again. */
  async close(name: string, bench: BenchSource): Promise<LinkRecord> {
    const link = this.#links.get(name);
    if (!link) return closedRecord(name, await this.#entryOf(name, bench));
    const { channel } = link;
    link.close();
    this.#links.delete(name);
    if (channel) this.#changed(channel);
    return link.record();
  }

  /** The open link to an ECU; that of an ECU of the bench file is opened. */
  async use(name: string, bench: BenchSource): Promise<DiagnosticLink> {
    const link = this.#links.get(name);
    if (!link) return this.#open(name, await this.#entryOf(name, bench), true, bench);
    if (link.state === 'waiting') this.#attach(link, await this.#find(link.text, link.link, bench));
    return link;
  }

  closeAll(): void {
    for (const link of this.#links.values()) link.close();
    this.#links.clear();
  }

  async #entryOf(name: string, bench: BenchSource): Promise<EcuEntry> {
    return ecuEntry(await bench(), name, [...this.#links.keys()]);
  }

  async #open(
    ecu: string,
    entry: EcuEntry,
    inBench: boolean,
    bench: BenchSource,
  ): Promise<DiagnosticLink> {
    const link = linkOf(entry);
    const channel = await this.#find(entry.channel, link, bench);
    const existing = this.#links.get(ecu);
    if (existing && inBench) return existing;
    this.#checkFree(ecu);
    const { clock, scheduler, capacity, slotsOn = noSlots } = this.#options;
    if (this.#links.size >= capacity) {
      throw new BusbarError('capacity_exceeded', {
        message: `At most ${capacity} diagnostic links can be open`,
        details: { limit: capacity },
      });
    }
    const opened = new DiagnosticLink({
      ecu,
      inBench,
      text: entry.channel,
      link,
      dids: entry.dids,
      seedKey: entry.seed_key,
      clock,
      scheduler,
      openTransport: (channel, link, listener) => {
        const shared = { clock, scheduler, channel, link, listener };
        const peers = () => this.#pairsOn(channel, link);
        const isOnLin = link.settings.nad !== null;
        return isOnLin
          ? new LinTransport({ ...shared, slotsOn })
          : new CanTransport({ ...shared, peers });
      },
      onFunctional: (link, request) => this.#functional(link, request),
    });
    this.#attach(opened, channel);
    this.#links.set(ecu, opened);
    this.#changed(channel);
    return opened;
  }

  async #find(text: string, link: Link, bench: BenchSource): Promise<Channel> {
    const { channel } = await this.#options.channels.use(text, bench);
    if (channel.state === 'lost') throw interruptedBy('lost');
    checkCarrier(channel, link);
    return channel;
  }

  #attach(link: DiagnosticLink, channel: Channel): void {
    const { response } = link.link.pair;
    for (const other of this.#links.values()) {
      if (other === link || other.channel !== channel) continue;
      if (addressKey(other.link.pair.response) !== addressKey(response)) continue;
      throw new BusbarError('already_exists', {
        message: `${other.ecu} has the same identifiers on ${channel.selector}`,
        details: { field: 'response_id', ecu: other.ecu, response_id: response.id },
      });
    }
    link.attach(channel);
  }

  #functional(link: DiagnosticLink, request: FunctionalRequest): void {
    if (!link.channel) return;
    for (const other of this.on(link.channel)) if (other !== link) other.functional(request);
  }

  #pairsOn(channel: Channel, link: Link): IsotpPair[] {
    return this.on(channel)
      .filter((other) => other.link !== link)
      .map((other) => other.link.pair);
  }

  #checkFree(name: string): void {
    if (!this.#links.has(name)) return;
    throw new BusbarError('already_exists', {
      message: `A link to ${name} is already open`,
      details: { field: 'name', name },
    });
  }

  #channelOpened(channel: Channel): void {
    for (const link of this.#links.values()) {
      if (!link.awaits(channel)) continue;
      try {
        checkCarrier(channel, link.link);
        this.#attach(link, channel);
      } catch {
        // It keeps waiting: its next request says why.
      }
    }
  }
}
