import { BusbarError } from '../../base/errors/busbar-error.ts';

const mismatch = (
  device: string,
  reason: string,
  message: string,
  hint: string,
  retryable = false,
): BusbarError =>
  new BusbarError('hardware_error', { message, details: { reason, device }, hint, retryable });

/** Firmware without answers looks like nothing at all, which must not be told to have sent frames. */
export const noAnswer = (device: string): BusbarError => {
  const hint =
    'Check its power, its firmware and the baud rate, as in /dev/ttyUSB0,baud=57600; ' +
    'for firmware that never answers, as that of the first CANable, put ,answers=no behind the path';
  return mismatch(device, 'no_answer', `Nothing answers on ${device}`, hint, true);
};

export const wrongBaudRate = (device: string): BusbarError => {
  const hint = 'Give the baud rate of the adapter behind its path, as in /dev/ttyUSB0,baud=57600';
  const message = `${device} answers with noise instead of text: the baud rate is wrong`;
  return mismatch(device, 'baud_rate_mismatch', message, hint);
};

/** `deed`: what the device does that no slcan adapter would. */
export const notSlcan = (device: string, deed: string): BusbarError => {
  const hint = 'Flash slcan firmware, or name the right serial port in the bench file';
  const message = `${device} ${deed}: its firmware does not speak slcan`;
  return mismatch(device, 'not_slcan', message, hint);
};
