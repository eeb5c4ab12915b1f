import type { Job } from '../../api/client.ts';
import { formatInstant } from '../../format/figures.ts';
import { durationText } from '../../forms/job-facts.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { devices, jobs } from '../../state/bench.ts';
import { ListPanel } from '../../ui/list-panel.tsx';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { jobOutcome } from './job-result.ts';

const columns: readonly Column<Job>[] = [
  states('state', 'State', 108, ({ state }) => state),
  column('kind', 'Job', 116, ({ kind }) => kind.replaceAll('_', ' '), { spare: 3 }),
  column('target', 'Device', 88, ({ target }) => target),
  column('outcome', 'Result', 336, jobOutcome, { least: 240, grows: true }),
  column('created', 'Queued', 108, (job) => formatInstant(job.created_at_us), { spare: 2 }),
  column('took', 'Duration', 76, durationText, { align: 'end' }),
];

const firstDevice = (): string => devices.data.value?.devices[0]?.sn ?? '';

const form = schemaForm('device.firmware-check', { selector: '' }, [
  {
    key: 'selector',
    label: 'Device',
    class: 'rest',
    choices: () =>
      (devices.data.value?.devices ?? []).map(({ sn, name, firmware_version }) => ({
        value: sn,
        label: `${sn} · ${name} ${firmware_version}`,
      })),
    shown: ({ selector }) => selector || firstDevice(),
    testId: 'firmware-device',
  },
]);

const check = async (): Promise<void> => {
  if (!devices.data.peek()) await devices.refresh();
  const selector = form.draft.peek().selector || firstDevice();
  const problems = selector === '' ? [{ field: 'selector', message: 'No device found' }] : [];
  const job = await form.submit({ body: {}, params: { selector }, problems });
  if (job) await jobs.refresh();
};

export const JobsPanel = () => {
  useResource(devices);
  const { data } = useResource(jobs, 'files');
  return (
    <ListPanel<Job>
      name="jobs"
      title="Firmware and jobs"
      label="Jobs"
      class="jobs"
      source={jobs}
      columns={columns}
      rows={data.value?.jobs ?? []}
      keyOf={({ job_id }) => job_id}
      rowAttributes={({ job_id, state }) => ({ 'data-job': job_id, 'data-state': state })}
      empty="No jobs yet. A firmware check compares a device with the firmware index of the bench."
    >
      <FormView
        form={form}
        name="firmware"
        submitId="firmware-check"
        submitText="Check firmware"
        isOneLine
        onSubmit={check}
      />
    </ListPanel>
  );
};
