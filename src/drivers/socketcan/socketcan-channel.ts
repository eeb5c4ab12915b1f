import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { Mutex } from '../../base/mutex.ts';
import { type CanKind, frameFlag } from '../../frame/frm2-layout.ts';
import type { IdFilter } from '../../frame/id-filter.ts';
import type { CanOffload, RouteTarget } from '../can-offload.ts';
import type { ChannelSettings, SettingChange } from '../channel-settings.ts';
import type { ChannelStats } from '../channel-stats.ts';
import { DevicePresence, socketCanPresence } from '../device-presence.ts';
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
import { KernelOffload, type KernelRoutes, type RouteEnd } from './kernel-routes.ts';
import { changedSettings, runningSettings } from './port-settings.ts';
import { extendedIdMask, rawIdFlag } from './raw-frame.ts';

const standardIdMask = 0x7ff;

const maxFilters = 512;

/**
 * Kernel filters: pairs of an identifier with flags and a mask. A frame passes if any pair
 * matches. A flag bit distinguishes the two identifier widths; remote frames pass like others.
 * Undefined if the kernel would pass other frames too.
 */
export const kernelFilters = (filters: readonly IdFilter[]): Uint32Array | undefined => {
  if (filters.length === 0) return undefined;
  const pairs: number[] = [];
  for (const { id, mask = extendedIdMask, extended } of filters) {
    if (extended !== true) {
      // 11-bit identifiers have zeros above.
      const isPossible = (id & mask & ~standardIdMask) === 0;
      if (isPossible) pairs.push(id & mask, (mask & standardIdMask) | rawIdFlag.extended);
    }
    if (extended !== false) {
      pairs.push((id & mask) | rawIdFlag.extended, mask | rawIdFlag.extended);
    }
  }
  // Without filters nothing passes, not even errors.
  if (pairs.length === 0 || pairs.length / 2 > maxFilters) return undefined;
  return Uint32Array.from(pairs, (word) => word >>> 0);
};

/** On a wire one frame is sent ahead. On virtual interfaces more save system calls. */
const depthOnWire = 4;
const depthWithoutWire = 64;
const maxClassicDlc = 8;

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
  readonly endOf: (target: RouteTarget) => RouteEnd | undefined;
  readonly onClose: () => void;
}

export class SocketCanChannel implements CanChannel, RouteEnd {
  readonly sn: string;
  readonly port: number;
  readonly bus: CanKind;
  readonly txDepth: number;
  readonly offload: CanOffload;
  readonly #parts: SocketCanParts;
  readonly #reporter: PortReporter;
  readonly #port: CanPort;
  readonly #turns = new Mutex();
  readonly #presence;
  readonly #impossible: number;
  #link: CanInterface;
  #settings: ChannelSettings;
  #latest: CanInterface | undefined;
  #retry: Timer | undefined;
  #followed: CanInterface | undefined;
  #foreignIndex: number | undefined;

