import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { busCode, type CanKind, frameFlag } from '../../frame/frm2-layout.ts';
import type { IdPredicate } from '../../frame/id-filter.ts';
import type { ChannelSettings, SettingChange } from '../channel-settings.ts';
import type { ChannelStats } from '../channel-stats.ts';
import { DevicePresence, slcanPresence } from '../device-presence.ts';
import type { CanChannel } from '../driver-channel.ts';
import { eventStatus } from '../event-status.ts';
import type { PortCapabilities } from '../port-capabilities.ts';
import type { PortReporter } from '../port-reporter.ts';
import { deviceLost } from '../refusals.ts';
import type { SendResult } from '../send-result.ts';
import { restartsController } from '../setting-checks.ts';
import type { ExchangeEvents } from './exchange.ts';
import { isSupported, type SlcanFrame, unsupportedFlags } from './frame-text.ts';
import { awaitSync, setUp, shut } from './set-up.ts';
import type { SlcanPort } from './slcan-port.ts';
import type { SlcanProfile } from './slcan-profile.ts';
import { SlcanReceiver } from './slcan-receiver.ts';
import { SlcanReports } from './slcan-reports.ts';
import { changedSettings, type SlcanSettings, slcanPort } from './slcan-settings.ts';
import { type Pace, SlcanTransmitter, TimedOutcomes, txWindow } from './slcan-transmitter.ts';
import { StatusPoll } from './status-poll.ts';
import type { BusErrorLetter, ControllerState } from './status-text.ts';
export interface SlcanChannelParts {
  readonly sn: string;
  readonly profile: SlcanProfile;
  readonly wanted: SlcanSettings;
  readonly line: SlcanPort;
  readonly filters: readonly IdPredicate[];
  readonly reporter: PortReporter;
  readonly scheduler: Scheduler;
  readonly nowUs: () => number;
  readonly characterUs: number;
  readonly onSilence: () => void;
  readonly onClose: () => void;
}

export class SlcanChannel implements CanChannel, ExchangeEvents {
  readonly sn: string;
  readonly port = 0;
  readonly bus: CanKind;
  readonly txDepth = txWindow;
  readonly capabilities: PortCapabilities;
  readonly #parts: SlcanChannelParts;
  readonly #reporter: PortReporter;
  readonly #reports: SlcanReports;
  readonly #transmitter = new SlcanTransmitter();
  readonly #receiver: SlcanReceiver;
  readonly #status: StatusPoll;
  readonly #timed: TimedOutcomes;
  readonly #presence;
  #line: SlcanPort | undefined;
  #wanted: SlcanSettings;
  #pace: Pace;
  #isFlushDue = false;
  #turn: Promise<unknown> = Promise.resolve();
  #onSettled: (() => void) | undefined;

