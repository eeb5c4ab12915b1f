/**
 * Adapter capabilities. Adapter families differ in the commands that they acknowledge:
 *
 *                          acknowledges     CAN FD   custom timing        timestamps
 *     Lawicel, compatible  all commands     no       BTR of an SJA1000    ms
 *     FD firmware          all commands     yes      segments, own clock  µs or ms
 *     CANable              nothing          no       none                 none
 *     CANable 2            its version      yes      none                 none
 */
export interface SlcanProfile {
  /** The adapter acknowledges commands and frames. Otherwise nothing is certain. */
  readonly acknowledges: boolean;
  readonly fd: boolean;
  readonly timing: { readonly form: 'btr' | 'segments'; readonly clockHz: number } | undefined;
  readonly version: string;
  readonly serial: string;
}

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

const placeholders = new Set(['A123', '0000', '0001', '1234', 'FFFF']);

export const ownSerial = ({ serial }: SlcanProfile): string | undefined =>
  serial === '' || placeholders.has(serial.toUpperCase()) ? undefined : serial;

export const isSameDevice = (one: SlcanProfile, other: SlcanProfile): boolean =>
  one.version === other.version && one.serial === other.serial;
