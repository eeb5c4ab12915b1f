import { type Range, timingBitrate } from '../../frame/bit-timing.ts';
import type { BitTiming } from '../../frame/bit-timing-record.ts';
import type { Bus } from '../../frame/frm2-layout.ts';
import type { ChannelMode, ChannelSettings, OpenSettings } from '../channel-settings.ts';
import type { PortInfo } from '../driver.ts';
import {
  checkAskedGroups,
  checkedBus,
  checkedChanges,
  checkMode,
  checkRange,
  defaultBitrate,
  defaultDataBitrate,
  noDataPhase,
} from '../setting-checks.ts';
import type { CanInterface } from './can-interfaces.ts';

const rateOf = (info: PortInfo, timing: BitTiming | undefined): number | undefined =>
  timing && Math.round(timingBitrate(timing, info.capabilities.clockHz));

type Rates = Pick<ChannelSettings, 'bitrate' | 'dataBitrate' | 'timing'>;

const fittingRate = (usual: number, range: Range | undefined, has: readonly number[]): number => {
  const within = range ? Math.min(Math.max(usual, range.min), range.max) : usual;
  const [first = within, ...others] = has;
  return others.reduce(
    (best, rate) => (Math.abs(rate - within) < Math.abs(best - within) ? rate : best),
    first,
  );
};

/**
 * Rates, and the timing that a caller has requested. Without one, the kernel chooses it. Rates
 * already configured may exceed the standards, because the kernel has accepted them.
 */
const checkedRates = (
  info: PortInfo,
  bus: ChannelSettings['bus'],
  present: Partial<Rates>,
  { bitrate, dataBitrate, timing }: Rates,
): Rates => {
  const { capabilities } = info;
  const nominal = rateOf(info, timing?.nominal) ?? bitrate;
  if (nominal !== present.bitrate) {
    checkRange(timing ? 'timing.nominal' : 'bitrate', nominal, capabilities.bitrate);
  }
  if (bus !== 'canfd') {
    if (timing?.data) throw noDataPhase('timing.data');
    if (dataBitrate !== undefined) throw noDataPhase('data_bitrate');
    return { bitrate: nominal, ...(timing && { timing }) };
  }
  const data = rateOf(info, timing?.data) ?? dataBitrate ?? defaultDataBitrate;
  const field = timing?.data ? 'timing.data' : 'data_bitrate';
  if (!capabilities.dataBitrate) throw noDataPhase(field);
  if (data !== present.dataBitrate) checkRange(field, data, capabilities.dataBitrate);
  return { bitrate: nominal, dataBitrate: data, ...(timing && { timing }) };
};

/** An interface that is up keeps its bus by default. */
const busInUse = ({ isUp, settings }: CanInterface, asked: OpenSettings): Bus | undefined => {
  const asksForDataPhase = asked.dataBitrate !== undefined || asked.timing?.data !== undefined;
  return isUp && !asksForDataPhase ? settings.bus : undefined;
};

const modeInUse = ({ isUp, settings, port }: CanInterface): ChannelMode | undefined =>
  isUp ? port.capabilities.modes.find((mode) => mode === settings.mode) : undefined;

export const wantedSettings = (link: CanInterface, asked: OpenSettings): ChannelSettings => {
  const { port: info, settings: current, rates: has } = link;
  const bus = checkedBus(info, asked.bus ?? busInUse(link, asked));
  checkAskedGroups(info, asked);
  const mode = asked.mode ?? modeInUse(link) ?? 'normal';
  checkMode(info, mode);
  const { capabilities } = info;
  const usual = fittingRate(defaultBitrate, capabilities.bitrate, has.nominal);
  const usualData = fittingRate(defaultDataBitrate, capabilities.dataBitrate, has.data);
  const { timing, bitrate = current.bitrate ?? usual } = asked;
  const dataBitrate =
    asked.dataBitrate ?? (bus === 'canfd' ? (current.dataBitrate ?? usualData) : undefined);
  const termination = asked.termination ?? current.termination;
  const wanted = {
    bitrate,
    ...(dataBitrate !== undefined && { dataBitrate }),
    ...(timing && { timing }),
  };
  return {
    bus,
    mode,
    ...checkedRates(info, bus, current, wanted),
    ...(termination !== undefined && { termination }),
  };
};

export const changedSettings = checkedChanges((info, settings, change) => {
  const { bus, timing, ...kept } = settings;
  switch (change.group) {
    case 'termination':
      return { ...settings, termination: change.termination };
    case 'timing': {
      const { nominal, data = timing?.data } = change;
      const wanted = data && bus === 'canfd' ? { nominal, data } : { nominal };
      return { ...kept, bus, ...checkedRates(info, bus, settings, { ...kept, timing: wanted }) };
    }
    case 'bitrate': {
      const { bitrate, dataBitrate = settings.dataBitrate } = change;
      if (bitrate === settings.bitrate && dataBitrate === settings.dataBitrate) return settings;
      const wanted = { bitrate, ...(dataBitrate !== undefined && { dataBitrate }) };
      return { ...kept, bus, ...checkedRates(info, bus, settings, wanted) };
    }
    default:
      return settings;
  }
});

export const runningSettings = (wanted: ChannelSettings, link: CanInterface): ChannelSettings => {
  const { bitrate, dataBitrate, timing, termination } = link.settings;
  return {
    ...wanted,
    ...(link.hasController && bitrate !== undefined && { bitrate }),
    ...(link.hasController &&
      wanted.bus === 'canfd' &&
      dataBitrate !== undefined && { dataBitrate }),
    ...(timing && { timing }),
    ...(termination !== undefined && { termination }),
  };
};
