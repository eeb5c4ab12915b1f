import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { formatHex, hexByte } from '../../../src/frame/hex-bytes.ts';
import { formatAscDate } from '../../../src/trace/asc/asc-date.ts';
import { errorLines } from './asc-errors.ts';
import { secondsText } from './candump-writer.ts';
import type { RowPlace } from './chunk-view.ts';
import { type FrameChunk, gapKind } from './frame-chunk.ts';
import { gapRemarkOf } from './gap-text.ts';
import type { ExportContext, TraceWriter } from './trace-writer.ts';

const has = (flags: number, flag: number): boolean => (flags & flag) !== 0;
const hex = (value: number): string => value.toString(16).toUpperCase();
const spaced = (data: Uint8Array): string => (data.length === 0 ? '' : ` ${formatHex(data, ' ')}`);

/** Fields of one row. */
interface Row {
  readonly channel: number;
  readonly id: string;
  readonly flags: number;
  readonly dlc: number;
  readonly data: Uint8Array;
  readonly direction: 'Rx' | 'Tx';
  readonly checksum: number;
}

const rowOf = (chunk: FrameChunk, row: number, channel: number): Row => {
  const flags = chunk.flags[row] as number;
  return {
    channel,
    id: `${hex(chunk.id[row] as number)}${has(flags, frameFlag.extended) ? 'x' : ''}`,
    flags,
    dlc: chunk.dlc[row] as number,
    data: chunk.dataOf(row),
    direction: chunk.kind[row] === eventKindCode.tx_complete ? 'Tx' : 'Rx',
    checksum: chunk.checksum[row] as number,
  };
};

const classicLine = ({ channel, id, flags, dlc, data, direction }: Row): string => {
  const kind = has(flags, frameFlag.remote) ? 'r' : 'd';
  return `${channel}  ${id.padEnd(16)}${direction}   ${kind} ${hex(dlc)}${spaced(data)}`;
};

/** Bits of the flags column that say FD, bit rate switch and error state. */
const fdColumn = { fd: 0x1000, brs: 0x2000, esi: 0x4000 } as const;

const fdLine = ({ channel, id, flags, dlc, data, direction }: Row): string => {
  const brs = has(flags, frameFlag.brs);
  const esi = has(flags, frameFlag.esi);
  const column = fdColumn.fd | (brs ? fdColumn.brs : 0) | (esi ? fdColumn.esi : 0);
  const head = `CANFD ${String(channel).padStart(3)} ${direction}   ${id.padStart(8)}`;
  const switches = `${brs ? 1 : 0} ${esi ? 1 : 0} ${dlc.toString(16)} ${String(data.length).padStart(2)}`;
  const tail = `        0    0 ${column.toString(16).padStart(8)}${'        0'.repeat(5)}`;
  return `${head}${' '.repeat(35)}${switches}${spaced(data)}${tail}`;
};

const linLine = ({ channel, id, flags, dlc, data, direction, checksum }: Row): string => {
  const bus = channel === 1 ? 'Li' : `L${channel}`;
  if (has(flags, frameFlag.wakeUp))
    return `${bus} WakeupFrame ${direction} ${hexByte(data[0] ?? 0)}`;
  if (has(flags, frameFlag.noResponse)) return `${bus} ${id} TransmErr`;
  if (has(flags, frameFlag.error)) {
    const received = data.length === 0 ? '' : `  HasDatabytes = 1${spaced(data)}`;
    return `${bus} ${id} ${hex(dlc)} RcvError: unidentified error${received}`;
  }
  if (has(flags, frameFlag.syncBreak)) return `${bus} sync break`;
  if (has(flags, frameFlag.sleep) && data.length === 0) {
    return `${bus} SleepModeEvent 0 entering sleep mode`;
  }
  const model = has(flags, frameFlag.enhancedChecksum) ? 'enhanced' : 'classic';
  const bad = has(flags, frameFlag.checksumError) ? 'CSErr ' : '';
  const frame = `${bus} ${id.padEnd(16)}${bad}${direction}     ${hex(dlc)}${spaced(data)}`;
  return `${frame}  checksum = ${hexByte(checksum)}  CSM = ${model}`;
};

const bodyOf = (chunk: FrameChunk, row: Row, at: number): string => {
  if (chunk.bus[at] === busCode.lin) return linLine(row);
  return has(row.flags, frameFlag.fd) ? fdLine(row) : classicLine(row);
};

/** A Vector ASC file: hex, times of six digits from the start of its date. */
export const ascWriter = (
  startUs: number,
  { channelName, channelNumber }: ExportContext,
): TraceWriter => {
  const date = formatAscDate(startUs);
  // The date tells milliseconds only, so times count from there.
  const zeroUs = Math.floor(startUs / 1000) * 1000;
  /** Channels as the file has called them last. */
  const named = new Map<number, string>();
  const line = ({ chunk, row }: RowPlace): string => {
    const us = chunk.timestampUs[row] as number;
    const time = secondsText(Math.max(0, us - zeroUs));
    const column = time.padStart(11);
    if (chunk.kind[row] === gapKind) {
      return `// ${column} ${gapRemarkOf(chunk.sequence[row] as number)}\n`;
    }
    const slot = chunk.channel[row] as number;
    const channel = channelNumber(slot, us);
    const name = channelName(slot, us);
    const isNamed = named.get(channel) === name;
    const remark = isNamed ? '' : `// channel ${channel} = ${name}\n`;
    named.set(channel, name);
    const fields = rowOf(chunk, row, channel);
    const errors = chunk.errors[row] as number;
    const isLin = chunk.bus[row] === busCode.lin;
    if (has(fields.flags, frameFlag.error) && (!isLin || errors === 0)) {
      const { data } = fields;
      const [id, status] = [chunk.id[row] as number, chunk.status[row] as number];
      const report = { channel, id, data, status, errors };
      return `${remark}${errorLines(column, report)}`;
    }
    // The format has no line for a break alone.
    const isBreak = isLin && has(fields.flags, frameFlag.syncBreak);
    return `${remark}${isBreak ? '// ' : ''}${column} ${bodyOf(chunk, fields, row)}\n`;
  };
  return {
    head: `date ${date}\nbase hex  timestamps absolute\ninternal events logged\nBegin TriggerBlock ${date}\n   0.000000 Start of measurement\n`,
    line,
    tail: 'End TriggerBlock\n',
  };
};
