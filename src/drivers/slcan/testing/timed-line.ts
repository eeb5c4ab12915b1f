import { type Command, Exchange, type Reply } from '../exchange.ts';
import type { CommandLine } from '../probe.ts';
import type { Peer } from './serial-socket.ts';

const ignored = () => undefined;

/**
 * A line whose time passes only while a command waits: responses go into a queue that leaves byte
 * by byte, as over a UART.
 */
export class TimedLine implements CommandLine {
  readonly peer = '/dev/ttyUSB0';
  readonly exchange = new Exchange({
    frame: ignored,
    taken: ignored,
    refused: ignored,
    unanswered: ignored,
    state: ignored,
    errors: ignored,
  });
  readonly probeStats = this.exchange.probeStats;
  readonly asked: string[] = [];
  readonly #byteUs: number;
  /** Called before every byte, for more responses. */
  onByte: () => void = ignored;
  peerAtEnd: Peer = { receive: ignored };
  nowUs = 0;
  #queued = '';
  #lineFreeUs = 0;

  constructor(baudRate: number) {
    this.#byteUs = 10e6 / baudRate;
    this.exchange.isProbing = true;
  }

  get queuedBytes(): number {
    return this.#queued.length;
  }

  readonly say = (text: string): void => {
    this.#queued += text;
  };

  /** Responses that were not sent yet are lost. */
  forget(): void {
    this.#queued = '';
  }

  async ask(command: Command): Promise<Reply> {
    let reply: Reply | undefined;
    this.asked.push(command.text);
    this.exchange.ask(command, this.nowUs, (given) => {
      reply = given;
    });
    this.peerAtEnd.receive(Buffer.from(`${command.text}\r`, 'latin1'));
    while (!reply) this.#pass();
    return reply;
  }

  #pass(): void {
    this.onByte();
    const byteAtUs = Math.max(this.#lineFreeUs, this.nowUs) + this.#byteUs;
    if (this.#queued === '' || byteAtUs > this.exchange.deadlineUs) {
      this.nowUs = this.exchange.deadlineUs;
      this.exchange.tick(this.nowUs);
      return;
    }
    const byte = this.#queued.slice(0, 1);
    this.#queued = this.#queued.slice(1);
    this.nowUs = byteAtUs;
    this.#lineFreeUs = byteAtUs;
    this.exchange.receive(Buffer.from(byte, 'latin1'), this.nowUs);
  }
}
