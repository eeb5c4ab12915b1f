import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { binaryImage, type Image } from './image.ts';
import { readIntelHex } from './intel-hex.ts';
import { readSRecords } from './s-record.ts';

const hexNames = /\.(?:hex|ihex|ihx)$/i;
const sRecordNames = /\.(?:s19|s28|s37|srec|mot|s)$/i;
const binaryNames = /\.bin$/i;

const parseImage = (name: string, file: Uint8Array, address: number | undefined): Image => {
  if (binaryNames.test(name)) {
    if (address !== undefined) return binaryImage(file, address);
    throw invalidArgument('address', 'address is required for a binary image');
  }
  if (address !== undefined) {
    throw invalidArgument('address', 'address is for binary images; this file has addresses');
  }
  if (hexNames.test(name)) return readIntelHex(file);
  if (sRecordNames.test(name)) return readSRecords(file);
  throw invalidArgument('file', 'file must be .hex, .s19, .s28, .s37 or .bin');
};

/**
 * Reads an image, which has at least one byte, by the end of its name. `address` is for binary
 * files, which have none.
 */
export const readImage = (name: string, file: Uint8Array, address?: number | undefined): Image => {
  const image = parseImage(name, file, address);
  if (image.size > 0) return image;
  throw new BusbarError('invalid_diagnostics_file', { message: 'The image is empty' });
};
