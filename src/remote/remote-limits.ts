export const defaultRemoteListen = '127.0.0.1:20000';
export const maxPeers = 16;
export const maxForwardedChannels = 16;
export const remoteBufferUs = { default: 2000, maximum: 1_000_000 } as const;
export const remoteMaxAgeMs = { minimum: 1, maximum: 3_600_000 } as const;

export const waitingFrames = 16_384;
