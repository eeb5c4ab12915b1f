import type { ComponentChildren } from 'preact';
import type { BitTiming, Channel, ChannelStats } from '../../api/client.ts';
import { formatBitrate, formatCount, formatInstant } from '../../format/figures.ts';

interface FactProps {
  readonly name: string;
  /** Takes the whole width of the list. */
  readonly whole?: boolean;
  /** Something that should not be. */
  readonly alarm?: boolean;
  readonly children: ComponentChildren;
}

/** A name and what is so about it, in a list of these. */
export const Fact = ({ name, whole = false, alarm = false, children }: FactProps) => (
  <>
    <dt>{name}</dt>
    <dd class={whole ? 'whole' : ''} data-tone={alarm ? 'warn' : undefined}>
      {alarm && <span aria-hidden="true">▲ </span>}
      {children}
    </dd>
  </>
);

const onOff = (on: boolean): string => (on ? 'on' : 'off');

const timingText = ({ prescaler, tseg1, tseg2, sjw }: BitTiming): string => {
  const samplePoint = ((1 + tseg1) / (1 + tseg1 + tseg2)) * 100;
  return `${prescaler} · ${tseg1} + ${tseg2}, sjw ${sjw}, sampled at ${samplePoint.toFixed(1)} %`;
};

/** How a channel was opened. */
export const ChannelFacts = ({ channel }: { readonly channel: Channel }) => (
  <dl>
    <Fact name="Slot">{channel.slot}</Fact>
    <Fact name="Driver">{channel.driver}</Fact>
    <Fact name="Bit rate">{formatBitrate(channel.bitrate)}</Fact>
    {channel.data_bitrate !== null && (
      <Fact name="Data rate">{formatBitrate(channel.data_bitrate)}</Fact>
    )}
    {channel.termination !== null && <Fact name="Termination">{onOff(channel.termination)}</Fact>}
    {channel.pull_up !== null && <Fact name="Pull-up">{onOff(channel.pull_up)}</Fact>}
    {channel.power !== null && <Fact name="Bus supply">{onOff(channel.power)}</Fact>}
    {channel.lin && (
      <>
        <Fact name="LIN">
          {channel.lin.role}, {channel.lin.version}
        </Fact>
        <Fact name="Checksum">{channel.lin.checksum}</Fact>
      </>
    )}
    {channel.restart_ms !== null && (
      <Fact name="Bus-off restart">
        {channel.restart_ms === 0 ? 'off' : `${formatCount(channel.restart_ms)} ms`}
      </Fact>
    )}
    <Fact name="Opened">{formatInstant(channel.opened_at_us)}</Fact>
    {channel.timing && (
      <Fact name="Timing" whole>
        {timingText(channel.timing.nominal)}
      </Fact>
    )}
    {channel.timing?.data && (
      <Fact name="Data timing" whole>
        {timingText(channel.timing.data)}
      </Fact>
    )}
    <Fact name="UID" whole>
      <code>{channel.uid_selector}</code>
    </Fact>
  </dl>
);

interface CounterFactsProps extends Pick<Channel, 'bus'> {
  readonly stats: ChannelStats;
}

/** What a channel has counted since it was opened. */
export const CounterFacts = ({ bus, stats }: CounterFactsProps) => (
  <dl data-testid="channel-counters">
    <Fact name="Received">{formatCount(stats.rx_frames)}</Fact>
    <Fact name="Sent">{formatCount(stats.tx_frames)}</Fact>
    <Fact name="Not sent" alarm={stats.tx_failed > 0}>
      {formatCount(stats.tx_failed)}
    </Fact>
    <Fact name="Waiting">{formatCount(stats.tx_pending)}</Fact>
    <Fact name="Error frames" alarm={stats.error_frames > 0}>
      {formatCount(stats.error_frames)}
    </Fact>
    <Fact name="Overruns" alarm={stats.overruns > 0}>
      {formatCount(stats.overruns)}
    </Fact>
    {bus !== 'lin' && (
      <Fact name="TEC / REC" alarm={stats.tx_error_count + stats.rx_error_count > 0}>
        {stats.tx_error_count} / {stats.rx_error_count}
      </Fact>
    )}
    <Fact name="Times lost" alarm={stats.times_lost > 0}>
      {formatCount(stats.times_lost)}
    </Fact>
  </dl>
);
