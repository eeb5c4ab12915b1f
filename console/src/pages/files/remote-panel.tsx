import { useSignal } from '@preact/signals';
import { type Channel, call, type RemoteForwarding } from '../../api/client.ts';
import { formatCount, formatInstant, formatMicroseconds } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { ChannelChecks } from './channel-checks.tsx';
import { Figures, WorkError, WorkHeader } from './figures-list.tsx';
import {
  channelColumns,
  namesIn,
  type Peer,
  peerColumns,
  peerFigures,
  reasonsText,
} from './peer-columns.ts';
import { forwarding } from './work-resources.ts';

const isCan = ({ bus }: Channel): boolean => bus !== 'lin';

const form = schemaForm(
  'remote.start',
  { listen: '', peer: '', max_age_ms: '', buffer_us: '', channels: [] as readonly string[] },
  [
    { key: 'listen', label: 'Listen on', testId: 'remote-listen' },
    {
      key: 'peer',
      label: 'Peers',
      class: 'pair',
      placeholder: '192.168.1.20:20000, …',
      testId: 'remote-peers',
      read: namesIn,
    },
    { key: 'max_age_ms', label: 'Age limit', placeholder: 'none', testId: 'remote-max-age' },
    { key: 'buffer_us', label: 'Collect for', testId: 'remote-buffer' },
    {
      key: 'channels',
      label: 'Channels',
      class: 'rest',
      hint: 'Both ways, CAN and CAN FD',
      testId: 'remote-channels',
      render: (control) => <ChannelChecks {...control} suits={isCan} />,
    },
  ],
);

const RemoteForm = () => (
  <FormView
    form={form}
    name="remote"
    submitId="remote-start"
    submitText="Start"
    onSubmit={async () => (await form.submit()) && forwarding.refresh()}
  />
);

const stop = act(async () => {
  await call('remote.stop');
  await forwarding.refresh();
});

const timeOf = (us: number | null): string => (us === null ? '–' : formatInstant(us));

const PeerTable = ({ peers }: { readonly peers: readonly Peer[] }) => {
  const chosen = useSignal<string | null>(null);
  const shown = peers.find(({ peer }) => peer === chosen.value) ?? peers[0];
  return (
    <>
      <div class="small-table">
        <DataTable
          id="remote-peers"
          label="Peers"
          columns={peerColumns}
          rows={peers}
          keyOf={({ peer }) => peer}
          selected={(peer) => peer === shown}
          onSelect={({ peer }) => {
            chosen.value = peer;
          }}
          rowAttributes={({ peer }) => ({ 'data-peer': peer })}
          testId="remote-peers-table"
        />
      </div>
      {shown && (
        <div class="of-row">
          <h3>{shown.peer}</h3>
          <Figures testId="remote-peer" rows={peerFigures(shown)} />
        </div>
      )}
    </>
  );
};

const Report = ({ record }: { readonly record: RemoteForwarding }) => {
  const refused = record.channels
    .map(({ selector, refused: reasons }) => [selector, reasonsText(reasons)] as const)
    .filter(([, text]) => text !== '');
  return (
    <>
      <Figures
        testId="remote-figures"
        lines={[
          ['Listens on', record.listen],
          ...refused.map(([selector, text]) => [`Refused, ${selector}`, text] as const),
        ]}
        rows={[
          ['Started', timeOf(record.started_at_us)],
          ['To peers', formatCount(record.frames_to_peers)],
          ['From peers', formatCount(record.frames_from_peers)],
          ['Expired', formatCount(record.expired)],
          ['Overruns', record.overruns === null ? 'not known' : formatCount(record.overruns)],
          ['Gaps', formatCount(record.gaps)],
          ['Missed in gaps', formatCount(record.missed)],
          ['Strangers', formatCount(record.strangers)],
          ['Send errors', formatCount(record.send_errors)],
          ['Age limit', record.max_age_ms === null ? 'none' : `${record.max_age_ms} ms`],
          ['Collects for', record.buffer_us === null ? '–' : formatMicroseconds(record.buffer_us)],
        ]}
      />
      <div class="small-table">
        <DataTable
          id="remote-channels"
          label="Forwarded channels"
          columns={channelColumns}
          rows={record.channels}
          keyOf={({ selector }) => selector}
          testId="remote-channels-table"
        />
      </div>
      <PeerTable peers={record.peers} />
    </>
  );
};

/** Exchanges frames with other benches over UDP. */
export const RemotePanel = () => {
  const { data, error } = useResource(forwarding, 'files');
  const record = data.value;
  return (
    <Panel
      title="Remote forwarding"
      testId="remote"
      freshness={freshness(forwarding)}
      class="remote"
      header={
        <WorkHeader
          name="remote"
          state={record?.state ?? null}
          isRunning={record?.state === 'running'}
          hint={record?.listen === null ? 'Name a peer, tick channels, and start.' : null}
          stop={stop}
        />
      }
    >
      {record?.state !== 'running' && <RemoteForm />}
      <ErrorNotice error={stop.error.value ?? error.value} testId="remote-status-error" />
      <WorkError error={record?.error ?? null} testId="remote-failure" />
      {record && record.listen !== null && <Report record={record} />}
    </Panel>
  );
};
