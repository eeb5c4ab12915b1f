import {
  setFrm2Checksum,
  setFrm2EventId,
  setFrm2FilterHit,
  setFrm2HardwareSequence,
  setFrm2SourceSequence,
  setFrm2TimestampUs,
  writeFrm2,
} from '../../frame/frm2-codec.ts';
import { busCode, eventKindCode, frm2SlotBytes } from '../../frame/frm2-layout.ts';
import { Staging } from '../staging.ts';

/**
 * A staging area with a CAN FD record in every slot: the given payload lengths, ids from
 * `firstId`.
 */
export const stagedRecords = (lengths: readonly number[], firstId = 1, channel = 3): Staging => {
  const staging = new Staging();
  const { view } = staging;
  lengths.forEach((length, index) => {
    const at = index * frm2SlotBytes;
    const data = Uint8Array.from({ length }, (_, byte) => 0xf0 + byte);
    const bus = busCode.canfd;
    writeFrm2(view, at, bus, eventKindCode.rx_frame, channel, 0x123, 4, 8, data, 0, length);
    setFrm2EventId(view, at, firstId + index);
    setFrm2SourceSequence(view, at, 7);
    setFrm2TimestampUs(view, at, 1_700_000_000_000_000);
    setFrm2HardwareSequence(view, at, 0x0102);
    setFrm2FilterHit(view, at, 5);
    setFrm2Checksum(view, at, 0xee);
  });
  return staging;
};
