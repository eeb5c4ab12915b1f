/** How Modbus is framed over TCP: with its own header, or like on a serial line. */
export const tcpFramings = ['tcp', 'rtu'] as const;
export const serialFramings = ['rtu', 'ascii'] as const;
export const parities = ['none', 'even', 'odd'] as const;
