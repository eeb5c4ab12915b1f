import { deflateSync } from 'node:zlib';
import type { ByteSink, TraceWriteOptions } from '../trace-format.ts';
import { BlfWriter, type HoldingWriter } from './blf-writer.ts';
import type { Compression } from './container-writer.ts';

/** For frames, this level is as fast as the lowest and as small as the default. */
const level = 4;

const zlib: Compression = { level, compress: (contents) => deflateSync(contents, { level }) };

export const createBlf = (sink: ByteSink, options: TraceWriteOptions): HoldingWriter =>
  new BlfWriter(sink, options, zlib);
