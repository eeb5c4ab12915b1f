import { frameFlag } from '../../frame/frm2-layout.ts';
import { hasValidParity, isDiagnosticId, maxLinLength } from '../../frame/lin.ts';
import { eventStatus } from '../event-status.ts';
import { LinResponseTable } from '../lin/lin-response-table.ts';
import { LinTxQueue, linAction } from '../lin/lin-tx-queue.ts';
import { syncByte } from './lin-bytes.ts';
import type { LinLineOptions, LinLineSettings } from './lin-line-ports.ts';
import { isPulse, LinLineTiming } from './lin-line-timing.ts';
import { EndedResponse, LinReporter } from './lin-reporter.ts';
import { LinSender } from './lin-sender.ts';

export const linUartQueueLength = 256;

const breakTimeoutUs = 500_000;
const busyBusTimeoutUs = 50_000;
const never = Number.POSITIVE_INFINITY;

/**
 * State of the node, and the input it expects next:
 *
 *     off ── start ──> idle
 *
 *     idle ── next entry ──> breaking ── break sent ──> sync ── 55 ──> pid ── PID ──> response ──> idle
 *      │                      └── not sent ──> idle    │              └── silence: sync break only ──> idle
 *      │                                               └── silence, or 55 of our own sync break ──> idle
 *      ├── our wake-up ──> pulsing ── received, or silence ──> idle
 *      ├── our wake-up, too soon after a byte ──> quiet ── silence ──> idle
 *      ├── zero, if the port reports no breaks ──> zero ── 55 ──> pid; otherwise as for a pulse
 *      └── single low pulse ──> pulse ── silence ──> idle
 *
 *     any but off ── stop ──> off
 *     any but off and breaking ── break of another node ──> sync
 *     other input, a collision, an invalid header or response ──> quiet ── silence ──> idle
 */
type State =
  | 'off'
  | 'idle'
  | 'breaking'
  | 'sync'
  | 'pid'
  | 'response'
  | 'pulsing'
  | 'zero'
  | 'pulse'
  | 'quiet';

/**
 * A LIN node on a UART: master task, slave task and listener. It has no clock and no port. Each
 * input has its time, `nextDeadlineUs` is the time of the next `advance` call, and output is
 * written to a `LinWire`.
 */
export class LinLine {
  readonly queue = new LinTxQueue(linUartQueueLength);
  readonly responses = new LinResponseTable();
  readonly #sender: LinSender;
  readonly #reporter: LinReporter;
  readonly #slackUs: number;
  readonly #ended = new EndedResponse();
  readonly #response = this.#ended.response;
  #timing = new LinLineTiming(1, 0);
  #listenOnly = false;
  #enhanced = true;
  #state: State = 'off';
  #deadlineUs = never;
  #isOurs = false;
  #publishes = false;
  #publishesEnhanced = false;
  #shallAnswer = false;
  #lastByteUs = 0;
  #asleep = false;
  #hasWoken = false;
  /** The port reports breaks, so a zero byte is not a break. */
  #tellsBreaks = false;
  #waitUntilUs = 0;

  constructor({ wire, reports, echoes, slackUs }: LinLineOptions) {
    this.#sender = new LinSender(wire, echoes);
    this.#reporter = new LinReporter(reports, this.queue);
    this.#slackUs = slackUs;
  }

