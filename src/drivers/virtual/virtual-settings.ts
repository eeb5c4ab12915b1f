import { isDeepStrictEqual } from 'node:util';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { checkTiming, type Range, timingBitrate } from '../../frame/bit-timing.ts';
import type { BitTiming } from '../../frame/bit-timing-record.ts';
import type { CanKind } from '../../frame/frm2-layout.ts';
import { hasEnhancedChecksum, type LinVersion } from '../../frame/lin.ts';
import { fdTimingsFor, timingFor } from '../../frame/timing-search.ts';
import type {
  CanTiming,
  ChannelMode,
  ChannelSettings,
  OpenSettings,
  SettingChange,
  SettingGroup,
} from '../channel-settings.ts';
import type { PortInfo } from '../driver.ts';
import { unsupportedByHardware } from '../refusals.ts';
import { defaultLinRole } from './virtual-ports.ts';

const defaultBitrate = 500_000;
const defaultDataBitrate = 2_000_000;
const defaultLinBitrate = 19_200;

type Rates = Pick<ChannelSettings, 'bitrate' | 'dataBitrate' | 'timing'>;

const checksumOf = (version: LinVersion) => (hasEnhancedChecksum(version) ? 'enhanced' : 'classic');

/** The groups that a request to open touches. */
const groupsOf = (asked: OpenSettings): SettingGroup[] => {
  const groups: [SettingGroup, unknown][] = [
    ['timing', asked.timing],
    ['lin', asked.lin],
    ['termination', asked.termination],
    ['pull_up', asked.pullUp],
    ['power', asked.power],
  ];
  return groups.filter(([, value]) => value !== undefined).map(([group]) => group);
};

const checkGroup = (info: PortInfo, group: SettingGroup): void => {
  if (info.capabilities.settings.includes(group)) return;
  throw unsupportedByHardware(group, `Port ${info.port} (${info.name}) has no setting ${group}`);
};

const checkMode = (info: PortInfo, mode: ChannelMode): void => {
  const { modes } = info.capabilities;
  if (modes.includes(mode)) return;
  throw unsupportedByHardware('mode', `Port ${info.port} has no mode ${mode}`, { allowed: modes });
};

const checkRate = (setting: string, rate: number, range: Range): void => {
  if (rate >= range.min && rate <= range.max) return;
  throw unsupportedByHardware(setting, `${setting} must be from ${range.min} to ${range.max}`, {
    min: range.min,
    max: range.max,
  });
};

const noDataPhase = (setting: string): Error =>
  unsupportedByHardware(setting, 'Only a canfd channel has a data phase');

/** A rate that the clock of the port cannot be divided to is beyond the hardware. */
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
  checkRate('timing.nominal', bitrate, capabilities.bitrate);
  if (dataBitrate === undefined) {
    if (timing.data) throw noDataPhase('timing.data');
    return classicRates(bitrate, timing.nominal);
  }
  const data = timing.data ?? dividedFromClock(() => timingFor('data', dataBitrate));
  checkTiming('data', data);
  const dataRate = timingBitrate(data, capabilities.clockHz);
  if (capabilities.dataBitrate) checkRate('timing.data', dataRate, capabilities.dataBitrate);
  return { bitrate, dataBitrate: dataRate, timing: { nominal: timing.nominal, data } };
};

const ratesFromBitrates = (info: PortInfo, bitrate: number, dataBitrate?: number): Rates => {
  const { capabilities } = info;
  checkRate('bitrate', bitrate, capabilities.bitrate);
  if (dataBitrate === undefined) return classicRates(bitrate);
  if (capabilities.dataBitrate) checkRate('data_bitrate', dataBitrate, capabilities.dataBitrate);
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
  checkRate('bitrate', bitrate, info.capabilities.bitrate);
  if (asked.dataBitrate !== undefined) throw noDataPhase('data_bitrate');
  const { role = defaultLinRole(info.port), version = '2.2' } = asked.lin ?? {};
  const lin = { role, version, checksum: asked.lin?.checksum ?? checksumOf(version) };
  return { bus: 'lin', mode, bitrate, pullUp: asked.pullUp ?? role === 'master', power, lin };
};

/** How a port runs that is opened with these settings. */
export const openedSettings = (info: PortInfo, asked: OpenSettings): ChannelSettings => {
  const bus = asked.bus ?? info.buses.at(-1);
  if (bus === undefined || !info.buses.includes(bus)) {
    throw unsupportedByHardware('bus', `Port ${info.port} cannot be opened as ${bus}`, {
      allowed: info.buses,
    });
  }
  for (const group of groupsOf(asked)) checkGroup(info, group);
  checkMode(info, asked.mode ?? 'normal');
  return bus === 'lin' ? linSettings(info, asked) : canSettings(info, bus, asked);
};

/** What a change of the timing leaves out stays as it is. */
const completed = ({ nominal, data }: CanTiming, { timing }: ChannelSettings): CanTiming => {
  const kept = data ?? timing?.data;
  return kept ? { nominal, data: kept } : { nominal };
};

const changed = (
  info: PortInfo,
  settings: ChannelSettings,
  change: SettingChange,
): ChannelSettings => {
  switch (change.group) {
    case 'mode':
      checkMode(info, change.mode);
      return { ...settings, mode: change.mode };
    case 'termination':
      return { ...settings, termination: change.termination };
    case 'pull_up':
      return { ...settings, pullUp: change.pullUp };
    case 'power':
      return { ...settings, power: change.power };
    case 'lin': {
      if (!settings.lin) return settings;
      const version = change.version ?? settings.lin.version;
      const kept = version === settings.lin.version ? settings.lin.checksum : checksumOf(version);
      return {
        ...settings,
        lin: { ...settings.lin, version, checksum: change.checksum ?? kept },
      };
    }
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
      checkRate('bitrate', bitrate, info.capabilities.bitrate);
      return { ...settings, bitrate };
    }
  }
};

/** The settings after a change; the very same object if that changes nothing. */
export const changedSettings = (
  info: PortInfo,
  settings: ChannelSettings,
  change: SettingChange,
): ChannelSettings => {
  checkGroup(info, change.group);
  const next = changed(info, settings, change);
  return isDeepStrictEqual(next, settings) ? settings : next;
};

/** Whether a node has to leave the bus for a change: all but what the wiring or a default is. */
export const interruptsBus = (change: SettingChange): boolean =>
  change.group === 'mode' ||
  change.group === 'bitrate' ||
  change.group === 'timing' ||
  change.group === 'power';
