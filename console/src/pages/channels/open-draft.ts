import type { ChannelOpenRequest, Device } from '../../api/client.ts';
import { numberOf } from '../../forms/number-text.ts';
import { bitRateOf, emptyTiming, type TimingDraft, timingBody } from './timing-draft.ts';

export type Port = Device['ports'][number];
export type Bus = Port['buses'][number];

export interface OpenDraft {
  readonly channel: string;
  readonly name: string;
  readonly bus: string;
  readonly mode: string;
  readonly bitrate: string;
  readonly data_bitrate: string;
  readonly usesTiming: boolean;
  readonly nominal: TimingDraft;
  readonly data: TimingDraft;
  readonly termination: string;
  readonly pull_up: string;
  readonly power: string;
  readonly role: string;
  readonly version: string;
  readonly checksum: string;
  readonly restart_ms: string;
}

export const emptyOpenDraft: OpenDraft = {
  channel: '',
  name: '',
  bus: '',
  mode: '',
  bitrate: '',
  data_bitrate: '',
  usesTiming: false,
  nominal: emptyTiming,
  data: emptyTiming,
  termination: '',
  pull_up: '',
  power: '',
  role: '',
  version: '',
  checksum: '',
  restart_ms: '',
};

export const freePorts = (devices: readonly Device[]): readonly Port[] =>
  devices
    .filter(({ state }) => state === 'present')
    .flatMap(({ ports }) => ports.filter(({ channel }) => channel === null));

export const busOf = ({ bus }: OpenDraft, port: Port): Bus =>
  port.buses.find((each) => each === bus) ?? port.buses.at(-1) ?? 'can';

const textOf = (text: string): string | undefined => text.trim() || undefined;

const switchOf = (text: string): boolean | undefined => (text === '' ? undefined : text === 'on');

const groupOf = <T extends object>(fields: T): T | undefined =>
  Object.values(fields).some((value) => value !== undefined) ? fields : undefined;

export const openBody = (
  draft: OpenDraft,
  port: Port,
): Record<keyof ChannelOpenRequest, unknown> => {
  const bus = busOf(draft, port);
  const isLin = bus === 'lin';
  const isFd = bus === 'canfd';
  const settings = new Set(port.capabilities.settings);
  const usesTiming = draft.usesTiming && !isLin;
  const setting = (name: 'termination' | 'pull_up' | 'power') =>
    settings.has(name) ? switchOf(draft[name]) : undefined;
  return {
    channel: draft.channel,
    name: textOf(draft.name),
    bus: textOf(draft.bus),
    mode: textOf(draft.mode),
    bitrate: usesTiming ? undefined : bitRateOf(draft.bitrate),
    data_bitrate: usesTiming || !isFd ? undefined : bitRateOf(draft.data_bitrate),
    timing: usesTiming
      ? { nominal: timingBody(draft.nominal), ...(isFd ? { data: timingBody(draft.data) } : {}) }
      : undefined,
    termination: setting('termination'),
    pull_up: setting('pull_up'),
    power: setting('power'),
    lin: isLin
      ? groupOf({
          role: textOf(draft.role),
          version: textOf(draft.version),
          checksum: textOf(draft.checksum),
        })
      : undefined,
    restart_ms: isLin ? undefined : numberOf(draft.restart_ms),
  };
};
