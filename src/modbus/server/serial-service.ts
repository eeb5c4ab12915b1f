import type { Clock } from '../../base/clock/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import type { SerialPortOptions } from '../../base/serial/serial-port.ts';
import type { FrameReceiver, Framing } from '../framing/framing.ts';
import { createSerialFraming, rtuSilenceUs } from '../framing/serial-framing.ts';
import { decodeRequest, type RefusedRequest } from '../pdu/decode-request.ts';
import { decodeResponse } from '../pdu/decode-response.ts';
import { exceptionCodes } from '../pdu/exception-codes.ts';
import { exceptionFlag, writeFunctions } from '../pdu/function-codes.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import { openSerialLink } from '../transport/serial-link.ts';
import { DelayedAnswers } from './delayed-answers.ts';
import type { ServedUnit, ServedUnits } from './served-unit.ts';
import type { ServerCounters } from './server-counters.ts';

/**
 * Distinguishes requests to other units on a line from their responses. The frames do not carry
 * a direction, so a frame is a response if it matches the previous request.
 */
class OtherUnitRequests {
  #unit = 0;
  #asked: ModbusRequest | RefusedRequest | undefined;

  take(unit: number, bytes: Uint8Array, at: number, length: number): boolean {
    const asked = unit === this.#unit ? this.#asked : undefined;
    this.#asked = undefined;
    // An exception is a response even if its request was missed.
    if (((bytes[at] as number) & exceptionFlag) !== 0) return false;
    if (asked !== undefined && isAnswer(asked, bytes, at, length)) return false;
    this.#unit = unit;
    this.#asked = decodeRequest(bytes, at, length);
    return true;
  }

  forget(): void {
    this.#asked = undefined;
  }
}

const isAnswer = (
  asked: ModbusRequest | RefusedRequest,
  bytes: Uint8Array,
  at: number,
  length: number,
): boolean => {
  if (asked.kind !== 'refused') return decodeResponse(asked, bytes, at, length).kind !== 'invalid';
  // Requests that no unit can serve get an exception. Of an unknown function, only a bare code
  // is certain to be a request.
  const isUnknown = asked.exception === exceptionCodes.illegal_function;
  return isUnknown && bytes[at] === asked.function && length > 1;
};

export type OpenPort = (options: SerialPortOptions, receiver: LinkReceiver) => ByteLink;

export interface SerialServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly kind: 'rtu' | 'ascii';
  readonly baudRate: number;
  readonly gapMs?: number | undefined;
  readonly units: ServedUnits;
  readonly counters: ServerCounters;
  readonly onLost: (error: BusbarError | undefined) => void;
}

const broadcastUnit = 0;
/** Maximum queued bytes of delayed responses. Further requests are dropped. */
const maxDelayedBytes = 4 * 1024;

/** Serves the client of a serial line. Does not respond to requests for other units. */
export class SerialService implements LinkReceiver, FrameReceiver {
  readonly clients = 0;
  readonly #options: SerialServiceOptions;
  readonly #foreign = new OtherUnitRequests();
  readonly #framing: Framing;
  readonly #answer: Uint8Array;
  readonly #delayed = new DelayedAnswers();
  #answerLength = 0;
  #answerDueUs = Number.POSITIVE_INFINITY;
  readonly #turnaroundUs: number;
  readonly #task: Task;
  readonly #opened = new Deferred<void>();
  #isOpen = false;
  #link: ByteLink | undefined;

  constructor(options: SerialServiceOptions) {
    const { kind, baudRate, gapMs, scheduler } = options;
    this.#options = options;
    this.#turnaroundUs = kind === 'rtu' ? rtuSilenceUs(baudRate) : 0;
    this.#framing = createSerialFraming(this, { kind, side: 'server', baudRate, gapMs });
    this.#answer = new Uint8Array(this.#framing.maxLength);
    this.#task = scheduler.createTask('Modbus serial server', (nowUs) => this.#wake(nowUs));
  }

