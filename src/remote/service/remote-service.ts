import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import { Mutex } from '../../base/mutex.ts';
import { formatHostPort, type HostPort } from '../../base/net/host-port.ts';
import { isLoopback } from '../../base/net/loopback.ts';
import { parseHostPort } from '../../base/net/parse-host-port.ts';
import { addressesOf } from '../../base/net/resolve-host.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import type { BenchSource, ChannelTable } from '../../bench/channel-table.ts';
import type { BrokerMemory } from '../../broker/broker-memory.ts';
import type { Bell } from '../../broker/doorbell.ts';
import type { Consumer } from '../../broker/retention-record.ts';
import { payloadLimit } from '../cannelloni-layout.ts';
import type { DatagramSocket, ForwardChannel } from '../ports.ts';
import { RemoteForwarder } from '../remote-forwarder.ts';
import { idleRecord, type RemoteRecord } from '../remote-record.ts';
import { UdpSocket } from '../udp-socket.ts';

export interface RemoteServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly memory: BrokerMemory;
  readonly bell: Bell;
  readonly bind?: (address: HostPort) => Promise<DatagramSocket>;
}

export interface RemoteRequest {
  readonly listen: string;
  readonly peers: readonly string[];
  readonly channels: () => Promise<readonly ForwardChannel[]>;
  readonly maxAgeMs?: number | undefined;
  readonly bufferUs: number;
  /** A default is shortened to the age limit; a specified value is rejected. */
  readonly isBufferGiven: boolean;
}

export class RemoteService {
  readonly #options: RemoteServiceOptions;
  #forwarder: RemoteForwarder | null = null;
  readonly #turns = new Mutex();

  constructor(options: RemoteServiceOptions) {
    this.#options = options;
  }

  start(request: RemoteRequest): Promise<RemoteRecord> {
    return this.#turns.take(async () => {
      if (this.#forwarder?.isRunning) throw alreadyRunning(this.#forwarder.record());
      this.#forwarder = await this.#open(request);
      return this.#forwarder.record();
    });
  }

  status(): RemoteRecord {
    return this.#forwarder?.record() ?? idleRecord;
  }

  stop(): Promise<RemoteRecord> {
    return this.#turns.take(async () => {
      const forwarder = this.#forwarder;
      this.#forwarder = null;
      if (!forwarder) return idleRecord;
      forwarder.close();
      return forwarder.record();
    });
  }

  async close(): Promise<void> {
    await this.stop();
  }

  consumers(slot: number): Consumer[] {
    return this.#forwarder?.consumers(slot) ?? [];
  }

  async #open(request: RemoteRequest): Promise<RemoteForwarder> {
    const { clock, scheduler, memory, bell, bind = UdpSocket.bind } = this.#options;
    const { maxAgeMs = Number.POSITIVE_INFINITY } = request;
    const maxAgeUs = maxAgeMs * 1000;
    const bufferUs = collectingTime(request, maxAgeUs);
    const listen = await this.#listenAddress(request.listen);
    const peers = await this.#peerAddresses(request.peers, listen.host);
    const channels = await request.channels();
    const socket = await bind(listen);
    try {
      refuseOneself(peers, socket.local);
      for (const channel of channels) if (!channel.isOpen) throw notOpen(channel);
      return new RemoteForwarder({
        clock,
        scheduler,
        memory,
        bell,
        socket,
        peers,
        channels,
        maxAgeUs,
        bufferUs,
        payloadLimit: isIPv6(listen.host) ? payloadLimit.ipv6 : payloadLimit.ipv4,
      });
    } catch (thrown) {
      socket.close();
      throw thrown;
    }
  }

  async #listenAddress(text: string): Promise<HostPort> {
    const { host, port } = parseHostPort(text, 'listen');
    const [address] = await addressesOf(host, this.#options.clock);
    if (address !== undefined) return { host: address, port };
    throw new BusbarError('listen_failed', {
      message: `Cannot resolve host ${host}`,
      details: { field: 'listen', listen: text, reason: 'ENOTFOUND' },
    });
  }

  /** A socket has one IP version, so peers need an address of that version. */
  async #peerAddresses(texts: readonly string[], listenHost: string): Promise<HostPort[]> {
    const { clock } = this.#options;
    const wanted = texts.map((text) => ({ text, ...parseHostPort(text, 'peer') }));
    const peers = await Promise.all(
      wanted.map(async ({ text, host, port }) => {
        if (port === 0) throw refusedPeer(text, 'must have a port from 1 to 65535');
        const addresses = await addressesOf(host, clock);
        if (addresses.length === 0) throw refusedPeer(text, 'cannot be resolved');
        const address = addresses.find((one) => isIPv6(one) === isIPv6(listenHost));
        const family = isIPv6(listenHost) ? 'IPv6' : 'IPv4';
        if (address === undefined)
          throw refusedPeer(text, `has no ${family} address, unlike listen`);
        return { host: address, port };
      }),
    );
    const addresses = peers.map(formatHostPort);
    const repeated = addresses.findIndex((one, index) => addresses.indexOf(one) !== index);
    if (repeated >= 0) throw refusedPeer(texts[repeated] ?? '', 'is listed twice');
    return peers;
  }
}

