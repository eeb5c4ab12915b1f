import { computed, effect, type Signal, signal } from '@preact/signals';
import { isLike, remembered, rememberedJson } from '../../storage/remembered.ts';
import type { FrameRow } from '../../trace-core/frame-row.ts';
import { type RowNote, rowKey } from '../../trace-core/row-note.ts';
import { fileStatus, isFileShown } from '../../trace-files/open-file.ts';

const example: RowNote = { eventId: 0, timestampUs: 0, text: '' };
const areNotes = (value: unknown): value is readonly RowNote[] =>
  Array.isArray(value) && value.every((each) => isLike(each, example));

const kept = (key: string, first: readonly RowNote[]) =>
  rememberedJson<readonly RowNote[]>(key, first, areNotes, remembered('sessionStorage', key));

const live = kept('busbar.trace.notes', []);
const liveNotes = signal(live.get());
liveNotes.subscribe((all) => live.set(all));

const fileKey = computed(() => {
  const { name, bytes } = fileStatus.value ?? {};
  return name === undefined ? null : `busbar.trace.notes ${name} ${bytes}`;
});
const fileNotes = signal<readonly RowNote[]>([]);
effect(() => {
  const key = fileKey.value;
  fileNotes.value = key === null ? [] : kept(key, []).get();
});

const shownNotes = (): Signal<readonly RowNote[]> => (isFileShown.value ? fileNotes : liveNotes);

/** Notes of the shown rows, in order of time. Exports write them. */
export const notes = computed(() => shownNotes().value);

const byRow = computed(
  () => new Map(notes.value.map((note) => [rowKey(note.eventId, note.timestampUs), note.text])),
);

export const noteOf = ({ eventId, timestampUs }: FrameRow): string | null =>
  byRow.value.get(rowKey(eventId, timestampUs)) ?? null;

/** Gives rows a note; an empty text removes theirs. */
export const setNote = (rows: readonly FrameRow[], text: string): void => {
  const keys = new Set(rows.map((row) => rowKey(row.eventId, row.timestampUs)));
  const others = notes
    .peek()
    .filter(({ eventId, timestampUs }) => !keys.has(rowKey(eventId, timestampUs)));
  const added = rows.map(({ eventId, timestampUs }) => ({ eventId, timestampUs, text }));
  const all = [...others, ...(text === '' ? [] : added)].sort(
    (a, b) => a.timestampUs - b.timestampUs,
  );
  shownNotes().value = all;
  const key = isFileShown.peek() ? fileKey.peek() : null;
  if (key !== null) kept(key, []).set(all);
};

export const clearNotes = (): void => {
  liveNotes.value = [];
};
