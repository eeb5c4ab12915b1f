/** All drivers, in the order in which they look for devices. */
export const driverKinds = ['socketcan', 'lin-uart', 'slcan', 'virtual'] as const;
export type DriverKind = (typeof driverKinds)[number];
