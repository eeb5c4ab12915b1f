import { BusbarError } from '../../base/errors/busbar-error.ts';
import { checkTiming, timingBitrate } from '../../frame/bit-timing.ts';
import type { BitTiming } from '../../frame/bit-timing-record.ts';
import type { CanKind } from '../../frame/frm2-layout.ts';
import { fdTimingsFor, timingFor } from '../../frame/timing-search.ts';
import type {
  CanTiming,
  ChannelSettings,
  OpenSettings,
  SettingChange,
} from '../channel-settings.ts';
import type { PortInfo } from '../driver.ts';
import { changedLin, defaultLinBitrate, openedLin } from '../lin/lin-settings.ts';
import { unsupportedByHardware } from '../refusals.ts';
import {
  checkAskedGroups,
  checkedBus,
  checkedChanges,
  checkMode,
  checkRange,
  defaultBitrate,
  defaultDataBitrate,
  noDataPhase,
  restartsController,
} from '../setting-checks.ts';
import { defaultLinRole } from './virtual-ports.ts';

type Rates = Pick<ChannelSettings, 'bitrate' | 'dataBitrate' | 'timing'>;

const dividedFromClock = <T>(search: () => T): T => {
  try {
    return search();
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    throw unsupportedByHardware(String(details.field), message, { reason: 'no_timing' });
  }
};

const classicRates = (bitrate: number, timing?: BitTiming): Rates => ({
  bitrate,
  timing: { nominal: timing ?? dividedFromClock(() => timingFor('nominal', bitrate)) },
});

const ratesFromTiming = (info: PortInfo, timing: CanTiming, dataBitrate?: number): Rates => {
  const { capabilities } = info;
  checkTiming('nominal', timing.nominal);
  const bitrate = timingBitrate(timing.nominal, capabilities.clockHz);
  checkRange('timing.nominal', bitrate, capabilities.bitrate);
  if (dataBitrate === undefined) {
    if (timing.data) throw noDataPhase('timing.data');
    return classicRates(bitrate, timing.nominal);
  }
  const data = timing.data ?? dividedFromClock(() => timingFor('data', dataBitrate));
  checkTiming('data', data);
  const dataRate = timingBitrate(data, capabilities.clockHz);
  if (capabilities.dataBitrate) checkRange('timing.data', dataRate, capabilities.dataBitrate);
  return { bitrate, dataBitrate: dataRate, timing: { nominal: timing.nominal, data } };
};

const ratesFromBitrates = (info: PortInfo, bitrate: number, dataBitrate?: number): Rates => {
  const { capabilities } = info;
  checkRange('bitrate', bitrate, capabilities.bitrate);
  if (dataBitrate === undefined) return classicRates(bitrate);
  if (capabilities.dataBitrate) checkRange('data_bitrate', dataBitrate, capabilities.dataBitrate);
  const timing = dividedFromClock(() => fdTimingsFor(bitrate, dataBitrate));
  return { bitrate, dataBitrate, timing };
};

const canSettings = (info: PortInfo, bus: CanKind, asked: OpenSettings): ChannelSettings => {
  if (bus === 'can' && asked.dataBitrate !== undefined) throw noDataPhase('data_bitrate');
  const dataBitrate = bus === 'canfd' ? (asked.dataBitrate ?? defaultDataBitrate) : undefined;
  const rates = asked.timing
    ? ratesFromTiming(info, asked.timing, dataBitrate)
    : ratesFromBitrates(info, asked.bitrate ?? defaultBitrate, dataBitrate);
  const { mode = 'normal', termination = true } = asked;
  return { bus, mode, ...rates, termination };
};

const linSettings = (info: PortInfo, asked: OpenSettings): ChannelSettings => {
  const { mode = 'normal', bitrate = defaultLinBitrate, power = true } = asked;
  checkRange('bitrate', bitrate, info.capabilities.bitrate);
  if (asked.dataBitrate !== undefined) throw noDataPhase('data_bitrate');
  const lin = openedLin(asked.lin, defaultLinRole(info.port));
  const { pullUp = lin.role === 'master' } = asked;
  return { bus: 'lin', mode, bitrate, pullUp, power, lin };
};

export const openedSettings = (info: PortInfo, asked: OpenSettings): ChannelSettings => {
  const bus = checkedBus(info, asked.bus);
  checkAskedGroups(info, asked);
  checkMode(info, asked.mode ?? 'normal');
  return bus === 'lin' ? linSettings(info, asked) : canSettings(info, bus, asked);
};

/** Omitted parts of a timing stay unchanged. */
const completed = ({ nominal, data }: CanTiming, { timing }: ChannelSettings): CanTiming => {
  const kept = data ?? timing?.data;
  return kept ? { nominal, data: kept } : { nominal };
};

export const changedSettings = checkedChanges((info, settings, change) => {
  switch (change.group) {
    case 'termination':
      return { ...settings, termination: change.termination };
    case 'pull_up':
      return { ...settings, pullUp: change.pullUp };
    case 'power':
      return { ...settings, power: change.power };
    case 'lin':
      return settings.lin ? { ...settings, lin: changedLin(settings.lin, change) } : settings;
    case 'timing':
      return {
        ...settings,
        ...ratesFromTiming(info, completed(change, settings), settings.dataBitrate),
      };
    case 'bitrate': {
      const { bitrate, dataBitrate = settings.dataBitrate } = change;
      if (bitrate === settings.bitrate && dataBitrate === settings.dataBitrate) return settings;
      if (dataBitrate !== undefined && settings.dataBitrate === undefined) {
        throw noDataPhase('data_bitrate');
      }
      if (settings.bus !== 'lin') {
        return { ...settings, ...ratesFromBitrates(info, bitrate, dataBitrate) };
      }
      checkRange('bitrate', bitrate, info.capabilities.bitrate);
      return { ...settings, bitrate };
    }
  }
});

export const interruptsBus = (change: SettingChange): boolean =>
  restartsController(change.group) || change.group === 'power';
