/** The J1939 parameter group that a frame of 29 bits carries; below F0 the next byte is an address. */
export const pgnOf = (id: number): number =>
  ((id & 0xff_0000) < 0xf0_0000 ? id & 0x03ff_0000 : id & 0x03ff_ff00) >>> 8;

/** Parameter group and addresses of an identifier, without its priority. */
export const unprioritized = (id: number): number => id & 0x03ff_ffff;
