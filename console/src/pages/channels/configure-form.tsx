import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Channel } from '../../api/client.ts';
import { requestForm } from '../../forms/request-form.ts';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { channels, devices } from '../../state/bench.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import {
  type ConfigDraft,
  type ConfigGroup,
  configBody,
  configDraftOf,
  groupFields,
  groupNames,
  groupsOf,
} from './config-draft.ts';
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
const ConfigFields = (props: ConfigFieldsProps) => {
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

const portOf = ({ selector }: Channel): Port | null =>
  devices.data.value?.devices
    .flatMap(({ ports }) => ports)
    .find((port) => port.selector === selector) ?? null;

/** Changes one group of settings at a time, as the hardware does. */
export const ConfigureForm = ({ channel }: { readonly channel: Channel }) => {
  const form = useMemo(() => requestForm('channel.configure'), []);
  const port = portOf(channel);
  const groups = groupsOf(port);
  const chosen = useSignal<ConfigGroup>(groups[0] ?? 'mode');
  const draft = useSignal<ConfigDraft>(configDraftOf(channel));
  const applied = useSignal<ConfigGroup | null>(null);
  /** What the channel answered to the last change. */
  const isStillOff = useSignal(false);
  const group = chosen.value;

  const change = (fields: Partial<ConfigDraft>, field: string): void => {
    draft.value = { ...draft.peek(), ...fields };
    applied.value = null;
    form.touch(field);
  };
  const choose = (name: string): void => {
    chosen.value = name as ConfigGroup;
    applied.value = null;
    form.clear();
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const changed = await form.submit({
      body: configBody(group, draft.peek(), channel),
      visible: groupFields[group],
      params: { selector: channel.selector },
    });
    if (!changed) return;
    applied.value = group;
    isStillOff.value = changed.state === 'bus_off';
    draft.value = configDraftOf(changed);
    void channels.refresh();
  };
  return (
    <form class="scroll" data-testid="configure-form" onSubmit={(event) => void submit(event)}>
      <div class="fields">
        <SelectField
          label="Settings to change"
          value={group}
          choices={groups.map((name) => ({ value: name, label: groupNames[name] }))}
          testId="configure-group"
          onChange={choose}
        />
        <ConfigFields
          group={group}
          draft={draft.value}
          channel={channel}
          port={port}
          problemOf={form.problemOf}
          onChange={change}
        />
      </div>
      <ErrorNotice error={form.error.value} testId="configure-error" />
      {applied.value && (
        <Notice tone={isStillOff.value ? 'warn' : 'good'} testId="configure-done">
          <p>
            {groupNames[applied.value]} applied.
            {isStillOff.value && ' The channel is still bus off.'}
          </p>
        </Notice>
      )}
      <p class="actions">
        <SubmitButton form={form} testId="configure-submit">
          Apply
        </SubmitButton>
        {group !== 'restart_ms' && (
          <span class="quiet">Traffic on the channel pauses while it is reconfigured.</span>
        )}
      </p>
    </form>
  );
};
