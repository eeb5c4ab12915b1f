import { BusbarError } from '../../../base/errors/busbar-error.ts';
import {
  encodeMessage,
  messageFlag,
  messageType,
  type NetlinkMessage,
  readAcknowledgement,
  splitMessages,
} from './messages.ts';
import type { NetlinkCalls } from './netlink-calls.ts';
import { KernelRefusal } from './refusal.ts';

const datagramLength = 1 << 16;

const dumpAttempts = 5;

const noAnswer = (): BusbarError =>
  new BusbarError('hardware_error', {
    message: 'The kernel did not respond to a request about network interfaces',
    details: { reason: 'no_answer' },
  });

export class NetlinkSocket {
  readonly #calls: NetlinkCalls;
  readonly #fd: number;
  readonly #datagram = Buffer.alloc(datagramLength);
  #sequence = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(calls: NetlinkCalls) {
    this.#calls = calls;
    this.#fd = calls.open(0);
  }

  /** Throws `KernelRefusal`. */
  async change(type: number, body: Buffer, flags = 0): Promise<void> {
    await this.#inTurn(() => this.#exchange(type, messageFlag.acknowledge | flags, body));
  }

  async get(type: number, body: Buffer): Promise<readonly NetlinkMessage[]> {
    const { messages } = await this.#inTurn(() =>
      this.#exchange(type, messageFlag.acknowledge, body),
    );
    return messages;
  }

  async dump(type: number, body: Buffer): Promise<readonly NetlinkMessage[]> {
    for (let attempt = 1; ; attempt++) {
      const list = await this.#inTurn(() => this.#exchange(type, messageFlag.dump, body));
      if (!list.wasInterrupted || attempt === dumpAttempts) return list.messages;
    }
  }

  /** Pending requests are executed, but their responses are not awaited. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#last;
    this.#calls.close(this.#fd);
  }

  #inTurn<T>(exchange: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(noAnswer());
    const turn = this.#last.then(exchange);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #exchange(
    type: number,
    flags: number,
    body: Buffer,
  ): Promise<{ messages: readonly NetlinkMessage[]; wasInterrupted: boolean }> {
    this.#sequence = (this.#sequence + 1) >>> 0 || 1;
    const request = encodeMessage(type, messageFlag.request | flags, this.#sequence, body);
    if ((await this.#calls.send(this.#fd, request)) < 0) throw noAnswer();
    const messages: NetlinkMessage[] = [];
    let wasInterrupted = false;
    for (;;) {
      const length = await this.#calls.receive(this.#fd, this.#datagram);
      if (length < 0) throw noAnswer();
      // A copy, because the buffer is reused.
      const datagram = Buffer.from(this.#datagram.subarray(0, length));
      for (const message of splitMessages(datagram)) {
        if (message.sequence !== this.#sequence) continue;
        wasInterrupted ||= (message.flags & messageFlag.interrupted) !== 0;
        if (message.type !== messageType.error && message.type !== messageType.done) {
          messages.push(message);
          continue;
        }
        const { errno, text } = readAcknowledgement(message);
        if (errno !== 0) throw new KernelRefusal(errno, text);
        return { messages, wasInterrupted };
      }
    }
  }
}
