import { frameFlag } from '../../frame/frm2-layout.ts';

/**
 * The arbitration field of a frame as one number: of frames that start together, the one with the
 * lowest wins. The bits are those on the wire: eleven of the identifier; the remote bit, which is
 * always recessive in an extended frame; the bit that tells the formats apart; then, in an
 * extended frame, the rest of the identifier and its own remote bit.
 */
export const arbitrationKey = (id: number, flags: number): number => {
  const remote = (flags & frameFlag.remote) === 0 ? 0 : 1;
  if ((flags & frameFlag.extended) === 0) return ((id << 21) | (remote << 20)) >>> 0;
  const base = id >>> 18;
  const rest = id & 0x3ffff;
  return ((base << 21) | (0b11 << 19) | (rest << 1) | remote) >>> 0;
};
