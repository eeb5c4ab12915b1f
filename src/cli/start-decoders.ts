import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RpcMethods } from '../base/threads/rpc-port.ts';
import { DecoderThreads } from '../table/service/decoder-threads.ts';
import type { CliContext } from './context.ts';

export const startDecoders = <Theirs extends RpcMethods>(
  count: number,
  { distribution, stderr }: CliContext,
): DecoderThreads<Theirs> => {
  const program = join(distribution, 'thread.cjs');
  return new DecoderThreads<Theirs>(
    count,
    () => new Worker(program, { name: 'decoder', argv: ['decoder'] }),
    (thrown) => stderr.write(`${String(thrown)}\n`),
  );
};
