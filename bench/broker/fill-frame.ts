import {
  busCode,
  eventKindCode,
  frm2,
  frm2HeaderLength,
  frm2Magic,
  frm2Version,
} from '../../src/frame/frm2-layout.ts';

export const fillFrame = (view: DataView, offset: number, id: number, payload: number): void => {
  view.setUint32(offset + frm2.magic, frm2Magic);
  view.setUint8(offset + frm2.version, frm2Version);
  view.setUint8(offset + frm2.headerLength, frm2HeaderLength);
  view.setUint8(offset + frm2.bus, payload > 8 ? busCode.canfd : busCode.can);
  view.setUint8(offset + frm2.eventKind, eventKindCode.rx_frame);
  view.setUint16(offset + frm2.channel, 0);
  view.setUint8(offset + frm2.payloadLength, payload);
  view.setUint8(offset + frm2.dlc, payload > 8 ? 15 : payload);
  view.setUint32(offset + frm2.id, id & 0x7ff);
  view.setUint32(offset + frm2.flags, 0);
  view.setUint32(offset + frm2.status, 0);
  view.setUint32(offset + frm2.timestampUs, 0);
  view.setUint32(offset + frm2.timestampUs + 4, id);
  view.setUint32(offset + frm2.hardwareSequence, 0);
  for (let byte = 0; byte < payload; byte += 4) {
    view.setUint32(offset + frm2.payload + byte, id ^ byte);
  }
};
