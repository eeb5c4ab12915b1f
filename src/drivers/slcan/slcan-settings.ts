import { isDeepStrictEqual } from 'node:util';
import type { CanKind } from '../../frame/frm2-layout.ts';
import type {
  CanTiming,
  ChannelMode,
  ChannelSettings,
  OpenSettings,
  SettingChange,
} from '../channel-settings.ts';
import type { PortInfo } from '../driver.ts';
import {
  checkAskedGroups,
  checkedBus,
  checkGroup,
  checkMode,
  defaultBitrate,
  defaultDataBitrate,
  noDataPhase,
} from '../setting-checks.ts';
import { type Rate, rateOfBitrate, rateOfTiming, rateRange } from './rate-commands.ts';
import type { SlcanProfile } from './slcan-profile.ts';

export const txQueueLength = 512;

export interface SlcanSettings {
  readonly settings: ChannelSettings;
  readonly commands: readonly string[];
}

export const slcanPort = (profile: SlcanProfile): PortInfo => ({
  port: 0,
  name: profile.fd ? 'CAN FD' : 'CAN',
  buses: profile.fd ? ['can', 'canfd'] : ['can'],
  capabilities: {
    // Without responses, listen-only cannot be verified.
    modes: profile.acknowledges ? ['normal', 'listen_only'] : ['normal'],
    settings: [
      ...(profile.timing ? (['timing'] as const) : []),
      ...(profile.acknowledges ? (['mode'] as const) : []),
      'bitrate',
    ],
    bitrate: rateRange(profile, 'nominal'),
    ...(profile.fd && { dataBitrate: rateRange(profile, 'data') }),
    ...(profile.timing && { clockHz: profile.timing.clockHz }),
    txQueue: txQueueLength,
  },
});

interface SettingsRequest {
  readonly bus: CanKind;
  readonly mode: ChannelMode;
  readonly bitrate: number;
  readonly dataBitrate: number | undefined;
  readonly timing: Partial<CanTiming> | undefined;
}

const nominalOf = (profile: SlcanProfile, { timing, bitrate }: SettingsRequest): Rate =>
  timing?.nominal
    ? rateOfTiming(profile, 'nominal', timing.nominal)
    : rateOfBitrate(profile, 'nominal', bitrate);

const dataOf = (profile: SlcanProfile, { timing, dataBitrate }: SettingsRequest): Rate =>
  timing?.data
    ? rateOfTiming(profile, 'data', timing.data)
    : rateOfBitrate(profile, 'data', dataBitrate ?? defaultDataBitrate);

const settingsFor = (profile: SlcanProfile, request: SettingsRequest): SlcanSettings => {
  const { bus, mode } = request;
  if (bus === 'can' && request.timing?.data) throw noDataPhase('timing.data');
  if (bus === 'can' && request.dataBitrate !== undefined) throw noDataPhase('data_bitrate');
  const nominal = nominalOf(profile, request);
  const data = bus === 'canfd' ? dataOf(profile, request) : undefined;
  const timing = nominal.timing && {
    nominal: nominal.timing,
    ...(data?.timing && { data: data.timing }),
  };
  return {
    settings: {
      bus,
      mode,
      bitrate: nominal.bitrate,
      ...(data && { dataBitrate: data.bitrate }),
      ...(timing && { timing }),
    },
    commands: [nominal.command, ...(data ? [data.command] : []), mode === 'normal' ? 'O' : 'L'],
  };
};

export const openedSettings = (profile: SlcanProfile, asked: OpenSettings): SlcanSettings => {
  const info = slcanPort(profile);
  const bus = checkedBus(info, asked.bus, (other) =>
    other === 'canfd' ? ': its firmware supports classic CAN only' : '',
  ) as CanKind;
  checkAskedGroups(info, asked);
  const { mode = 'normal', bitrate = defaultBitrate, dataBitrate, timing } = asked;
  checkMode(info, mode);
  return settingsFor(profile, { bus, mode, bitrate, dataBitrate, timing });
};

const requestAfter = (settings: ChannelSettings, change: SettingChange): SettingsRequest => {
  const { mode, bitrate, dataBitrate, timing } = settings;
  const bus = settings.bus === 'canfd' ? 'canfd' : 'can';
  const request = { bus, mode, bitrate, dataBitrate, timing } as const;
  switch (change.group) {
    case 'mode':
      return { ...request, mode: change.mode };
    case 'timing':
      return { ...request, timing: { nominal: change.nominal, ...dataTiming(change, timing) } };
    case 'bitrate':
      return {
        ...request,
        bitrate: change.bitrate,
        dataBitrate: change.dataBitrate ?? dataBitrate,
        timing: undefined,
      };
    default:
      return request;
  }
};

/** Omitted parts of a timing stay unchanged. */
const dataTiming = (change: Partial<CanTiming>, kept: CanTiming | undefined) => {
  const data = change.data ?? kept?.data;
  return data && { data };
};

/** Settings after a change; undefined if nothing changes. */
export const changedSettings = (
  profile: SlcanProfile,
  settings: ChannelSettings,
  change: SettingChange,
): SlcanSettings | undefined => {
  const info = slcanPort(profile);
  checkGroup(info, change.group);
  if (change.group === 'mode') checkMode(info, change.mode);
  if (change.group === 'bitrate') {
    const { bitrate, dataBitrate = settings.dataBitrate } = change;
    if (bitrate === settings.bitrate && dataBitrate === settings.dataBitrate) return undefined;
  }
  const next = settingsFor(profile, requestAfter(settings, change));
  return isDeepStrictEqual(next.settings, settings) ? undefined : next;
};
