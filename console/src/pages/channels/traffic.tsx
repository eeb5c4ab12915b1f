import { formatRate } from '../../format/figures.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import type { ChannelTrends } from './channel-readings.ts';
import { type Trend, trendSeconds } from './trend.ts';

interface LaneProps {
  readonly name: string;
  readonly trend: Trend;
  readonly format: (value: number) => string;
  readonly top?: number;
}

const Lane = ({ name, trend: { values }, format, top }: LaneProps) => {
  const seen = values.filter(Number.isFinite);
  const latest = values.at(-1);
  return (
    <div class="lane">
      <p>
        <span class="quiet">{name}</span>
        <strong>{latest === undefined ? '–' : format(latest)}</strong>
        <span class="quiet">{seen.length > 0 && `most ${format(Math.max(...seen))}`}</span>
      </p>
      <Sparkline values={values} capacity={trendSeconds} {...(top === undefined ? {} : { top })} />
    </div>
  );
};

const perSecond = (value: number): string => `${formatRate(value)} /s`;
const percent = (value: number): string => `${value.toFixed(1)} %`;

/** What a channel carried lately, at a size that shows its shape. */
export const Traffic = ({ trends }: { readonly trends: ChannelTrends }) => (
  <section class="traffic" data-testid="traffic">
    <h3>Traffic of the last {trendSeconds / 60} min</h3>
    <Lane name="Received" trend={trends.rx} format={perSecond} />
    <Lane name="Sent" trend={trends.tx} format={perSecond} />
    <Lane name="Bus load" trend={trends.load} format={percent} top={100} />
  </section>
);