const refusedPeer = (peer: string, problem: string): BusbarError =>
  invalidArgument('peer', `The peer ${peer} ${problem}`, { peer });

const unspecified = ['0.0.0.0', '::'];

/** True if datagrams to a host reach a socket that listens on another address. */
const isSameHost = (host: string, listening: string): boolean => {
  if (host === listening) return true;
  if (!unspecified.includes(listening)) return false;
  if (unspecified.includes(host) || isLoopback(host)) return true;
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some(({ address }) => address === host),
  );
};

const refuseOneself = (peers: readonly HostPort[], local: HostPort): void => {
  const own = peers.find(({ host, port }) => port === local.port && isSameHost(host, local.host));
  if (own) throw refusedPeer(formatHostPort(own), 'is the local listen address');
};

/** Frames must not expire while they are collected. */
const collectingTime = (
  { bufferUs, isBufferGiven }: Pick<RemoteRequest, 'bufferUs' | 'isBufferGiven'>,
  maxAgeUs: number,
): number => {
  if (!isBufferGiven) return Math.min(bufferUs, maxAgeUs / 2);
  if (bufferUs < maxAgeUs) return bufferUs;
  throw invalidArgument(
    'buffer_us',
    'buffer_us must be less than max_age_ms, or every frame would expire',
    { buffer_us: bufferUs, max_age_ms: maxAgeUs / 1000 },
  );
};

const notOpen = ({ selector }: ForwardChannel): BusbarError =>
  new BusbarError('channel_not_open', { details: { field: 'channels', channel: selector } });

const alreadyRunning = (record: RemoteRecord): BusbarError =>
  new BusbarError('already_running', {
    message: `Remote forwarding is already running on ${record.listen}`,
    details: { ...record },
  });

export const forwardChannels = async (
  table: ChannelTable,
  selectors: readonly string[],
  bench: BenchSource,
): Promise<ForwardChannel[]> => {
  const found: ForwardChannel[] = [];
  for (const selector of selectors) {
    const { channel } = await table.use(selector, bench).catch((thrown) => {
      throw withField('channels', thrown);
    });
    if (found.some(({ slot }) => slot === channel.slot)) {
      throw invalidArgument('channels', `${selector} is listed twice`, { channel: selector });
    }
    found.push(forwardChannel(table, channel, selector));
  }
  return found;
};

const forwardChannel = (table: ChannelTable, channel: Channel, named: string): ForwardChannel => {
  const { slot, selector, hardware } = channel;
  if (hardware.bus === 'lin') {
    throw invalidArgument('channels', `${named} is a LIN channel; only CAN can be forwarded`, {
      channel: named,
    });
  }
  const entry = table.entries.find((one) => one.slot === slot);
  if (!entry) {
    throw new BusbarError('channel_not_open', { details: { field: 'channels', channel: named } });
  }
  return {
    slot,
    selector,
    ring: entry.ring,
    get isOpen() {
      return channel.state !== 'closing';
    },
    catchUp: () => void hardware.pending,
    openLane: (owner, max) => channel.outbox.open(owner, { max }),
    onInterrupted: (listener) => channel.onInterrupted(listener),
  };
};
