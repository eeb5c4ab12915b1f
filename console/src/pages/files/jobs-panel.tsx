import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { call, type Job } from '../../api/client.ts';
import { formatInstant, formatMicroseconds } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { devices, jobs } from '../../state/bench.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { SelectField, unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { jobDurationUs, jobOutcome } from './job-result.ts';

const durationText = (job: Job): string => {
  const us = jobDurationUs(job);
  return us === null ? '' : formatMicroseconds(us);
};

const columns: readonly Column<Job>[] = [
  {
    id: 'state',
    title: 'State',
    width: 108,
    text: ({ state }) => state,
    render: ({ state }) => <StateMark state={state} />,
  },
  { id: 'kind', title: 'Job', width: 116, spare: 3, text: ({ kind }) => kind.replaceAll('_', ' ') },
  { id: 'target', title: 'On', width: 88, text: ({ target }) => target },
  { id: 'outcome', title: 'Result', width: 336, least: 240, grows: true, text: jobOutcome },
  {
    id: 'created',
    title: 'Queued',
    width: 108,
    spare: 2,
    text: (job) => formatInstant(job.created_at_us),
  },
  { id: 'took', title: 'Took', width: 76, align: 'end', text: durationText },
];

const FirmwareForm = () => {
  const { data } = useResource(devices);
  const chosen = useSignal('');
  const list = data.value?.devices ?? [];
  const selector = useComputed(() => chosen.value || (data.value?.devices[0]?.sn ?? ''));
  const check = useMemo(
    () =>
      act(async () => {
        await call('device.firmware-check', { selector: selector.peek() });
        await jobs.refresh();
      }),
    [],
  );
  const submit = (event: Event): void => {
    event.preventDefault();
    void check.run();
  };
  return (
    <form class="line-form" noValidate onSubmit={submit} data-testid="firmware-form">
      <div class="fields">
        <div class="rest">
          <SelectField
            label="Firmware of"
            value={selector.value}
            choices={list.map(({ sn, name, firmware_version }) => ({
              value: sn,
              label: `${sn} · ${name} ${firmware_version}`,
            }))}
            onChange={(sn) => {
              chosen.value = sn;
            }}
            testId="firmware-device"
          />
        </div>
        <div class="actions below-label">
          <button
            type="submit"
            {...unusableWhile(selector.value === '' || check.isBusy.value)}
            data-testid="firmware-check"
          >
            Check
          </button>
        </div>
      </div>
      <ErrorNotice error={check.error.value} testId="firmware-error" />
    </form>
  );
};

/** Work that goes on by itself, and what it found. */
export const JobsPanel = () => {
  const { data, error } = useResource(jobs, 'files');
  const list = data.value?.jobs ?? [];
  return (
    <Panel
      title="Firmware and jobs"
      testId="jobs"
      freshness={freshness(jobs)}
      class="jobs"
      header={<span class="aside">{list.length}</span>}
    >
      <FirmwareForm />
      <ErrorNotice error={error.value} testId="jobs-error" />
      <DataTable
        id="jobs"
        label="Jobs"
        columns={columns}
        rows={list}
        keyOf={({ job_id }) => job_id}
        rowAttributes={({ job_id, state }) => ({ 'data-job': job_id, 'data-state': state })}
        empty="No jobs yet. Check the firmware of a device; the bench names the index to compare with."
        testId="jobs-table"
      />
    </Panel>
  );
};
