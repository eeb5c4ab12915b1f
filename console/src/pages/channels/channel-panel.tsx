import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type BitTiming, type Channel, type ChannelStats, call } from '../../api/client.ts';
import {
  formatBitrate,
  formatCount,
  formatInstant,
  formatRate,
  formatTime,
} from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { shownSeconds } from '../../live/traffic-history.ts';
import { channels, devices } from '../../state/bench.ts';
import { Facts } from '../../ui/facts.tsx';
import { unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { setting } from '../../ui/set-signal.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { freshness } from '../../ui/use-resource.ts';
import { ChannelDatabases } from './channel-databases.tsx';
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

const onOff = (on: boolean): string => (on ? 'on' : 'off');

const timingText = ({ prescaler, tseg1, tseg2, sjw }: BitTiming): string => {
  const samplePoint = ((1 + tseg1) / (1 + tseg1 + tseg2)) * 100;
  return `BRP ${prescaler}, TSEG1 ${tseg1}, TSEG2 ${tseg2}, SJW ${sjw}, SP ${samplePoint.toFixed(1)} %`;
};

const ChannelFacts = ({ channel }: { readonly channel: Channel }) => {
  const { data_bitrate, termination, pull_up, power, lin, restart_ms, timing } = channel;
  return (
    <Facts
      of={[
        ['Slot', channel.slot],
        ['Driver', channel.driver],
        ['Bit rate', formatBitrate(channel.bitrate)],
        data_bitrate !== null && ['Data rate', formatBitrate(data_bitrate)],
        termination !== null && ['Termination', onOff(termination)],
        pull_up !== null && ['Pull-up', onOff(pull_up)],
        power !== null && ['Bus supply', onOff(power)],
        lin && ['LIN', `${lin.role}, ${lin.version}`],
        lin && ['Checksum', lin.checksum],
        restart_ms !== null && [
          'Auto-restart',
          restart_ms === 0 ? 'off' : `${formatCount(restart_ms)} ms`,
        ],
        ['Opened', formatInstant(channel.opened_at_us)],
        timing && ['Bit timing', timingText(timing.nominal), { whole: true }],
        timing?.data && ['Data timing', timingText(timing.data), { whole: true }],
        ['UID', <code>{channel.uid_selector}</code>, { whole: true }],
      ]}
    />
  );
};

interface CounterFactsProps extends Pick<Channel, 'bus'> {
  readonly stats: ChannelStats;
}

const counter = (name: string, count: number, isError = false) =>
  [name, formatCount(count), { alarm: isError && count > 0 }] as const;

const CounterFacts = ({ bus, stats }: CounterFactsProps) => {
  const { tx_error_count: tec, rx_error_count: rec } = stats;
  return (
    <Facts
      testId="channel-counters"
      of={[
        counter('RX frames', stats.rx_frames),
        counter('TX frames', stats.tx_frames),
        counter('TX failed', stats.tx_failed, true),
        counter('TX queued', stats.tx_pending),
        counter('Error frames', stats.error_frames, true),
        counter('Overruns', stats.overruns, true),
        bus !== 'lin' && ['TEC / REC', `${tec} / ${rec}`, { alarm: tec + rec > 0 }],
        counter('Disconnects', stats.times_lost, true),
      ]}
    />
  );
};

type Broker = ChannelStats['broker'];

const consumerNames: Readonly<Record<Broker['consumers'][number]['kind'], string>> = {
  sse: 'SSE stream',
  websocket: 'WebSocket',
  recv: 'message recv',
  decode: 'Signal plans',
  forward: 'Forwarding',
  logging: 'Logging',
  check: 'Checks',
};

const BrokerFacts = ({ broker }: { readonly broker: Broker }) => {
  const { oldest_event_id: oldest, newest_event_id: newest } = broker;
  return (
    <>
      <Facts
        testId="broker"
        of={[
          [
            'Retained',
            `${formatCount(broker.retained)} of ${formatCount(broker.capacity)} events`,
            { whole: true },
          ],
          ['Oldest ID', oldest === null ? '–' : formatCount(oldest)],
          ['Newest ID', newest === null ? '–' : formatCount(newest)],
          ['Overwritten', formatCount(broker.overwritten)],
          ['Ring slots', formatCount(broker.ring_slots)],
        ]}
      />
      {broker.consumers.length === 0 ? (
        <p class="quiet">No consumers.</p>
      ) : (
        <PlainTable
          testId="consumers"
          rows={broker.consumers}
          keyOf={(_, index) => index}
          columns={[
            ['Consumer', ({ kind }) => consumerNames[kind] ?? kind],
            ['Cursor', ({ cursor }) => formatCount(cursor), 'number'],
            ['Lag', ({ lag }) => formatCount(lag), 'number'],
          ]}
        />
      )}
    </>
  );
};

interface CloseControlProps {
  readonly channel: Channel;
  readonly onDone: () => void;
}

const CloseControl = ({ channel, onDone }: CloseControlProps) => {
  const close = useMemo(
    () =>
      act(async () => {
        await call('channel.close', { selector: channel.selector });
        void devices.refresh();
        await channels.refresh();
        onDone();
      }),
    [channel.selector],
  );
  return (
    <Notice tone="warn" testId="close-confirmation">
      <p>
        Close <code>{channel.selector}</code>? This ends its streams and TX tasks and deletes its
        history.
      </p>
      <p class="actions">
        <button
          type="button"
          class="danger"
          data-testid="close-confirm"
          {...unusableWhile(close.isBusy.value)}
          onClick={() => void close.run()}
        >
          Close channel
        </button>
        <button
          type="button"
          onClick={onDone}
          ref={(button) => {
            // The safe button is focused, in case a key is pressed by mistake.
            if (button && !button.dataset.seen) button.focus();
            if (button) button.dataset.seen = 'yes';
          }}
        >
          Cancel
        </button>
      </p>
      <ErrorNotice error={close.error.value} testId="close-error" />
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
        <span class="quiet">{seen.length > 0 && `peak ${format(Math.max(...seen))}`}</span>
      </p>
      <Sparkline values={values} capacity={shownSeconds} {...(top === undefined ? {} : { top })} />
    </div>
  );
};

const perSecond = (value: number): string => `${formatRate(value)} frames/s`;

const percent = (value: number): string => `${value.toFixed(1)} %`;

const Traffic = ({ trends }: { readonly trends: ChannelTrends }) => (
  <section class="traffic" data-testid="traffic">
    <h3>Traffic, last minute</h3>
    <Lane name="RX rate" values={trends.rx} format={perSecond} />
    <Lane name="TX rate" values={trends.tx} format={perSecond} />
    <Lane name="Bus load" values={trends.load} format={percent} top={100} />
  </section>
);

const restartText = ({ restart_ms }: Channel): string =>
  restart_ms
    ? `The daemon restarts the channel ${formatCount(restart_ms)} ms after each bus-off.`
    : 'The channel stays bus off until it is recovered.';

/** The latest recovery, until the channel is bus-off again. */
const recovery = signal<{ selector: string; state: Channel['state']; at: Date } | null>(null);

const recoveryText = ({ selector }: Channel): string | null => {
  if (recovery.value?.selector !== selector) return null;
  const { state, at } = recovery.value;
  return state === 'bus_off'
    ? 'The channel is still bus off: the bus is not idle.'
    : `The channel went bus off again after the recovery at ${formatTime(at)}.`;
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
      <p>The controller went bus off after too many errors. {restartText(channel)}</p>
      <p>Check bit rate, wiring and termination first. Recovery keeps history and TX tasks.</p>
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
        <p>Device disconnected. The channel resumes with its settings after reconnection.</p>
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
    <ChannelDatabases channel={reading.channel} />
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
  const endClosing = setting(isClosing, false);
  useEffect(endClosing, [channel.selector]);
  // Closing a channel must not turn its form into that of another one.
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
            onClick={setting(isClosing, true)}
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
      <p class="empty">Open a channel to see its details.</p>
    </Panel>
  );
};
