import type { TimingPhase } from '../../frame/bit-timing.ts';
import type { BitTiming } from '../../frame/bit-timing-record.ts';
import type { ChannelMode, ChannelSettings } from '../channel-settings.ts';
import { unsupportedByHardware } from '../refusals.ts';
import { checkRange } from '../setting-checks.ts';
import { terminationOhms } from './link-capabilities.ts';
import {
  type BitTimingLimits,
  type CanLinkChange,
  type CanLinkData,
  canMode,
  type KernelBitTiming,
  type WantedTiming,
} from './netlink/can-link-data.ts';
import { type CanLink, fdMtu, type LinkChange } from './netlink/links.ts';

/** Rates within this tolerance are equal, because clocks rarely divide exactly. */
const rateTolerance = 0.001;

const isRate = (has: number | undefined, wanted: number): boolean =>
  has !== undefined && Math.abs(has / wanted - 1) <= rateTolerance;

const timingOf = (timing: KernelBitTiming | undefined): BitTiming | undefined =>
  timing && timing.quantum > 0
    ? {
        prescaler: timing.prescaler,
        tseg1: timing.propagation + timing.phase1,
        tseg2: timing.phase2,
        sjw: timing.sjw,
      }
    : undefined;

export const hasFd = ({ controller, mtu }: CanLink): boolean =>
  controller ? (controller.modes & canMode.fd) !== 0 : mtu >= fdMtu;

const modeOf = ({ modes }: CanLinkData): ChannelMode => {
  if ((modes & canMode.listenOnly) !== 0) return 'listen_only';
  return (modes & canMode.loopback) !== 0 ? 'loopback' : 'normal';
};

export const currentSettings = (link: CanLink): Partial<ChannelSettings> => {
  const { controller } = link;
  if (!controller) return {};
  const { bitTiming, dataBitTiming, termination } = controller;
  const isFd = hasFd(link);
  const nominal = timingOf(bitTiming);
  const data = isFd ? timingOf(dataBitTiming) : undefined;
  return {
    bus: isFd ? 'canfd' : 'can',
    mode: modeOf(controller),
    ...(bitTiming && { bitrate: bitTiming.bitrate }),
    ...(isFd && dataBitTiming && { dataBitrate: dataBitTiming.bitrate }),
    ...(nominal && { timing: data ? { nominal, data } : { nominal } }),
    ...(termination !== undefined && { termination: termination > 0 }),
  };
};

const fieldOf = (phase: TimingPhase): string => (phase === 'nominal' ? 'bitrate' : 'data_bitrate');

/** Old kernels clamp values silently. */
const checkTiming = (phase: TimingPhase, timing: BitTiming, limits: BitTimingLimits): void => {
  const ranges: readonly (readonly [keyof BitTiming, readonly [number, number]])[] = [
    ['prescaler', limits.prescaler],
    ['tseg1', limits.tseg1],
    ['tseg2', limits.tseg2],
    ['sjw', [1, Math.min(limits.sjwMax, timing.tseg2)]],
  ];
  for (const [name, [min, max]] of ranges) {
    checkRange(`timing.${phase}.${name}`, timing[name], { min, max });
  }
};

const checkListed = (phase: TimingPhase, rate: number, rates: readonly number[]): void => {
  if (rates.length === 0 || rates.includes(rate)) return;
  const field = fieldOf(phase);
  throw unsupportedByHardware(field, `${field} must be one of ${rates.join(', ')}`, {
    allowed: rates,
  });
};

/** The part before the sample point has two segments. Controllers combine them. */
const wantedTiming = (timing: BitTiming, clockHz: number): WantedTiming => {
  const propagation = Math.floor(timing.tseg1 / 2);
  return {
    quantum: Math.round((timing.prescaler * 1e9) / clockHz),
    propagation,
    phase1: timing.tseg1 - propagation,
    phase2: timing.tseg2,
    sjw: timing.sjw,
  };
};

const isTiming = (has: KernelBitTiming | undefined, wanted: BitTiming): boolean => {
  const timing = timingOf(has);
  if (!timing) return false;
  const fields = ['prescaler', 'tseg1', 'tseg2', 'sjw'] as const;
  return fields.every((field) => timing[field] === wanted[field]);
};

interface Phase {
  readonly phase: TimingPhase;
  readonly has: KernelBitTiming | undefined;
  readonly limits: BitTimingLimits | undefined;
  readonly rates: readonly number[];
  readonly rate: number;
  readonly timing: BitTiming | undefined;
}

const phaseChange = (link: CanLinkData, phase: Phase): WantedTiming | undefined => {
  const { has, limits, rates, rate, timing } = phase;
  if (timing && limits && link.clockHz !== undefined) {
    checkTiming(phase.phase, timing, limits);
    return isTiming(has, timing) ? undefined : wantedTiming(timing, link.clockHz);
  }
  if (isRate(has?.bitrate, rate)) return undefined;
  checkListed(phase.phase, rate, rates);
  return { bitrate: rate };
};

const phasesOf = (link: CanLinkData, wanted: ChannelSettings): readonly Phase[] => {
  const { bitrate, dataBitrate, timing } = wanted;
  const nominal: Phase = {
    phase: 'nominal',
    has: link.bitTiming,
    limits: link.bitTimingLimits,
    rates: link.bitrates,
    rate: bitrate,
    timing: timing?.nominal,
  };
  if (wanted.bus !== 'canfd' || dataBitrate === undefined) return [nominal];
  const data: Phase = {
    phase: 'data',
    has: link.dataBitTiming,
    limits: link.dataBitTimingLimits,
    rates: link.dataBitrates,
    rate: dataBitrate,
    timing: timing?.data,
  };
  return [nominal, data];
};

