import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Channel } from '../../api/client.ts';
import { requestForm } from '../../forms/request-form.ts';
import { SchemaFields, SubmitButton } from '../../forms/schema-fields.tsx';
import { channels, devices } from '../../state/bench.ts';
import { SelectField } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { configLayout } from './channel-layout.tsx';
import {
  type ConfigDraft,
  type ConfigGroup,
  configBody,
  configDraftOf,
  groupNames,
  groupsOf,
} from './config-draft.ts';
import type { Port } from './open-draft.ts';

const portOf = ({ selector }: Channel): Port | null =>
  devices.data.value?.devices
    .flatMap(({ ports }) => ports)
    .find((port) => port.selector === selector) ?? null;

/** Changes one group of settings at a time: the hardware cannot change several. */
export const ConfigureForm = ({ channel }: { readonly channel: Channel }) => {
  const form = useMemo(() => requestForm('channel.configure'), []);
  const port = portOf(channel);
  const groups = groupsOf(port);
  const chosen = useSignal<ConfigGroup>(groups[0] ?? 'mode');
  const draft = useSignal<ConfigDraft>(configDraftOf(channel));
  const applied = useSignal<ConfigGroup | null>(null);
  const isStillOff = useSignal(false);
  const group = chosen.value;

  const layout = configLayout(group, channel, port);
  const change = (part: Partial<ConfigDraft>): void => {
    draft.value = { ...draft.peek(), ...part };
    applied.value = null;
    for (const { key, field = key } of layout) if (key in part) form.touch(field);
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
      visible: layout.map(({ key, field = key }) => field),
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
          label="Setting"
          value={group}
          choices={groups.map((name) => ({ value: name, label: groupNames[name] }))}
          testId="configure-group"
          onChange={choose}
        />
        <SchemaFields form={{ ...form, id: 'channel.configure', draft, layout, change }} />
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
          <span class="quiet">Applying settings briefly interrupts traffic.</span>
        )}
      </p>
    </form>
  );
};
