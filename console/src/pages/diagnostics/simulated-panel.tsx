import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Answer, call } from '../../api/client.ts';
import { act } from '../../forms/act.ts';
import { sources } from '../../forms/bench-sources.ts';
import { sourceProblems } from '../../forms/channel-selectors.ts';
import { ChannelField, FileField } from '../../forms/controls.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { isServed } from '../../state/connection.ts';
import { jsonFiles } from '../../state/project-files.ts';
import { resource } from '../../state/resource.ts';
import { useInterval } from '../../state/use-interval.ts';
import { actionColumn } from '../../ui/action-column.tsx';
import { ToggleButton } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { links, securityText, sessionText } from './diagnostics-state.ts';

type SimulatedEcu = Answer<'ecu.list'>['simulated_ecus'][number];

const simulated = resource(() => call('ecu.list'));

const stop = act(async (ecu_id: string) => {
  await call('ecu.stop', { ecu_id });
  await simulated.refresh();
});

const form = schemaForm(
  'ecu.serve',
  { file: '', channel: '', ecu: '', request_id: '', response_id: '', functional_id: '' },
  [
    {
      key: 'file',
      label: 'ECU file',
      class: 'pair',
      placeholder: 'engine.json',
      testId: 'serve-file',
      render: (control) => <FileField {...control} files={jsonFiles} />,
    },
    {
      key: 'channel',
      label: 'Channel',
      class: 'pair',
      testId: 'serve-channel',
      render: (control) => <ChannelField {...control} sources={sources.value} />,
    },
    {
      key: 'ecu',
      label: 'Identifiers of',
      none: 'own',
      choices: () =>
        (links.data.value?.links ?? []).filter(({ in_bench }) => in_bench).map(({ ecu }) => ecu),
      testId: 'serve-ecu',
    },
    ...(['request_id', 'response_id', 'functional_id'] as const).map((key, at) => ({
      key,
      label: ['Request ID', 'Response ID', 'Functional ID'][at] ?? '',
      placeholder: ['7E0', '7E8', '7DF'][at] ?? '',
      isShown: ({ ecu }: { readonly ecu: string }) => ecu === '',
      testId: `serve-${key.replace('_', '-')}`,
    })),
  ],
);

const columns: readonly Column<SimulatedEcu>[] = [
  column('id', 'ID', 64, ({ ecu_id }) => ecu_id, { spare: 1 }),
  column('ecu', 'ECU', 80, ({ ecu, file }) => ecu ?? file, { least: 64, grows: true }),
  column('channel', 'Channel', 96, ({ channel }) => channel, { least: 72, grows: true }),
  column('session', 'Session', 120, ({ session }) => sessionText(session), { spare: 0 }),
  column('security', 'Security', 68, ({ security_level }) => securityText(security_level), {
    spare: 2,
  }),
  numbers('requests', 'Requests', 72, ({ counters }) => counters.requests),
  numbers('negative', 'Negative', 72, ({ counters }) => counters.negative, { spare: 3 }),
  actionColumn('stop', 64, {
    title: 'Stop',
    nameOf: ({ ecu, ecu_id }) => ecu ?? ecu_id,
    run: ({ ecu_id }) => stop.run(ecu_id),
  }),
];

const pollMs = 1000;

export const SimulatedPanel = () => {
  const { data } = useResource(simulated);
  const isServing = useSignal(false);
  // The stream of states does not report simulated ECUs.
  const beat = useSignal(0);
  useInterval('diagnostics', beat, pollMs);
  useEffect(() => {
    if (beat.value > 0 && isServed.peek()) void simulated.refresh();
  }, [beat.value]);
  return (
    <ListPanel<SimulatedEcu>
      name="simulated-ecus"
      title="Simulated ECUs"
      class="simulated"
      source={simulated}
      error={stop.error.value}
      columns={columns}
      rows={data.value?.simulated_ecus ?? []}
      keyOf={({ ecu_id }) => ecu_id}
      rowAttributes={({ ecu_id }) => ({ 'data-simulated': ecu_id })}
      actions={
        <ToggleButton isOn={isServing} testId="serve-open">
          Simulate ECU…
        </ToggleButton>
      }
      empty="None. A file describes an ECU that answers on a channel of the bench."
    >
      {isServing.value && (
        <FormView
          form={form}
          name="serve"
          submitId="serve-submit"
          submitText="Start"
          onSubmit={async () => {
            const { channel } = form.draft.peek();
            const problems = sourceProblems('channel', channel, sources.value);
            if (!(await form.submit({ problems }))) return;
            isServing.value = false;
            await simulated.refresh();
          }}
        />
      )}
    </ListPanel>
  );
};
