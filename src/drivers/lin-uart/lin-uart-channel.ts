import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { usesEnhancedChecksum } from '../../frame/lin.ts';
import type { ChannelSettings, SettingChange } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import type { ChannelStats } from '../channel-stats.ts';
import { DevicePresence, linUartPresence } from '../device-presence.ts';
import type { LinChannel, LinReadDone, LinReadOutcome } from '../driver-channel.ts';
import { eventStatus } from '../event-status.ts';
import { LinRecord, noData } from '../lin/lin-record.ts';
import { linAction } from '../lin/lin-tx-queue.ts';
import { PortReporter } from '../port-reporter.ts';
import { deviceLost } from '../refusals.ts';
import type { SendResult } from '../send-result.ts';
import { identifySerialDevice, type SerialIdentity } from '../serial-device/serial-identity.ts';
import { SerialReconnect } from '../serial-device/serial-reconnect.ts';
import { LinLine } from './lin-line.ts';
import type { LinLineReports } from './lin-line-ports.ts';
import type { LinResponseBuffer } from './lin-response-buffer.ts';
import type { LinUartAddress } from './lin-uart-address.ts';
import { LinUartLink, type OpenSerialPort } from './lin-uart-link.ts';
import { changedSettings, lineSettings, linUartPort } from './lin-uart-settings.ts';

const flagsOf = (response: LinResponseBuffer, enhanced: boolean): number =>
  (enhanced ? frameFlag.enhancedChecksum : 0) | (response.commandsSleep ? frameFlag.sleep : 0);

class LinUartReports implements LinLineReports {
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

  presence(status: number, atUs: number): void {
    this.#reporter.presence(busCode.lin, status, this.#inOrder(atUs));
  }

  /** A frame has the time of its last byte, which may be earlier than the last report. */
  #inOrder(atUs: number): number {
    this.#toldUs = Math.max(this.#toldUs, atUs);
    return this.#toldUs;
  }

  #count(isGood: boolean): void {
    if (isGood) this.#reporter.rxFrames += 1;
    else this.#reporter.errorFrames += 1;
  }
}

export interface LinUartChannelParts {
  readonly sn: string;
  readonly address: LinUartAddress;
  readonly settings: ChannelSettings;
  readonly sink: ChannelSink;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly openPort: OpenSerialPort;
  readonly onClose: () => void;
}

export class LinUartChannel implements LinChannel {
  readonly bus = 'lin';
  readonly sn: string;
  readonly port = linUartPort.port;
  readonly capabilities = linUartPort.capabilities;
  /** A frame sent from an outcome report starts right after the previous one. */
  readonly txDepth = 1;
  readonly #parts: LinUartChannelParts;
  readonly #reporter: PortReporter;
  readonly #reports: LinUartReports;
  readonly #link: LinUartLink;
  readonly #line: LinLine;
  readonly #task: Task;
  readonly #presence;
  #settings: ChannelSettings;
  #return: SerialReconnect | undefined;

