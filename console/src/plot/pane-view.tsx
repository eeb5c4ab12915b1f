import { useLayoutEffect, useRef } from 'preact/hooks';
import { choiceKey, type SignalChoice } from '../samples/signal-choices.ts';
import { choices, seriesOf } from '../samples/signals-state.ts';
import { StateMark } from '../ui/state-mark.tsx';
import { LineKey } from './line-key.tsx';
import { PanePlot } from './pane-plot.ts';
import { dashOf, type Pane } from './panes.ts';
import type { PlotColours } from './plot-colours.ts';
import { attachGestures } from './plot-gestures.ts';
import { readingAtCursor, remarksOnChoice, silenceText, valueText } from './readings.ts';
import { rangeBetween } from './time-range.ts';
import { beat, cursorUs, frozen } from './view-state.ts';

const LegendEntry = ({ choice, pane }: { readonly choice: SignalChoice; readonly pane: Pane }) => {
  void beat.value;
  const series = seriesOf(choice);
  const reading = readingAtCursor(series);
  const silence = reading === null ? silenceText(series) : null;
  const grave = remarksOnChoice(choice).filter((remark) => remark !== 'no sample yet');
  return (
    <li data-signal={choice.signal}>
      <LineKey look={choice.look} dash={dashOf([pane], choiceKey(choice))} />
      <span>{choice.signal}</span>
      <strong data-silent={silence ?? undefined}>
        {reading ?? valueText(series, series.length > 0 ? series.length - 1 : null)}
        {pane.unit !== '' && ` ${pane.unit}`}
      </strong>
      <span class="quiet">{silence}</span>
      {grave.map((remark) => (
        <StateMark key={remark} state={remark} label={remark.replaceAll('_', ' ').toUpperCase()} />
      ))}
    </li>
  );
};

interface PaneViewProps {
  readonly pane: Pane;
  readonly width: number;
  readonly height: number;
  readonly hasTimeAxis: boolean;
  readonly colours: PlotColours;
  /** Told the plot when it is there, and null when it is gone. */
  readonly onPlot: (pane: Pane, plot: PanePlot | null) => void;
}

/** One pane of the plot with the names of its lines above them. */
export const PaneView = (props: PaneViewProps) => {
  const { pane, width, height, hasTimeAxis, colours, onPlot } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<PanePlot | null>(null);

  useLayoutEffect(() => {
    if (!host.current) return;
    const made = new PanePlot(host.current, {
      kind: pane.kind,
      hasTimeAxis,
      width,
      height,
      colours,
      onSelect: (fromUs, toUs) => {
        const range = rangeBetween(fromUs, toUs);
        if (range) frozen.value = range;
      },
      onCursor: (us) => {
        cursorUs.value = us;
      },
    });
    attachGestures(made);
    plot.current = made;
    onPlot(pane, made);
    return () => {
      plot.current = null;
      onPlot(pane, null);
      made.destroy();
    };
  }, [pane, hasTimeAxis, colours]);
  useLayoutEffect(() => plot.current?.resize(width, height), [width, height]);

  const shown = choices.value.filter((choice) => pane.keys.includes(choiceKey(choice)));
  return (
    <div class="pane" data-kind={pane.kind} data-testid="signal-pane">
      <ul class="pane-legend">
        {shown.map((choice) => (
          <LegendEntry key={choiceKey(choice)} choice={choice} pane={pane} />
        ))}
      </ul>
      <div ref={host} />
    </div>
  );
};
