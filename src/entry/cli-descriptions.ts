import descriptionsText from 'busbar:descriptions';
import { brotliDecompressSync } from 'node:zlib';
import type { Description } from '../operations/render/describe.ts';

export const readDescriptions = (): readonly Description[] =>
  JSON.parse(brotliDecompressSync(Buffer.from(descriptionsText, 'base64')).toString());