  constructor(parts: LinUartChannelParts) {
    const { clock, scheduler, address, openPort } = parts;
    this.sn = parts.sn;
    this.#parts = parts;
    this.#settings = parts.settings;
    this.#reporter = new PortReporter(parts.sink, clock.unixOffsetUs);
    this.#reports = new LinUartReports(this.#reporter);
    this.#link = new LinUartLink({
      clock,
      scheduler,
      address,
      openPort,
      onActivity: () => this.#reschedule(),
      onGone: () => this.#presence.take('gone'),
    });
    this.#presence = new DevicePresence(linUartPresence, 'starting', {
      reporter: this.#reporter,
      leave: () => this.#leave(),
      report: (status) => this.#reports.presence(status, clock.monotonicUs()),
      awaitReturn: () => {
        const attempt = (): Promise<boolean> => this.#tryAgain();
        this.#return = new SerialReconnect({ named: address.named, clock, attempt });
      },
    });
    const { echoes, slackUs } = address;
    this.#line = new LinLine({ wire: this.#link, reports: this.#reports, echoes, slackUs });
    this.#link.join(this.#line);
    this.#task = scheduler.createTask('lin', (nowUs) => {
      this.#line.advance(nowUs);
      return this.#line.nextDeadlineUs;
    });
  }

  get settings(): ChannelSettings {
    return this.#settings;
  }

  get pending(): number {
    return this.#line.queue.size;
  }

  /** Opens the port and joins the bus. On rejection the port is closed. */
  async start(identity: SerialIdentity): Promise<void> {
    try {
      await this.#link.open(identity, this.#settings.bitrate);
    } catch (error) {
      throw this.#presence.isClosed ? deviceLost(this.sn) : error;
    }
    this.#join();
  }

  check(): SendResult {
    const result = this.#checkPort();
    const isMaster = this.#settings.lin?.role === 'master';
    return result === 'accepted' && !isMaster ? 'not_master' : result;
  }

  masterWrite(
    id: number,
    flags: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): SendResult {
    const enhanced = usesEnhancedChecksum(id, flags);
    const result = this.#push(this.check(), linAction.write, id, enhanced, length);
    if (result !== 'accepted') return result;
    this.#line.queue.fillLast(data, offset, length);
    this.#startNext();
    return result;
  }

  masterRead(
    id: number,
    flags: number,
    length: number,
    done: LinReadDone,
    untilUs?: number,
  ): SendResult {
    const enhanced = usesEnhancedChecksum(id, flags);
    return this.#queue(this.check(), linAction.read, id, enhanced, length, done, untilUs);
  }

  syncBreak(): SendResult {
    return this.#queue(this.check(), linAction.syncBreak);
  }

  wakeUp(): SendResult {
    return this.#queue(this.#checkPort(), linAction.wakeUp);
  }

  setResponse(id: number, flags: number, data: Uint8Array, offset: number, length: number): void {
    this.#line.responses.set(id, usesEnhancedChecksum(id, flags), data, offset, length);
  }

  clearResponse(id: number): void {
    this.#line.responses.clear(id);
  }

  async configure(change: SettingChange): Promise<void> {
    if (!this.#presence.isThere) throw deviceLost(this.sn);
    const settings = changedSettings(linUartPort, this.#settings, change);
    if (settings === this.#settings) return;
    if (change.group === 'lin') {
      this.#settings = settings;
      this.#line.apply(lineSettings(settings));
      return;
    }
    this.#presence.take('change');
    this.#leave();
    try {
      if (change.group === 'bitrate') await this.#link.setBitrate(settings.bitrate);
    } catch (error) {
      if (this.#presence.isThere) this.#join();
      throw error;
    }
    // A listener may have closed the channel.
    if (!this.#presence.isThere) throw deviceLost(this.sn);
    this.#settings = settings;
    this.#join();
  }

  stats(): ChannelStats {
    const { rxFrames, txFrames, txFailed, errorFrames, busyUs } = this.#reporter;
    return {
      rxFrames,
      txFrames,
      txFailed,
      errorFrames,
      overruns: 0,
      txPending: this.pending,
      busState: 'error_active',
      txErrorCount: 0,
      rxErrorCount: 0,
      busyUs,
    };
  }

  async close(): Promise<void> {
    if (this.#presence.isClosed) return;
    this.#presence.take('close');
    this.#return?.stop();
    this.#leave();
    this.#link.close();
    this.#reporter.close();
    this.#parts.onClose();
  }

  #checkPort(): SendResult {
    if (!this.#presence.isThere) return 'lost';
    return this.#settings.mode === 'listen_only' ? 'listen_only' : 'accepted';
  }

  #queue(
    check: SendResult,
    action: number,
    id = 0,
    enhanced = false,
    length = 0,
    done?: LinReadDone,
    untilUs?: number,
  ): SendResult {
    const result = this.#push(check, action, id, enhanced, length, done, untilUs);
    if (result === 'accepted') this.#startNext();
    return result;
  }

  #push(
    check: SendResult,
    action: number,
    id: number,
    enhanced: boolean,
    length: number,
    done?: LinReadDone,
    untilUs?: number,
  ): SendResult {
    if (check !== 'accepted') return check;
    const nowUs = this.#parts.clock.monotonicUs();
    const { queue } = this.#line;
    const isQueued = queue.push(action, id, enhanced, length, nowUs, done, untilUs);
    return isQueued ? 'accepted' : 'full';
  }

  #startNext(): void {
    this.#line.startNext(this.#parts.clock.monotonicUs());
    this.#reschedule();
  }

  #reschedule(): void {
    if (this.#presence.isThere) this.#task.scheduleAt(this.#line.nextDeadlineUs);
  }

  #join(): void {
    this.#line.start(lineSettings(this.#settings));
    this.#presence.take('ready');
    this.#startNext();
  }

  #leave(): void {
    this.#task.cancel();
    this.#link.stopBreak();
    this.#line.stop(this.#parts.clock.monotonicUs());
  }

  async #tryAgain(): Promise<boolean> {
    this.#presence.take('found');
    try {
      const isBack = await this.#reopen();
      if (isBack) this.#join();
      else this.#presence.take('failed');
      return isBack || this.#presence.isClosed;
    } catch {
      this.#presence.take('failed');
      return false;
    }
  }

  async #reopen(): Promise<boolean> {
    const identity = await identifySerialDevice(this.#parts.address.named);
    // A different adapter may have the same name.
    if (this.#presence.isClosed || identity?.sn !== this.sn) return false;
    await this.#link.open(identity, this.#settings.bitrate);
    if (!this.#presence.isClosed) return true;
    this.#link.close();
    return false;
  }
}
