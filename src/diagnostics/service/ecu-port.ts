import type { FrameFault } from '../ecu-server.ts';

export interface EcuPortListener {
  /** `payload` is valid during the call only. */
  requested(payload: Uint8Array, functional: boolean, atUs: number): void;
  /** The last frame of the response was sent, or the rest will not be. */
  ended(isSent: boolean, atUs: number): void;
}

/** The bus side of a simulated ECU: requests in, responses out. */
export interface EcuPort {
  /** Whether functional requests have responses on this bus. */
  readonly answersFunctional: boolean;
  readonly isResponding: boolean;
  /** Starts a response; `ended` follows. */
  respond(payload: Uint8Array, faults: readonly FrameFault[]): void;
  /** Abandons the response that is being sent, without `ended`. */
  abandon(): void;
  close(): void;
}

/** The fault of a frame, or undefined. */
export const faultOf = (faults: readonly FrameFault[], frame: number): FrameFault | undefined => {
  for (let i = 0; i < faults.length; i++) if (faults[i]?.frame === frame) return faults[i];
  return undefined;
};

/** Increments the sequence number of a consecutive frame. */
export const misnumber = (data: Uint8Array, pciAt: number): void => {
  const pci = data[pciAt] as number;
  if (pci >> 4 === 2) data[pciAt] = (pci & 0xf0) | ((pci + 1) & 0x0f);
};
