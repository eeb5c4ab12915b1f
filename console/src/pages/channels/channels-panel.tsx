import { channels } from '../../state/bench.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { freshness } from '../../ui/use-resource.ts';
import { channelColumns } from './channel-columns.tsx';
import { type ChannelReading, readings } from './channel-readings.ts';
import { openPort, pick, pickedOf } from './channels-state.ts';

const Empty = () => (
  <p class="actions">
    No channel is open.
    <button type="button" onClick={() => openPort()}>
      Open a channel
    </button>
    <span>
      or run <code>busbar channel open SIM00001/0</code>
    </span>
  </p>
);

/** Every open channel with its figures; the one that is picked has its details below. */
export const ChannelsPanel = () => {
  const rows = readings.value ?? [];
  const picked = pickedOf(rows);
  return (
    <Panel
      title="Channels"
      class="channels"
      testId="channels"
      freshness={freshness(channels)}
      header={
        <>
          <span class="quiet" data-testid="channel-count">
            {readings.value && `${rows.length} open`}
          </span>
          <span class="grow" />
          <button type="button" data-testid="open-channel" onClick={() => openPort()}>
            Open a channel
          </button>
        </>
      }
    >
      <ErrorNotice error={channels.error.value} testId="channels-error" />
      <DataTable<ChannelReading>
        id="channels"
        label="Channels"
        testId="channel-table"
        columns={channelColumns}
        count={rows.length}
        rowAt={(index) => rows[index] as ChannelReading}
        keyOf={({ channel }) => channel.selector}
        selected={(row) => row === picked}
        onSelect={({ channel }) => pick(channel.selector)}
        rowAttributes={({ channel }) => ({ 'data-channel': channel.selector })}
        empty={
          readings.value === null ? 'They are shown as soon as the service answers.' : <Empty />
        }
      />
    </Panel>
  );
};
