export const driverKinds = ['socketcan', 'lin-uart', 'slcan', 'virtual'] as const;
export type DriverKind = (typeof driverKinds)[number];
