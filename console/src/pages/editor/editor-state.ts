import { computed, signal } from '@preact/signals';
import { parseJson } from '../../../../src/base/json/parse-json.ts';
import { stringifyJson } from '../../../../src/base/json/stringify-json.ts';
import { tableNames } from '../../../../src/gateway/project/table-names.ts';
import { ApiError } from '../../api/api-error.ts';
import { readFile, writeFile } from '../../api/file-content.ts';
import { browserDrafts, DraftWriter } from '../../project-editor/draft-store.ts';
import { EditHistory } from '../../project-editor/edit-history.ts';
import type { ValidateRequest, ValidatorAnswer } from '../../project-editor/editor-messages.ts';
import {
  conflictKey,
  type MergeConflict,
  mergeProjects,
  type Side,
} from '../../project-editor/merge-projects.ts';
import { noProblems, ProblemIndex } from '../../project-editor/problem-index.ts';
import { projectDiff } from '../../project-editor/project-diff.ts';
import { type ProjectDocument, rowsOf } from '../../project-editor/project-document.ts';
import type { TableSchema } from '../../project-editor/row-schema.ts';
import { projects } from '../../state/project-files.ts';
import { PageWorker } from '../../streams/page-worker.ts';

interface FileState {
  readonly text: string;
  readonly document: ProjectDocument;
  /** Null if there is no file. */
  readonly version: string | null;
}

interface OpenProject {
  readonly file: string;
  /** Text of the file when it was read or saved. */
  readonly base: string;
  readonly baseDocument: ProjectDocument;
  /** Version of the file to replace; null for a new file. */
  readonly version: string | null;
  readonly history: EditHistory;
}

export const opened = signal<OpenProject | null>(null);
export const fileError = signal<ApiError | null>(null);
export const isBusy = signal(false);
export const tables = signal<readonly TableSchema[]>([]);
export const problems = signal<ProblemIndex>(noProblems);
export const isChecking = signal(false);
export type EditorView = 'tables' | 'flow' | 'changes';
export const view = signal<EditorView>('tables');
export const chosenTable = signal('signals');
/** The selected row by table. */
const chosenRows = signal<Readonly<Record<string, number>>>({});
/** The file as another program wrote it, until it is merged with the draft. */
const otherFile = signal<FileState | null>(null);
const sides = signal<ReadonlyMap<string, Side>>(new Map());
/** What another program did to the file, which the draft has taken over. */
export const fileChange = signal<'changed' | 'removed' | null>(null);
export const draftFiles = signal<readonly string[]>([]);
/** When the draft that was opened was last changed. */
export const restoredAt = signal<Date | null>(null);

export const document = computed((): ProjectDocument => opened.value?.history.document ?? {});
export const table = computed(
  () => tables.value.find(({ name }) => name === chosenTable.value) ?? null,
);
export const rows = computed(() => rowsOf(document.value, chosenTable.value));
export const chosenRow = computed((): number | null => {
  const index = chosenRows.value[chosenTable.value];
  return index !== undefined && index < rows.value.length ? index : null;
});

export const chooseRow = (tableName: string, index: number): void => {
  view.value = 'tables';
  chosenTable.value = tableName;
  chosenRows.value = { ...chosenRows.peek(), [tableName]: index };
};

export const changes = computed(() =>
  projectDiff(opened.value?.baseDocument ?? {}, document.value, tableNames),
);
export const isChanged = computed(() => changes.value.length > 0);

/** The draft merged with the changes of another program; null if there are none. */
export const merge = computed(() => {
  const [project, other] = [opened.value, otherFile.value];
  if (project === null || other === null) return null;
  const versions = {
    base: project.baseDocument,
    mine: document.value,
    theirs: other.document,
  };
  return mergeProjects(versions, sides.value);
});

export const sideOf = (conflict: MergeConflict): Side | null =>
  sides.value.get(conflictKey(conflict)) ?? null;

