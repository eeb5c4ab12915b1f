import { appText, channelMask, channelShift, textSource } from './blf-layout.ts';
import type { BlfObject } from './object-event.ts';

const decoder = new TextDecoder();

/** So much of a body is looked at: paths of databases come before the names. */
export const longestText = 1024;

/**
 * Takes the name of a channel from an APP_TEXT object: the path of its database, the name and more,
 * with semicolons between. CAN and LIN count their channels apart; the first that is named stays.
 */
export const readChannelName = (object: BlfObject, names: Map<number, string>): void => {
  const { bytes, view } = object.window;
  const body = object.at + object.headerSize;
  const room = Math.min(object.size - object.headerSize, longestText) - appText.text;
  if (room < 0 || view.getUint32(body + appText.source, true) !== textSource.channel) return;
  const channel = (view.getUint32(body + appText.info, true) >> channelShift) & channelMask;
  const length = Math.min(view.getUint32(body + appText.textLength, true), room);
  const from = body + appText.text;
  const [, name = ''] = decoder.decode(bytes.subarray(from, from + length)).split(';');
  if (name !== '' && !names.has(channel)) names.set(channel, name);
};
