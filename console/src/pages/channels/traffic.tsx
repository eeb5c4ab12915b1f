import { formatRate } from '../../format/figures.ts';
import { shownSeconds } from '../../live/traffic-history.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import type { ChannelTrends } from './channel-readings.ts';

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

/** What a channel carried lately, at a size that shows its shape. */
export const Traffic = ({ trends }: { readonly trends: ChannelTrends }) => (
  <section class="traffic" data-testid="traffic">
    <h3>Traffic of the last minute</h3>
    <Lane name="Received" values={trends.rx} format={perSecond} />
    <Lane name="Sent" values={trends.tx} format={perSecond} />
    <Lane name="Bus load" values={trends.load} format={percent} top={100} />
  </section>
);