  get nextDeadlineUs(): number {
    return Math.min(this.#deadlineUs, this.#sender.leftUs);
  }

  get timing(): LinLineTiming {
    return this.#timing;
  }

  start(settings: LinLineSettings): void {
    this.apply(settings);
    this.#timing = new LinLineTiming(settings.bitrate, this.#slackUs);
    this.#tellsBreaks = false;
    this.#asleep = false;
    this.#enter('idle');
  }

  apply({ listenOnly, enhanced }: LinLineSettings): void {
    this.#listenOnly = listenOnly;
    this.#enhanced = enhanced;
  }

  stop(nowUs: number): void {
    this.#enter('off');
    this.#reporter.stop(nowUs);
  }

  startNext(nowUs: number): void {
    if (this.#reporter.isUnderWay || this.queue.size === 0 || this.#listenOnly) return;
    if (this.#state === 'quiet') {
      this.#deadlineUs = Math.min(this.#deadlineUs, this.#waitUntilUs);
    } else if (this.#state === 'idle') this.#begin(nowUs);
  }

  byte(byte: number, nowUs: number): void {
    this.#hearOwn(nowUs);
    this.#take(byte, nowUs);
    this.startNext(nowUs);
  }

  framingError(byte: number, nowUs: number): void {
    this.#hearOwn(nowUs);
    if (this.#state === 'off' || this.#state === 'breaking') return;
    if (this.#sender.pending > 0) this.#fail('collision', nowUs);
    else if (this.#state === 'response') {
      this.#response.isDamaged = true;
      this.#take(byte, nowUs);
    } else if (this.#state !== 'quiet') this.#resync(nowUs);
    this.startNext(nowUs);
  }

  lineBreak(nowUs: number): void {
    this.#hearOwn(nowUs);
    this.#tellsBreaks = true;
    if (this.#state === 'off' || this.#state === 'breaking') return;
    // Our own break, which some ports report late.
    if (this.#isOurs && this.#state === 'sync') return;
    const { stops } = this.#reporter;
    this.#endExpectation('collision', nowUs);
    if (stops !== this.#reporter.stops) return;
    this.#enter('sync', nowUs + this.#timing.headerLimitUs);
    this.#hasWoken = this.#asleep;
    if (this.#asleep) this.#reportWakeUp(nowUs);
  }

  /** All bytes received together were processed: respond now. */
  batchEnd(nowUs: number): void {
    if (!this.#shallAnswer) return;
    this.#shallAnswer = false;
    if (this.#state === 'response' && this.#response.count === 0) this.#answer(nowUs);
  }

  breakSent(nowUs: number): void {
    if (this.#state !== 'breaking') return;
    this.#state = 'sync';
    this.#sender.out.setHeader(this.queue);
    this.#send(nowUs);
  }

  breakFailed(nowUs: number): void {
    if (this.#state === 'breaking') this.#deadlineUs = nowUs;
  }

  advance(nowUs: number): void {
    if (this.#sender.leftUs <= nowUs) {
      this.#hearOwn(nowUs);
      this.batchEnd(nowUs);
    }
    if (this.#deadlineUs <= nowUs) this.#endExpectation('bus_error', nowUs);
    this.startNext(nowUs);
  }

  #take(byte: number, nowUs: number): void {
    const isBreak = this.#state === 'sync' && byte === 0;
    if (!isBreak && this.#sender.pending > 0 && !this.#sender.matches(byte)) {
      this.#fail('collision', nowUs);
      return;
    }
    this.#lastByteUs = nowUs;
    switch (this.#state) {
      case 'idle':
      case 'zero':
      case 'pulse':
        this.#takeUnexpected(byte, nowUs);
        break;
      case 'pulsing':
        this.#endSignal(frameFlag.wakeUp, nowUs);
        break;
      case 'sync':
        if (!isBreak) this.#takeSync(byte, nowUs);
        break;
      case 'pid':
        this.#takePid(byte, nowUs);
        break;
      case 'response':
        this.#takeResponse(byte, nowUs);
        break;
      case 'quiet':
        this.#deadlineUs = Math.max(this.#deadlineUs, nowUs + this.#timing.silenceUs);
        if (nowUs > this.#waitUntilUs) this.#reporter.noise(nowUs);
        break;
    }
  }

  #takeUnexpected(byte: number, nowUs: number): void {
    // Without a preceding break or zero, a sync byte would turn noise into frames.
    if (this.#state === 'zero' && byte === syncByte) {
      this.#enter('pid', nowUs + this.#timing.headerLimitUs);
    } else if (this.#state === 'idle' && isPulse(byte)) {
      const mayBeBreak = byte === 0 && !this.#tellsBreaks;
      this.#enter(mayBeBreak ? 'zero' : 'pulse', nowUs + this.#timing.silenceUs);
    } else this.#resync(nowUs);
  }

  #takeSync(byte: number, nowUs: number): void {
    if (byte !== syncByte) this.#resync(nowUs);
    else if (this.#isOurs && this.queue.headAction === linAction.syncBreak) {
      this.#endSignal(frameFlag.syncBreak, nowUs);
    } else this.#state = 'pid';
  }

  #takePid(pid: number, nowUs: number): void {
    if (!hasValidParity(pid)) {
      this.#resync(nowUs);
      return;
    }
    const id = pid & 0x3f;
    const { queue } = this;
    const asked = this.#isOurs ? queue.headLength : 0;
    this.#response.begin(id, asked || (isDiagnosticId(id) ? maxLinLength : 0));
    this.#publishes = this.#isOurs && queue.headAction === linAction.write;
    if (this.#publishes) this.#publishesEnhanced = queue.headIsEnhanced;
    else this.#shallAnswer = !this.#listenOnly && this.responses.lengthOf(id) > 0;
    this.#state = 'response';
    const limitUs = nowUs + this.#timing.responseLimitUs(this.#response.expected);
    const isRead = this.#isOurs && queue.headAction === linAction.read;
    this.#deadlineUs = isRead ? Math.min(limitUs, queue.headUntilUs) : limitUs;
  }

  #takeResponse(byte: number, nowUs: number): void {
    const response = this.#response;
    response.add(byte);
    if (response.isComplete) {
      this.#endResponse(nowUs);
      return;
    }
    // Late bytes may follow. A complete frame is followed by silence.
    const silentUs = nowUs + this.#timing.silenceUs;
    const mayEnd = response.expected === 0 && response.mayEnd;
    this.#deadlineUs = mayEnd ? silentUs : Math.max(this.#deadlineUs, silentUs);
  }

  #answer(nowUs: number): void {
    const { responses } = this;
    const { id } = this.#response;
    this.#publishes = true;
    this.#publishesEnhanced = responses.isEnhanced(id);
    this.#response.begin(id, responses.lengthOf(id));
    this.#sender.out.setResponse(responses, id);
    this.#send(nowUs);
  }

  #begin(nowUs: number): void {
    const isPulseNext = this.queue.headAction === linAction.wakeUp;
    // After a response of unknown length, a pulse would look like another byte.
    const aloneUs = this.#lastByteUs + 2 * this.#timing.silenceUs;
    if (isPulseNext && nowUs < aloneUs) {
      this.#enter('quiet', aloneUs);
      this.#waitUntilUs = aloneUs;
      return;
    }
    this.#isOurs = true;
    this.#asleep = false;
    if (isPulseNext) {
      this.#state = 'pulsing';
      this.#sender.out.setByte(this.#timing.wakeUpByte);
      this.#send(nowUs);
    } else {
      this.#state = 'breaking';
      this.#deadlineUs = nowUs + breakTimeoutUs;
      this.#sender.sendBreak();
    }
  }

  #send(nowUs: number): void {
    this.#deadlineUs = nowUs + this.#timing.bytesLimitUs(this.#sender.out.length);
    this.#sender.send(this.#timing, nowUs);
  }

  /** Treats sent bytes as received, for an adapter without echo. */
  #hearOwn(nowUs: number): void {
    const sender = this.#sender;
    if (sender.leftUs === never) return;
    sender.leftUs = never;
    while (sender.pending > 0) this.#take(sender.next, nowUs);
  }

  #endExpectation(status: 'bus_error' | 'collision', nowUs: number): void {
    if (this.#sender.pending > 0 || this.#state === 'breaking') this.#fail(status, nowUs);
    else if (this.#state === 'response') this.#endResponse(nowUs);
    else {
      const ended = this.#state;
      this.#enter('idle');
      if (ended === 'pulse' || ended === 'zero') this.#reportWakeUp(this.#lastByteUs);
      else if (ended === 'sync' && !this.#hasWoken) this.#reporter.noise(nowUs);
      else if (ended === 'pid') {
        this.#reporter.notice(0, frameFlag.syncBreak, 0, eventStatus.ok, nowUs);
      }
    }
  }

  /** Our bytes were not received back: a collision, no power or a broken wire. */
  #fail(status: 'bus_error' | 'collision', nowUs: number): void {
    const isOurs = this.#isOurs;
    const id = isOurs ? this.queue.headId : this.#response.id;
    const length = this.#publishes ? this.#response.expected : 0;
    const outcome = status === 'collision' ? 'collision' : 'no_response';
    // Some of our bytes are still on their way.
    const restUs = this.#timing.bytesLimitUs(this.#sender.pending);
    if (status === 'collision') this.#awaitSilence(restUs, nowUs);
    else this.#enter('idle');
    const { [status]: code } = eventStatus;
    this.#reporter.failure(id, length, code, isOurs ? outcome : undefined, nowUs);
  }

  #resync(nowUs: number): void {
    const wakes = this.#asleep;
    this.#awaitSilence(0, nowUs);
    if (wakes) this.#reportWakeUp(nowUs);
    else this.#reporter.noise(nowUs);
  }

  #awaitSilence(us: number, nowUs: number): void {
    const quietUs = Math.max(us, this.#timing.silenceUs);
    this.#enter('quiet', nowUs + quietUs);
    this.#waitUntilUs = nowUs + Math.max(quietUs, busyBusTimeoutUs);
  }

  #reportWakeUp(atUs: number): void {
    this.#asleep = false;
    this.#reporter.notice(0, frameFlag.wakeUp, 0, eventStatus.ok, atUs);
  }

  #endSignal(flag: number, nowUs: number): void {
    this.#enter('idle');
    this.#reporter.signalSent(flag, nowUs);
  }

  #endResponse(nowUs: number): void {
    const { queue } = this;
    const response = this.#response;
    const isOurs = this.#isOurs;
    const publishes = this.#publishes;
    const isRead = isOurs && queue.headAction === linAction.read;
    const enhanced = isRead ? queue.headIsEnhanced : this.#enhanced && !isDiagnosticId(response.id);
    const isAnswered = response.count > 0;
    const isValid = publishes || response.isValid(enhanced);
    // More invalid bytes may follow.
    if (isAnswered && !isValid) this.#awaitSilence(0, nowUs);
    else this.#enter('idle');
    this.#asleep = response.commandsSleep;
    const ended = this.#ended;
    ended.isOurs = isOurs;
    ended.publishes = publishes;
    ended.publishesEnhanced = this.#publishesEnhanced;
    ended.enhanced = enhanced;
    ended.isValid = isValid;
    const busyUs = this.#timing.frameUs(response.count);
    this.#reporter.responseEnded(ended, busyUs, isAnswered ? this.#lastByteUs : nowUs);
  }

  #enter(state: State, deadlineUs = never): void {
    this.#state = state;
    this.#deadlineUs = deadlineUs;
    this.#sender.clear();
    this.#isOurs = false;
    this.#publishes = false;
    this.#shallAnswer = false;
  }
}
