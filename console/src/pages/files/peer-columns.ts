import type { RemoteForwarding } from '../../api/client.ts';
import { formatCount, formatInstant } from '../../format/figures.ts';
import type { Column } from '../../ui/table-columns.ts';

/** Counts by their reasons, those that happened: `3 × bus off, 1 × queue full`. */
export const reasonsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${formatCount(count)} × ${reason.replaceAll('_', ' ')}`)
    .join(', ');

/** The entries of a list that was typed into one field, with commas or blanks between them. */
export const namesIn = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((name) => name !== '');

export type Peer = RemoteForwarding['peers'][number];
export type ForwardedChannel = RemoteForwarding['channels'][number];

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0);

const heardText = ({ last_received_at_us: us }: Peer): string =>
  us === null ? 'never' : formatInstant(us);

const counter = <Row>(
  id: string,
  title: string,
  width: number,
  count: (row: Row) => number,
): Column<Row> => ({ id, title, width, align: 'end', text: (row) => formatCount(count(row)) });

export const peerColumns: readonly Column<Peer>[] = [
  { id: 'peer', title: 'Peer', width: 136, least: 112, grows: true, text: ({ peer }) => peer },
  counter('out', 'Sent', 72, ({ frames_sent }) => frames_sent),
  counter('in', 'Received', 76, ({ frames_received }) => frames_received),
  counter('lost', 'Lost', 60, ({ lost_datagrams }) => lost_datagrams),
  { ...counter<Peer>('reordered', 'Reordered', 84, ({ reordered }) => reordered), spare: 0 },
  { ...counter<Peer>('duplicates', 'Duplicates', 86, ({ duplicates }) => duplicates), spare: 0 },
  counter('jumps', 'Jumps', 64, ({ jumps }) => jumps),
  { ...counter<Peer>('malformed', 'Malformed', 84, (peer) => total(peer.malformed)), spare: 1 },
  { id: 'heard', title: 'Last heard', width: 108, spare: 2, text: heardText },
];

/** Everything that is known of a peer. */
export const peerFigures = (peer: Peer): readonly (readonly [string, string])[] => [
  ['Datagrams out', formatCount(peer.datagrams_sent)],
  ['Frames out', formatCount(peer.frames_sent)],
  ['Datagrams in', formatCount(peer.datagrams_received)],
  ['Frames in', formatCount(peer.frames_received)],
  ['Last heard', heardText(peer)],
  ['Lost datagrams', formatCount(peer.lost_datagrams)],
  ['Reordered', formatCount(peer.reordered)],
  ['Duplicates', formatCount(peer.duplicates)],
  ['Jumps', formatCount(peer.jumps)],
  ['Invalid frames', formatCount(peer.invalid_frames)],
  ['Error frames', formatCount(peer.error_frames)],
  ...Object.entries(peer.malformed).map(
    ([flaw, count]) => [`Malformed ${flaw}`, formatCount(count)] as const,
  ),
];

export const channelColumns: readonly Column<ForwardedChannel>[] = [
  {
    id: 'channel',
    title: 'Channel',
    width: 136,
    least: 112,
    grows: true,
    text: ({ selector, open }) => `${selector}${open ? '' : ' (closed)'}`,
  },
  counter('sent', 'Sent', 72, ({ sent }) => sent),
  counter('refused', 'Refused', 76, ({ refused }) => total(refused)),
  counter('dropped', 'Dropped', 76, ({ dropped }) => dropped),
  counter('expired', 'Expired', 72, ({ expired }) => expired),
  counter('queued', 'Queued', 72, ({ queued }) => queued),
];
