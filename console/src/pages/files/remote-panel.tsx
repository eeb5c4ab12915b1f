import { useSignal } from '@preact/signals';
import type { Channel, RemoteForwarding } from '../../api/client.ts';
import { formatCount, formatInstant, formatMicroseconds } from '../../format/figures.ts';
import { ChannelChecks } from '../../forms/channel-checks.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { setter } from '../../ui/set-signal.ts';
import {
  channelColumns,
  namesIn,
  type Peer,
  peerColumns,
  peerFigures,
  reasonsText,
} from './peer-columns.ts';
import { Figures, WorkPanel } from './work-panel.tsx';
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
    { key: 'max_age_ms', label: 'Age limit', placeholder: 'No limit', testId: 'remote-max-age' },
    { key: 'buffer_us', label: 'Batch window', testId: 'remote-buffer' },
    {
      key: 'channels',
      label: 'Channels',
      class: 'rest',
      hint: 'Bidirectional; CAN and CAN FD only',
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

const timeOf = (us: number | null): string => (us === null ? '–' : formatInstant(us));

const PeerTable = ({ peers }: { readonly peers: readonly Peer[] }) => {
  const chosen = useSignal<string | null>(null);
  const choose = setter(chosen);
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
          onSelect={({ peer }) => choose(peer)}
          rowAttributes={({ peer }) => ({ 'data-peer': peer })}
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
          ['Listening on', record.listen],
          ...refused.map(([selector, text]) => [`Rejected, ${selector}`, text] as const),
        ]}
        rows={[
          ['Started', timeOf(record.started_at_us)],
          ['Frames to peers', formatCount(record.frames_to_peers)],
          ['Frames from peers', formatCount(record.frames_from_peers)],
          ['Expired', formatCount(record.expired)],
          ['Overruns', record.overruns === null ? 'unknown' : formatCount(record.overruns)],
          ['Gaps', formatCount(record.gaps)],
          ['Missed in gaps', formatCount(record.missed)],
          ['Unknown senders', formatCount(record.strangers)],
          ['Send errors', formatCount(record.send_errors)],
          ['Age limit', record.max_age_ms === null ? 'none' : `${record.max_age_ms} ms`],
          ['Batch window', record.buffer_us === null ? '–' : formatMicroseconds(record.buffer_us)],
        ]}
      />
      <div class="small-table">
        <DataTable
          id="remote-channels"
          label="Forwarded channels"
          columns={channelColumns}
          rows={record.channels}
          keyOf={({ selector }) => selector}
        />
      </div>
      <PeerTable peers={record.peers} />
    </>
  );
};

export const RemotePanel = () => (
  <WorkPanel
    name="remote"
    title="Remote forwarding"
    source={forwarding}
    stop="remote.stop"
    wasStarted={({ listen }) => listen !== null}
    hint="Enter a peer, select channels and press Start."
    form={<RemoteForm />}
  >
    {(record) => <Report record={record} />}
  </WorkPanel>
);
