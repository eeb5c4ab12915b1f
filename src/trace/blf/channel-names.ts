import { busCode } from '../../frame/frm2-layout.ts';
import { channelKey } from '../channel-key.ts';
import {
  appText,
  busShift,
  channelMask,
  channelShift,
  textSource,
  vectorBus,
} from './blf-layout.ts';
import type { BlfObject } from './object-event.ts';

const decoder = new TextDecoder();

/** Database paths precede the names. */
export const maxTextLength = 1024;

/**
 * Reads the channel name from an APP_TEXT object: database path, name and more, separated by
 * semicolons. The first name wins.
 */
export const readChannelName = (object: BlfObject, names: Map<number, string>): void => {
  const { bytes, view } = object.window;
  const body = object.at + object.headerSize;
  const room = Math.min(object.size - object.headerSize, maxTextLength) - appText.text;
  if (room < 0 || view.getUint32(body + appText.source, true) !== textSource.channel) return;
  const info = view.getUint32(body + appText.info, true);
  const isLin = ((info >> busShift) & channelMask) === vectorBus.lin;
  const channel = (info >> channelShift) & channelMask;
  const key = channelKey(channel, isLin ? busCode.lin : busCode.can);
  const length = Math.min(view.getUint32(body + appText.textLength, true), room);
  const from = body + appText.text;
  const [, name = ''] = decoder.decode(bytes.subarray(from, from + length)).split(';');
  if (name !== '' && !names.has(key)) names.set(key, name);
};
