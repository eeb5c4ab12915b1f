import { busCode } from '../../frame/frm2-layout.ts';
import {
  appText,
  busShift,
  channelShift,
  comment,
  objectType,
  textSource,
  vectorBus,
} from './blf-layout.ts';
import type { ContainerWriter } from './container-writer.ts';

const fdChannel = 1 << 24;

const encoder = new TextEncoder();

export const encodeComment = (to: ContainerWriter, timeNs: number, text: string): void => {
  const bytes = encoder.encode(text);
  const body = to.begin(objectType.eventComment, comment.text + bytes.length, timeNs);
  to.view.setUint32(body + comment.textLength, bytes.length, true);
  to.bytes.set(bytes, body + comment.text);
};

export const encodeChannelName = (
  to: ContainerWriter,
  timeNs: number,
  channel: number,
  bus: number,
  name: string,
): void => {
  const bytes = encoder.encode(`;${name.replaceAll(';', ' ')};`);
  const body = to.begin(objectType.appText, appText.text + bytes.length, timeNs);
  const kind = bus === busCode.lin ? vectorBus.lin : vectorBus.can;
  const info =
    (channel << channelShift) | (kind << busShift) | (bus === busCode.canfd ? fdChannel : 0);
  to.view.setUint32(body + appText.source, textSource.channel, true);
  to.view.setUint32(body + appText.info, info, true);
  to.view.setUint32(body + appText.textLength, bytes.length, true);
  to.bytes.set(bytes, body + appText.text);
};
