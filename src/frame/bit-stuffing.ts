/**
 * CAN's stuffing rule, a byte at a time: after five equal bits the transmitter inserts their
 * complement, which counts as the first bit of the next run.
 *
 * A tally is one number: the stuff bits so far, whether the last bit was followed by one, and
 * the last bit on the wire with the length of its run. Runs are 1 to 4 bits long, since a run of
 * five ends at once in a stuff bit.
 */
const followed = 1 << 3;
const countShift = 4;
const countMask = -1 << countShift;

const stateOf = (bit: number, run: number): number => (bit << 2) | (run - 1);

const advance = (state: number, byte: number): number => {
  let last = state >> 2;
  let run = (state & 3) + 1;
  let count = 0;
  let stuffed = false;
  for (let place = 7; place >= 0; place--) {
    const bit = (byte >> place) & 1;
    run = bit === last ? run + 1 : 1;
    last = bit;
    stuffed = run === 5;
    if (stuffed) {
      count += 1;
      last = 1 - bit;
      run = 1;
    }
  }
  return (count << countShift) | (stuffed ? followed : 0) | stateOf(last, run);
};

const advances = Uint8Array.from({ length: 8 * 256 }, (_, index) =>
  advance(index >> 8, index & 0xff),
);

/** No stuff bits yet, and a lone 0 on the wire. */
export const startTally = stateOf(0, 1);

/** Sends the eight bits of a byte, the highest first. */
export const stuffByte = (tally: number, byte: number): number =>
  (tally & countMask) + (advances[((tally & 7) << 8) | (byte & 0xff)] as number);

/** Sends 32 bits. */
export const stuffWord = (tally: number, word: number): number =>
  stuffByte(stuffByte(stuffByte(stuffByte(tally, word >> 24), word >> 16), word >> 8), word);

/** All stuff bits, the one behind the last bit included. */
export const stuffBits = (tally: number): number => tally >> countShift;

/** The stuff bits between the bits sent: without the one behind the last. */
export const innerStuffBits = (tally: number): number =>
  stuffBits(tally) - (tally & followed ? 1 : 0);
