import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { requestForm } from '../../forms/request-form.ts';
import { SchemaFields, SubmitButton } from '../../forms/schema-fields.tsx';
import { channels, devices } from '../../state/bench.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { setting } from '../../ui/set-signal.ts';
import { openLayout } from './channel-layout.tsx';
import { pick, task, wantedPort } from './channel-readings.ts';
import { emptyOpenDraft, freePorts, type OpenDraft, openBody } from './open-draft.ts';

export const OpenForm = () => {
  const form = useMemo(() => requestForm('channel.open'), []);
  const draft = useSignal<OpenDraft>({ ...emptyOpenDraft, channel: wantedPort.peek() });
  const free = useComputed(() => freePorts(devices.data.value?.devices ?? []));
  const ports = free.value;
  const { channel: chosen } = draft.value;
  const port = ports.find(({ selector }) => selector === chosen);
  // The first free port is chosen once: the form must not switch ports automatically.
  useSignalEffect(() => {
    const [first] = free.value;
    if (draft.value.channel !== '' || !first) return;
    draft.value = { ...draft.peek(), channel: first.selector };
  });

  const layout = port ? openLayout(port, ports) : [];
  const change = (part: Partial<OpenDraft>): void => {
    draft.value = { ...draft.peek(), ...part };
    for (const { key, field = key } of layout) if (key in part) form.touch(field);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!port) return;
    const body = openBody(draft.peek(), port);
    const visible = layout.map(({ key, field = key }) => field);
    const channel = await form.submit({ body, visible });
    if (!channel) return;
    pick(channel.selector);
    void devices.refresh();
    void channels.refresh();
  };
  return (
    <Panel
      title="Open channel"
      testId="open-form"
      class="channel"
      actions={
        <button type="button" onClick={setting(task, 'show')}>
          Cancel
        </button>
      }
    >
      {port ? (
        <form class="scroll" onSubmit={(event) => void submit(event)}>
          <div class="fields">
            <SchemaFields form={{ ...form, id: 'channel.open', draft, layout, change }} />
          </div>
          <ErrorNotice error={form.error.value} testId="open-error" />
          <p class="actions">
            <SubmitButton form={form} testId="open-submit">
              Open {port.selector}
            </SubmitButton>
            <span class="quiet">Empty fields use port defaults.</span>
          </p>
        </form>
      ) : ports.length > 0 ? (
        <div class="empty">
          <p>{chosen} is no longer available.</p>
          <button type="button" onClick={() => change({ channel: '' })}>
            Choose another port
          </button>
        </div>
      ) : (
        <div class="empty">
          <ErrorNotice error={devices.error.value} />
          <p>All available ports are already open.</p>
          <p>
            Close a channel or add a device to <code>busbar.bench.json</code>.
          </p>
        </div>
      )}
    </Panel>
  );
};
