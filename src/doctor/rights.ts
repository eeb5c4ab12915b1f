import type { Machine } from './machine.ts';

const capability = { netAdmin: 12, sysNice: 23 } as const;
export type Capability = keyof typeof capability;

/** True if the caller has a capability; undefined if unknown. */
export const hasCapability = (machine: Machine, name: Capability): boolean | undefined => {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(machine.read('/proc/self/status') ?? '')?.[1];
  if (effective === undefined) return undefined;
  return ((BigInt(`0x${effective}`) >> BigInt(capability[name])) & 1n) === 1n;
};

/** Soft limit; Infinity without one, undefined if unknown. */
export const limitOf = (machine: Machine, name: string): number | undefined => {
  const lines = (machine.read('/proc/self/limits') ?? '').split('\n');
  const line = lines.find((candidate) => candidate.startsWith(name));
  const [soft] = line?.slice(name.length).trim().split(/\s+/) ?? [];
  if (!soft) return undefined;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
};
