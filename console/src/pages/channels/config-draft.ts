import type { Channel } from '../../api/client.ts';
import { numberOf } from '../../forms/number-text.ts';
import type { Port } from './open-draft.ts';
import {
  bitRateOf,
  shortRate,
  type TimingDraft,
  timingBody,
  timingDraftOf,
} from './timing-draft.ts';

export type ConfigGroup = Port['capabilities']['settings'][number];

export const groupNames: Readonly<Record<ConfigGroup, string>> = {
  bitrate: 'Bit rate',
  timing: 'Bit timing',
  mode: 'Mode',
  termination: 'Termination',
  lin: 'LIN protocol',
  pull_up: 'Pull-up',
  power: 'Bus supply',
  restart_ms: 'Restart after bus-off',
};

export interface ConfigDraft {
  readonly bitrate: string;
  readonly data_bitrate: string;
  readonly nominal: TimingDraft;
  readonly data: TimingDraft;
  readonly mode: string;
  readonly termination: string;
  readonly pull_up: string;
  readonly power: string;
  readonly version: string;
  readonly checksum: string;
  readonly restart_ms: string;
}

const switchText = (on: boolean | null): string => (on ? 'on' : 'off');

export const groupsOf = (port: Port | null): readonly ConfigGroup[] =>
  (Object.keys(groupNames) as readonly ConfigGroup[]).filter(
    (group) => !port || port.capabilities.settings.includes(group),
  );

export const configDraftOf = (channel: Channel): ConfigDraft => ({
  bitrate: shortRate(channel.bitrate),
  data_bitrate: channel.data_bitrate === null ? '' : shortRate(channel.data_bitrate),
  nominal: timingDraftOf(channel.timing?.nominal),
  data: timingDraftOf(channel.timing?.data),
  mode: channel.mode,
  termination: switchText(channel.termination),
  pull_up: switchText(channel.pull_up),
  power: switchText(channel.power),
  version: channel.lin?.version ?? '',
  checksum: channel.lin?.checksum ?? '',
  restart_ms: String(channel.restart_ms ?? ''),
});

const isFd = ({ bus }: Channel): boolean => bus === 'canfd';

const bodies: Readonly<
  Record<ConfigGroup, (draft: ConfigDraft, channel: Channel) => Record<string, unknown>>
> = {
  bitrate: (draft, channel) => ({
    bitrate: bitRateOf(draft.bitrate),
    ...(isFd(channel) ? { data_bitrate: bitRateOf(draft.data_bitrate) } : {}),
  }),
  timing: ({ nominal, data }, channel) => ({
    timing: { nominal: timingBody(nominal), ...(isFd(channel) ? { data: timingBody(data) } : {}) },
  }),
  mode: ({ mode }) => ({ mode }),
  termination: ({ termination }) => ({ termination: termination === 'on' }),
  lin: ({ version, checksum }) => ({ lin: { version, checksum } }),
  pull_up: ({ pull_up }) => ({ pull_up: pull_up === 'on' }),
  power: ({ power }) => ({ power: power === 'on' }),
  restart_ms: ({ restart_ms }) => ({ restart_ms: numberOf(restart_ms) }),
};

export const configBody = (
  group: ConfigGroup,
  draft: ConfigDraft,
  channel: Channel,
): Record<string, unknown> => bodies[group](draft, channel);
