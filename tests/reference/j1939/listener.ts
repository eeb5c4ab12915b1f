/**
 * A slow listener to J1939 transfers, written from the rules alone. It keeps all frames of a
 * pair of nodes and reads them again from the announcement at every frame.
 */
export interface HeardFrame {
  readonly id: number;
  readonly data: readonly number[];
  readonly ms: number;
}

export interface HeardTransfer {
  readonly pgn: number | null;
  readonly source: number;
  readonly destination: number;
  readonly status: string;
  readonly payload: readonly number[];
}

interface Transfer {
  readonly pgn: number;
  readonly size: number;
  readonly isBroadcast: boolean;
  readonly isExtended: boolean;
  /** Frames of the announcement and all after it. */
  readonly frames: HeardFrame[];
}

const little = (bytes: readonly number[]): number =>
  bytes.reduceRight((value, byte) => value * 256 + byte, 0);

const formatOf = ({ id }: HeardFrame): number => (id >>> 16) & 0xff;
const isData = (frame: HeardFrame): boolean => formatOf(frame) === 0xeb || formatOf(frame) === 0xc7;

/** Payload of a transfer, or why it has none. */
const outcomeOf = (transfer: Transfer): string | readonly number[] => {
  const { size, isBroadcast, isExtended, frames } = transfer;
  const packets: HeardFrame[] = [];
  let heard = 0;
  const count = Math.ceil(size / 7);
  const bytesOf = (number: number, { data }: HeardFrame): readonly number[] =>
    data.slice(1, 1 + Math.min(7, size - (number - 1) * 7));
  // The block of an extended transfer: packets before it, and in it.
  let block: { before: number; packets: number } | null = isExtended
    ? null
    : { before: 0, packets: 255 };
  for (const frame of frames) {
    const { data } = frame;
    if (isExtended && !isData(frame)) {
      if (data[0] === 0x15 && data[1] !== 0) block = null;
      if (data[0] !== 0x16) continue;
      const [announced, before] = [data[1] as number, little(data.slice(2, 5))];
      if (little(data.slice(5, 8)) !== transfer.pgn) return 'lost';
      if (announced === 0 || before + announced > count) return 'lost';
      block = { before, packets: announced };
    }
    if (!isData(frame)) continue;
    const sequence = data[0] ?? 0;
    if (data.length !== 8 || block === null) return 'lost';
    if (sequence < 1 || sequence > block.packets) return 'lost';
    const number = block.before + sequence;
    if (number > count) return 'lost';
    const known = packets[number - 1];
    if (known === undefined) {
      if (isBroadcast && number !== heard + 1) return 'lost';
      packets[number - 1] = frame;
      heard += 1;
    } else if (bytesOf(number, known).join() !== bytesOf(number, frame).join()) return 'conflict';
  }
  if (heard < count) return 'open';
  return packets.flatMap((frame, index) => bytesOf(index + 1, frame));
};

/** Longest pause after the last frame of a transfer, in milliseconds. */
const patienceOf = ({ isBroadcast, frames, size }: Transfer): number => {
  if (isBroadcast) return 750;
  const last = frames.at(-1) as HeardFrame;
  const isClear = ({ data }: HeardFrame): boolean => data[0] === 0x11 || data[0] === 0x15;
  if (!isData(last)) return isClear(last) && last.data[1] === 0 ? 1050 : 1250;
  const clear = frames.findLast(
    (frame) => !isData(frame) && (isClear(frame) || frame.data[0] === 0x16),
  );
  if (clear === undefined || clear.data[1] === 0) return 1250;
  if (clear.data[0] === 0x16) return last.data[0] === clear.data[1] ? 1250 : 750;
  const end = (clear.data[2] as number) + (clear.data[1] as number) - 1;
  return (last.data[0] as number) >= Math.min(end, Math.ceil(size / 7)) ? 1250 : 750;
};

/** Transfers that came to an end, in any order, without orphans. */
export const listen = (heard: readonly HeardFrame[]): HeardTransfer[] => {
  const results: HeardTransfer[] = [];
  const open = new Map<string, Transfer>();
  const report = (key: string, transfer: Transfer, result: string | readonly number[]): void => {
    const [source = 0, destination = 0] = key.split('>').map(Number);
    const isComplete = typeof result !== 'string';
    results.push({
      pgn: transfer.pgn,
      source,
      destination,
      status: isComplete ? 'complete' : result,
      payload: isComplete ? result : [],
    });
    open.delete(key);
  };
  for (const frame of heard) {
    const { id, data, ms } = frame;
    for (const [key, transfer] of open) {
      const last = transfer.frames.at(-1) as HeardFrame;
      if (ms - last.ms > patienceOf(transfer)) report(key, transfer, 'timeout');
    }
    const [specific, source] = [(id >>> 8) & 0xff, id & 0xff];
    const isExtended = formatOf(frame) < 0xe0;
    const line = isExtended ? '>extended' : '';
    const key = `${source}>${specific}${line}`;
    const back = `${specific}>${source}${line}`;
    if (isData(frame)) {
      const transfer = open.get(key);
      if (!transfer) continue;
      transfer.frames.push(frame);
      const outcome = outcomeOf(transfer);
      if (outcome !== 'open') report(key, transfer, outcome);
      continue;
    }
    if (data.length !== 8) continue;
    const pgn = little(data.slice(5, 8));
    const size = little(data.slice(1, isExtended ? 5 : 3));
    const starts = isExtended ? [0x14] : [0x10, 0x20];
    if (starts.includes(data[0] as number)) {
      const isBroadcast = data[0] === 0x20;
      const isShort = size >= 9 && size <= 1785 && Math.ceil(size / 7) === data[3];
      const isFit = isExtended ? size > 1785 : isShort;
      const transfer = open.get(key);
      if (!isFit || isBroadcast !== (specific === 255)) {
        if (transfer) report(key, transfer, 'lost');
        continue;
      }
      const isSame = transfer?.size === size && transfer.pgn === pgn;
      const isFresh = transfer?.frames.every((each) => !isData(each));
      if (transfer && !(isSame && (isBroadcast || isFresh))) report(key, transfer, 'replaced');
      open.set(key, { pgn, size, isBroadcast, isExtended, frames: [frame] });
    } else if (isExtended && data[0] === 0x16) {
      const transfer = open.get(key);
      if (!transfer) continue;
      transfer.frames.push(frame);
      const outcome = outcomeOf(transfer);
      if (outcome !== 'open') report(key, transfer, outcome);
    } else if ((isExtended ? [0x15, 0x17] : [0x11, 0x13]).includes(data[0] as number)) {
      const transfer = open.get(back);
      if (!transfer) continue;
      transfer.frames.push(frame);
      const isEnd = data[0] === 0x13 || data[0] === 0x17;
      if (transfer.pgn !== pgn || isEnd) report(back, transfer, 'lost');
    } else if (data[0] === 0xff) {
      for (const each of [key, back]) {
        const transfer = open.get(each);
        if (transfer?.pgn === pgn) report(each, transfer, 'aborted');
      }
    }
  }
  for (const [key, transfer] of open) report(key, transfer, 'open');
  return results;
};