  constructor(parts: SocketCanParts) {
    const { link, settings, reporter } = parts;
    this.#parts = parts;
    this.#link = link;
    this.#latest = link;
    this.#settings = settings;
    this.#reporter = reporter;
    this.sn = link.sn;
    this.port = link.port.port;
    this.bus = settings.bus === 'canfd' ? 'canfd' : 'can';
    this.#impossible = frameFlag.error | (this.bus === 'canfd' ? 0 : frameFlag.fd);
    this.txDepth = link.hasController ? depthOnWire : depthWithoutWire;
    this.#presence = new DevicePresence(socketCanPresence, 'starting', {
      reporter,
      leave: () => this.#leave(true),
      report: (status) => {
        if (status === eventStatus.device_returned) void parts.routes?.moveTo(this);
        this.#port.reportPresence(status);
      },
      awaitReturn: () => this.#tryLater(),
    });
    this.#port = parts.createPort(() => this.#presence.take('down'));
    const { jobs, routes, endOf } = parts;
    this.offload = new KernelOffload({ jobs, routes, source: this, endOf });
    this.#join(link);
    this.#presence.take('ready');
    void routes?.moveTo(this);
    this.#followController(link);
  }

  get index(): number | undefined {
    return this.#presence.isThere ? this.#link.index : undefined;
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
    if (!this.#presence.isThere) return 'lost';
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
    if (dlc > maxClassicDlc && (flags & frameFlag.fd) === 0 && !this.#link.keepsDlc) {
      return 'not_on_bus';
    }
    return this.#port.push(id, flags, dlc, data, offset, length) ? 'accepted' : 'full';
  }

  get clockBracketUs(): number {
    return this.#port.clockBracketUs;
  }

  stats(): ChannelStats {
    this.#port.catchUp();
    this.#reporter.flushRepeats();
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
    if (!this.#presence.isThere) throw deviceLost(this.sn);
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
    if (!this.#isBusOff) return;
    await this.#turns.take(async () => {
      if (!this.#isBusOff) return;
      this.#presence.take('change');
      let wasDown = false;
      try {
        await this.#parts.links.restart(this.#link, () => {
          wasDown = true;
        });
        this.#presence.take('restarted');
        if (this.#presence.isThere) this.#port.setState('error_active');
      } catch (thrown) {
        // It stays off the bus, or is lost because it is down.
        if (wasDown) this.#foreignIndex = undefined;
        throw thrown;
      } finally {
        this.#endChange();
      }
    });
  }

  async close(): Promise<void> {
    if (this.#presence.isClosed) return;
    this.#presence.take('close');
    this.#retry?.cancel();
    this.#parts.jobs.end();
    this.#parts.routes?.endAt(this);
    this.#leave();
    this.#reporter.close();
    await this.#turns.take(() => this.#parts.links.release(this.#link));
    this.#parts.onClose();
  }

  follow(link: CanInterface | undefined): void {
    this.#latest = link;
    const { state } = this.#presence;
    if (state !== 'present' && state !== 'lost') return;
    if (!link?.isUp || link.index !== this.#link.index) this.#presence.take('gone');
    if (!link) return;
    if (this.#presence.isThere) this.#followController(link);
    else this.#tryAgain();
  }

  get #isBusOff(): boolean {
    return this.#presence.state === 'present' && this.#port.busState === 'bus_off';
  }

  /**
   * Error frames report most changes sooner, except falling counters. An unchanged value may be
   * older than the last error frame.
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

  #tryAgain(): void {
    this.#retry?.cancel();
    this.#retry = undefined;
    void this.#turns.take(() => this.#comeBack());
  }

  /** No further event may trigger the next attempt. */
  #tryLater(): void {
    this.#retry ??= this.#parts.clock.after(retryMs, () => this.#tryAgain());
  }

  async #comeBack(): Promise<void> {
    const link = this.#latest;
    if (!link || this.#presence.state !== 'lost') return;
    // Another program took it down and will bring it up again.
    if (!link.isUp && link.index === this.#foreignIndex) return;
    this.#presence.take('found');
    try {
      const running = await this.#parts.links.run(link, this.#settings);
      // Also if closed meanwhile; it is released then.
      this.#link = running;
      if (this.#presence.isClosed) return;
      this.#settings = runningSettings(this.#settings, running);
      this.#join(running);
    } catch {
      this.#presence.take('failed');
      return;
    }
    this.#presence.take('ready');
    this.follow(this.#latest);
  }

  async #apply(settings: ChannelSettings): Promise<void> {
    if (!this.#presence.isThere) throw deviceLost(this.sn);
    this.#presence.take('change');
    const before = this.#settings;
    let wasDown = false;
    try {
      const running = await this.#parts.links.run(this.#link, settings, () => {
        wasDown = true;
        this.#parts.jobs.pause();
      });
      this.#settings = runningSettings(settings, running);
      if (!this.#presence.isThere) return;
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

  async #restore(): Promise<void> {
    if (!this.#presence.isThere) return;
    try {
      const running = await this.#parts.links.run(this.#link, this.#settings);
      if (this.#presence.isThere) this.#goOn(running, true);
    } catch {
      this.#foreignIndex = undefined;
      this.#presence.take('broken');
    }
  }

  #goOn(link: CanInterface, wasDown: boolean): void {
    this.#link = link;
    this.#followed = link;
    if (wasDown) {
      this.#port.restarted();
      this.#presence.take('restarted');
    }
    this.#port.setRates(this.#settings);
    try {
      this.#port.setFilters(this.#kernelFilters);
      this.#runJobs();
    } catch (thrown) {
      this.#presence.take('broken');
      throw thrown;
    }
  }

  #endChange(): void {
    if (!this.#presence.isThere) return;
    this.#presence.take('ready');
    this.follow(this.#latest);
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

  /** Echoes must pass, so only a channel that never sends can filter in the kernel. */
  get #kernelFilters(): Uint32Array | undefined {
    const listens = this.#settings.mode === 'listen_only';
    return listens ? kernelFilters(this.#parts.filters) : undefined;
  }

  #join(link: CanInterface): void {
    this.#link = link;
    // An interface that was up may already be bus-off.
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
    this.#foreignIndex = index;
  }
}
