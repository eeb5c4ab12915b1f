import type { Range } from '../../frame/bit-timing.ts';
import type { ChannelMode, SettingGroup } from '../channel-settings.ts';
import type { PortInfo } from '../driver.ts';
import { type BitTimingLimits, type CanLinkData, canMode } from './netlink/can-link-data.ts';
import type { CanLink } from './netlink/links.ts';

const fastest = { nominal: 1_000_000, data: 8_000_000 } as const;

const anyRates = {
  bitrate: { min: 1_000, max: fastest.nominal },
  dataBitrate: { min: 1_000, max: fastest.data },
} as const;

const dividedRates = (limits: BitTimingLimits, clockHz: number, max: number): Range => {
  const longest = limits.prescaler[1] * (1 + limits.tseg1[1] + limits.tseg2[1]);
  const shortest = limits.prescaler[0] * (1 + limits.tseg1[0] + limits.tseg2[0]);
  return { min: Math.ceil(clockHz / longest), max: Math.min(max, Math.floor(clockHz / shortest)) };
};

const rangeOf = (
  rates: readonly number[],
  limits: BitTimingLimits | undefined,
  clockHz: number | undefined,
  max: number,
): Range | undefined => {
  if (rates.length > 0) return { min: Math.min(...rates), max: Math.min(max, Math.max(...rates)) };
  return limits && clockHz !== undefined ? dividedRates(limits, clockHz, max) : undefined;
};

/** Kernels before 5.17 do not report capabilities. Try, and handle a refusal. */
export const supportsMode = ({ supportedModes }: CanLinkData, mode: number): boolean =>
  supportedModes === undefined || (supportedModes & mode) !== 0;

export const terminationOhms = ({ terminations }: CanLinkData): number | undefined => {
  const resistors = terminations.filter((ohms) => ohms > 0);
  return resistors.includes(120) ? 120 : resistors[0];
};

export const supportsFd = ({ controller }: CanLink): boolean => {
  // Virtual interfaces accept any length once configured.
  if (!controller) return true;
  const { dataBitTimingLimits, dataBitrates } = controller;
  const hasDataPhase = dataBitTimingLimits !== undefined || dataBitrates.length > 0;
  return hasDataPhase && supportsMode(controller, canMode.fd);
};

/** Controllers whose loopback still drives the bus. */
const loopsOverBus: ReadonlySet<string | undefined> = new Set(['sja1000']);

const modesOf = (controller: CanLinkData | undefined): readonly ChannelMode[] => {
  // Without a wire, listen-only means not sending.
  if (!controller) return ['normal', 'listen_only'];
  const modes: readonly (readonly [ChannelMode, number])[] = [
    ['listen_only', canMode.listenOnly],
    ['loopback', canMode.loopback],
  ];
  const supported = modes.filter(
    ([mode, bit]) =>
      supportsMode(controller, bit) &&
      !(mode === 'loopback' && loopsOverBus.has(controller.bitTimingLimits?.name)),
  );
  return ['normal', ...supported.map(([mode]) => mode)];
};

const groupsOf = (controller: CanLinkData | undefined): readonly SettingGroup[] => {
  if (!controller) return ['mode', 'bitrate'];
  return [
    ...(controller.bitTimingLimits ? (['timing'] as const) : []),
    'mode',
    ...(terminationOhms(controller) === undefined ? [] : (['termination'] as const)),
    'bitrate',
  ];
};

export const linkPort = (link: CanLink, txQueue: number): PortInfo => {
  const { controller, name } = link;
  const isFd = supportsFd(link);
  const clockHz = controller?.clockHz;
  const max = controller?.bitrateMax;
  const bitrate =
    controller &&
    rangeOf(
      controller.bitrates,
      controller.bitTimingLimits,
      clockHz,
      Math.min(fastest.nominal, max ?? fastest.nominal),
    );
  const dataBitrate =
    controller &&
    rangeOf(controller.dataBitrates, controller.dataBitTimingLimits, clockHz, max ?? fastest.data);
  return {
    port: 0,
    name,
    buses: isFd ? ['can', 'canfd'] : ['can'],
    capabilities: {
      modes: modesOf(controller),
      settings: groupsOf(controller),
      bitrate: bitrate ?? anyRates.bitrate,
      ...(isFd && { dataBitrate: dataBitrate ?? anyRates.dataBitrate }),
      ...(clockHz !== undefined && { clockHz }),
      txQueue,
    },
  };
};
