import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { LinReadDone, LinReadOutcome } from '../driver-channel.ts';
import { eventStatus } from '../event-status.ts';
import { LinRecord, noData } from '../lin/lin-record.ts';
import type { PortReporter } from '../port-reporter.ts';
import type { LinLineReports } from './lin-line-ports.ts';
import type { LinResponseBuffer } from './lin-response-buffer.ts';

const flagsOf = (response: LinResponseBuffer, enhanced: boolean): number =>
  (enhanced ? frameFlag.enhancedChecksum : 0) | (response.commandsSleep ? frameFlag.sleep : 0);

/** Counts what a node tells, and makes records of it. */
export class LinUartReports implements LinLineReports {
  readonly #reporter: PortReporter;
  readonly #record = new LinRecord();
  #toldUs = Number.NEGATIVE_INFINITY;

  constructor(reporter: PortReporter) {
    this.#reporter = reporter;
  }

  sent(response: LinResponseBuffer, enhanced: boolean, isQueued: boolean, atUs: number): void {
    const record = this.#record.response(response, response.bytes, flagsOf(response, enhanced));
    if (isQueued) this.#reporter.completed(record, this.#inOrder(atUs));
    else this.#reporter.completedOwn(record, this.#inOrder(atUs));
  }

  received(response: LinResponseBuffer, enhanced: boolean, isValid: boolean, atUs: number): void {
    const flags = flagsOf(response, enhanced) | (isValid ? 0 : frameFlag.checksumError);
    const status = isValid ? eventStatus.ok : eventStatus.checksum_error;
    this.#count(isValid);
    const record = this.#record.response(response, response.bytes, flags);
    this.#reporter.received(record, status, this.#inOrder(atUs));
  }

  signalSent(flags: number, atUs: number): void {
    this.#reporter.completed(this.#record.signal(0, flags, 0), this.#inOrder(atUs));
  }

  noticed(id: number, flags: number, length: number, status: number, atUs: number): void {
    this.#count(status === eventStatus.ok);
    this.#reporter.received(this.#record.signal(id, flags, length), status, this.#inOrder(atUs));
  }

  failed(atUs: number): void {
    this.#reporter.failed(1, 0, this.#inOrder(atUs));
  }

  readEnded(
    done: LinReadDone,
    outcome: LinReadOutcome,
    response: LinResponseBuffer | undefined,
    atUs: number,
  ): void {
    const unixUs = this.#reporter.unixUs(this.#inOrder(atUs));
    this.#reporter.readSettled();
    if (response === undefined) done(outcome, unixUs, 0, noData, 0, 0);
    else done(outcome, unixUs, response.checksum, response.bytes, 0, response.length);
  }

  busy(us: number): void {
    this.#reporter.busyUs += us;
  }

  /** The device is gone, or back. */
  presence(status: number, atUs: number): void {
    this.#reporter.presence(busCode.lin, status, this.#inOrder(atUs));
  }

  /** A frame has the time of its last byte, which may be before what was told meanwhile. */
  #inOrder(atUs: number): number {
    this.#toldUs = Math.max(this.#toldUs, atUs);
    return this.#toldUs;
  }

  #count(isGood: boolean): void {
    if (isGood) this.#reporter.rxFrames += 1;
    else this.#reporter.errorFrames += 1;
  }
}
