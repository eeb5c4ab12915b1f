import type { EventView } from './channel-bench.ts';
import type { TransmitBench } from './transmit-bench.ts';

const id = (event: EventView): string =>
  event.id
    .toString(16)
    .toUpperCase()
    .padStart(event.extended ? 8 : 3, '0');

const body = ({ remote, fd, brs, esi, dlc, data }: EventView): string => {
  if (remote) return dlc === 0 ? '#R' : `#R${dlc.toString(16).toUpperCase()}`;
  if (fd) return `##${(brs ? 1 : 0) | (esi ? 2 : 0)}${data}`;
  return `#${data}${dlc > 8 ? `_${dlc.toString(16).toUpperCase()}` : ''}`;
};

/** A CAN event as a candump log line, without its interface. */
export const candumpLine = (event: EventView): string => {
  const time = String(event.timestamp_us);
  const sent = event.kind === 'tx_complete' ? ' T' : '';
  return `(${time.slice(0, -6)}.${time.slice(-6)}) ${id(event)}${body(event)}${sent}`;
};

/** The CAN events in a trace, as read by the CLI: lines of a candump log. */
export const linesOf = async (bench: TransmitBench, file: string): Promise<string[]> => {
  await bench.json('trace', 'convert', file, `${file}.log`, '--overwrite');
  const lines = bench.read(`${file}.log`).trimEnd().split('\n');
  return lines.map((line) => line.replace(/^(\(\S+\)) \S+ /, '$1 '));
};
