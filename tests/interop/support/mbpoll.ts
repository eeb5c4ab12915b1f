import { spawn } from 'node:child_process';
import { hasPeer } from '../../support/peers.ts';

const mbpoll = '/usr/bin/mbpoll';

export const hasMbpoll = hasPeer(mbpoll, 'mbpoll');

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** One call of the program; it prints errors and the number of written items as text. */
export const runMbpoll = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(mbpoll, ['-a', '1', '-o', '10', ...args]);
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    child.stderr.on('data', (text) => {
      output += text;
    });
    child.on('close', (code) => resolve({ code, output }));
  });

/** `[101]: 65531 (-5)`: its reference, and the value. */
export const valuesIn = ({ code, output }: Ended): Record<string, string> => {
  if (code !== 0) throw new Error(output);
  return Object.fromEntries(
    [...output.matchAll(/^\[(\d+)\]:\s+(\S+)/gm)].map(([, reference, value]) => [reference, value]),
  );
};

/** Number of items it has written. */
export const written = ({ code, output }: Ended): number => {
  if (code !== 0) throw new Error(output);
  return Number(/Written (\d+) references/.exec(output)?.[1]);
};
