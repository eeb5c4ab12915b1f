import type { ByteLink, LinkReceiver } from '../../../base/serial/byte-link.ts';
import type { FrameReceiver, Framing } from '../../framing/framing.ts';
import { createSerialFraming } from '../../framing/serial-framing.ts';
import { TcpFraming } from '../../framing/tcp-framing.ts';
import { wordAt } from '../../pdu/wire-words.ts';

const serial = { side: 'server', baudRate: 19_200 } as const;

const makers = {
  tcp: (receiver: FrameReceiver): Framing => new TcpFraming(receiver),
  rtu: (receiver: FrameReceiver): Framing =>
    createSerialFraming(receiver, { kind: 'rtu', ...serial }),
  ascii: (receiver: FrameReceiver): Framing =>
    createSerialFraming(receiver, { kind: 'ascii', ...serial }),
};

/** A minimal unit with 100 holding registers. */
export class HandServer implements LinkReceiver {
  readonly registers: Uint16Array;
  /** Ignores requests. */
  isMute = false;
  readonly #framing: Framing;
  #link: ByteLink | undefined;
  #nowUs = 0;

  constructor(kind: keyof typeof makers, registers = new Uint16Array(100)) {
    this.registers = registers;
    this.#framing = makers[kind]({
      frame: (transaction, unit, bytes, at) =>
        this.#answer(transaction, unit, bytes.slice(at, at + 5)),
      problem: () => undefined,
    });
  }

  attach(link: ByteLink): this {
    this.#link = link;
    return this;
  }

  opened(): void {}
  closed(): void {}

  bytes(bytes: Uint8Array): void {
    this.#nowUs += 1000;
    this.#framing.push(bytes, this.#nowUs);
  }

  #answer(transaction: number, unit: number, request: Uint8Array): void {
    const pdu = this.#pduFor(request);
    if (this.isMute || unit === 0) return;
    const into = new Uint8Array(this.#framing.maxLength);
    const length = this.#framing.encode(into, 0, transaction, unit, pdu, 0, pdu.length);
    this.#framing.sent();
    this.#link?.write(into.subarray(0, length));
  }

  #pduFor(request: Uint8Array): Uint8Array {
    const [code = 0] = request;
    const address = wordAt(request, 1);
    if (code === 6 && address < this.registers.length) {
      this.registers[address] = wordAt(request, 3);
      return request;
    }
    const count = wordAt(request, 3);
    if (code !== 3 || address + count > this.registers.length) return Uint8Array.of(code | 0x80, 2);
    const pdu = new Uint8Array(2 + 2 * count);
    pdu.set([3, 2 * count]);
    for (let i = 0; i < count; i++) {
      const value = this.registers[address + i] as number;
      pdu.set([value >> 8, value & 0xff], 2 + 2 * i);
    }
    return pdu;
  }
}
