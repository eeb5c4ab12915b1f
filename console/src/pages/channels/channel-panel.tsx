import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import { type Channel, type ChannelStats, call } from '../../api/client.ts';
import { formatCount, formatRate, formatTime } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { shownSeconds } from '../../live/traffic-history.ts';
import { channels, devices } from '../../state/bench.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { freshness } from '../../ui/use-resource.ts';
import { ChannelFacts, CounterFacts, Fact } from './channel-facts.tsx';
import {
  type ChannelReading,
  type ChannelTrends,
  pick,
  pickedOf,
  pickedSelector,
  readings,
  task,
  wantedPort,
} from './channel-readings.ts';
import { ConfigureForm } from './configure-form.tsx';
import { OpenForm } from './open-form.tsx';

type Broker = ChannelStats['broker'];

const consumerNames: Readonly<Record<Broker['consumers'][number]['kind'], string>> = {
  sse: 'Event stream',
  websocket: 'WebSocket',
  recv: 'message recv',
  decode: 'Signal plans',
  forward: 'Forwarding',
  logging: 'Logging',
};

const Consumers = ({ consumers }: Pick<Broker, 'consumers'>) => (
  <table data-testid="consumers">
    <thead>
      <tr>
        <th scope="col">Consumer</th>
        <th scope="col" class="number">
          Next event
        </th>
        <th scope="col" class="number">
          Lag
        </th>
      </tr>
    </thead>
    <tbody>
      {consumers.map(({ kind, cursor, lag }, at) => (
        <tr key={at}>
          <td>{consumerNames[kind] ?? kind}</td>
          <td class="number">{formatCount(cursor)}</td>
          <td class="number">{formatCount(lag)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const BrokerFacts = ({ broker }: { readonly broker: Broker }) => (
  <>
    <dl data-testid="broker">
      <Fact name="Retained" whole>
        {formatCount(broker.retained)} of {formatCount(broker.capacity)}
      </Fact>
      <Fact name="Oldest">
        {broker.oldest_event_id === null ? '–' : formatCount(broker.oldest_event_id)}
      </Fact>
      <Fact name="Newest">
        {broker.newest_event_id === null ? '–' : formatCount(broker.newest_event_id)}
      </Fact>
      <Fact name="Overwritten">{formatCount(broker.overwritten)}</Fact>
      <Fact name="Ring slots">{formatCount(broker.ring_slots)}</Fact>
    </dl>
    {broker.consumers.length === 0 ? (
      <p class="quiet">No client reads this channel now.</p>
    ) : (
      <Consumers consumers={broker.consumers} />
    )}
  </>
);

interface CloseControlProps {
  readonly channel: Channel;
  readonly onDone: () => void;
}

const CloseControl = ({ channel, onDone }: CloseControlProps) => {
  const error = useSignal<ApiError | null>(null);
  const isBusy = useSignal(false);
  const close = async (): Promise<void> => {
    isBusy.value = true;
    try {
      await call('channel.close', { selector: channel.selector });
      void devices.refresh();
      await channels.refresh();
      onDone();
    } catch (thrown) {
      error.value = thrown as ApiError;
    }
    isBusy.value = false;
  };
  return (
    <Notice tone="warn" testId="close-confirmation">
      <p>
        Close <code>{channel.selector}</code>? Its streams, tasks and history end with it.
      </p>
      <p class="actions">
        <button
          type="button"
          class="danger"
          data-testid="close-confirm"
          {...unusableWhile(isBusy.value)}
          onClick={() => void close()}
        >
          Close the channel
        </button>
        <button
          type="button"
          onClick={onDone}
          ref={(button) => {
            // The safe answer is the one that a key pressed by mistake gives.
            if (button && !button.dataset.seen) button.focus();
            if (button) button.dataset.seen = 'yes';
          }}
        >
          Keep it open
        </button>
      </p>
      <ErrorNotice error={error.value} testId="close-error" />
    </Notice>
  );
};

interface LaneProps {
  readonly name: string;
  readonly values: readonly number[];
  readonly format: (value: number) => string;
  readonly top?: number;
}

const Lane = ({ name, values, format, top }: LaneProps) => {
  const seen = values.filter(Number.isFinite);
  const latest = values.at(-1);
  return (
    <div class="lane">
      <p>
        <span class="quiet">{name}</span>
        <strong>{latest === undefined ? '–' : format(latest)}</strong>
        <span class="quiet">{seen.length > 0 && `most ${format(Math.max(...seen))}`}</span>
      </p>
      <Sparkline values={values} capacity={shownSeconds} {...(top === undefined ? {} : { top })} />
    </div>
  );
};

const perSecond = (value: number): string => `${formatRate(value)} /s`;

const percent = (value: number): string => `${value.toFixed(1)} %`;

const Traffic = ({ trends }: { readonly trends: ChannelTrends }) => (
  <section class="traffic" data-testid="traffic">
    <h3>Traffic of the last minute</h3>
    <Lane name="Received" values={trends.rx} format={perSecond} />
    <Lane name="Sent" values={trends.tx} format={perSecond} />
    <Lane name="Bus load" values={trends.load} format={percent} top={100} />
  </section>
);

const restartText = ({ restart_ms }: Channel): string =>
  restart_ms
    ? `The daemon restarts it ${formatCount(restart_ms)} ms after each bus off.`
    : 'It stays bus off until it is recovered.';

/** The latest recovery. It outlives the hint, which is gone until the channel is bus off again. */
const recovery = signal<{ selector: string; state: Channel['state']; at: Date } | null>(null);

const recoveryText = ({ selector }: Channel): string | null => {
  if (recovery.value?.selector !== selector) return null;
  const { state, at } = recovery.value;
  return state === 'bus_off'
    ? 'It is still bus off: the bus is not idle.'
    : `It went bus off again after the recovery at ${formatTime(at)}.`;
};

const BusOffHint = ({ channel }: { readonly channel: Channel }) => {
  const recover = useMemo(
    () =>
      act(async () => {
        const { selector } = channel;
        const { state } = await call('channel.recover', { selector });
        recovery.value = { selector, state, at: new Date() };
        await channels.refresh();
      }),
    [channel.selector],
  );
  const outcome = recoveryText(channel);
  return (
    <Notice tone="bad" testId="bus-off-hint">
      <p>The controller has left the bus after too many errors. {restartText(channel)}</p>
      <p>Find the cause first: bit rate, wiring or termination. History and tasks stay.</p>
      {outcome !== null && <p role="status">{outcome}</p>}
      <p class="actions">
        <button
          type="button"
          data-testid="recover-channel"
          {...unusableWhile(recover.isBusy.value)}
          onClick={() => void recover.run()}
        >
          Recover
        </button>
      </p>
      <ErrorNotice error={recover.error.value} testId="recover-error" />
    </Notice>
  );
};

const StateHint = ({ reading: { channel } }: { readonly reading: ChannelReading }) => {
  if (channel.state === 'bus_off') return <BusOffHint channel={channel} />;
  if (channel.state === 'lost') {
    return (
      <Notice tone="bad" testId="lost-hint">
        <p>The device is gone. Plug it in again: the channel then goes on with its settings.</p>
      </Notice>
    );
  }
  return null;
};

const Details = ({ reading }: { readonly reading: ChannelReading }) => (
  <ScrollArea class="facts">
    <section>
      <h3>Settings</h3>
      <ChannelFacts channel={reading.channel} />
    </section>
    {reading.stats && (
      <>
        <section>
          <h3>Counters</h3>
          <CounterFacts bus={reading.channel.bus} stats={reading.stats} />
        </section>
        <section>
          <h3>Broker</h3>
          <BrokerFacts broker={reading.stats.broker} />
        </section>
        <Traffic trends={reading.trends} />
      </>
    )}
  </ScrollArea>
);

const PickedChannel = ({ reading }: { readonly reading: ChannelReading }) => {
  const { channel } = reading;
  const isClosing = useSignal(false);
  const endClosing = (): void => {
    isClosing.value = false;
  };
  useEffect(endClosing, [channel.selector]);
  // A form never turns into that of another channel because its own was closed.
  const isConfiguring = task.value === 'configure' && pickedSelector.value === channel.selector;
  return (
    <Panel
      title={channel.name ?? channel.selector}
      testId="channel"
      class="channel"
      freshness={freshness(channels)}
      header={
        <>
          {channel.name !== null && <code class="quiet selector">{channel.selector}</code>}
          <span class="grow" />
          <button
            type="button"
            aria-pressed={isConfiguring}
            data-testid="configure-channel"
            onClick={() => {
              pick(channel.selector);
              task.value = isConfiguring ? 'show' : 'configure';
            }}
          >
            Configure
          </button>
          <button
            type="button"
            data-testid="close-channel"
            {...unusableWhile(isClosing.value)}
            onClick={() => {
              isClosing.value = true;
            }}
          >
            Close…
          </button>
        </>
      }
    >
      {isClosing.value && <CloseControl channel={channel} onDone={endClosing} />}
      <StateHint reading={reading} />
      {isConfiguring ? (
        <ConfigureForm key={channel.selector} channel={channel} />
      ) : (
        <Details reading={reading} />
      )}
    </Panel>
  );
};

export const ChannelPanel = () => {
  const picked = pickedOf(readings.value ?? []);
  if (task.value === 'open') return <OpenForm key={wantedPort.value} />;
  if (picked) return <PickedChannel reading={picked} />;
  return (
    <Panel title="Channel" testId="channel" class="channel">
      <p class="empty">Details of a channel stand here once one is open.</p>
    </Panel>
  );
};
