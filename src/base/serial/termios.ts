import type { SerialSettings } from './serial-settings.ts';

/**
 * `struct termios2` of the kernel in asm-generic: x86, ARM, RISC-V, s390 and LoongArch. Only
 * termios2 supports arbitrary baud rates.
 */
export const termiosLength = 44;

const at = { iflag: 0, oflag: 4, cflag: 8, lflag: 12, cc: 17, ispeed: 36, ospeed: 40 } as const;
const cc = { vtime: 5, vmin: 6 } as const;
const flags = {
  IGNBRK: 0x1,
  PARMRK: 0x8,
  INPCK: 0x10,
  OPOST: 0x1,
  CSIZE: 0x30,
  CS7: 0x20,
  CS8: 0x30,
  CSTOPB: 0x40,
  CREAD: 0x80,
  PARENB: 0x100,
  PARODD: 0x200,
  CLOCAL: 0x800,
  BOTHER: 0x1000,
} as const;
const inputCooking = 0x20 | 0x40 | 0x80 | 0x100 | 0x400 | 0x1000;
/** ISIG, ICANON, ECHO, IEXTEN. */
const lineCooking = 0x1 | 0x2 | 0x8 | 0x8000;
const formatMask = flags.CSIZE | flags.CSTOPB | flags.PARENB | flags.PARODD;

const formatOf = ({ dataBits, parity, stopBits }: SerialSettings): number => {
  let format: number = dataBits === 7 ? flags.CS7 : flags.CS8;
  if (stopBits === 2) format |= flags.CSTOPB;
  if (parity !== 'none') format |= flags.PARENB;
  if (parity === 'odd') format |= flags.PARODD;
  return format;
};

export interface LineErrors {
  readonly areMarked: boolean;
}

export const termiosFor = (
  settings: SerialSettings,
  { areMarked }: LineErrors = { areMarked: false },
): Uint8Array => {
  const bytes = new Uint8Array(termiosLength);
  const words = new DataView(bytes.buffer);
  const isLittle = true;
  const unmarked = flags.IGNBRK | (settings.parity === 'none' ? 0 : flags.INPCK);
  const input = areMarked ? flags.INPCK | flags.PARMRK : unmarked;
  words.setUint32(at.iflag, input, isLittle);
  const control = formatOf(settings) | flags.CREAD | flags.CLOCAL | flags.BOTHER;
  words.setUint32(at.cflag, control, isLittle);
  words.setUint32(at.ispeed, settings.baudRate, isLittle);
  words.setUint32(at.ospeed, settings.baudRate, isLittle);
  bytes[at.cc + cc.vmin] = 1;
  bytes[at.cc + cc.vtime] = 0;
  return bytes;
};

const baudTolerance = 0.03;

/** Name of a setting that the device did not apply although it reported success. */
export const refusedSetting = (
  bytes: Uint8Array,
  settings: SerialSettings,
  { ignoresFormat }: { readonly ignoresFormat: boolean },
): 'raw_mode' | 'baud_rate' | 'data_format' | undefined => {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (offset: number): number => words.getUint32(offset, true);
  const cooked =
    (word(at.iflag) & inputCooking) |
    (word(at.oflag) & flags.OPOST) |
    (word(at.lflag) & lineCooking);
  if (cooked !== 0) return 'raw_mode';
  const error = Math.abs(word(at.ospeed) - settings.baudRate);
  if (error > baudTolerance * settings.baudRate) return 'baud_rate';
  const isAsReported = (word(at.cflag) & formatMask) === formatOf(settings);
  return isAsReported || ignoresFormat ? undefined : 'data_format';
};
