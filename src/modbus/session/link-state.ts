export const linkStates = ['closed', 'connecting', 'open', 'backing_off'] as const;
/** `backing_off`: it could not be made, and is left alone for a while. */
export type LinkState = (typeof linkStates)[number];
