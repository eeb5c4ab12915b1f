/**
 * A slow listener to ISO-TP, written from the rules alone. It sorts the frames of a bus by
 * address first, and then reads each address from its first frame to the last.
 */
export interface BusFrame {
  readonly id: number;
  readonly data: readonly number[];
  readonly us: number;
}

/** One direction: the frames with data, and where the flow control for them comes from. */
export interface Direction {
  readonly id: number;
  readonly from: number;
  /** Byte before the protocol bytes. */
  readonly address: number | null;
}

export interface HeardPayload {
  readonly id: number;
  readonly status: string;
  readonly payload: readonly number[];
}

interface Entry {
  readonly isFlow: boolean;
  /** Without address byte. */
  readonly data: readonly number[];
  readonly us: number;
}

const entriesOf = (bus: readonly BusFrame[], { id, from, address }: Direction): Entry[] =>
  bus.flatMap((frame) => {
    if (address !== null && frame.data[0] !== address) return [];
    const data = address === null ? frame.data : frame.data.slice(1);
    const isFlow = (data[0] ?? 0) >> 4 === 3;
    return frame.id === (isFlow ? from : id) ? [{ isFlow, data, us: frame.us }] : [];
  });

const second = 1_000_000;

interface Ending {
  readonly status: string;
  readonly payload: readonly number[];
  /** Entry with which reading continues. */
  readonly next: number;
}

const failed = (status: string, next: number): Ending => ({ status, payload: [], next });

/** Reads the message whose first frame is an entry. */
const messageAt = (entries: readonly Entry[], at: number, endUs: number): Ending => {
  const { data: head, us: began } = entries[at] as Entry;
  const length = ((head[0] ?? 0) & 0x0f) * 256 + (head[1] ?? 0);
  const payload = head.slice(2);
  const perFrame = head.length - 1;
  let waitsSince: number | null = began;
  let last = began;
  let block: { size: number; seen: number } | null = null;
  let sequence = 1;
  const limit = (): number =>
    waitsSince === null ? last + (block ? 1 : 2) * second : waitsSince + 3 * second;
  for (let index = at + 1; index < entries.length; index++) {
    const { isFlow, data, us } = entries[index] as Entry;
    if (us > limit()) return failed('timeout', index);
    const kind = (data[0] ?? 0) >> 4;
    if (!isFlow && kind < 2) {
      const isLate = waitsSince !== null && us - waitsSince > second;
      return failed(isLate ? 'timeout' : 'replaced', index);
    }
    last = us;
    if (isFlow) {
      if (waitsSince === null && block !== null) return failed('lost', index + 1);
      const status = (data[0] ?? 0) & 0x0f;
      if (status >= 2) return failed('aborted', index + 1);
      if (status === 1) {
        waitsSince = us;
        block ??= { size: 0, seen: 0 };
      } else {
        waitsSince = null;
        block = { size: data[1] ?? 0, seen: 0 };
      }
      continue;
    }
    if (((data[0] ?? 0) & 0x0f) !== sequence) return failed('lost', index + 1);
    const part = data.slice(1);
    const missing = length - payload.length;
    if (part.length > perFrame || part.length < Math.min(missing, perFrame)) {
      return failed('lost', index + 1);
    }
    // Flow control that was not seen says nothing about blocks.
    if (waitsSince !== null) block = null;
    waitsSince = null;
    payload.push(...part.slice(0, missing));
    sequence = (sequence + 1) % 16;
    if (payload.length === length) return { status: 'complete', payload, next: index + 1 };
    if (block) {
      block.seen += 1;
      if (block.size > 0 && block.seen >= block.size) waitsSince = us;
    }
  }
  return failed(endUs > limit() ? 'timeout' : 'open', entries.length);
};

export const listen = (
  bus: readonly BusFrame[],
  directions: readonly Direction[],
): HeardPayload[] =>
  directions.flatMap((direction) => {
    const entries = entriesOf(bus, direction);
    const { id } = direction;
    const found: HeardPayload[] = [];
    for (let index = 0; index < entries.length; ) {
      const { isFlow, data } = entries[index] as Entry;
      const [byte = 0] = data;
      if (!isFlow && byte >> 4 === 0) {
        found.push({ id, status: 'complete', payload: data.slice(1, 1 + byte) });
      }
      if (isFlow || byte >> 4 !== 1) {
        index += 1;
        continue;
      }
      const { next, ...ending } = messageAt(entries, index, bus.at(-1)?.us ?? 0);
      found.push({ id, ...ending });
      index = next;
    }
    return found;
  });
