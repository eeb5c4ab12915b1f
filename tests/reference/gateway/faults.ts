import { readBits, writeBits } from './bits.ts';
import { type E2eLayout, fitChecksum, wrapCounter } from './e2e.ts';
import type { FaultRow } from './project.ts';

const flowKinds = ['drop', 'repeat', 'bypass', 'suppress'];

/** A rule and its counters since the start, or since it was enabled. */
export interface FaultRule {
  readonly row: FaultRow;
  enabled: boolean;
  opportunities: number;
  firings: number;
}

export const createRule = (row: FaultRow): FaultRule => ({
  row,
  enabled: row.enabled ?? false,
  opportunities: 0,
  firings: 0,
});

export const rearm = (rule: FaultRule): void => {
  rule.opportunities = 0;
  rule.firings = 0;
};

/** Enabling an enabled rule changes nothing. */
export const switchRule = (rule: FaultRule, enabled: boolean): void => {
  if (enabled && !rule.enabled) rearm(rule);
  rule.enabled = enabled;
};

/** Counts an opportunity; returns true if the rule fires. */
const fires = (rule: FaultRule): boolean => {
  const { start = 1, every = 1, count = 0 } = rule.row;
  rule.opportunities += 1;
  const isDue = rule.opportunities >= start && (rule.opportunities - start) % every === 0;
  if (!isDue || (count > 0 && rule.firings >= count)) return false;
  rule.firings += 1;
  return true;
};

/** Effect of the rules on an opportunity. */
export interface FaultDecision {
  readonly kind: 'none' | 'conflict' | 'drop' | 'repeat' | 'bypass' | 'suppress' | 'override';
  readonly overrides: readonly FaultRow[];
}

/** Counts an opportunity of a task for its rules, and returns their effect. */
export const decide = (rules: readonly FaultRule[]): FaultDecision => {
  const firing = rules.filter((rule) => rule.enabled && fires(rule)).map(({ row }) => row);
  const flows = firing.filter(({ kind }) => flowKinds.includes(kind));
  const overrides = firing.filter(({ kind }) => !flowKinds.includes(kind));
  const [flow] = flows;
  if (flow === undefined) {
    return { kind: overrides.length === 0 ? 'none' : 'override', overrides };
  }
  if (flows.length > 1 || overrides.length > 0) return { kind: 'conflict', overrides: [] };
  return { kind: flow.kind as FaultDecision['kind'], overrides: [] };
};

export interface ProtectedFrame {
  readonly layout: E2eLayout;
  readonly data: Uint8Array;
  nextCounter: bigint;
}

/** `value` overrides `mask`. */
const amountOf = ({ value, mask = 0 }: FaultRow): bigint => BigInt(value ?? mask);

/** Applies one rule to a frame; `protection` is missing if a task has none. */
export const override = (
  rule: FaultRow,
  frame: Uint8Array,
  protection: ProtectedFrame | undefined,
): void => {
  const { kind, byte_offset: at = 0, mask = 0 } = rule;
  if (kind === 'set_byte') frame[at] = mask;
  if (kind === 'xor_byte') frame[at] = (frame[at] ?? 0) ^ mask;
  if (protection === undefined) return;
  const { layout, data } = protection;
  switch (kind) {
    case 'freeze_counter':
      writeBits(data, layout.counter, BigInt(rule.value ?? layout.counterInitial));
      fitChecksum(layout, data);
      break;
    case 'counter_jump': {
      protection.nextCounter = wrapCounter(layout, protection.nextCounter + amountOf(rule));
      writeBits(data, layout.counter, wrapCounter(layout, protection.nextCounter - 1n));
      fitChecksum(layout, data);
      break;
    }
    case 'corrupt_checksum':
      writeBits(data, layout.checksum, readBits(data, layout.checksum) ^ amountOf(rule));
      break;
  }
};
