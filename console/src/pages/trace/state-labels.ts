/** States of a stream as the page calls them. */
export const stateLabels: Readonly<Record<string, string>> = {
  stopped: 'Stopped',
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  token: 'Token needed',
  ended: 'Ended',
};
