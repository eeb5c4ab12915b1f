import { timingFields } from '../../../../src/frame/bit-timing.ts';
import type { Channel } from '../../api/client.ts';
import { formatBitrate } from '../../format/figures.ts';
import { busNames } from '../../forms/channel-selectors.ts';
import type { Control, FieldLayout } from '../../forms/schema-form.ts';
import { TextField } from '../../ui/fields.tsx';
import type { ConfigDraft, ConfigGroup } from './config-draft.ts';
import { type Bus, busOf, type OpenDraft, type Port } from './open-draft.ts';
import { shortRate, type TimingDraft, timingResult } from './timing-draft.ts';

const commonRates = {
  can: ['125k', '250k', '500k', '800k', '1M'],
  canfd: ['250k', '500k', '1M'],
  data: ['1M', '2M', '4M', '5M', '8M'],
  lin: ['9600', '10400', '19200'],
} as const;

const timingNames: Readonly<Record<keyof TimingDraft, string>> = {
  prescaler: 'Prescaler',
  tseg1: 'TSEG1',
  tseg2: 'TSEG2',
  sjw: 'SJW',
};

const timing =
  (field: string, clockHz: number | null) =>
  ({ label, value: draft, onChange, problemOf }: Control<TimingDraft>) => {
    const result = timingResult(draft, clockHz);
    return (
      <fieldset class="timing">
        <legend>
          {label}{' '}
          <span class="quiet">
            {result &&
              `${formatBitrate(Math.round(result.bitrate))}, sample point ${(result.samplePoint * 100).toFixed(1)} %`}
          </span>
        </legend>
        {timingFields.map((name) => (
          <TextField
            key={name}
            label={timingNames[name]}
            value={draft[name]}
            error={problemOf(`${field}.${name}`)}
            onInput={(text) => onChange({ ...draft, [name]: text })}
          />
        ))}
      </fieldset>
    );
  };

type Shared = Pick<ConfigDraft, keyof ConfigDraft & keyof OpenDraft>;

const timingLayout = (isFd: boolean, clockHz: number | null): readonly FieldLayout<Shared>[] =>
  (['nominal', 'data'] as const).slice(0, isFd ? 2 : 1).map((key) => ({
    key,
    field: `timing.${key}`,
    label: key === 'data' ? 'Data phase' : 'Nominal',
    render: timing(`timing.${key}`, clockHz),
  }));

const rangeHint = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  `${shortRate(min)} to ${shortRate(max)}`;

const portDefault = { none: 'Port default' };

const portLabel = ({ selector, name, buses }: Port): string =>
  `${selector} · ${name} · ${buses.map((bus) => busNames[bus]).join(', ')}`;

