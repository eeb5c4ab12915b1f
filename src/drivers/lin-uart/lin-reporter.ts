import { frameFlag } from '../../frame/frm2-layout.ts';
import type { LinReadOutcome } from '../driver-channel.ts';
import { eventStatus } from '../event-status.ts';
import { type LinTxQueue, linAction } from '../lin/lin-tx-queue.ts';
import type { LinLineReports } from './lin-line-ports.ts';
import { LinResponseBuffer } from './lin-response-buffer.ts';

const noiseWindowUs = 100_000;

export class EndedResponse {
  readonly response = new LinResponseBuffer();
  isOurs = false;
  publishes = false;
  publishesEnhanced = false;
  enhanced = false;
  isValid = false;
}

/**
 * Reports bus events and the outcome of the first queue entry. A listener may call back and may
 * even stop the node.
 */
export class LinReporter {
  readonly #reports: LinLineReports;
  readonly #queue: LinTxQueue;
  #depth = 0;
  #stops = 0;
  #noiseToldUs = Number.NEGATIVE_INFINITY;

  constructor(reports: LinLineReports, queue: LinTxQueue) {
    this.#reports = reports;
    this.#queue = queue;
  }

  get isUnderWay(): boolean {
    return this.#depth > 0;
  }

  get stops(): number {
    return this.#stops;
  }

  stop(nowUs: number): void {
    this.#stops += 1;
    this.#noiseToldUs = Number.NEGATIVE_INFINITY;
    // Entries queued by listeners are not included.
    for (let left = this.#queue.size; left > 0; left--) this.#failHead('aborted', nowUs);
  }

  noise(nowUs: number): void {
    if (nowUs < this.#noiseToldUs + noiseWindowUs) return;
    this.#noiseToldUs = nowUs;
    this.notice(0, frameFlag.error, 0, eventStatus.sync_error, nowUs);
  }

  notice(id: number, flags: number, length: number, status: number, atUs: number): void {
    this.#depth += 1;
    this.#reports.noticed(id, flags, length, status, atUs);
    this.#depth -= 1;
  }

  failure(
    id: number,
    length: number,
    status: number,
    outcome: LinReadOutcome | undefined,
    nowUs: number,
  ): void {
    const stops = this.#stops;
    this.notice(id, frameFlag.error, length, status, nowUs);
    if (outcome !== undefined && stops === this.#stops) this.#failHead(outcome, nowUs);
  }

  signalSent(flag: number, atUs: number): void {
    this.#queue.take();
    this.#depth += 1;
    this.#reports.signalSent(flag, atUs);
    this.#depth -= 1;
  }

  responseEnded(ended: EndedResponse, busyUs: number, atUs: number): void {
    const { response, isOurs, publishes, publishesEnhanced, enhanced, isValid } = ended;
    const isRead = isOurs && this.#queue.headAction === linAction.read;
    const asked = isRead ? this.#queue.headLength : 0;
    const isAnswered = response.count > 0;
    const stops = this.#stops;
    this.#depth += 1;
    this.#reports.busy(busyUs);
    if (isOurs && !isRead) this.#queue.take();
    if (!isAnswered) {
      this.notice(response.id, frameFlag.noResponse, asked, eventStatus.no_response, atUs);
    } else if (publishes) {
      this.#reports.sent(response, publishesEnhanced, isOurs && !isRead, atUs);
    } else {
      if (isValid) this.#noiseToldUs = Number.NEGATIVE_INFINITY;
      this.#reports.received(response, enhanced, isValid, atUs);
    }
    if (isRead && stops === this.#stops) {
      const wrong = isAnswered ? 'checksum_error' : 'no_response';
      this.#endRead(isAnswered && isValid ? 'answered' : wrong, response, atUs);
    }
    this.#depth -= 1;
  }

  #endRead(outcome: LinReadOutcome, response: LinResponseBuffer, atUs: number): void {
    const done = this.#queue.take();
    if (done) this.#reports.readEnded(done, outcome, response, atUs);
  }

  #failHead(outcome: LinReadOutcome, nowUs: number): void {
    const done = this.#queue.take();
    this.#depth += 1;
    if (done) this.#reports.readEnded(done, outcome, undefined, nowUs);
    else this.#reports.failed(nowUs);
    this.#depth -= 1;
  }
}
