import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { Turns } from '../../base/turns.ts';
import { type CanKind, frameFlag } from '../../frame/frm2-layout.ts';
import type { IdFilter } from '../../frame/id-filter.ts';
import type { CanOffload, RouteTarget } from '../can-offload.ts';
import type { ChannelSettings, SettingChange } from '../channel-settings.ts';
import type { ChannelStats } from '../channel-stats.ts';
import type { CanChannel } from '../driver-channel.ts';
import { eventStatus } from '../event-status.ts';
import type { PortCapabilities } from '../port-capabilities.ts';
import type { PortReporter } from '../port-reporter.ts';
import { deviceLost } from '../refusals.ts';
import type { SendResult } from '../send-result.ts';
import { restartsController } from '../setting-checks.ts';
import type { BcmJobs } from './bcm-jobs.ts';
import type { CanInterface, CanInterfaces } from './can-interfaces.ts';
import type { CanPort } from './can-port.ts';
import { kernelFilters } from './kernel-filters.ts';
import { KernelOffload } from './kernel-offload.ts';
import type { KernelRoutes, RouteEnd } from './kernel-routes.ts';
import { changedSettings, runningSettings } from './port-settings.ts';

/** A wire has a frame at hand while the next is asked for; without one, only calls are saved. */
const depthOnWire = 4;
const depthWithoutWire = 64;
const longestClassicDlc = 8;

/** How soon an interface is tried again that is there and cannot be used. */
const retryMs = 1_000;

export interface SocketCanParts {
  readonly link: CanInterface;
  readonly links: CanInterfaces;
  readonly clock: Clock;
  readonly settings: ChannelSettings;
  readonly filters: readonly IdFilter[];
  readonly reporter: PortReporter;
  readonly createPort: (onDown: () => void) => CanPort;
  readonly jobs: BcmJobs;
  readonly routes: KernelRoutes | undefined;
  /** The open channel of the same driver, if it is one. */
  readonly endOf: (target: RouteTarget) => RouteEnd | undefined;
  readonly onClose: () => void;
}

/** An open CAN interface. */
export class SocketCanChannel implements CanChannel, RouteEnd {
  readonly sn: string;
  readonly port: number;
  readonly bus: CanKind;
  readonly txDepth: number;
  readonly offload: CanOffload;
  readonly #parts: SocketCanParts;
  readonly #reporter: PortReporter;
  readonly #port: CanPort;
  readonly #turns = new Turns();
  readonly #impossible: number;
  #link: CanInterface;
  #settings: ChannelSettings;
  /** The link as it was told last; undefined while there is none. */
  #told: CanInterface | undefined;
  #retry: Timer | undefined;
  /** The link as it was when its controller was last looked at. */
  #followed: CanInterface | undefined;
  /** The interface is there and up, and the channel is not closed. */
  #isPresent = false;
  /** The interface is down because it is being changed here. */
  #isChanging = false;
  /** The socket has noticed since then that it was down. */
  #wasNoticedDown = false;
  /** A change of ours has failed when the interface was down for it, and no other program will take it up. */
  #isLeftDown = false;
  #isClosed = false;

  constructor(parts: SocketCanParts) {
    const { link, settings, reporter } = parts;
    this.#parts = parts;
    this.#link = link;
    this.#told = link;
    this.#settings = settings;
    this.#reporter = reporter;
    this.sn = link.sn;
    this.port = link.port.port;
    this.bus = settings.bus === 'canfd' ? 'canfd' : 'can';
    this.#impossible = frameFlag.error | (this.bus === 'canfd' ? 0 : frameFlag.fd);
    this.txDepth = link.hasController ? depthOnWire : depthWithoutWire;
    this.#port = parts.createPort(() => this.#goneDown());
    const { jobs, routes, endOf } = parts;
    this.offload = new KernelOffload({ jobs, routes, source: this, endOf });
    this.#join(link);
    this.#followController(link);
  }

  get index(): number | undefined {
    return this.#isPresent ? this.#link.index : undefined;
  }

  get hasFd(): boolean {
    return this.bus === 'canfd';
  }

  get capabilities(): PortCapabilities {
    return this.#link.port.capabilities;
  }

  get settings(): ChannelSettings {
    return this.#settings;
  }

  get pending(): number {
    return this.#port.pending;
  }