export const openLayout = (
  port: Port,
  ports: readonly Port[],
): readonly FieldLayout<OpenDraft>[] => {
  const { modes, settings, bitrate, data_bitrate, clock_hz, ...capabilities } = port.capabilities;
  const isOn =
    (...buses: readonly Bus[]) =>
    (draft: OpenDraft) =>
      buses.includes(busOf(draft, port));
  const isLin = isOn('lin');
  const usesTiming = (draft: OpenDraft): boolean => draft.usesTiming && !isLin(draft);
  const lin = (key: 'role' | 'version' | 'checksum', label: string, choices?: readonly string[]) =>
    ({
      ...{ key, field: `lin.${key}`, label, isShown: isLin, testId: `open-lin-${key}` },
      ...{ ...portDefault, ...(choices ? { choices } : {}) },
    }) as const;
  const switches = [
    ['termination', 'Termination'],
    ['pull_up', 'Master pull-up'],
    ['power', 'Bus supply'],
  ] as const;
  return [
    {
      key: 'channel',
      label: 'Port',
      choices: ports.map((each) => ({ value: each.selector, label: portLabel(each) })),
      change: (channel) => ({ channel, bus: '' }),
      testId: 'open-port',
    },
    { key: 'name', label: 'Name', placeholder: 'Optional', testId: 'open-name' },
    {
      key: 'bus',
      label: 'Bus',
      none: `Auto (${busNames[port.buses.at(-1) ?? 'can']})`,
      choices: port.buses.map((value) => ({ value, label: busNames[value] })),
      testId: 'open-bus',
    },
    { key: 'mode', label: 'Mode', choices: modes, testId: 'open-mode', ...portDefault },
    {
      key: 'bitrate',
      label: 'Bit rate',
      placeholder: (draft) => (isLin(draft) ? '19200' : '500k'),
      hint: rangeHint(bitrate),
      suggestions: (draft) => commonRates[busOf(draft, port)],
      isShown: (draft) => !usesTiming(draft),
      testId: 'open-bitrate',
    },
    {
      key: 'data_bitrate',
      label: 'Data bit rate',
      placeholder: '2M',
      ...(data_bitrate ? { hint: rangeHint(data_bitrate) } : {}),
      suggestions: commonRates.data,
      isShown: (draft) => !usesTiming(draft) && isOn('canfd')(draft) && data_bitrate !== null,
      testId: 'open-data-bitrate',
    },
    lin('role', 'Role', capabilities.lin_roles),
    lin('version', 'LIN version', capabilities.lin_versions),
    lin('checksum', 'Checksum'),
    ...switches
      .filter(([key]) => settings.includes(key))
      .map(([key, label]) => ({ key, label, choices: ['on', 'off'], ...portDefault })),
    {
      key: 'restart_ms',
      label: 'Restart after bus-off',
      placeholder: 'Off',
      isShown: (draft) => !isLin(draft),
      testId: 'open-restart',
    },
    {
      key: 'usesTiming',
      field: 'timing',
      label: 'Set bit timing',
      isShown: (draft) => !isLin(draft) && settings.includes('timing'),
    },
    ...timingLayout(true, clock_hz).map((layout) => ({
      ...(layout as FieldLayout<OpenDraft>),
      isShown: (draft: OpenDraft) =>
        usesTiming(draft) && (layout.key === 'nominal' || isOn('canfd')(draft)),
    })),
  ];
};

export const configLayout = (
  group: ConfigGroup,
  { bus, mode, lin }: Channel,
  port: Port | null,
): readonly FieldLayout<ConfigDraft>[] => {
  const capabilities = port?.capabilities;
  const isFd = bus === 'canfd';
  const switched = {
    label: 'New value',
    choices: ['on', 'off'],
    testId: 'configure-value',
  } as const;
  const layouts: Readonly<Record<ConfigGroup, readonly FieldLayout<ConfigDraft>[]>> = {
    bitrate: [
      {
        key: 'bitrate',
        label: 'Bit rate',
        suggestions: commonRates[bus],
        testId: 'configure-bitrate',
      },
      {
        key: 'data_bitrate',
        label: 'Data bit rate',
        suggestions: commonRates.data,
        isShown: () => isFd,
      },
    ],
    timing: timingLayout(
      isFd,
      capabilities?.clock_hz ?? null,
    ) as readonly FieldLayout<ConfigDraft>[],
    mode: [{ key: 'mode', ...switched, choices: capabilities?.modes ?? [mode] }],
    termination: [{ key: 'termination', ...switched }],
    pull_up: [{ key: 'pull_up', ...switched }],
    power: [{ key: 'power', ...switched }],
    lin: [
      {
        key: 'version',
        field: 'lin.version',
        label: 'LIN version',
        choices: capabilities?.lin_versions ?? [lin?.version ?? ''],
      },
      { key: 'checksum', field: 'lin.checksum', label: 'Checksum' },
    ],
    restart_ms: [
      {
        key: 'restart_ms',
        label: 'Restart after',
        hint: '0 = no automatic restart',
        testId: 'configure-restart',
      },
    ],
  };
  return layouts[group];
};
