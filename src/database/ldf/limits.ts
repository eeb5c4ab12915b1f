import type { FileLimits } from '../text/problems.ts';

/**
 * The largest public file has 138 signals in 94 kB. A LIN network has 60 frames of 64 bits, so
 * that no real file comes near these limits.
 */
export const ldfLimits: FileLimits = {
  fileBytes: 8 * 1024 * 1024,
  messages: 256,
  signals: 16_384,
  entries: 100_000,
  errors: 0,
};

/** Braces inside an unknown section. */
export const deepestSection = 64;
