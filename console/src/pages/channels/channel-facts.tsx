import type { BitTiming, Channel, ChannelStats } from '../../api/client.ts';
import { formatBitrate, formatCount, formatInstant } from '../../format/figures.ts';
import { Facts } from '../../ui/facts.tsx';

const onOff = (on: boolean): string => (on ? 'on' : 'off');

const timingText = ({ prescaler, tseg1, tseg2, sjw }: BitTiming): string => {
  const samplePoint = ((1 + tseg1) / (1 + tseg1 + tseg2)) * 100;
  return `BRP ${prescaler}, TSEG1 ${tseg1}, TSEG2 ${tseg2}, SJW ${sjw}, SP ${samplePoint.toFixed(1)} %`;
};

export const ChannelFacts = ({ channel }: { readonly channel: Channel }) => {
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

export const CounterFacts = ({ bus, stats }: CounterFactsProps) => {
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
