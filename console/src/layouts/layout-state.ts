import { computed, effect, signal } from '@preact/signals';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { readFile, writeFile } from '../api/file-content.ts';
import { goTo } from '../state/pages.ts';
import { jsonFiles } from '../state/project-files.ts';
import { isLike, remembered, rememberedJson } from '../storage/remembered.ts';
import {
  layoutEnding,
  layoutText,
  maxPanes,
  placeOf,
  readLayout,
  unpackLayout,
} from './layout-file.ts';
import { type LayoutView, layoutViews, type SavedLayout } from './layout-schema.ts';
import {
  chooseView,
  closePane,
  type Direction,
  type PaneTree,
  resizeSplit,
  splitPane,
  viewsOf,
} from './pane-tree.ts';
import { applySettings, withSettings } from './view-settings.ts';

type Panes = PaneTree<LayoutView>;

const first: Panes = {
  show: 'columns',
  at: 0.5,
  first: { show: 'trace' },
  second: { show: 'signals' },
};

const isPanes = (panes: unknown): panes is Panes =>
  readLayout(JSON.stringify({ panes })).problems === null;

const kept = rememberedJson('busbar.layout', first, isPanes);

/** The panes of this window. */
export const layout = signal(kept.get());
effect(() => kept.set(layout.value));

/** The file that the panes were opened from or saved in. */
interface SavedFile {
  readonly name: string;
  readonly version: string | null;
  readonly text: string;
}

const noFile: SavedFile = { name: '', version: null, text: '' };
const isFile = (value: unknown): value is SavedFile => isLike(value, { name: '', text: '' });
const fileKey = 'busbar.layout.file';
const keptFile = rememberedJson(fileKey, noFile, isFile, remembered('sessionStorage', fileKey));

export const savedFile = signal(keptFile.get());
effect(() => keptFile.set(savedFile.value));

const views = computed(() => viewsOf(layout.value));

const firstAdded: readonly LayoutView[] = ['trace', 'signals', 'send', 'channels'];

/** View of an added pane: the first that no pane shows. */
export const freeView = computed((): LayoutView | null => {
  if (views.value.length >= maxPanes) return null;
  const shown = new Set(views.value.map(placeOf));
  const all = [...firstAdded, ...layoutViews.map(({ id }) => id)];
  return all.find((view) => !shown.has(placeOf(view))) ?? null;
});

export const split = (view: LayoutView, direction: Direction): void => {
  const added = freeView.peek();
  if (added !== null) layout.value = splitPane(layout.peek(), view, direction, added);
};

export const close = (view: LayoutView): void => {
  layout.value = closePane(layout.peek(), view);
};

export const choose = (view: LayoutView, chosen: LayoutView): void => {
  const other = views.peek().find((each) => each !== view && placeOf(each) === placeOf(chosen));
  layout.value = chooseView(layout.peek(), view, chosen, other);
};

export const resize = (path: string, at: number): void => {
  layout.value = resizeSplit(layout.peek(), path, at);
};

const current = computed(() => withSettings(layout.value));

export const currentLayout = (): SavedLayout => current.peek();

export const isChanged = computed(
  () => savedFile.value.name !== '' && layoutText(current.value) !== savedFile.value.text,
);

/** Names of the saved layouts; null before they are known. */
export const savedNames = computed(
  () =>
    jsonFiles.data.value?.files
      .filter(({ file }) => file.endsWith(layoutEnding))
      .map(({ file }) => file.slice(0, -layoutEnding.length)) ?? null,
);

export const error = signal<ApiError | null>(null);
/** Fields of a file that was refused. */
export const problems = signal<readonly string[]>([]);
export const isBusy = signal(false);

const attempt = async (act: () => Promise<void>): Promise<boolean> => {
  if (isBusy.peek()) return false;
  isBusy.value = true;
  error.value = null;
  problems.value = [];
  try {
    await act();
    return problems.peek().length === 0;
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    error.value = thrown;
    return false;
  } finally {
    isBusy.value = false;
  }
};

/** Shows a layout, or says which fields are wrong and changes nothing. */
const show = (text: string): SavedLayout | null => {
  const read = readLayout(text);
  if (read.layout === null) {
    problems.value = read.problems;
    return null;
  }
  applySettings(read.layout);
  layout.value = read.layout.panes;
  return read.layout;
};

const shownFile = (name: string, version: string | null): void => {
  savedFile.value = { name, version, text: layoutText(current.peek()) };
};

const fileOf = (name: string): string => `${name}${layoutEnding}`;

export const openLayout = (name: string): Promise<boolean> =>
  attempt(async () => {
    const { bytes, version } = await readFile(fileOf(name));
    if (show(new TextDecoder().decode(bytes))) shownFile(name, version);
  });

/** Opens a layout that is not in the project, such as a file of this computer. */
export const openText = (text: string | null): Promise<boolean> =>
  attempt(async () => {
    if (text === null) problems.value = ['The link is damaged.'];
    else if (show(text)) savedFile.value = noFile;
  });

const write = async (name: string, replaces: string | null): Promise<void> => {
  const text = layoutText(current.peek());
  const version = await writeFile(fileOf(name), new Blob([text]), { replaces });
  savedFile.value = { name, version, text };
};

export const saveLayout = (): Promise<boolean> =>
  attempt(() => write(savedFile.peek().name, savedFile.peek().version));

const goToSaved = (name: string): void => {
  followed.set(linkOf({ name }));
  goTo('layout', { name });
};

/** Opens a saved layout: again, if it is the one that is open. */
export const openSaved = (name: string): Promise<boolean> => {
  goToSaved(name);
  return openLayout(name);
};

export const saveLayoutAs = (name: string): Promise<boolean> =>
  attempt(async () => {
    await write(name, null);
    goToSaved(name);
    void jsonFiles.refresh();
  });

const remove = async ({ name, version }: SavedFile): Promise<void> => {
  if (version === null) return;
  await call('file.delete', { file: fileOf(name), version });
};

/** Moves the file as it was saved. */
export const renameLayout = (name: string): Promise<boolean> =>
  attempt(async () => {
    const before = savedFile.peek();
    const version = await writeFile(fileOf(name), new Blob([before.text]));
    savedFile.value = { ...before, name, version };
    goToSaved(name);
    await remove(before);
    void jsonFiles.refresh();
  });

export const deleteLayout = (): Promise<boolean> =>
  attempt(async () => {
    await remove(savedFile.peek());
    savedFile.value = noFile;
    followed.set('');
    goTo('layout');
    void jsonFiles.refresh();
  });

const linkOf = (query: Readonly<Record<string, string>>): string =>
  new URLSearchParams(query).toString();

/** The link that was opened last: a reload keeps later changes. */
const followed = remembered('sessionStorage', 'busbar.layout.link');

/** Opens the layout of a link: `#layout?name=bench` names a file, `of` contains the layout. */
export const followLayoutLink = async (query: URLSearchParams): Promise<void> => {
  const name = query.get('name');
  const packed = query.get('of');
  if (String(query) === followed.get()) return;
  followed.set(String(query));
  if (name !== null) await openLayout(name);
  else if (packed !== null) await openText(await unpackLayout(packed));
};