const wantedModes = ({ mode, bus }: ChannelSettings): number =>
  (mode === 'listen_only' ? canMode.listenOnly : 0) |
  (mode === 'loopback' ? canMode.loopback : 0) |
  (bus === 'canfd' ? canMode.fd : 0);

/** Extra modes: bus error reports and classic DLCs above 8. */
const welcomeModes = canMode.busErrorReporting | canMode.classicDlc;

const controllerChange = (
  controller: CanLinkData,
  wanted: ChannelSettings,
  isUp: boolean,
): CanLinkChange => {
  const [nominal, data] = phasesOf(controller, wanted);
  const bitTiming = nominal && phaseChange(controller, nominal);
  const dataBitTiming = data && phaseChange(controller, data);
  const modes = wantedModes(wanted);
  // A controller that is up with CAN FD sends classic frames too.
  const asked =
    canMode.listenOnly | canMode.loopback | (isUp && !(modes & canMode.fd) ? 0 : canMode.fd);
  const differing = (controller.modes ^ modes) & asked;
  const ohms = terminationOhms(controller);
  const termination =
    wanted.termination === undefined || ohms === undefined
      ? undefined
      : (wanted.termination && ohms) || 0;
  return {
    ...(bitTiming && { bitTiming }),
    ...(dataBitTiming && { dataBitTiming }),
    ...(differing !== 0 && { modes: { mask: differing, flags: modes & differing } }),
    ...(termination !== undefined && termination !== controller.termination && { termination }),
  };
};

/** Adds extras to a change. They alone do not justify taking an interface down. */
const completed = (controller: CanLinkData, change: CanLinkChange): CanLinkChange => {
  const extra = (controller.supportedModes ?? 0) & welcomeModes & ~controller.modes;
  const { mask = 0, flags = 0 } = change.modes ?? {};
  const modes = { mask: mask | extra, flags: flags | extra };
  // The kernel needs both timings together with the mode.
  const needsTimings = (flags & canMode.fd) !== 0;
  const { bitTiming, dataBitTiming, restartMs } = controller;
  return {
    ...(needsTimings && bitTiming && { bitTiming: { bitrate: bitTiming.bitrate } }),
    ...(needsTimings && dataBitTiming && { dataBitTiming: { bitrate: dataBitTiming.bitrate } }),
    ...change,
    ...(modes.mask !== 0 && { modes }),
    // Only the channel's owner recovers it.
    ...(restartMs !== 0 && { restartMs: 0 }),
  };
};

export interface LinkUpdate {
  readonly needsDown: boolean;
  readonly change: LinkChange;
}

/** Returns undefined if nothing changes. Rejects settings that the link does not support. */
export const linkUpdate = (link: CanLink, wanted: ChannelSettings): LinkUpdate | undefined => {
  const { controller, isUp } = link;
  const needsMtu = !controller && wanted.bus === 'canfd' && link.mtu < fdMtu;
  const change = controller && controllerChange(controller, wanted, isUp);
  const hasChange = change !== undefined && Object.keys(change).length > 0;
  if (isUp && !needsMtu && !hasChange) return undefined;
  return {
    needsDown: isUp,
    change: {
      isUp: true,
      ...(needsMtu && { mtu: fdMtu }),
      ...(controller && change && { controller: completed(controller, change) }),
    },
  };
};

/** Restores a controller where the kernel allows it. */
export const restoringChange = (found: CanLink, now: CanLink): LinkChange => {
  if (!found.controller || !now.controller) {
    return found.mtu === now.mtu ? {} : { mtu: found.mtu };
  }
  const was = found.controller;
  const is = now.controller;
  const mask = was.modes ^ is.modes;
  const timing = (old: KernelBitTiming | undefined, current: KernelBitTiming | undefined) =>
    old && JSON.stringify(old) !== JSON.stringify(current) ? settable(old) : undefined;
  const bitTiming = timing(was.bitTiming, is.bitTiming);
  const dataBitTiming =
    (was.modes & canMode.fd) === 0 ? undefined : timing(was.dataBitTiming, is.dataBitTiming);
  const controller: CanLinkChange = {
    ...(bitTiming && { bitTiming }),
    ...(dataBitTiming && { dataBitTiming }),
    ...(mask !== 0 && { modes: { mask, flags: was.modes & mask } }),
    ...(was.restartMs !== is.restartMs && { restartMs: was.restartMs }),
    ...(was.termination !== undefined &&
      was.termination !== is.termination && { termination: was.termination }),
  };
  return Object.keys(controller).length === 0 ? {} : { controller };
};

const settable = (timing: KernelBitTiming): WantedTiming => {
  const { bitrate, quantum, propagation, phase1, phase2, sjw } = timing;
  return quantum > 0 ? { quantum, propagation, phase1, phase2, sjw } : { bitrate };
};

export const checkOutcome = (link: CanLink, wanted: ChannelSettings): void => {
  const { controller } = link;
  if (!controller) return;
  for (const { phase, has, rate, timing } of phasesOf(controller, wanted)) {
    if (timing ? isTiming(has, timing) : isRate(has?.bitrate, rate)) continue;
    const field = timing ? `timing.${phase}` : fieldOf(phase);
    throw unsupportedByHardware(
      field,
      `The controller of ${link.name} cannot reach this ${field}; the nearest is ${has?.bitrate ?? 0} bit/s`,
      { reason: 'no_timing', ...(has && { nearest: has.bitrate }) },
    );
  }
};
