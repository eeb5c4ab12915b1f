/** Start bit, eight data bits, parity or a second stop bit, stop bit. */
const bitsPerCharacter = 11;

/** Above this baud rate the silence no longer shrinks: no timer could keep up. */
const fastestTimedBaud = 19_200;
const shortestSilenceUs = 1750;

/** Silence that ends an RTU frame: three and a half characters, from the serial line guide 2.5.1.1. */
export const rtuSilenceUs = (baud: number): number =>
  baud > fastestTimedBaud
    ? shortestSilenceUs
    : Math.ceil((3.5 * bitsPerCharacter * 1_000_000) / baud);

/** USB adapters collect bytes for up to this long, so that gaps appear inside of frames. */
export const adapterDelayUs = 16_000;

/**
 * Silence that ends an RTU frame on a connection. The network cuts it anywhere, and sends a part that
 * it has lost again after some hundreds of milliseconds.
 */
export const streamSilenceUs = 500_000;

/**
 * Longest pause inside a frame, where nothing else was said. RTU asks for one and a half characters,
 * but adapters, serial servers and busy devices pause for longer; libmodbus waits as long as this.
 */
export const defaultGapUs = { rtu: 500_000, ascii: 1_000_000 } as const;
