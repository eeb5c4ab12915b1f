import { wholeError } from '../../../base/decimal/whole-number.ts';
import { checksumBitsOf, maxCounterOf } from '../../../e2e/profiles.ts';
import type { RowOf } from '../project.ts';
import type { E2eCodec } from '../tables/codecs.ts';
import { flowFaults } from '../tables/fault-rules.ts';
import type { ProjectLinks, Report } from './project-links.ts';

type RuleRow = RowOf<'fault_rules'>;
type Target = 'byte_offset' | 'mask' | 'value';

const isFlow = (kind: string): boolean => flowFaults.some((name) => name === kind);
const isByteRule = (kind: string): boolean => kind === 'xor_byte' || kind === 'set_byte';

const allowedFields = (kind: RuleRow['kind']): readonly Target[] => {
  if (isFlow(kind)) return [];
  if (isByteRule(kind)) return ['byte_offset', 'mask'];
  return kind === 'freeze_counter' ? ['value'] : ['mask', 'value'];
};

const checkFields = (rule: RuleRow, index: number, report: Report): void => {
  const { kind, mask, value } = rule;
  const allowed = allowedFields(kind);
  for (const field of ['byte_offset', 'mask', 'value'] as const) {
    if (rule[field] !== undefined && !allowed.includes(field)) {
      report(index, field, 'not_applicable', `is not used for ${kind}`);
    } else if (rule[field] === undefined && isByteRule(kind) && allowed.includes(field)) {
      report(index, field, 'missing_field', `is required for ${kind}`);
    }
  }
  const takesValue = kind === 'counter_jump' || kind === 'corrupt_checksum';
  if (takesValue && value === undefined && mask === undefined) {
    report(index, 'value', 'missing_field', `is required for ${kind}, or a mask`);
  }
};

const checkByte = ({ kind, byte_offset, mask }: RuleRow, length: number | undefined) => {
  if (length !== undefined && byte_offset !== undefined && byte_offset >= length) {
    const error = `must be a byte of the message, which has ${length}`;
    return { field: 'byte_offset', code: 'out_of_bounds', error } as const;
  }
  if (kind === 'xor_byte' && mask === 0) {
    const error = 'must have at least one bit set';
    return { field: 'mask', code: 'no_effect', error } as const;
  }
  return undefined;
};

const checkField = (rule: RuleRow, codec: E2eCodec, index: number, report: Report): void => {
  const { kind, value, mask } = rule;
  const field = value === undefined ? 'mask' : 'value';
  const text = value ?? mask?.toString();
  const max = maxCounterOf(codec);
  const bits = checksumBitsOf(codec);
  if (text === undefined) return;
  if (kind === 'freeze_counter' && value !== undefined && max !== undefined) {
    const fault = wholeError(value, { least: 0n, max });
    if (fault) report(index, 'value', 'invalid_value', `${fault}, as the counter has`);
  }
  if (kind === 'counter_jump' && max !== undefined && BigInt(text) % (max + 1n) === 0n) {
    const error = `must change the counter, which wraps after ${max}`;
    report(index, field, 'no_effect', error);
  }
  if (kind === 'corrupt_checksum' && bits !== undefined) {
    const fault = wholeError(text, { least: 1n, max: 2n ** BigInt(bits) - 1n });
    if (fault) report(index, field, 'invalid_value', `${fault}, as the checksum has`);
  }
};

const protectionOf = (
  links: ProjectLinks,
  messageId: string,
  { kind }: RuleRow,
  index: number,
  report: Report,
): E2eCodec | undefined => {
  const { e2e, codecs } = links.draft.tables;
  const [protect] = links.protectsOfMessage.get(messageId) ?? [];
  const row = protect === undefined ? undefined : e2e.rows[protect];
  if (row === undefined) {
    if (!e2e.isComplete) return undefined;
    const error = `must send an E2E-protected message: ${kind} changes its counter or checksum`;
    report(index, 'task', 'unprotected_task', error);
    return undefined;
  }
  const codec = codecs.get(row.codec);
  if (codec?.kind === 'native') {
    const error = `must be protected by a built-in codec for ${kind}, because the fields of a plugin are unknown; use xor_byte or set_byte`;
    report(index, 'task', 'unprotected_task', error);
  }
  return codec?.kind === 'e2e' ? codec : undefined;
};

export const checkFaultRules = (links: ProjectLinks): void => {
  const report = links.reporter('fault_rules');
  const { fault_rules, tx_tasks, messages, pdus, e2e } = links.draft.tables;
  const knowsProtections = messages.isComplete && pdus.isComplete && e2e.isComplete;
  fault_rules.rows.forEach((rule, index) => {
    checkFields(rule, index, report);
    const task = tx_tasks.get(rule.task);
    if (task?.resources !== undefined && task.message === undefined) {
      report(
        index,
        'task',
        'wrong_kind',
        'must send a CAN message: fault rules change frames only',
      );
      return;
    }
    const message = messages.get(task?.message ?? '');
    if (isByteRule(rule.kind)) {
      const fault = checkByte(rule, message?.length);
      if (fault) report(index, fault.field, fault.code, fault.error);
    } else if (!isFlow(rule.kind) && message && knowsProtections) {
      const codec = protectionOf(links, message.id, rule, index, report);
      if (codec) checkField(rule, codec, index, report);
    }
  });
};
