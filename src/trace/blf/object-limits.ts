import {
  baseHeaderSize,
  container,
  maxObjectType,
  objectType,
  timedHeaderSize,
} from './blf-layout.ts';
import { longestText } from './channel-names.ts';

const { logContainer, appText, eventComment, ...eventTypes } = objectType;

const isEvent = new Uint8Array(maxObjectType + 1);
for (const type of Object.values(eventTypes)) isEvent[type] = 1;

/** Whether an object of that type may be an event of a bus. */
const isEventType = (type: number): boolean => isEvent[type] === 1;

/** No decoder of an event looks further into a body. */
const longestBody = 192;
/** Events are small and of known shape; a bigger one is damage, and following it loses others. */
const maxEventSize = 0x1000;
/** The same for objects that are passed over: the largest carry variables and texts. */
const maxPassedSize = 0x100_0000;

/** How much of an object must be there to make use of it. */
export const neededOf = (headerSize: number, size: number, type: number): number => {
  if (isEventType(type)) return Math.min(size, headerSize + longestBody);
  if (type === logContainer) return headerSize + container.data;
  const isText = type === appText || type === eventComment;
  return isText ? Math.min(size, headerSize + longestText) : baseHeaderSize;
};

/** Why a header cannot be one, if so. */
export const flawOfHeader = (
  headerSize: number,
  size: number,
  type: number,
): string | undefined => {
  if (headerSize < baseHeaderSize) return `An object claims a header of ${headerSize} bytes`;
  if (size < headerSize) return `An object of ${size} bytes claims a header of ${headerSize}`;
  if (type > maxObjectType) return `An object claims to be of type ${type}`;
  if (type === logContainer) {
    return size < headerSize + container.data ? `A container claims ${size} bytes` : undefined;
  }
  if (!isEventType(type)) {
    return size > maxPassedSize ? `An object of type ${type} claims ${size} bytes` : undefined;
  }
  if (headerSize < timedHeaderSize) return `An event of type ${type} has no time`;
  return size > maxEventSize ? `An event of type ${type} claims ${size} bytes` : undefined;
};