export const chooseSide = (side: Side, ...conflicts: readonly MergeConflict[]): void => {
  const chosen = conflicts.map((conflict) => [conflictKey(conflict), side] as const);
  sides.value = new Map([...sides.peek(), ...chosen]);
};

export const isMerged = computed(
  () => merge.value?.conflicts.every((conflict) => sideOf(conflict) !== null) ?? true,
);

/** Larger projects are edited as text. */
const maxBytes = 16 * 1024 * 1024;

const refusal = (message: string): ApiError => new ApiError({ code: 'invalid_project', message });

const parsed = (text: string): ProjectDocument => {
  const value = parseJson(text, { sourceAt: ['plugins', null, 'context'] });
  return value as unknown as ProjectDocument;
};

const textOf = (project: ProjectDocument): string => `${stringifyJson(project, 2)}\n`;

let revision = 0;
const validator = new PageWorker<ValidateRequest, ValidatorAnswer>({
  start: () =>
    new Worker(new URL('../../project-editor/validator-worker.ts', import.meta.url), {
      type: 'module',
    }),
  onAnswer: (answer) => {
    if (answer.kind === 'tables') tables.value = answer.tables;
    else if (answer.revision === revision) {
      problems.value = new ProblemIndex(answer.problems, answer.total);
      isChecking.value = false;
    } else askValidator();
  },
  onMissing: (error) => {
    fileError.value = error;
  },
});

export const loadValidator = (): void => validator.load();

const askValidator = (): void => validator.ask({ revision, text: textOf(document.peek()) });

/** One validation runs at a time; changes meanwhile are validated together after it. */
const validate = (): void => {
  revision += 1;
  if (isChecking.peek()) return;
  isChecking.value = true;
  askValidator();
};

const store = browserDrafts();
/** Without a database, as in a private window, changes end with the window. */
export const draftFailure = signal(false);
/** Reports drafts that are written here to other windows of the browser. */
const otherWindows = new BroadcastChannel('busbar.editor');
const drafts = new DraftWriter(store, {
  onWritten: (file) => otherWindows.postMessage(file),
  onError: () => {
    draftFailure.value = true;
  },
});

/** True if another window changed the draft of the open project, which it shares. */
export const isTakenOver = signal(false);

otherWindows.onmessage = ({ data: file }) => {
  if (opened.peek()?.file !== file) return;
  drafts.drop(file);
  isTakenOver.value = true;
};

/** Continues with the draft as the other window wrote it. */
export const continueHere = (): Promise<void> => open(opened.peek()?.file ?? '');

/** While the draft is merged, or edited in another window, nothing is changed here. */
const isHeld = (): boolean => merge.peek() !== null || isTakenOver.peek();

export const listDrafts = async (): Promise<void> => {
  draftFiles.value = await store.files().catch(() => []);
};

const saveDraft = (): void => {
  const project = opened.peek();
  if (project === null) return;
  const { file, base, history } = project;
  if (isChanged.peek()) {
    drafts.put(file, () => ({ file, base, text: textOf(history.document), savedAtMs: Date.now() }));
  } else drafts.remove(file);
};

const show = (project: OpenProject): void => {
  opened.value = project;
  otherFile.value = null;
  fileChange.value = null;
  isTakenOver.value = false;
  problems.value = noProblems;
  validate();
};

const attempt = async (work: () => Promise<void>): Promise<void> => {
  if (isBusy.peek()) return;
  isBusy.value = true;
  fileError.value = null;
  try {
    await work();
  } catch (thrown) {
    fileError.value =
      thrown instanceof ApiError ? thrown : refusal(String((thrown as Error).message));
  } finally {
    isBusy.value = false;
  }
};

const noFile: FileState = { text: '{}\n', document: {}, version: null };
const newProject: ProjectDocument = { format: 'gwproj', schema_version: 1 };

const readProject = async (file: string): Promise<FileState> => {
  try {
    const { bytes, version } = await readFile(file);
    if (bytes.length > maxBytes)
      throw refusal('The project is too large to edit here: 16 MiB at most');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, document: parsed(text), version };
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'file_not_found') return noFile;
    throw thrown;
  }
};

