import { CheckField, type Choice, SelectField, TextField } from '../../ui/fields.tsx';
import { shortRate } from './bit-rates.ts';
import { busNames } from './channel-columns.tsx';
import { LinFormatFields } from './lin-format-fields.tsx';
import { busOf, type OpenDraft, type Port } from './open-draft.ts';
import { RateList } from './rate-list.tsx';
import { TimingFields } from './timing-fields.tsx';

interface OpenFieldsProps {
  readonly draft: OpenDraft;
  readonly port: Port;
  readonly ports: readonly Port[];
  readonly problemOf: (field: string) => string | null;
  readonly onChange: (fields: Partial<OpenDraft>, field: string) => void;
}

const portLabel = ({ selector, name, buses }: Port): string =>
  `${selector} · ${name} · ${buses.map((bus) => busNames[bus]).join(', ')}`;

const leftToPort: Choice = { value: '', label: 'as the port likes' };
const choices = (values: readonly string[]): readonly Choice[] => [
  leftToPort,
  ...values.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
];

const rangeHint = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  `${shortRate(min)} to ${shortRate(max)}`;

const switches = [
  { name: 'termination', label: 'Termination' },
  { name: 'pull_up', label: 'Master pull-up' },
  { name: 'power', label: 'Bus supply' },
] as const;

const LinFields = ({ draft, port, problemOf, onChange }: OpenFieldsProps) => (
  <>
    <SelectField
      label="Role"
      value={draft.role}
      choices={choices(port.capabilities.lin_roles)}
      error={problemOf('lin.role')}
      testId="open-lin-role"
      onChange={(role) => onChange({ role }, 'lin.role')}
    />
    <LinFormatFields
      {...{ draft, problemOf, onChange }}
      versions={port.capabilities.lin_versions}
      choicesOf={choices}
    />
  </>
);

const RateFields = ({ draft, port, problemOf, onChange }: OpenFieldsProps) => {
  const { bitrate, data_bitrate } = port.capabilities;
  const bus = busOf(draft, port);
  return (
    <>
      <TextField
        label="Bit rate"
        value={draft.bitrate}
        placeholder={bus === 'lin' ? '19200' : '500k'}
        list={`rates-${bus}`}
        hint={rangeHint(bitrate)}
        error={problemOf('bitrate')}
        testId="open-bitrate"
        onInput={(text) => onChange({ bitrate: text }, 'bitrate')}
      />
      <RateList id={`rates-${bus}`} bus={bus} />
      {bus === 'canfd' && data_bitrate && (
        <>
          <TextField
            label="Data bit rate"
            value={draft.data_bitrate}
            placeholder="2M"
            list="rates-data"
            hint={rangeHint(data_bitrate)}
            error={problemOf('data_bitrate')}
            testId="open-data-bitrate"
            onInput={(text) => onChange({ data_bitrate: text }, 'data_bitrate')}
          />
          <RateList id="rates-data" bus="data" />
        </>
      )}
    </>
  );
};

/** The fields that the chosen port and bus have a use for. */
export const OpenFields = (props: OpenFieldsProps) => {
  const { draft, port, ports, problemOf, onChange } = props;
  const { capabilities } = port;
  const bus = busOf(draft, port);
  const isLin = bus === 'lin';
  const clockHz = capabilities.clock_hz;
  return (
    <div class="fields">
      <SelectField
        label="Port"
        value={port.selector}
        choices={ports.map((each) => ({ value: each.selector, label: portLabel(each) }))}
        error={problemOf('channel')}
        testId="open-port"
        onChange={(channel) => onChange({ channel, bus: '' }, 'channel')}
      />
      <TextField
        label="Name"
        value={draft.name}
        placeholder="none"
        error={problemOf('name')}
        testId="open-name"
        onInput={(name) => onChange({ name }, 'name')}
      />
      <SelectField
        label="Bus"
        value={draft.bus}
        choices={[
          { value: '', label: `best it can do (${busNames[port.buses.at(-1) ?? 'can']})` },
          ...port.buses.map((value) => ({ value, label: busNames[value] })),
        ]}
        error={problemOf('bus')}
        testId="open-bus"
        onChange={(value) => onChange({ bus: value }, 'bus')}
      />
      <SelectField
        label="Mode"
        value={draft.mode}
        choices={choices(capabilities.modes)}
        error={problemOf('mode')}
        testId="open-mode"
        onChange={(mode) => onChange({ mode }, 'mode')}
      />
      {!(draft.usesTiming && !isLin) && <RateFields {...props} />}
      {isLin && <LinFields {...props} />}
      {switches
        .filter(({ name }) => capabilities.settings.includes(name))
        .map(({ name, label }) => (
          <SelectField
            key={name}
            label={label}
            value={draft[name]}
            choices={choices(['on', 'off'])}
            error={problemOf(name)}
            onChange={(value) => onChange({ [name]: value }, name)}
          />
        ))}
      {!isLin && (
        <TextField
          label="Restart after bus off"
          value={draft.restart_ms}
          placeholder="never"
          hint="Milliseconds"
          error={problemOf('restart_ms')}
          testId="open-restart"
          onInput={(restart_ms) => onChange({ restart_ms }, 'restart_ms')}
        />
      )}
      {!isLin && capabilities.settings.includes('timing') && (
        <CheckField
          label="Bit timing instead of rates"
          checked={draft.usesTiming}
          onChange={(usesTiming) => onChange({ usesTiming }, 'timing')}
        />
      )}
      {draft.usesTiming && !isLin && (
        <TimingFields
          legend="Nominal"
          field="timing.nominal"
          draft={draft.nominal}
          clockHz={clockHz}
          problemOf={problemOf}
          onChange={(nominal, field) => onChange({ nominal }, field)}
        />
      )}
      {draft.usesTiming && bus === 'canfd' && (
        <TimingFields
          legend="Data phase"
          field="timing.data"
          draft={draft.data}
          clockHz={clockHz}
          problemOf={problemOf}
          onChange={(data, field) => onChange({ data }, field)}
        />
      )}
    </div>
  );
};
