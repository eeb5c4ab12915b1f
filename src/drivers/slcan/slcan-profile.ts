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
  /** Commands and frames are answered; otherwise nothing is certain. */
  readonly acknowledges: boolean;
  readonly fd: boolean;
  /** Form and clock of custom bit timing. */
  readonly timing: { readonly form: 'btr' | 'segments'; readonly clockHz: number } | undefined;
  /** As reported; may be empty. */
  readonly version: string;
  readonly serial: string;
}

/** Assumed for a silent device. */
export const silentProfile: SlcanProfile = {
  acknowledges: false,
  fd: false,
  timing: undefined,
  version: '',
  serial: '',
};

export const isSilent = ({ acknowledges, version }: SlcanProfile): boolean =>
  !acknowledges && version === '';

/** SJA1000 with a 16 MHz crystal. */
export const sja1000ClockHz = 8_000_000;

/** Default serial numbers of firmware. */
const placeholders = new Set(['A123', '0000', '0001', '1234', 'FFFF']);

/** A distinctive serial number, or undefined. */
export const ownSerial = ({ serial }: SlcanProfile): string | undefined =>
  serial === '' || placeholders.has(serial.toUpperCase()) ? undefined : serial;

export const isSameDevice = (one: SlcanProfile, other: SlcanProfile): boolean =>
  one.version === other.version && one.serial === other.serial;