  check(flags: number): SendResult {
    if (!this.#isPresent) return 'lost';
    if ((flags & this.#impossible) !== 0) return 'not_on_bus';
    if (this.#settings.mode === 'listen_only') return 'listen_only';
    return this.#port.busState === 'bus_off' ? 'bus_off' : 'accepted';
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
    if (dlc > longestClassicDlc && (flags & frameFlag.fd) === 0 && !this.#link.keepsDlc) {
      return 'not_on_bus';
    }
    return this.#port.push(id, flags, dlc, data, offset, length) ? 'accepted' : 'full';
  }

  get clockBracketUs(): number {
    return this.#port.clockBracketUs;
  }

  stats(): ChannelStats {
    this.#port.catchUp();
    this.#reporter.tellRepeats();
    const { rxFrames, txFrames, txFailed, errorFrames, busyUs } = this.#reporter;
    const { overruns, pending, busState, txErrorCount, rxErrorCount } = this.#port;
    return {
      rxFrames,
      txFrames,
      txFailed,
      errorFrames,
      overruns,
      txPending: pending,
      busState,
      txErrorCount,
      rxErrorCount,
      busyUs,
    };
  }

  async configure(change: SettingChange): Promise<void> {
    if (!this.#isPresent) throw deviceLost(this.sn);
    const settings = changedSettings(this.#link.port, this.#settings, change);
    if (settings === this.#settings) {
      if (restartsController(change.group)) await this.recover();
      return;
    }
    this.#port.hold();
    try {
      await this.#turns.take(() => this.#apply(settings));
    } finally {
      this.#port.resume();
    }
  }

  async recover(): Promise<void> {
    if (!this.#isPresent || this.#port.busState !== 'bus_off' || this.#isChanging) return;
    await this.#turns.take(async () => {
      if (!this.#isPresent || this.#port.busState !== 'bus_off') return;
      this.#isChanging = true;
      let wasDown = false;
      try {
        await this.#parts.links.restart(this.#link, () => {
          wasDown = true;
        });
        this.#wasNoticedDown = false;
        if (this.#isPresent) this.#port.setState('error_active');
      } catch (thrown) {
        // It stays off the bus, which is what its state says, or is lost as it is down.
        this.#isLeftDown = wasDown;
        throw thrown;
      } finally {
        this.#endChange();
      }
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#retry?.cancel();
    this.#parts.jobs.end();
    this.#parts.routes?.endAt(this);
    this.#leave();
    this.#isPresent = false;
    this.#reporter.close();
    await this.#turns.take(() => this.#parts.links.release(this.#link));
    this.#parts.onClose();
  }

  /** How its interface is now; undefined if it is gone. */
  follow(link: CanInterface | undefined): void {
    this.#told = link;
    if (this.#isClosed || this.#isChanging) return;
    if (!link?.isUp || link.index !== this.#link.index) this.#lose();
    if (!link) return;
    if (this.#isPresent) {
      this.#followController(link);
      return;
    }
    this.#tryAgain();
  }

  /**
   * Error frames tell most of it at once, but not that counters have gone down again. What was told
   * before is no news: it may be older than the last error frame.
   */
  #followController(link: CanInterface): void {
    const { busState, errorCounts } = link;
    const before = this.#followed;
    this.#followed = link;
    if (link.isBusOff) this.#port.setState('bus_off');
    else if (busState !== undefined && busState !== before?.busState) this.#port.setState(busState);
    if (errorCounts && !isDeepStrictEqual(errorCounts, before?.errorCounts)) {
      this.#port.setErrorCounts(errorCounts);
    }
  }

  /** The socket has noticed it before the event of the interface came. */
  #goneDown(): void {
    if (this.#isChanging) {
      this.#wasNoticedDown = true;
      return;
    }
    this.#lose();
    // Its events may all have come already, while it was changed: then none brings it back.
    this.#tryLater();
  }

  #lose(): void {
    if (!this.#isPresent) return;
    this.#isPresent = false;
    this.#leave(true);
    this.#port.tellPresence(eventStatus.device_lost);
    this.#reporter.sink.lost();
  }

  #tryAgain(): void {
    this.#retry?.cancel();
    this.#retry = undefined;
    void this.#turns.take(() => this.#comeBack());
  }

  /** The interface is there, but there may be no event of it that brings the next attempt. */
  #tryLater(): void {
    if (this.#isClosed || this.#isPresent || this.#retry) return;
    this.#retry = this.#parts.clock.after(retryMs, () => this.#tryAgain());
  }

  /** The interface is there again: as it was if it is up, or new and to be set up. */
  async #comeBack(): Promise<void> {
    const link = this.#told;
    if (!link || this.#isClosed || this.#isPresent) return;
    // One that others took down and is the same comes back when it is taken up again.
    if (!link.isUp && link.index === this.#link.index && !this.#isLeftDown) return;
    this.#isChanging = true;
    try {
      const running = await this.#parts.links.run(link, this.#settings);
      // Also for a channel that was closed meanwhile: this is the one to give back.
      this.#link = running;
      if (this.#isClosed) return;
      this.#settings = runningSettings(this.#settings, running);
      this.#join(running);
      this.#port.tellPresence(eventStatus.device_returned);
      this.#reporter.sink.returned();
    } catch {
      this.#tryLater();
    } finally {
      this.#endChange();
    }
  }

  /** The channel goes on as it is where a change is refused, and hears everything where it is not. */
  async #apply(settings: ChannelSettings): Promise<void> {
    if (!this.#isPresent) throw deviceLost(this.sn);
    this.#isChanging = true;
    const before = this.#settings;
    let wasDown = false;
    try {
      const running = await this.#parts.links.run(this.#link, settings, () => {
        wasDown = true;
        this.#parts.jobs.pause();
      });
      this.#settings = runningSettings(settings, running);
      if (!this.#isPresent) return;
      this.#goOn(running, wasDown);
      this.#port.failHeld(settings.mode === 'listen_only');
    } catch (thrown) {
      this.#settings = before;
      if (wasDown) await this.#restore();
      throw thrown;
    } finally {
      this.#endChange();
    }
  }

  /** Runs as before after a change that was refused. */
  async #restore(): Promise<void> {
    if (!this.#isPresent) return;
    try {
      const running = await this.#parts.links.run(this.#link, this.#settings);
      if (this.#isPresent) this.#goOn(running, true);
    } catch {
      this.#isLeftDown = true;
      this.#lose();
      this.#tryLater();
    }
  }

  /** The socket outlives that its interface was down. */
  #goOn(link: CanInterface, wasDown: boolean): void {
    this.#link = link;
    this.#followed = link;
    if (wasDown) {
      this.#port.restarted();
      this.#wasNoticedDown = false;
    }
    this.#port.setRates(this.#settings);
    try {
      this.#port.setFilters(this.#kernelFilters);
      this.#runJobs();
    } catch (thrown) {
      this.#lose();
      this.#tryLater();
      throw thrown;
    }
  }

  /** Others may have taken it down or away meanwhile, and up again: nothing is known of what was under way then. */
  #endChange(): void {
    this.#isChanging = false;
    const wasPresent = this.#isPresent;
    if (this.#wasNoticedDown) this.#lose();
    this.#wasNoticedDown = false;
    if (wasPresent) this.follow(this.#told);
  }

  #leave(isInterfaceDown = false): void {
    this.#parts.jobs.pause();
    this.#port.close(isInterfaceDown);
  }

  #runJobs(): void {
    const { jobs } = this.#parts;
    if (this.#settings.mode === 'listen_only') jobs.pause();
    else jobs.resume(this.#link);
  }

  /** What is sent has to come back, whatever the filters: only who never sends can do without. */
  get #kernelFilters(): Uint32Array | undefined {
    const listens = this.#settings.mode === 'listen_only';
    return listens ? kernelFilters(this.#parts.filters) : undefined;
  }

  #join(link: CanInterface): void {
    this.#link = link;
    // One that was up before may be off the bus already, and no event will tell.
    this.#followed = undefined;
    const { name, index, hasFd } = link;
    const place = { name, index, fd: hasFd, kernelFilters: this.#kernelFilters };
    this.#port.open(place, this.#settings);
    try {
      this.#runJobs();
    } catch (thrown) {
      this.#leave();
      throw thrown;
    }
    this.#isPresent = true;
    this.#isLeftDown = false;
    void this.#parts.routes?.moveTo(this);
  }
}
