import type { HeardFrame } from './listener.ts';

export interface SentTransfer {
  readonly pgn: number;
  readonly source: number;
  readonly destination: number;
  readonly payload: readonly number[];
}

export interface Traffic {
  readonly frames: readonly HeardFrame[];
  readonly sent: readonly SentTransfer[];
}

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

const upTo = (random: Random, most: number): number => Math.floor(random() * (most + 1));

const groups = [0xfeca, 0xef00, 0xfee3, 0xd900];

const little = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);

const controlFrame = (
  from: number,
  to: number,
  ms: number,
  bytes: readonly number[],
  format = 0xec,
) => ({ id: 0x1800_0000 + format * 65_536 + to * 256 + from, data: bytes, ms });

/** The same for an extended transfer, in which a data packet offset begins each block. */
const extendedTransferOf = (
  random: Random,
  source: number,
  destination: number,
  startMs: number,
): { frames: HeardFrame[]; sent: SentTransfer } => {
  const size = 1786 + upTo(random, 500);
  const payload = Array.from({ length: size }, () => upTo(random, 255));
  const pgn = pick(random, groups);
  const packets = Math.ceil(size / 7);
  const group = little(pgn, 3);
  const frames: HeardFrame[] = [];
  let ms = startMs;
  const say = (from: number, to: number, bytes: readonly number[]): void => {
    ms += upTo(random, 100);
    frames.push(controlFrame(from, to, ms, bytes, 0xc8));
  };
  const isOneSided = random() < 0.1;
  const answer = (bytes: readonly number[]): void => {
    if (!isOneSided) say(destination, source, bytes);
  };
  say(source, destination, [0x14, ...little(size, 4), ...group]);
  for (let number = 1; number <= packets; ) {
    const block = Math.min(20 + upTo(random, 235), packets - number + 1);
    if (random() < 0.1) answer([0x15, 0, 0xff, 0xff, 0xff, ...group]);
    answer([0x15, block, ...little(number, 3), ...group]);
    say(source, destination, [0x16, block, ...little(number - 1, 3), ...group]);
    for (let i = 0; i < block; i++) {
      ms += upTo(random, 5);
      const from = (number - 1 + i) * 7;
      const part = payload.slice(from, from + 7);
      const filling = Array<number>(7 - part.length).fill(0xff);
      frames.push({
        id: 0x1cc7_0000 + destination * 256 + source,
        data: [i + 1, ...part, ...filling],
        ms,
      });
    }
    number += random() < 0.1 ? upTo(random, block) : block;
  }
  answer([0x17, ...little(size, 4), ...group]);
  return { frames, sent: { pgn, source, destination, payload } };
};

/** The frames of one transfer without faults, and what it carries. */
const transferOf = (
  random: Random,
  source: number,
  destination: number,
  startMs: number,
): { frames: HeardFrame[]; sent: SentTransfer } => {
  const size = random() < 0.02 ? 9 + upTo(random, 1776) : 9 + upTo(random, 110);
  const payload = Array.from({ length: size }, () => upTo(random, 255));
  const pgn = pick(random, groups);
  const packets = Math.ceil(size / 7);
  const group = little(pgn, 3);
  let ms = startMs;
  const data = (number: number): HeardFrame => {
    const part = payload.slice((number - 1) * 7, number * 7);
    const filling = Array<number>(7 - part.length).fill(0xff);
    return {
      id: 0x1ceb_0000 + destination * 256 + source,
      data: [number, ...part, ...filling],
      ms,
    };
  };
  const head = [...little(size, 2), packets, 0xff, ...group];
  const frames: HeardFrame[] = [];
  if (destination === 255) {
    frames.push(controlFrame(source, 255, ms, [0x20, ...head]));
    for (let number = 1; number <= packets; number++) {
      ms += 10 + upTo(random, 190);
      frames.push(data(number));
    }
  } else {
    const isOneSided = random() < 0.1;
    const answer = (bytes: readonly number[]): void => {
      ms += upTo(random, 100);
      if (!isOneSided) frames.push(controlFrame(destination, source, ms, bytes));
    };
    frames.push(controlFrame(source, destination, ms, [0x10, ...head]));
    for (let number = 1; number <= packets; ) {
      const block = Math.min(1 + upTo(random, 15), packets - number + 1);
      if (random() < 0.1) answer([0x11, 0, 255, 0xff, 0xff, ...group]);
      answer([0x11, block, number, 0xff, 0xff, ...group]);
      for (let i = 0; i < block; i++) {
        ms += upTo(random, 60);
        frames.push(data(number + i));
      }
      // The receiver asks for some packets again.
      number += random() < 0.1 ? upTo(random, block) : block;
    }
    answer([0x13, ...head]);
  }
  return { frames, sent: { pgn, source, destination, payload } };
};