  constructor(parts: SlcanChannelParts) {
    const { sn, profile, wanted, line, filters, reporter, scheduler, nowUs } = parts;
    this.#parts = parts;
    this.sn = sn;
    this.bus = wanted.settings.bus === 'canfd' ? 'canfd' : 'can';
    this.capabilities = slcanPort(profile).capabilities;
    this.#wanted = wanted;
    this.#pace = this.#paceOf(wanted.settings);
    this.#line = line;
    this.#reporter = reporter;
    this.#reports = new SlcanReports(reporter);
    this.#receiver = new SlcanReceiver(reporter, filters);
    this.#status = new StatusPoll({
      scheduler,
      nowUs,
      reports: this.#reports,
      stamp: (atUs) => this.#receiver.stamp(atUs),
    });
    this.#timed = new TimedOutcomes({
      scheduler,
      transmitter: this.#transmitter,
      complete: (atUs) => this.#complete(atUs),
      onSettled: () => this.#afterOutcome(),
      onStuck: () => this.#abandon(),
    });
    this.#presence = new DevicePresence(slcanPresence, 'starting', {
      reporter,
      leave: () => this.#leave(),
      report: (status) => {
        const atUs = this.#stamp(nowUs());
        reporter.presence(busCode.can, status, atUs);
        if (status === eventStatus.device_returned) this.#reports.enter('error_active', atUs);
      },
    });
  }

  get settings(): ChannelSettings {
    return this.#wanted.settings;
  }

  get pending(): number {
    return this.#transmitter.pending;
  }

  async start(): Promise<void> {
    const line = this.#line;
    if (!line) throw deviceLost(this.sn);
    if (this.#isOutOfSync && !(await this.#resync(line))) throw deviceLost(this.sn);
    const { profile } = this.#parts;
    const digits = await setUp(line, profile, this.#wanted.commands);
    if (this.#line !== line || this.#presence.isClosed) throw deviceLost(this.sn);
    this.#receiver.start(line, digits);
    this.#pace = this.#paceOf(this.settings);
    this.#reports.reset();
    this.#presence.take('ready');
    this.#requestFlush();
    if (profile.acknowledges) this.#status.start((command) => line.ask(command));
  }

  send(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): SendResult {
    const result = this.check(flags);
    if (result !== 'accepted') return result;
    if (!isSupported(flags, dlc)) return 'not_on_bus';
    if (!this.#transmitter.push(id, flags, dlc, data, offset, length)) return 'full';
    this.#requestFlush();
    return 'accepted';
  }

  check(flags: number): SendResult {
    if (!this.#presence.isThere) return 'lost';
    if (this.settings.mode === 'listen_only') return 'listen_only';
    if (this.#reports.state === 'bus_off') return 'bus_off';
    if ((flags & unsupportedFlags) !== 0) return 'not_on_bus';
    return this.bus === 'can' && (flags & frameFlag.fd) !== 0 ? 'not_on_bus' : 'accepted';
  }

  configure(change: SettingChange): Promise<void> {
    // A change fails queued frames.
    const next = this.#nextSettings(change);
    if (next instanceof Error) return Promise.reject(next);
    if (!next) return Promise.resolve();
    this.#presence.take('change');
    const framesToFail = this.#transmitter.waiting;
    const done = this.#turn.then(() => this.#reconfigure(next, framesToFail));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async recover(): Promise<void> {
    if (!this.#isBusOff) return;
    const restart = async (): Promise<void> => {
      await this.#whenSettled();
      if (!this.#isBusOff) return;
      this.#presence.take('change');
      this.#receiver.stop();
      this.#status.stop();
      await this.start();
      this.#reports.enter('error_active', this.#stamp(this.#parts.nowUs()));
    };
    this.#turn = this.#turn.then(restart).catch(() => this.#abandon());
    await this.#turn;
  }

  stats(): ChannelStats {
    this.#reporter.flushRepeats();
    const { rxFrames, txFrames, txFailed, errorFrames, busyUs } = this.#reporter;
    const { state, txErrorCount, rxErrorCount, overruns } = this.#reports;
    return {
      rxFrames,
      txFrames,
      txFailed,
      errorFrames,
      overruns: overruns + this.#receiver.malformed,
      txPending: this.pending,
      busState: state,
      txErrorCount,
      rxErrorCount,
      busyUs,
    };
  }

  async close(): Promise<void> {
    if (this.#presence.isClosed) return;
    this.#presence.take('close');
    this.#reporter.close();
    this.#status.stop();
    this.#timed.stop();
    this.#settled();
    await this.#turn;
    if (this.#line) await shut(this.#line, this.#parts.profile);
    this.#parts.onClose();
  }

  lose(): void {
    this.#presence.take('gone');
  }

  async comeBack(line: SlcanPort): Promise<void> {
    this.#line = line;
    this.#presence.take('found');
    const starting = this.#turn.then(() => this.start());
    this.#turn = starting.catch(() => undefined);
    await this.#turn;
    // `close` waited for that and takes the device off the bus.
    if (!this.#presence.isClosed) await starting;
  }

  returnFailed(): void {
    this.#presence.take('failed');
  }

  frame(frame: SlcanFrame, nowUs: number): void {
    if (!this.#presence.isClosed) this.#receiver.receive(frame, this.settings, nowUs);
  }

  taken(nowUs: number): void {
    this.#complete(nowUs);
    this.#afterOutcome();
  }

  refused(nowUs: number): void {
    if (this.#transmitter.written === 0) return;
    this.#transmitter.take();
    this.#reporter.failed(1, 0, this.#stamp(nowUs));
    this.#afterOutcome();
  }

  unanswered(_frames: number, nowUs: number): void {
    this.#failWritten(this.#stamp(nowUs));
    this.#presence.take('unanswered');
    this.#turn = this.#turn.then(async () => {
      // An earlier change may have resynchronized it.
      if (this.#line && this.#isOutOfSync && (await this.#resync(this.#line))) this.#requestFlush();
    });
    this.#settled();
  }

  state(state: ControllerState, nowUs: number): void {
    this.#reports.counters(state);
    const atUs = this.#stamp(nowUs);
    this.#reports.enter(state.state, atUs);
    if (state.state === 'bus_off') this.#afterOutcome();
  }

  errors(letters: readonly BusErrorLetter[], nowUs: number): void {
    for (const letter of letters) this.#reports.error(letter, this.#stamp(nowUs));
  }

  drained(nowUs: number): void {
    this.#timed.drained(nowUs);
    this.#requestFlush();
  }

  get #isRunning(): boolean {
    return this.#presence.state === 'present';
  }

  get #isBusOff(): boolean {
    return this.#presence.isThere && this.#reports.state === 'bus_off';
  }

  get #isOutOfSync(): boolean {
    const { state } = this.#presence;
    return state === 'outOfSync' || state === 'changingOutOfSync';
  }

  #paceOf({ bitrate, dataBitrate = bitrate }: ChannelSettings): Pace {
    return { bitrate, dataBitrate, characterUs: this.#parts.characterUs };
  }

  #stamp(atUs: number): number {
    return this.#receiver.stamp(atUs);
  }

  #nextSettings(change: SettingChange): SlcanSettings | Error | undefined {
    if (!this.#presence.isThere) return deviceLost(this.sn);
    const isRestart = this.#reports.state === 'bus_off' && restartsController(change.group);
    try {
      const changed = changedSettings(this.#parts.profile, this.settings, change);
      return changed ?? (isRestart ? this.#wanted : undefined);
    } catch (thrown) {
      return thrown as Error;
    }
  }

  async #reconfigure(next: SlcanSettings, framesToFail: number): Promise<void> {
    await this.#whenSettled();
    if (!this.#presence.isThere) throw deviceLost(this.sn);
    this.#presence.take('change');
    this.#receiver.stop();
    this.#status.stop();
    this.#failWaiting(framesToFail, this.#stamp(this.#parts.nowUs()));
    const before = this.#wanted;
    this.#wanted = next;
    try {
      await this.start();
    } catch (thrown) {
      this.#wanted = before;
      if (this.#presence.isThere) await this.start().catch(() => this.#abandon());
      throw thrown;
    }
    this.#reports.enter('error_active', this.#stamp(this.#parts.nowUs()));
  }

  /** The device state is unknown: set it up from scratch, like a removed device. */
  #abandon(): void {
    if (this.#presence.isThere) this.#parts.onSilence();
  }

  #requestFlush(): void {
    if (this.#isFlushDue || !this.#isRunning || this.#transmitter.waiting === 0) return;
    this.#isFlushDue = true;
    queueMicrotask(this.#flush);
  }

  readonly #flush = (): void => {
    this.#isFlushDue = false;
    const line = this.#line;
    if (!line || !this.#isRunning) return;
    const { acknowledges } = this.#parts.profile;
    const nowUs = this.#parts.nowUs();
    this.#transmitter.flush(line, acknowledges, this.#pace, nowUs);
    if (!acknowledges) this.#timed.wrote(line, nowUs);
  };

  #complete(atUs: number): void {
    if (this.#transmitter.written === 0) return;
    const frame = this.#transmitter.take();
    this.#receiver.countBusy(frame, this.settings);
    this.#reporter.completed(frame, this.#stamp(atUs));
  }

  #afterOutcome(): void {
    if (this.#transmitter.written === 0) this.#settled();
    this.#requestFlush();
  }

  #settled(): void {
    if (this.#reports.state === 'bus_off' && !this.#presence.isClosed) {
      this.#failWaiting(this.#transmitter.waiting, this.#stamp(this.#parts.nowUs()));
    }
    const onSettled = this.#onSettled;
    this.#onSettled = undefined;
    onSettled?.();
  }

  #whenSettled(): Promise<void> {
    if (this.#transmitter.written === 0 || this.#presence.isClosed || !this.#line) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#onSettled = resolve;
    });
  }

  #failWritten(atUs: number): void {
    this.#reporter.failed(this.#transmitter.dropWritten(), 0, atUs);
    if (!this.#line) this.#settled();
  }

  #failWaiting(frames: number, atUs: number): void {
    const dropped = Math.min(frames, this.#transmitter.waiting);
    this.#transmitter.dropWaiting(dropped);
    this.#reporter.failed(dropped, 0, atUs);
  }

  #leave(): void {
    this.#receiver.stop();
    this.#line = undefined;
    this.#status.stop();
    this.#timed.stop();
    const atUs = this.#stamp(this.#parts.nowUs());
    this.#failWritten(atUs);
    this.#failWaiting(this.#transmitter.waiting, atUs);
  }

  async #resync(line: SlcanPort): Promise<boolean> {
    const isOff = (): boolean => this.#line !== line || this.#presence.isClosed;
    const found = await awaitSync(line, this.#parts.profile, isOff);
    if (found === 'ok') this.#presence.take('inSync');
    else if (found === 'silent') this.#abandon();
    return found === 'ok';
  }
}
