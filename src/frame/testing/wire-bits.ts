/** CAN frames bit by bit, straight from the frame formats: slow, to check the fast counting. */
import type { CanFrame } from '../frame.ts';

type Bits = number[];

const number = (value: number, width: number): Bits =>
  Array.from({ length: width }, (_, i) => Math.floor(value / 2 ** (width - 1 - i)) % 2);

const dataBits = (frame: CanFrame): Bits => [...frame.data].flatMap((byte) => number(byte, 8));

const identifier = ({ id, extended }: CanFrame, remoteBit: number): Bits =>
  extended
    ? [...number(Math.floor(id / 2 ** 18), 11), 1, 1, ...number(id % 2 ** 18, 18), remoteBit]
    : [...number(id, 11), remoteBit, 0];

/** The 15 check bits over the bits from the start bit to the last data bit. */
export const slowCrc15 = (bits: Bits): Bits => {
  const taps = number(0x4599, 15);
  let register: Bits = new Array<number>(15).fill(0);
  for (const bit of bits) {
    const feedback = bit === register[0] ? 0 : 1;
    const shifted = [...register.slice(1), 0];
    register = shifted.map((value, i) => value ^ (feedback & (taps[i] as number)));
  }
  return register;
};

/** Start bit to last data bit of a classic frame. */
export const classicBits = (frame: CanFrame): Bits => [
  0,
  ...identifier(frame, frame.remote ? 1 : 0),
  ...(frame.extended ? [0, 0] : [0]),
  ...number(frame.dlc, 4),
  ...dataBits(frame),
];

/** Positions in `bits` after which a stuff bit is inserted. */
const stuffPlaces = (bits: Bits): number[] => {
  const places: number[] = [];
  let run = 0;
  let last: number | undefined;
  bits.forEach((bit, place) => {
    run = bit === last ? run + 1 : 1;
    last = bit;
    if (run < 5) return;
    places.push(place);
    last = 1 - bit;
    run = 1;
  });
  return places;
};

export interface WireBits {
  readonly nominal: number;
  readonly data: number;
}

const acknowledgeToInterframe = 2 + 7 + 3;

const checkedBits = (frame: CanFrame): Bits => {
  const body = classicBits(frame);
  return [...body, ...slowCrc15(body)];
};

/** Whether a stuff bit follows the last bit of a classic frame's CRC. */
export const stuffsAfterCrc = (frame: CanFrame): boolean => {
  const stuffable = checkedBits(frame);
  return stuffPlaces(stuffable).includes(stuffable.length - 1);
};

const slowClassic = (frame: CanFrame): WireBits => {
  const stuffable = checkedBits(frame);
  const nominal = stuffable.length + stuffPlaces(stuffable).length + 1 + acknowledgeToInterframe;
  return { nominal, data: 0 };
};

const slowFd = (frame: CanFrame): WireBits => {
  const toBrs = [0, ...identifier(frame, 0), 1, 0, frame.brs ? 1 : 0];
  const toDataEnd = [...toBrs, frame.esi ? 1 : 0, ...number(frame.dlc, 4), ...dataBits(frame)];
  // The first fixed stuff bit follows the last data bit, without a dynamic one.
  const places = stuffPlaces(toDataEnd).filter((place) => place < toDataEnd.length - 1);
  const before = places.filter((place) => place < toBrs.length).length;
  const crc = 4 + (frame.data.length > 16 ? 21 : 17);
  const fixedStuff = Math.floor(crc / 4) + 1;
  const nominal = toBrs.length + before + acknowledgeToInterframe;
  const rest = toDataEnd.length - toBrs.length + places.length - before;
  return { nominal, data: rest + fixedStuff + crc + 1 };
};

/** Number of bits on the wire; all bits of a classic frame have the nominal rate. */
export const slowWireBits = (frame: CanFrame): WireBits =>
  frame.fd ? slowFd(frame) : slowClassic(frame);