const formatOf = ({ id }: HeardFrame): number => (id >>> 16) & 0xff;
const isData = (frame: HeardFrame): boolean => [0xeb, 0xc7].includes(formatOf(frame));

const changed = (random: Random, { id, data, ms }: HeardFrame): HeardFrame => {
  const at = 1 + upTo(random, 6);
  return { id, ms, data: data.map((byte, i) => (i === at ? byte ^ 0x55 : byte)) };
};

/** Faults of one transfer. Its announcement is lost only if nothing of it can be taken over. */
const withFault = (
  random: Random,
  frames: readonly HeardFrame[],
  { pgn, source, destination }: SentTransfer,
  isAlone: boolean,
): HeardFrame[] => {
  const result = [...frames];
  const place = upTo(random, frames.length - 1);
  const chosen = frames[place] as HeardFrame;
  const control = formatOf(chosen) < 0xe0 ? 0xc8 : 0xec;
  const abort = [0xff, 3, 0xff, 0xff, 0xff, ...little(pgn, 3)];
  switch (upTo(random, 9)) {
    case 0:
      if (place > 0 || isAlone) result.splice(place, 1);
      break;
    case 1:
      result.splice(place, 0, chosen);
      break;
    case 2: {
      const next = frames[place + 1];
      if (!next || !isData(chosen) || !isData(next)) break;
      result[place] = { ...next, ms: chosen.ms };
      result[place + 1] = { ...chosen, ms: next.ms };
      break;
    }
    case 3:
      if (isData(chosen)) result.splice(place + 1, 0, changed(random, chosen));
      break;
    case 4: {
      const late = upTo(random, 2600);
      for (let i = place; i < result.length; i++) {
        const each = result[i] as HeardFrame;
        result[i] = { ...each, ms: each.ms + late };
      }
      break;
    }
    case 5:
      result.length = place + 1;
      break;
    case 6:
      if (destination === 255) break;
      result.length = place + 1;
      result.push(
        random() < 0.5
          ? controlFrame(source, destination, chosen.ms, abort, control)
          : controlFrame(destination, source, chosen.ms, abort, control),
      );
      break;
    case 7:
      if (place > 0 || isAlone) result.splice(place, 1 + upTo(random, 5));
      break;
    case 8:
      if (isData(chosen)) result[place] = { ...chosen, data: chosen.data.slice(0, 7) };
      break;
    default:
      break;
  }
  return result;
};

const aloneMs = 2000;

/** Transfers between a few nodes that overlap in time, most of them with a fault. */
export const randomTraffic = (random: Random, transfers: number): Traffic => {
  const frames: HeardFrame[] = [];
  const sent: SentTransfer[] = [];
  const freeAt = new Map<string, number>();
  let ms = 1000;
  for (let count = 0; count < transfers; count++) {
    const source = upTo(random, 3);
    const destination = random() < 0.5 ? 255 : 4 + upTo(random, 2);
    // An extended transfer runs next to a short one between the same nodes.
    const isExtended = destination !== 255 && random() < 0.1;
    const key = `${source}>${destination}${isExtended}`;
    const isAlone = random() < 0.2;
    const start = Math.max(ms, (freeAt.get(key) ?? 0) + (isAlone ? aloneMs : 0));
    const make = isExtended ? extendedTransferOf : transferOf;
    const transfer = make(random, source, destination, start);
    sent.push(transfer.sent);
    const isFaulty = random() < 0.6;
    const heard = isFaulty
      ? withFault(random, transfer.frames, transfer.sent, isAlone)
      : transfer.frames;
    frames.push(...heard);
    // One transfer of a pair follows the other, or replaces the end of it.
    const end = heard.at(-1)?.ms ?? start;
    freeAt.set(key, end + 1 + upTo(random, 50));
    ms += upTo(random, 400);
  }
  return { frames: frames.sort((one, other) => one.ms - other.ms), sent };
};
