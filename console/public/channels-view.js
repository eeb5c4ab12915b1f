import { byTestId, element, setChildren, setText } from './dom.js';
import { formatBitrate, formatRate } from './format.js';
import { showError } from './notice.js';
import { showState } from './state.js';

const panel = byTestId('channels');
const count = byTestId('channel-count');
const notice = byTestId('channels-notice');
const table = byTestId('channel-table');
const body = table.tBodies[0];

const busNames = { can: 'CAN', canfd: 'CAN FD', lin: 'LIN' };

const stateCell = (state) => {
  const cell = element('td');
  showState(cell, state, state.replaceAll('_', ' '));
  return cell;
};

const bitrates = ({ bitrate, data_bitrate }) =>
  [bitrate, data_bitrate]
    .filter((rate) => rate !== null)
    .map(formatBitrate)
    .join(' / ');

const loadTone = (percent) => {
  if (percent < 50) return 'ask';
  return percent < 80 ? 'warn' : 'bad';
};

/** The number says it; the bar lets eyes find the busy bus. */
const loadCell = (percent) =>
  element(
    'td',
    { class: 'load' },
    element('span', {
      class: 'bar-of-load',
      'aria-hidden': 'true',
      'data-tone': loadTone(percent),
      style: `--load: ${percent}%`,
    }),
    element('span', { class: 'number' }, `${percent.toFixed(1)} %`),
  );

const nameOf = ({ name }) => (name === null ? [] : [' ', element('span', {}, name)]);

const rowOf = (channel) => {
  const { selector, slot, bus, mode, state, stats } = channel;
  return element(
    'tr',
    { 'data-channel': selector, title: `Slot ${slot}, driver ${channel.driver}` },
    element('th', { scope: 'row' }, element('code', {}, selector), ...nameOf(channel)),
    element('td', {}, busNames[bus] ?? bus),
    element('td', {}, bitrates(channel)),
    element('td', {}, mode.replaceAll('_', ' ')),
    stateCell(state),
    stateCell(stats.bus_state),
    element('td', { class: 'number', 'data-field': 'rx' }, formatRate(stats.rx_rate_fps)),
    element('td', { class: 'number', 'data-field': 'tx' }, formatRate(stats.tx_rate_fps)),
    loadCell(stats.bus_load_percent),
  );
};

const howToOpen = () => [
  element('p', {}, 'No channel is open.'),
  element('p', {}, 'Open one with ', element('code', {}, 'busbar channel open SIM00001/0')),
];

/** Shows the open channels, or how to open one. */
export const showChannels = (channels) => {
  panel.removeAttribute('data-stale');
  setText(count, `${channels.length} open`);
  table.hidden = channels.length === 0;
  setChildren(body, channels.map(rowOf));
  notice.dataset.tone = 'idle';
  setChildren(notice, channels.length === 0 ? howToOpen() : []);
};

/** Marks what is shown as no longer true. */
export const showChannelsError = (error) => {
  panel.toggleAttribute('data-stale', !table.hidden);
  showError(notice, error, error.isUnauthorized ? 'ask' : 'bad');
};
