import { BusbarError, invalidArgument, withField } from '../base/errors/busbar-error.ts';
import type { ChecksumModel, Frame } from '../frame/frame.ts';
import { frameFromRequest, requestFromCanFrame } from '../frame/frame-request.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { LinModel } from '../frame/lin.ts';
import { parseNotation } from '../frame/notation.ts';
import type { FrameRequest } from '../frame/request-fields.ts';

/** One or two digits and data; CAN suffixes after # are not data. */
const linForm = /^([0-9a-f]{1,2})#(?![#r])(.*)$/i;

const linRequest = (text: string): FrameRequest => {
  const [, id, data] = linForm.exec(text) ?? [];
  if (id === undefined || data === undefined) {
    const form = 'one or two hex digits, # and 1 to 8 bytes, such as 1A#0102';
    throw invalidArgument('frame', `frame on a lin channel must be ${form}`, {
      reason: 'bad_lin_notation',
      bus: 'lin',
    });
  }
  return { type: 'master-write', id: Number.parseInt(id, 16), data };
};

/** Replaces the field in an error by `frame`, because the caller wrote only the text. */
const asFieldOfText = (thrown: unknown): BusbarError => {
  const error = BusbarError.from(thrown);
  const { field } = error.details;
  if (field === undefined || field === 'checksum') return error;
  return withField('frame', error);
};

export const frameFromText = (
  text: string,
  bus: Bus,
  checksum: ChecksumModel | undefined,
  lin: LinModel | undefined,
): Frame => {
  try {
    const request = bus === 'lin' ? linRequest(text) : requestFromCanFrame(parseNotation(text));
    const whole = checksum === undefined ? request : { ...request, checksum };
    return frameFromRequest(whole, bus, lin);
  } catch (thrown) {
    throw asFieldOfText(thrown);
  }
};
