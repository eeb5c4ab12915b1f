import { onTokenForgotten, showCapabilities, showCapabilitiesError } from './api-view.js';
import { showChannels, showChannelsError } from './channels-view.js';
import { watchChannels } from './channels-watch.js';
import { showConnection } from './connection-view.js';
import { FixedDocuments } from './fixed-documents.js';
import { showHealth } from './health-view.js';
import { watchHealth } from './health-watch.js';
import { showInfo, showInfoError } from './info-view.js';
import { showOperations, showOperationsError } from './operations-view.js';
import { followSignals } from './signals-view.js';
import { onTokenEntered, showTokenForm } from './token-form.js';
import { followService, nameChannels, startTraffic } from './traffic-view.js';
import './views.js';

const documents = new FixedDocuments([
  { path: '/api/v1/info', show: showInfo, fail: showInfoError },
  { path: '/api/v1/operations', show: showOperations, fail: showOperationsError },
  { path: '/api/v1/capabilities', show: showCapabilities, fail: showCapabilitiesError },
]);

const channels = watchChannels({
  show: (open) => {
    showChannels(open);
    nameChannels(open);
  },
  fail: showChannelsError,
});

const watch = watchHealth((known) => {
  showConnection(known);
  showTokenForm(known);
  showHealth(known);
  documents.follow(known);
  channels.follow(known);
  followService(known);
  followSignals(known);
});

onTokenEntered(watch.refresh);
onTokenForgotten(watch.refresh);
startTraffic();
