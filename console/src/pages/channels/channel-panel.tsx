import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { call } from '../../api/client.ts';
import type { Channel } from '../../api/schema.ts';
import { formatCount, formatTime } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { channels } from '../../state/bench.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { unusableWhile } from '../../ui/unusable.ts';
import { freshness } from '../../ui/use-resource.ts';
import { BrokerFacts } from './broker-facts.tsx';
import { ChannelFacts, CounterFacts } from './channel-facts.tsx';
import { type ChannelReading, readings } from './channel-readings.ts';
import { pick, pickedOf, pickedSelector, task, wantedPort } from './channels-state.ts';
import { CloseControl } from './close-control.tsx';
import { ConfigureForm } from './configure-form.tsx';
import { OpenForm } from './open-form.tsx';
import { Traffic } from './traffic.tsx';

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

/** Says why nothing can be sent, and brings the channel back. */
const BusOffHint = ({ channel }: { readonly channel: Channel }) => {
  const recover = useMemo(
    () =>
      act(async () => {
        const { selector } = channel;
        const { state } = await call('channel.recover', { params: { selector } });
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

/** The channel that is picked: what it is, how it fares, and what can be done with it. */
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
