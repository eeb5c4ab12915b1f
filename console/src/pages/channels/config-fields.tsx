import type { Channel } from '../../api/schema.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import type { ConfigDraft, ConfigGroup } from './config-draft.ts';
import { LinFormatFields } from './lin-format-fields.tsx';
import type { Port } from './open-draft.ts';
import { RateList } from './rate-list.tsx';
import { TimingFields } from './timing-fields.tsx';

interface ConfigFieldsProps {
  readonly group: ConfigGroup;
  readonly draft: ConfigDraft;
  readonly channel: Channel;
  readonly port: Port | null;
  readonly problemOf: (field: string) => string | null;
  readonly onChange: (fields: Partial<ConfigDraft>, field: string) => void;
}

const asChoices = (values: readonly string[]) =>
  values.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

const RateFields = ({ draft, channel, problemOf, onChange }: ConfigFieldsProps) => (
  <>
    <TextField
      label="Bit rate"
      value={draft.bitrate}
      list="configured-rates"
      error={problemOf('bitrate')}
      testId="configure-bitrate"
      onInput={(bitrate) => onChange({ bitrate }, 'bitrate')}
    />
    <RateList id="configured-rates" bus={channel.bus} />
    {channel.bus === 'canfd' && (
      <>
        <TextField
          label="Data bit rate"
          value={draft.data_bitrate}
          list="configured-data-rates"
          error={problemOf('data_bitrate')}
          onInput={(data_bitrate) => onChange({ data_bitrate }, 'data_bitrate')}
        />
        <RateList id="configured-data-rates" bus="data" />
      </>
    )}
  </>
);

const BothTimings = ({ draft, channel, port, problemOf, onChange }: ConfigFieldsProps) => {
  const clockHz = port?.capabilities.clock_hz ?? null;
  return (
    <>
      <TimingFields
        legend="Nominal"
        field="timing.nominal"
        draft={draft.nominal}
        clockHz={clockHz}
        problemOf={problemOf}
        onChange={(nominal, field) => onChange({ nominal }, field)}
      />
      {channel.bus === 'canfd' && (
        <TimingFields
          legend="Data phase"
          field="timing.data"
          draft={draft.data}
          clockHz={clockHz}
          problemOf={problemOf}
          onChange={(data, field) => onChange({ data }, field)}
        />
      )}
    </>
  );
};

/** The fields of one group of settings. */
export const ConfigFields = (props: ConfigFieldsProps) => {
  const { group, draft, port, channel, problemOf, onChange } = props;
  if (group === 'bitrate') return <RateFields {...props} />;
  if (group === 'timing') return <BothTimings {...props} />;
  if (group === 'lin') {
    const versions = port?.capabilities.lin_versions ?? [draft.version];
    return <LinFormatFields {...{ draft, versions, problemOf, onChange }} choicesOf={asChoices} />;
  }
  if (group === 'restart_ms') {
    return (
      <TextField
        label="Milliseconds"
        value={draft.restart_ms}
        hint="0 leaves the channel bus off"
        error={problemOf('restart_ms')}
        testId="configure-restart"
        onInput={(restart_ms) => onChange({ restart_ms }, 'restart_ms')}
      />
    );
  }
  const values =
    group === 'mode' ? (port?.capabilities.modes ?? [channel.mode]) : (['on', 'off'] as const);
  return (
    <SelectField
      label="To"
      value={draft[group]}
      choices={asChoices(values)}
      error={problemOf(group)}
      testId="configure-value"
      onChange={(value) => onChange({ [group]: value }, group)}
    />
  );
};
