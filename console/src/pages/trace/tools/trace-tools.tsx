import { useEffect } from 'preact/hooks';
import { isFileShown } from '../../../trace-files/open-file.ts';
import { fold, isFolded } from '../trace-state.ts';
import { FindBar } from './find-bar.tsx';
import { followGateways } from './follow-gateways.ts';
import { SelectionBar } from './selection-bar.tsx';

/** Frames that this bench sent and received again as one row. */
const FoldSwitch = () => (
  <label class="fold" title="A frame that is sent by one channel and received by others is one row">
    <input
      type="checkbox"
      checked={isFolded.value}
      data-testid="trace-fold"
      onChange={({ currentTarget }) => fold(currentTarget.checked)}
    />
    Tx and Rx in one row
  </label>
);

/** Finds, folds and selects rows. */
export const RowTools = () => {
  useEffect(followGateways, []);
  return (
    <>
      <FindBar />
      {!isFileShown.value && <FoldSwitch />}
      <SelectionBar />
    </>
  );
};

export { FileNote, FileTools } from './file-tools.tsx';
export { FrameDetail } from './frame-detail.tsx';
export { PduView } from './pdu-view.tsx';
export { SseMonitor, StreamDiagnostics } from './stream-panels.tsx';
