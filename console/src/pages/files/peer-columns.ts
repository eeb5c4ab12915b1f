import type { RemoteForwarding } from '../../api/client.ts';
import { formatCount, formatInstant } from '../../format/figures.ts';
import { type Column, column, numbers } from '../../ui/table-columns.ts';

export const reasonsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${formatCount(count)} × ${reason.replaceAll('_', ' ')}`)
    .join(', ');

export const namesIn = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((name) => name !== '');

export type Peer = RemoteForwarding['peers'][number];
export type ForwardedChannel = RemoteForwarding['channels'][number];

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0);

const lastReceived = ({ last_received_at_us: us }: Peer): string =>
  us === null ? 'never' : formatInstant(us);

export const peerColumns: readonly Column<Peer>[] = [
  column('peer', 'Peer', 136, ({ peer }) => peer, { least: 112, grows: true }),
  numbers('out', 'Sent', 72, ({ frames_sent }) => frames_sent),
  numbers('in', 'Received', 76, ({ frames_received }) => frames_received),
  numbers('lost', 'Lost', 60, ({ lost_datagrams }) => lost_datagrams),
  numbers('reordered', 'Reordered', 84, ({ reordered }) => reordered, { spare: 0 }),
  numbers('duplicates', 'Duplicates', 86, ({ duplicates }) => duplicates, { spare: 0 }),
  numbers('jumps', 'Jumps', 64, ({ jumps }) => jumps),
  numbers('malformed', 'Malformed', 84, ({ malformed }) => total(malformed), { spare: 1 }),
  column('heard', 'Last received', 108, lastReceived, { spare: 2 }),
];

export const peerFigures = (peer: Peer): readonly (readonly [string, string])[] => [
  ['Datagrams sent', formatCount(peer.datagrams_sent)],
  ['Frames sent', formatCount(peer.frames_sent)],
  ['Datagrams received', formatCount(peer.datagrams_received)],
  ['Frames received', formatCount(peer.frames_received)],
  ['Last received', lastReceived(peer)],
  ['Lost datagrams', formatCount(peer.lost_datagrams)],
  ['Reordered', formatCount(peer.reordered)],
  ['Duplicates', formatCount(peer.duplicates)],
  ['Sequence jumps', formatCount(peer.jumps)],
  ['Invalid frames', formatCount(peer.invalid_frames)],
  ['Error frames', formatCount(peer.error_frames)],
  ...Object.entries(peer.malformed).map(
    ([error, count]) => [`Malformed: ${error.replaceAll('_', ' ')}`, formatCount(count)] as const,
  ),
];

const channelText = ({ selector, open }: ForwardedChannel): string =>
  `${selector}${open ? '' : ' (closed)'}`;

export const channelColumns: readonly Column<ForwardedChannel>[] = [
  column('channel', 'Channel', 136, channelText, { least: 112, grows: true }),
  numbers('sent', 'Sent', 72, ({ sent }) => sent),
  numbers('refused', 'Rejected', 76, ({ refused }) => total(refused)),
  numbers('dropped', 'Dropped', 76, ({ dropped }) => dropped),
  numbers('expired', 'Expired', 72, ({ expired }) => expired),
  numbers('queued', 'Queued', 72, ({ queued }) => queued),
];
