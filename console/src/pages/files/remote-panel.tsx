import { useSignal } from '@preact/signals';
import { type Channel, call, type RemoteForwarding } from '../../api/client.ts';
import { formatCount, formatInstant, formatMicroseconds } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { fieldSchema } from '../../forms/contract.ts';
import { numberOf } from '../../forms/number-text.ts';
import { requestForm } from '../../forms/request-form.ts';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { openApi } from '../../state/bench.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { ChannelChecks } from './channel-checks.tsx';
import { Figures, WorkError } from './figures-list.tsx';
import { namesIn } from './name-list.ts';
import {
  channelColumns,
  type ForwardedChannel,
  type Peer,
  peerColumns,
  peerFigures,
} from './peer-columns.ts';
import { reasonsText } from './reasons-text.ts';
import { WorkHeader } from './work-header.tsx';
import { forwarding } from './work-resources.ts';

const form = requestForm('remote.start');

const visible = ['listen', 'peer', 'channels', 'max_age_ms', 'buffer_us'];

const empty = { listen: '', peers: '', maxAge: '', buffer: '' };

const isCan = ({ bus }: Channel): boolean => bus !== 'lin';

const defaultOf = (field: string): string =>
  String(fieldSchema(openApi.data.value, 'remote.start', field)?.default ?? '');

/** With whom frames are exchanged, and of which channels. */
const RemoteForm = () => {
  const draft = useSignal(empty);
  const channels = useSignal<readonly string[]>([]);
  const change = (part: Partial<typeof empty>, field: string): void => {
    draft.value = { ...draft.value, ...part };
    form.touch(field);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { listen, peers, maxAge, buffer } = draft.value;
    const started = await form.submit({
      body: {
        ...(listen.trim() === '' ? {} : { listen: listen.trim() }),
        peer: namesIn(peers),
        channels: channels.value,
        max_age_ms: numberOf(maxAge),
        buffer_us: numberOf(buffer),
      },
      visible,
    });
    if (started) await forwarding.refresh();
  };
  const { listen, peers, maxAge, buffer } = draft.value;
  return (
    <form class="line-form" noValidate onSubmit={submit} data-testid="remote-form">
      <div class="fields">
        <TextField
          label="Listen on"
          value={listen}
          onInput={(text) => change({ listen: text }, 'listen')}
          error={form.problemOf('listen')}
          placeholder={defaultOf('listen')}
          testId="remote-listen"
        />
        <div class="pair">
          <TextField
            label="Peers"
            value={peers}
            onInput={(text) => change({ peers: text }, 'peer')}
            error={form.problemOf('peer')}
            placeholder="192.168.1.20:20000, …"
            testId="remote-peers"
          />
        </div>
        <TextField
          label="Age limit (ms)"
          value={maxAge}
          onInput={(text) => change({ maxAge: text }, 'max_age_ms')}
          error={form.problemOf('max_age_ms')}
          placeholder="none"
          testId="remote-max-age"
        />
        <TextField
          label="Collect for (µs)"
          value={buffer}
          onInput={(text) => change({ buffer: text }, 'buffer_us')}
          error={form.problemOf('buffer_us')}
          placeholder={defaultOf('buffer_us')}
          testId="remote-buffer"
        />
        <div class="rest">
          <ChannelChecks
            label="Channels"
            chosen={channels.value}
            suits={isCan}
            onChange={(chosen) => {
              channels.value = chosen;
              form.touch('channels');
            }}
            hint="Both ways, CAN and CAN FD"
            error={form.problemOf('channels')}
            testId="remote-channels"
          />
        </div>
      </div>
      <div class="actions">
        <SubmitButton form={form} testId="remote-start">
          Start
        </SubmitButton>
      </div>
      <ErrorNotice error={form.error.value} testId="remote-error" />
    </form>
  );
};

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
          count={peers.length}
          rowAt={(index) => peers[index] as Peer}
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
          count={record.channels.length}
          rowAt={(index) => record.channels[index] as ForwardedChannel}
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
