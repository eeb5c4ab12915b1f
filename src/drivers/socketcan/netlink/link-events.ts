import { constants } from 'node:os';
import { type NetlinkMessage, splitMessages } from './messages.ts';
import type { NetlinkCalls } from './netlink-calls.ts';

const linkGroup = 1;
const datagramLength = 1 << 16;

export interface LinkEventListener {
  onMessage(message: NetlinkMessage): void;
  /** Events were lost: read everything again. */
  onLost(): void;
}

export class LinkEvents {
  readonly #calls: NetlinkCalls;
  readonly #fd: number;
  readonly #listener: LinkEventListener;
  readonly #datagram = Buffer.alloc(datagramLength);
  readonly #stopWatching: () => void;
  #isClosed = false;

  constructor(calls: NetlinkCalls, listener: LinkEventListener) {
    this.#calls = calls;
    this.#listener = listener;
    this.#fd = calls.open(linkGroup);
    this.#stopWatching = calls.watch(this.#fd, () => this.drain());
  }

  drain(): void {
    while (!this.#isClosed) {
      const length = this.#calls.receiveNow(this.#fd, this.#datagram);
      if (length === -constants.errno.ENOBUFS) {
        this.#listener.onLost();
        continue;
      }
      if (length === -constants.errno.EINTR) continue;
      if (length < 0) return;
      for (const message of splitMessages(this.#datagram.subarray(0, length))) {
        this.#listener.onMessage(message);
      }
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopWatching();
    this.#calls.close(this.#fd);
  }
}
