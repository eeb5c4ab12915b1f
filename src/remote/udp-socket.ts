import { createSocket, type Socket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { endianness } from 'node:os';
import { formatHostPort, type HostPort } from '../base/net/host-port.ts';
import { listenError } from '../base/net/listen-error.ts';
import type { DatagramSocket, SocketEvents } from './ports.ts';

const localColumn = 1;

/** Datagrams dropped by the system since the socket was bound; null except on Linux. */
export const droppedBySystem = (local: HostPort): number | null => {
  try {
    return dropsIn(
      readFileSync(isIPv6(local.host) ? '/proc/net/udp6' : '/proc/net/udp', 'latin1'),
      local,
    );
  } catch {
    return null;
  }
};

export const dropsIn = (table: string, local: HostPort): number | null => {
  const key = `${hexAddress(local.host)}:${local.port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n')) {
    const columns = line.trim().split(/\s+/);
    if (columns[localColumn] === key) return Number(columns.at(-1));
  }
  return null;
};

/** Addresses in the table have machine byte order. */
const hexAddress = (host: string): string => {
  const bytes = isIPv6(host) ? ipv6Bytes(host) : Buffer.from(host.split('.').map(Number));
  if (endianness() === 'LE') bytes.swap32();
  return bytes.toString('hex').toUpperCase();
};

const ipv6Bytes = (host: string): Buffer => {
  const [address = ''] = host.split('%');
  // The canonical form can end in dotted IPv4.
  const hex = address.replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const bytes = Buffer.from(dotted.split('.').map(Number));
    return `${bytes.toString('hex', 0, 2)}:${bytes.toString('hex', 2)}`;
  });
  const [head = '', tail] = hex.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const groups = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
  return Buffer.from(groups.join(''), 'hex');
};

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));

const slotBytes = 2048;
const slotCount = 64;
/** Requested receive buffer; the kernel limits it. */
const receiveBufferBytes = 4 * 1024 * 1024;

const passingErrors = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN']);

const silent: SocketEvents = {
  datagram: () => undefined,
  drained: () => undefined,
  sendFailed: () => undefined,
  failed: () => undefined,
};

const reasonOf = (thrown: unknown): string =>
  (thrown as NodeJS.ErrnoException).code ?? String(thrown);

export class UdpSocket implements DatagramSocket {
  readonly local: HostPort;
  readonly #socket: Socket;
  readonly #slots = Array.from({ length: slotCount }, () => Buffer.alloc(slotBytes));
  #nextSlot = 0;
  #events: SocketEvents = silent;
  #isOpen = true;
  #isBusy = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const { address, port } = socket.address();
    this.local = { host: address, port };
    socket.removeAllListeners('error');
    socket.on('message', (bytes, { address: host, port: from }) =>
      this.#events.datagram(bytes, host, from),
    );
    socket.on('error', (error) => this.#hear(reasonOf(error)));
  }

  static async bind(address: HostPort): Promise<UdpSocket> {
    const type = isIPv6(address.host) ? 'udp6' : 'udp4';
    const family = type === 'udp6' ? 6 : 4;
    // Hosts are addresses. The default lookup would delay every send by a tick.
    const socket = createSocket({
      type,
      lookup: (host, _options, done) => done(null, host, family),
    });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind({ address: address.host, port: address.port }, resolve);
      });
    } catch (thrown) {
      socket.close();
      throw listenError(thrown, formatHostPort(address));
    }
    socket.setRecvBufferSize(receiveBufferBytes);
    return new UdpSocket(socket);
  }

  get isReady(): boolean {
    return this.#isOpen && this.#socket.getSendQueueCount() === 0;
  }

  attach(events: SocketEvents): void {
    this.#events = events;
  }

  send(bytes: Uint8Array, length: number, to: HostPort): void {
    if (!this.#isOpen) return;
    // The system sends in order, so the oldest slot is free.
    const slot = this.#slots[this.#nextSlot] as Buffer;
    this.#nextSlot = (this.#nextSlot + 1) % slotCount;
    slot.set(bytes.subarray(0, length));
    this.#socket.send(slot, 0, length, to.port, to.host, this.#sent);
    this.#isBusy ||= this.#socket.getSendQueueCount() > 0;
  }

  overruns(): number | null {
    return this.#isOpen ? droppedBySystem(this.local) : null;
  }

  close(): number {
    if (!this.#isOpen) return 0;
    this.#isOpen = false;
    this.#events = silent;
    const untaken = this.#socket.getSendQueueCount();
    this.#socket.close();
    return untaken;
  }

  readonly #sent = (error: Error | null): void => {
    if (error) this.#events.sendFailed();
    if (!this.#isBusy || !this.isReady) return;
    this.#isBusy = false;
    this.#events.drained();
  };

  #hear(reason: string): void {
    if (passingErrors.has(reason)) this.#events.sendFailed();
    else this.#events.failed(reason);
  }
}
