import { frameFlag } from '../../../frame/frm2-layout.ts';
import { formatHex } from '../../../frame/hex-bytes.ts';
import { eventStatus } from '../../event-status.ts';
import { linAction } from '../../lin/lin-tx-queue.ts';
import { LinLine } from '../lin-line.ts';
import type { LinLineReports, LinLineSettings } from '../lin-line-ports.ts';
import type { LinResponseBuffer } from '../lin-response-buffer.ts';

const statusNames = Object.fromEntries(
  Object.entries(eventStatus).map(([name, code]) => [code, name]),
);
const flagNames = Object.entries(frameFlag);

const named = (flags: number): string =>
  flagNames
    .filter(([, flag]) => (flags & flag) !== 0)
    .map(([name]) => name)
    .join('+');

const dataOf = ({ id, bytes, length }: LinResponseBuffer): string =>
  `${id.toString(16)}#${formatHex(bytes.subarray(0, length))}`;

export interface LineRigOptions extends Partial<LinLineSettings> {
  readonly echoes?: boolean;
}

/** A bit at 10 kbit/s, so that a byte takes a millisecond. */
export const bitUs = 100;
export const slackUs = 5000;

/**
 * A node without a port: its actions and reports are recorded, and the test simulates the wire.
 */
export class LineRig implements LinLineReports {
  readonly line: LinLine;
  readonly reported: string[] = [];
  /** Symbols that it sent, in order. */
  readonly wire: string[] = [];
  readonly times: number[] = [];
  busyUs = 0;
  nowUs = 1_000_000;
  onReport: (what: string) => void = () => undefined;

  constructor({ echoes = true, ...settings }: LineRigOptions = {}) {
    this.line = new LinLine({
      wire: {
        sendBreak: () => this.wire.push('break'),
        write: (bytes, length) => this.wire.push(formatHex(bytes.subarray(0, length))),
      },
      reports: this,
      echoes,
      slackUs,
    });
    this.line.start({ bitrate: 10_000, listenOnly: false, enhanced: true, ...settings });
  }

  write(id: number, hex: string, enhanced = true): void {
    const data = Buffer.from(hex, 'hex');
    this.line.queue.push(linAction.write, id, enhanced, data.length, this.nowUs);
    this.line.queue.fillLast(data, 0, data.length);
    this.line.startNext(this.nowUs);
  }

  read(id: number, length: number, enhanced = true, untilUs?: number): void {
    const done = (outcome: string) => this.#report(`read ${outcome}`, this.nowUs);
    const { queue } = this.line;
    queue.push(linAction.read, id, enhanced, length, this.nowUs, done, untilUs);
    this.line.startNext(this.nowUs);
  }

  signal(action: 'syncBreak' | 'wakeUp'): void {
    this.line.queue.push(linAction[action], 0, false, 0, this.nowUs);
    this.line.startNext(this.nowUs);
  }

  respond(id: number, hex: string, enhanced = true): void {
    const data = Buffer.from(hex, 'hex');
    this.line.responses.set(id, enhanced, data, 0, data.length);
  }

  breakSent(): void {
    this.line.breakSent(this.nowUs);
  }

  /** Passes input to the node: hex bytes, `break`, and `!` before a byte with a framing error. */
  hear(text: string): void {
    for (const part of text.split(' ')) this.#hearPart(part);
    this.line.batchEnd(this.nowUs);
  }

  /** Passes its own last transmission to the node. */
  echo(): void {
    this.hear((this.wire.at(-1) ?? '').match(/../g)?.join(' ') ?? '');
  }

  /** Advances the time, and calls the node at each of its deadlines. */
  pass(us: number): void {
    const untilUs = this.nowUs + us;
    while (this.line.nextDeadlineUs <= untilUs) {
      this.nowUs = Math.max(this.nowUs, this.line.nextDeadlineUs);
      this.line.advance(this.nowUs);
    }
    this.nowUs = untilUs;
  }

  sent(response: LinResponseBuffer, enhanced: boolean, isQueued: boolean, atUs: number): void {
    const model = enhanced ? 'enhanced' : 'classic';
    this.#report(`sent ${dataOf(response)} ${model}${isQueued ? '' : ' by itself'}`, atUs);
  }

  received(response: LinResponseBuffer, enhanced: boolean, isValid: boolean, atUs: number): void {
    const model = enhanced ? 'enhanced' : 'classic';
    this.#report(`received ${dataOf(response)} ${isValid ? model : 'wrong'}`, atUs);
  }

  signalSent(flags: number, atUs: number): void {
    this.#report(`signal ${named(flags)}`, atUs);
  }

  noticed(id: number, flags: number, length: number, status: number, atUs: number): void {
    const what = status === eventStatus.ok ? named(flags) : statusNames[status];
    this.#report(`noticed ${what} ${id.toString(16)} ${length}`, atUs);
  }

  failed(atUs: number): void {
    this.#report('failed', atUs);
  }

  readEnded(
    done: (outcome: never, ...rest: never[]) => void,
    outcome: string,
    response: LinResponseBuffer | undefined,
  ): void {
    const bytes = response?.bytes ?? new Uint8Array(0);
    const call = done as unknown as (...values: unknown[]) => void;
    call(outcome, this.nowUs, response?.checksum ?? 0, bytes, 0, response?.length ?? 0);
  }

  busy(us: number): void {
    this.busyUs += us;
  }

  #report(what: string, atUs: number): void {
    this.reported.push(what);
    this.times.push(atUs);
    this.onReport(what);
  }

  #hearPart(part: string): void {
    const { line, nowUs } = this;
    if (part === '') return;
    if (part === 'break') line.lineBreak(nowUs);
    else if (part.startsWith('!')) line.framingError(Number.parseInt(part.slice(1), 16), nowUs);
    else line.byte(Number.parseInt(part, 16), nowUs);
  }
}