const historyOf = ({ version, document }: FileState): EditHistory => {
  const first = EditHistory.of(document);
  return version === null ? first.with(newProject, 'New project') : first;
};

const continueFrom = (file: string, found: FileState, history: EditHistory): void => {
  const { text: base, document: baseDocument, version } = found;
  show({ file, base, baseDocument, version, history });
};

/** Opens a file with the changes that were not saved, if there are any. */
export const open = (file: string): Promise<void> =>
  attempt(async () => {
    const found = await readProject(file);
    const draft = await store.get(file).catch(() => null);
    restoredAt.value = draft === null ? null : new Date(draft.savedAtMs);
    view.value = 'tables';
    if (draft === null) {
      continueFrom(file, found, historyOf(found));
      return;
    }
    const { base, text } = draft;
    const baseDocument = parsed(base);
    const history = EditHistory.of(baseDocument).with(parsed(text), 'Unsaved changes');
    show({ file, base, baseDocument, version: found.version, history });
    if (base !== found.text) mergeWith(found);
  });

/** Continues with the draft in a file that another program changed or removed. */
const mergeWith = (found: FileState): void => {
  const project = opened.peek();
  if (project === null) return;
  if (found.version === null) {
    continueFrom(project.file, found, project.history);
    fileChange.value = 'removed';
    saveDraft();
    return;
  }
  sides.value = new Map();
  otherFile.value = found;
  if (isMerged.peek()) finishMerge();
};

/** Takes the merged project as changes of the file that another program wrote. */
export const finishMerge = (): void => {
  const [project, other, merged] = [opened.peek(), otherFile.peek(), merge.peek()];
  if (project === null || other === null || merged === null || !isMerged.peek()) return;
  const history = project.history.with(merged.document, 'merge with the file');
  continueFrom(project.file, other, history);
  fileChange.value = 'changed';
  view.value = 'changes';
  saveDraft();
};

/** Continues with the file as another program wrote it. */
export const discardDraft = (): void => {
  const [project, other] = [opened.peek(), otherFile.peek()];
  if (project === null || other === null) return;
  continueFrom(project.file, other, historyOf(other));
  saveDraft();
};

export const close = (): void => {
  opened.value = null;
  problems.value = noProblems;
  void projects.refresh();
  void listDrafts();
};

/** What another program did to the file meanwhile. */
const meanwhile: readonly string[] = ['busy', 'already_exists', 'file_not_found'];

/** Writes the file unless it changed meanwhile. */
export const save = (): Promise<void> =>
  attempt(async () => {
    const project = opened.peek();
    if (project === null || isHeld()) return;
    const { file, version: replaces } = project;
    const text = textOf(project.history.document);
    try {
      const version = await writeFile(file, new Blob([text]), { replaces });
      if (opened.peek()?.file !== file) return;
      opened.value = {
        file,
        base: text,
        baseDocument: project.history.document,
        version,
        history: opened.peek()?.history ?? project.history,
      };
      restoredAt.value = null;
      fileChange.value = null;
      // The draft is that of another window.
      if (!isTakenOver.peek()) saveDraft();
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || !meanwhile.includes(thrown.code)) throw thrown;
      const found = await readProject(file);
      if (found.version === replaces) throw thrown;
      if (!isTakenOver.peek()) mergeWith(found);
    }
  });

const move = (change: (history: EditHistory) => EditHistory): void => {
  const project = opened.peek();
  if (project === null || isHeld()) return;
  const history = change(project.history);
  if (history === project.history) return;
  const isSame = history.document === project.history.document;
  opened.value = { ...project, history };
  if (isSame) return;
  saveDraft();
  validate();
};

export const undo = (): void => move((history) => history.undone());
export const redo = (): void => move((history) => history.redone());
/** Ends the edit of a cell. */
export const endEdit = (): void => move((history) => history.closed());

export const change = (next: ProjectDocument, label: string, place: string | null = null): void =>
  move((history) => history.with(next, label, place));
