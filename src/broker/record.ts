import { frm2 } from '../frame/frm2-layout.ts';

const highHalf = 2 ** 32;

const readWide = (view: DataView, offset: number): number =>
  view.getUint32(offset) * highHalf + view.getUint32(offset + 4);

const writeWide = (view: DataView, offset: number, value: number): void => {
  view.setUint32(offset, value / highHalf);
  view.setUint32(offset + 4, value);
};

export const readEventId = (view: DataView, record: number): number =>
  readWide(view, record + frm2.eventId);

export const writeEventId = (view: DataView, record: number, eventId: number): void =>
  writeWide(view, record + frm2.eventId, eventId);

export const writeSourceSequence = (view: DataView, record: number, sequence: number): void =>
  writeWide(view, record + frm2.sourceSequence, sequence);
