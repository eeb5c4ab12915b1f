import { call } from '../../api/client.ts';
import type { RemoteForwarding } from '../../api/schema.ts';
import { formatCount, formatInstant } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { Figures, WorkError } from './figures-list.tsx';
import { RemoteForm } from './remote-form.tsx';
import { WorkHeader } from './work-header.tsx';
import { forwarding, pollWhileShown } from './work-resources.ts';

type Peer = RemoteForwarding['peers'][number];

const stop = act(async () => {
  await call('remote.stop');
  await forwarding.refresh();
});

const counter = (id: string, title: string, count: (peer: Peer) => number): Column<Peer> => ({
  id,
  title,
  width: 88,
  align: 'end',
  text: (peer) => formatCount(count(peer)),
});

const malformed = ({ malformed: flaws }: Peer): number =>
  flaws.version + flaws.opcode + flaws.truncated + flaws.count;

const columns: readonly Column<Peer>[] = [
  { id: 'peer', title: 'Peer', width: 144, text: ({ peer }) => peer },
  counter('out', 'Sent', ({ frames_sent }) => frames_sent),
  counter('in', 'Received', ({ frames_received }) => frames_received),
  counter('lost', 'Lost', ({ lost_datagrams }) => lost_datagrams),
  counter('reordered', 'Reordered', ({ reordered }) => reordered),
  counter('duplicates', 'Duplicates', ({ duplicates }) => duplicates),
  counter('malformed', 'Malformed', malformed),
  counter('invalid', 'Invalid', ({ invalid_frames }) => invalid_frames),
  {
    id: 'heard',
    title: 'Last heard',
    width: 96,
    text: ({ last_received_at_us: us }) => (us === null ? 'never' : formatInstant(us)),
  },
];

const channelText = (channel: RemoteForwarding['channels'][number]): string =>
  `${channel.selector}${channel.open ? '' : ' (closed)'} ${formatCount(channel.sent)}`;

const Report = ({ record }: { readonly record: RemoteForwarding }) => (
  <>
    <Figures
      testId="remote-figures"
      rows={[
        ['Listens on', record.listen],
        ['To peers', formatCount(record.frames_to_peers)],
        ['From peers', formatCount(record.frames_from_peers)],
        ['Expired', formatCount(record.expired)],
        ['Gaps', `${formatCount(record.gaps)} (${formatCount(record.missed)} missed)`],
        ['Strangers', formatCount(record.strangers)],
        ['Send errors', formatCount(record.send_errors)],
        ['Age limit', record.max_age_ms === null ? 'none' : `${record.max_age_ms} ms`],
      ]}
      lines={[['Sent on', record.channels.map(channelText).join(', ')]]}
    />
    <div class="small-table">
      <DataTable
        id="remote-peers"
        label="Peers"
        columns={columns}
        count={record.peers.length}
        rowAt={(index) => record.peers[index] as Peer}
        keyOf={({ peer }) => peer}
        testId="remote-peers-table"
      />
    </div>
  </>
);

/** Exchanges frames with other benches over UDP. */
export const RemotePanel = () => {
  const { data, error } = useResource(forwarding, pollWhileShown(1000));
  const record = data.value;
  return (
    <Panel
      title="Remote forwarding"
      testId="remote"
      header={
        <WorkHeader
          name="remote"
          state={record?.state ?? null}
          isRunning={record?.state === 'running'}
          stop={stop}
        />
      }
    >
      {record?.state !== 'running' && <RemoteForm />}
      <ErrorNotice error={stop.error.value ?? error.value} testId="remote-status-error" />
      <WorkError error={record?.error ?? null} testId="remote-failure" />
      {record && record.listen !== null ? (
        <Report record={record} />
      ) : (
        <p class="empty">Nothing is forwarded. Name a peer, tick channels and start.</p>
      )}
    </Panel>
  );
};
