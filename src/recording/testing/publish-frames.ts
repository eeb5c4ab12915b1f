import type { RingWriter } from '../../broker/ring-writer.ts';
import { setFrm2TimestampUs, writeFrm2 } from '../../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';

const data = Uint8Array.of(0xde, 0xad, 0xbe, 0xef);

/** Publishes CAN frames whose ids count up from `firstId`. */
export const publishFrames = (
  writer: RingWriter,
  count: number,
  { firstId = 0, timestampUs = 0 } = {},
): void => {
  for (let index = 0; index < count; index++) {
    const at = writer.reserve();
    const { view } = writer;
    writeFrm2(
      view,
      at,
      busCode.can,
      eventKindCode.rx_frame,
      writer.channel,
      (firstId + index) & 0x1fff_ffff,
      frameFlag.extended,
      data.length,
      data,
      0,
      data.length,
    );
    setFrm2TimestampUs(view, at, timestampUs + index);
    writer.commit();
  }
};
