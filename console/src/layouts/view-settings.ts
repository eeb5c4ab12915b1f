import {
  chooseTime,
  chooseView,
  filterText,
  fold,
  isFolded,
  timeMode,
  view,
} from '../pages/trace/trace-state.ts';
import { axisMode, lineMode, paneMode, windowUs } from '../plot/view-state.ts';
import { fileSlotOf, type SignalChoice } from '../samples/signal-choices.ts';
import { choiceLimit, choices } from '../samples/signals-state.ts';
import { chosenInstance, rememberInstance } from '../state/gateways.ts';
import { pages } from '../state/pages.ts';
import { type SavedLayout, type SavedSignal, viewOf } from './layout-schema.ts';
import { viewsOf } from './pane-tree.ts';

const savedSignal = ({
  isPlotted,
  source_address = null,
  ...choice
}: SignalChoice): SavedSignal => ({
  channel: choice.channel,
  selector: choice.selector,
  database: choice.database,
  message: choice.message,
  source_address,
  history: choice.history,
  signal: choice.signal,
  plotted: isPlotted,
  look: choice.look,
});

const choiceOf = ({ plotted, ...signal }: SavedSignal): SignalChoice => ({
  ...signal,
  isPlotted: plotted,
});

/** The panes with the settings of the pages that they show. */
export const withSettings = (panes: SavedLayout['panes']): SavedLayout => {
  const shown = new Set(viewsOf(panes).map((view) => viewOf(view)?.page));
  const isOfGateway = pages.some(({ id, group }) => group === 'Gateway' && shown.has(id as never));
  const instance = chosenInstance.value;
  return {
    panes,
    ...(shown.has('trace') && {
      trace: {
        view: view.value,
        time: timeMode.value,
        one_row: isFolded.value,
        filter: filterText.value,
      },
    }),
    ...(shown.has('signals') && {
      signals: {
        // Signals of a file are those of the file that is open in this window.
        signals: choices.value.filter((choice) => fileSlotOf(choice) === null).map(savedSignal),
        window_us: windowUs.value,
        panes: paneMode.value,
        axes: axisMode.value,
        lines: lineMode.value,
      },
    }),
    ...(isOfGateway && instance !== null && { instance }),
  };
};

export const applySettings = ({ trace, signals, instance }: SavedLayout): void => {
  if (trace) {
    chooseView(trace.view);
    chooseTime(trace.time);
    fold(trace.one_row);
    filterText.value = trace.filter;
  }
  if (signals) {
    // Signals of the open file are not in a layout.
    const ofFile = choices.peek().filter((choice) => fileSlotOf(choice) !== null);
    const saved = signals.signals.map(choiceOf);
    choices.value = [...saved, ...ofFile.slice(0, choiceLimit - saved.length)];
    windowUs.value = signals.window_us;
    paneMode.value = signals.panes;
    axisMode.value = signals.axes;
    lineMode.value = signals.lines;
  }
  if (instance !== undefined) rememberInstance(instance);
};
