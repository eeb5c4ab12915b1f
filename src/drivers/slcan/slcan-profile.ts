/**
 * What kind of adapter answers at the other end. Families differ in what they answer at all:
 *
 *                          answers commands   CAN FD   custom timing      time stamps
 *     Lawicel and alike    yes                no       BTR of an SJA1000  ms
 *     FD firmware          yes                yes      segments, own clock  µs or ms
 *     CANable              no                 no       none               none
 *     CANable 2            its version only   yes      none               none
 */
export interface SlcanProfile {
  /** Commands and frames are answered; without that nothing about them is certain. */
  readonly acknowledges: boolean;
  readonly fd: boolean;
  /** How custom bit timing is told, and the clock that it divides. */
  readonly timing: { readonly form: 'btr' | 'segments'; readonly clockHz: number } | undefined;
  /** As the device says it; empty if it says none. */
  readonly version: string;
  readonly serial: string;
}

/** What is taken for granted of a device that says nothing. */
export const silentProfile: SlcanProfile = {
  acknowledges: false,
  fd: false,
  timing: undefined,
  version: '',
  serial: '',
};

export const isSilent = ({ acknowledges, version }: SlcanProfile): boolean =>
  !acknowledges && version === '';

/** The clock of an SJA1000 with the usual crystal of 16 MHz. */
export const sja1000ClockHz = 8_000_000;

/** Serial numbers that firmware has before the device is given one of its own. */
const placeholders = new Set(['A123', '0000', '0001', '1234', 'FFFF']);

/** The serial number of a device that can be told from others of its kind by it. */
export const ownSerial = ({ serial }: SlcanProfile): string | undefined =>
  serial === '' || placeholders.has(serial.toUpperCase()) ? undefined : serial;

export const isSameDevice = (one: SlcanProfile, other: SlcanProfile): boolean =>
  one.version === other.version && one.serial === other.serial;
