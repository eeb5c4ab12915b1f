import { byTestId, element, setChildren, setText } from './dom.js';
import { onFilter } from './filter-box.js';
import { formatCount, formatRate } from './format.js';
import { GapList } from './gap-list.js';
import { LatestSamples } from './latest-samples.js';
import { showError, showNotice } from './notice.js';
import { paced } from './paced.js';
import { RateMeter } from './rate-meter.js';
import { RowList } from './row-list.js';
import { SignalFeed } from './signal-feed.js';
import { SignalRowView } from './signal-row.js';
import { rowLimit, SignalTable } from './signal-table.js';
import { showState } from './state.js';

const panel = byTestId('signals');
const status = byTestId('signals-status');
const figures = byTestId('signals-figures');
const notice = byTestId('signals-notice');
const limit = byTestId('signals-limit');
const filter = byTestId('signals-filter');
const toggle = byTestId('signals-toggle');
const clear = byTestId('signals-clear');
const table = byTestId('signals-table');
const rows = new RowList(table.tBodies[0], () => requestDraw());
const viewOf = new Map();

const signals = new SignalTable();
const gaps = new GapList(byTestId('signals-gaps'), 'sample');
const rate = new RateMeter();
const latest = new LatestSamples(() => requestDraw());

const labels = {
  connecting: 'Connecting',
  live: 'Live',
  idle: 'No plan',
  stopped: 'Stopped',
  reconnecting: 'Reconnecting',
  token: 'Token needed',
  ended: 'Ended',
};

/** A stream that is wanted rests where there is nothing to follow. */
const stateOf = ({ stream, isWanted, isKnown }) => {
  if (stream.state !== 'paused') return stream.state;
  if (!isWanted) return 'stopped';
  return isKnown ? 'idle' : 'connecting';
};

const figuresText = ({ stream, missedFrames }) => {
  const parts = [`${formatCount(rows.size)} signals`];
  if (filter.value.trim() !== '') parts[0] = `${rows.shown} of ${rows.size} signals`;
  if (stream.state === 'live') parts.unshift(`${formatRate(rate.perSecond)} /s`);
  if (stream.lastId !== null) parts.push(`at sample ${formatCount(Number(stream.lastId))}`);
  if (missedFrames > 0) parts.push(`${formatCount(missedFrames)} frames lost undecoded`);
  return parts.join(' · ');
};

const limitText = () =>
  signals.unlisted === 0
    ? ''
    : `All ${formatCount(rowLimit)} rows are in use; ${formatCount(signals.unlisted)} more signals are not listed.`;

const command = (text) => element('p', {}, element('code', {}, text));

const howToPlan = () => [
  element('p', {}, 'No signal is decoded. Load a database and say which message to decode where:'),
  command('busbar database load vehicle.dbc'),
  command('busbar signal plan create --channel=powertrain --database=vehicle --message=Engine'),
];

const showExplanation = ({ stream, error, isKnown, isWanted }) => {
  const reason = stream.error ?? error;
  if (reason) showError(notice, reason, reason.isUnauthorized ? 'ask' : 'warn');
  else if (stream.state === 'reconnecting') {
    showNotice(notice, ['The service closed the stream. The console keeps trying.'], 'warn');
  } else if (isKnown && rows.size === 0) {
    notice.dataset.tone = 'idle';
    setChildren(notice, howToPlan());
  } else if (signals.expired > 0) {
    const plans = signals.expired === 1 ? '1 plan has' : `${signals.expired} plans have`;
    const lines = [
      `${plans} expired: plans end with the Web service, or when they are deleted.`,
      '“busbar signal plan create” makes one anew; Clear removes what has expired.',
    ];
    showNotice(notice, lines, 'warn');
  } else if (isKnown && !isWanted) {
    showNotice(notice, ['Start goes on behind the last sample, as far as the history reaches.']);
  } else if (isKnown) showNotice(notice, []);
};

const showRows = () => {
  for (const row of signals.takeGone()) {
    const view = viewOf.get(row);
    viewOf.delete(row);
    if (view) rows.remove(view);
  }
  for (const row of signals.takeFresh()) {
    const view = new SignalRowView(row);
    viewOf.set(row, view);
    rows.add(view);
  }
  table.hidden = rows.size === 0;
  panel.toggleAttribute('data-empty', rows.size === 0);
};

/** Answers whether to draw again even if nothing comes. */
const draw = () => {
  const { isStale, isWanted, stream } = feed;
  const state = stateOf(feed);
  showRows();
  const onScreen = rows.onScreen;
  for (const view of onScreen) view.draw(isStale);
  if (state === 'live') latest.fill(onScreen.map(({ row }) => row));
  panel.toggleAttribute('data-stale', isStale && rows.size > 0);
  rate.measure(signals.samples, performance.now());
  showState(status, state, labels[state]);
  setText(toggle, isWanted && state !== 'ended' ? 'Stop' : 'Start');
  setText(figures, figuresText(feed));
  setText(limit, limitText());
  gaps.draw();
  showExplanation(feed);
  return stream.state === 'live' && rate.perSecond > 0;
};

const { request: requestDraw } = paced(draw);

const feed = new SignalFeed(signals, {
  onSample: (sample) => {
    signals.take(sample);
    requestDraw();
  },
  onGap: (gap, { hasIds }) => {
    gaps.add(gap, { lastId: feed.stream.lastId, hasIds });
    requestDraw();
  },
  onChange: () => requestDraw(),
});

toggle.addEventListener('click', () => {
  if (feed.isWanted && feed.stream.state !== 'ended') feed.stop();
  else feed.start();
});

clear.addEventListener('click', () => {
  signals.clear();
  gaps.clear();
  rate.reset();
  requestDraw();
});

onFilter(filter, (query) => {
  rows.filter(query);
  requestDraw();
});

/** Takes every new view of the service; see `watchHealth`. The first good one starts the stream. */
export const followSignals = (known) => feed.followService(known);