  async open(port: SerialPortOptions, openPort: OpenPort = openSerialLink): Promise<void> {
    this.#link = openPort(port, this);
    await this.#opened.promise;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#task.cancel();
    this.#link?.close();
  }

  opened(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  bytes(bytes: Uint8Array): void {
    this.#options.counters.bytesReceived += bytes.length;
    this.#framing.push(bytes, this.#options.clock.monotonicUs());
    this.#plan();
  }

  closed(error: BusbarError | undefined): void {
    this.#task.cancel();
    if (this.#isOpen) this.#options.onLost(error);
    else this.#opened.reject(error);
    this.#isOpen = false;
  }

  frame(_transaction: number, unit: number, bytes: Uint8Array, at: number, length: number): void {
    // The client has abandoned the pending response, and would match it to this frame.
    this.#answerLength = 0;
    this.#answerDueUs = Number.POSITIVE_INFINITY;
    const served = this.#options.units.find(unit);
    if (served === undefined && unit !== broadcastUnit) {
      const isRequest = this.#foreign.take(unit, bytes, at, length);
      if (isRequest) this.#options.counters.otherUnit += 1;
      return;
    }
    this.#foreign.forget();
    if (served === undefined) this.#serveSilently(bytes, at, length);
    else this.#serve(served, bytes, at, length);
  }

  problem(): void {
    this.#options.counters.badFrames += 1;
  }

  #serve(served: ServedUnit, bytes: Uint8Array, at: number, length: number): void {
    const nowUs = this.#options.clock.monotonicUs();
    const { pduOffset } = this.#framing;
    const answered = served.serve(bytes, at, length, this.#answer, pduOffset);
    if (answered === 0) return;
    if (served.delayUs === 0 && this.#delayed.isEmpty) {
      this.#answerLength = this.#encode(served.unit, this.#answer, pduOffset, answered);
      this.#answerDueUs = nowUs + this.#turnaroundUs;
    } else if (this.#delayed.heldBytes < maxDelayedBytes) {
      const delayUs = served.delayUs + this.#turnaroundUs;
      const pdu = this.#answer.subarray(pduOffset, pduOffset + answered);
      this.#delayed.add(Uint8Array.of(served.unit, ...pdu), delayUs, nowUs);
    }
  }

  #encode(unit: number, pdu: Uint8Array, at: number, length: number): number {
    return this.#framing.encode(this.#answer, 0, 0, unit, pdu, at, length);
  }

  /** Broadcast writes are executed without a response. Broadcast reads are ignored. */
  #serveSilently(bytes: Uint8Array, at: number, length: number): void {
    const { units, counters } = this.#options;
    if (!writeFunctions.has(bytes[at] as number)) return;
    counters.broadcasts += 1;
    units.serveUnanswered(bytes, at, length, this.#answer, this.#framing.pduOffset);
  }

  #wake(nowUs: number): undefined {
    this.#framing.idle(nowUs);
    const late = this.#delayed.take(nowUs);
    if (late !== undefined) {
      // Only now, because the framing filters the echo of the last encoded frame.
      this.#answerLength = this.#encode(late[0] as number, late, 1, late.length - 1);
      this.#answerDueUs = nowUs;
    }
    if (nowUs >= this.#answerDueUs) this.#send();
    this.#plan();
  }

  #send(): void {
    const link = this.#link as ByteLink;
    // If the port is blocked, no client is waiting for more.
    if (link.bufferedBytes === 0) {
      link.write(this.#answer.slice(0, this.#answerLength));
      this.#framing.sent();
      this.#options.counters.bytesSent += this.#answerLength;
    }
    this.#answerLength = 0;
    this.#answerDueUs = Number.POSITIVE_INFINITY;
  }

  #plan(): void {
    if (!this.#isOpen) return;
    const answerUs = Math.min(this.#answerDueUs, this.#delayed.nextDueUs);
    this.#task.scheduleAt(Math.min(this.#framing.nextDeadlineUs, answerUs));
  }
}
