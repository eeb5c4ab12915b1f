import { traceDetail } from '../trace-batch.ts';
import type { TraceEvent } from './trace-events.ts';

const hex = (value: number): string => value.toString(16).toUpperCase();

/** An event on one line, for tables of tests: `time channel kind bus id flags dlc [checksum] data`. */
export const eventText = (event: TraceEvent): string => {
  const kind = ['?', 'rx', 'tx'][event.kind] ?? '?';
  const bus = ['?', 'can', 'canfd', 'lin'][event.bus] ?? '?';
  const data = Buffer.from(event.data).toString('hex').toUpperCase();
  const names = [
    ...flagNames.filter((_, bit) => (event.flags >> bit) & 1),
    ...detailNames.filter((_, bit) => ((event.detail ?? 0) >> bit) & 1),
  ];
  const flags = names.join('|') || '-';
  const checksum = event.bus === 3 ? ` cs${hex(event.checksum)}` : '';
  return `${event.timeNs} ${event.channel} ${kind} ${bus} ${hex(event.id)} ${flags} ${event.dlc}${checksum} ${data}`.trimEnd();
};

const flagNames = [
  ...['extended', 'remote', 'fd', 'brs', 'esi', 'error', '6', '7'],
  ...['enhanced', 'checksumError', 'noResponse', 'syncBreak', 'wakeUp', 'sleep'],
];

const detailNames = Object.keys(traceDetail);
