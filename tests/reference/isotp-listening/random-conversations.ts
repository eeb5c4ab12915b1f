import type { BusFrame, Direction } from './listener.ts';

type Random = () => number;

const faults = ['drop', 'repeat', 'swap', 'cut', 'intrude', 'delay'] as const;

export interface SentPayload {
  readonly id: number;
  readonly payload: readonly number[];
}

export interface Traffic {
  readonly frames: readonly BusFrame[];
  readonly sent: readonly SentPayload[];
}

const upTo = (random: Random, limit: number): number => Math.floor(random() * limit);

interface Part {
  id: number;
  data: readonly number[];
  /** Time since the part before. */
  gapUs: number;
}

/** Frames of a message, with flow control after the first one and after each block. */
const partsOf = (random: Random, direction: Direction, payload: readonly number[]): Part[] => {
  const { id, from, address } = direction;
  const prefix = address === null ? [] : [address];
  const room = 8 - prefix.length;
  const part = (of: number, bytes: readonly number[]): Part => ({
    id: of,
    data: [...prefix, ...bytes],
    gapUs: 100 + upTo(random, 20_000),
  });
  const padded = (bytes: readonly number[]): readonly number[] =>
    random() < 0.5 ? bytes : [...bytes, ...Array<number>(room - bytes.length).fill(0xcc)];
  if (payload.length < room) return [part(id, padded([payload.length, ...payload]))];
  const size = upTo(random, 4);
  const parts = [
    part(id, [0x10 + (payload.length >> 8), payload.length & 0xff, ...payload.slice(0, room - 2)]),
  ];
  const clear = (): void => {
    while (random() < 0.1) parts.push(part(from, padded([0x31, 0, 0])));
    parts.push(part(from, padded([0x30, size, 0])));
  };
  clear();
  let sequence = 1;
  for (let at = room - 2; at < payload.length; at += room - 1, sequence++) {
    const isBlockEnd = size > 0 && sequence > 1 && (sequence - 1) % size === 0;
    if (isBlockEnd) clear();
    const bytes = payload.slice(at, at + room - 1);
    const isLast = at + room - 1 >= payload.length;
    parts.push(
      part(
        id,
        isLast ? padded([0x20 + (sequence & 15), ...bytes]) : [0x20 + (sequence & 15), ...bytes],
      ),
    );
  }
  return parts;
};

/** One fault at most. A sender whose message is cut gives up before its next one. */
const disturbed = (random: Random, parts: Part[], direction: Direction): Part[] => {
  if (random() < 0.5) return parts;
  const fault = faults[upTo(random, faults.length)];
  const at = upTo(random, parts.length);
  const one = parts[at] as Part;
  const changed = parts.slice();
  switch (fault) {
    case 'drop':
      changed.splice(at, 1);
      break;
    case 'repeat':
      changed.splice(at, 0, { ...one });
      break;
    case 'swap':
      changed.splice(at, 2, ...parts.slice(at, at + 2).reverse());
      break;
    case 'cut':
      changed.length = at;
      break;
    case 'intrude': {
      const { id, address } = direction;
      changed.splice(at, 0, {
        id,
        data: [...(address === null ? [] : [address]), 2, 0x3e, 0x80],
        gapUs: 500,
      });
      break;
    }
    default:
      changed[at] = { ...one, gapUs: 500_000 + upTo(random, 3_500_000) };
  }
  return changed;
};

/** Messages on several pairs at the same time, each pair with one message after the other. */
export const randomConversations = (
  random: Random,
  directions: readonly Direction[],
  messagesOfPair: number,
): Traffic => {
  const frames: BusFrame[] = [];
  const sent: SentPayload[] = [];
  for (let pair = 0; pair + 1 < directions.length; pair += 2) {
    let us = upTo(random, 1000);
    for (let message = 0; message < messagesOfPair; message++) {
      const direction = directions[pair + upTo(random, 2)] as Direction;
      const length = 1 + upTo(random, random() < 0.7 ? 40 : 400);
      const payload = Array.from({ length }, () => upTo(random, 256));
      sent.push({ id: direction.id, payload });
      const parts = partsOf(random, direction, payload);
      const changed = disturbed(random, parts, direction);
      for (const { id, data, gapUs } of changed) {
        us += gapUs;
        frames.push({ id, data, us });
      }
      const isCut = changed.length < parts.length - 1;
      us += 100 + upTo(random, 30_000) + (isCut ? 4_000_000 : 0);
    }
  }
  return { frames: frames.sort((a, b) => a.us - b.us), sent };
};
