import { byTestId } from './dom.js';
import { showState } from './state.js';

const indicator = byTestId('connection');

const labels = {
  live: 'Live',
  degraded: 'Degraded',
  unreachable: 'Unreachable',
  token: 'Token needed',
};

/** Shows the connection in the header, and in the tab's title for those who look elsewhere. */
export const showConnection = ({ state }) => {
  showState(indicator, state, labels[state]);
  const sign = indicator.textContent.slice(0, 1);
  document.title = state === 'live' ? 'Busbar' : `${sign} Busbar`;
};
