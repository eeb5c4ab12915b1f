import { Segments } from '../ui/fields.tsx';
import { windows } from './time-range.ts';
import { frozen, showLive, windowUs } from './view-state.ts';

const choices = windows.map(({ label, us }) => ({ value: String(us), label }));

/** Selecting a time window returns to the latest samples. */
export const WindowSwitch = ({ testId }: { readonly testId: string }) => (
  <Segments
    label="Time window"
    value={frozen.value === null ? String(windowUs.value) : null}
    choices={choices}
    onChange={(us) => showLive(Number(us))}
    testId={testId}
  />
);
