import { computed } from '@preact/signals';
import { formatCount } from '../../format/figures.ts';
import { serviceNowUs } from '../../state/service-clock.ts';
import { traceStatus } from './trace-client.ts';
import type { TraceStatus } from './trace-messages.ts';

export const stateLabels: Readonly<Record<string, string>> = {
  stopped: 'Stopped',
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  token: 'Token needed',
  ended: 'Ended',
};

/** A busy page lags briefly; beyond this the trace is not live. */
const tolerableUs = 2_000_000;

export interface ShownState {
  readonly state: string;
  readonly label: string;
}

export const shownState = (
  { state, newestUs }: Pick<TraceStatus, 'state' | 'newestUs'>,
  nowUs: number,
): ShownState => {
  const behindUs = newestUs === null ? 0 : nowUs - newestUs;
  if (state !== 'live' || behindUs < tolerableUs)
    return { state, label: stateLabels[state] ?? state };
  return { state: 'behind', label: `${formatCount(Math.round(behindUs / 1_000_000))} s behind` };
};

export const traceState = computed(() => shownState(traceStatus.value, serviceNowUs()));
