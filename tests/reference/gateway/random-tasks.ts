import { layoutOf } from './e2e.ts';
import { containerOf, e2eCodecOf, type FaultRow, type MessageRow } from './project.ts';
import type { ProjectDraft } from './project-draft.ts';
import type { Random } from './random.ts';

const flowKinds = ['drop', 'repeat', 'bypass', 'suppress'];
const byteKinds = ['xor_byte', 'set_byte'];
const fieldKinds = ['freeze_counter', 'counter_jump', 'corrupt_checksum'];

/** Largest counter and checksum bits of a message; undefined if it is not protected. */
const protectionOf = (
  draft: ProjectDraft,
  message: MessageRow,
): { readonly max: bigint; readonly checksumBits: number } | undefined => {
  const row = draft.tables.e2e.find(
    (candidate) =>
      candidate.direction === 'protect' &&
      containerOf(draft.tables, candidate).message.id === message.id,
  );
  if (row === undefined) return undefined;
  const { length } = containerOf(draft.tables, row);
  const layout = layoutOf(e2eCodecOf(draft.tables, row), length);
  return { max: layout.counterMax, checksumBits: layout.checksum.length };
};

const fieldsOf = (
  random: Random,
  kind: string,
  message: MessageRow,
  protection: { readonly max: bigint; readonly checksumBits: number } | undefined,
): Partial<FaultRow> => {
  const max = protection?.max ?? 1n;
  const most = 2n ** BigInt(protection?.checksumBits ?? 8) - 1n;
  switch (kind) {
    case 'xor_byte':
    case 'set_byte':
      return { byte_offset: random.integer(0, message.length - 1), mask: random.integer(1, 255) };
    case 'freeze_counter':
      return random.some(0.6, { value: String(random.pick([0n, 1n, max])) });
    case 'counter_jump':
      if (max > 1n && random.chance(0.4)) return { mask: 1 };
      return { value: String(random.pick([1n, -1n, max, max + 2n, -max - 2n])) };
    case 'corrupt_checksum':
      return random.chance(0.4) ? { mask: 1 } : { value: String(random.pick([1n, most, 5n])) };
    default:
      return {};
  }
};

const addRule = (random: Random, draft: ProjectDraft, task: string, message: MessageRow): void => {
  const protection = protectionOf(draft, message);
  const kinds = [
    ...flowKinds,
    ...(message.length > 0 ? byteKinds : []),
    ...(protection === undefined ? [] : fieldKinds),
  ];
  const kind = random.pick(kinds);
  draft.tables.fault_rules.push({
    id: draft.name('rule'),
    task,
    ...random.some(0.7, { enabled: true }),
    kind,
    ...random.some(0.7, {
      start: random.integer(1, 4),
      every: random.integer(1, 4),
      count: random.integer(0, 3),
    }),
    ...fieldsOf(random, kind, message, protection),
  });
};

/** The task of a sent message, and its fault rules. */
export const addTask = (random: Random, draft: ProjectDraft, message: MessageRow): void => {
  const id = draft.name('task');
  const isOnChange = random.chance(0.4);
  draft.tables.tx_tasks.push({
    id,
    message: message.id,
    ...(isOnChange
      ? { policy: 'on_change', ...random.some(0.6, { min_interval_ms: random.pick([0, 10, 150]) }) }
      : random.some(0.3, { policy: 'periodic' as const, period_ms: random.pick([5, 15, 40]) })),
  });
  if (!random.chance(0.5)) return;
  for (let left = random.integer(1, 3); left > 0; left -= 1) addRule(random, draft, id, message);
};
