import { invalidArgument } from '../base/errors/busbar-error.ts';
import type {
  CanTiming,
  ChannelMode,
  LinSettings,
  OpenSettings,
} from '../drivers/channel-settings.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import { classicChecksumOnly, hasEnhancedChecksum } from '../frame/lin.ts';

type Maybe<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

export type OpenSettingsRequest = Maybe<{
  bus: Bus;
  mode: ChannelMode;
  bitrate: number;
  data_bitrate: number;
  timing: Maybe<CanTiming> & Pick<CanTiming, 'nominal'>;
  termination: boolean;
  pull_up: boolean;
  power: boolean;
  lin: Maybe<LinSettings>;
  restart_ms: number;
}>;

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** Removes undefined fields, which drivers would treat as requested. */
const defined = <Fields extends object>(fields: Fields): Partial<Defined<Fields>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Defined<Fields>
  >;

export const timingOf = ({
  nominal,
  data,
}: Maybe<CanTiming> & { nominal: CanTiming['nominal'] }) =>
  data === undefined ? { nominal } : { nominal, data };

export const checkLinModel = ({ version, checksum }: Maybe<LinSettings>): void => {
  if (version === undefined || hasEnhancedChecksum(version) || checksum !== 'enhanced') return;
  throw invalidArgument('lin.checksum', classicChecksumOnly, { reason: 'lin_version', version });
};

export const openSettings = (request: OpenSettingsRequest): OpenSettings => {
  const { lin, timing } = request;
  if (lin) checkLinModel(lin);
  return defined({
    bus: request.bus,
    mode: request.mode,
    bitrate: request.bitrate,
    dataBitrate: request.data_bitrate,
    timing: timing && timingOf(timing),
    termination: request.termination,
    pullUp: request.pull_up,
    power: request.power,
    lin: lin && defined({ role: lin.role, version: lin.version, checksum: lin.checksum }),
  });
};
