import { computed, signal } from '@preact/signals';
import { type PageId, pages } from './page-list.ts';

export { type PageId, pageGroups, pages } from './page-list.ts';

/** In `#layout/trace?id=123`, the page of a pane follows the query. */
const read = (): { shown: string; page: string; query: URLSearchParams } => {
  const [path = '', search = ''] = location.hash.slice(1).split('?', 2);
  const [shown = '', page = shown] = path.split('/');
  return { shown, page, query: new URLSearchParams(search) };
};

const place = signal(read());
addEventListener('hashchange', () => {
  place.value = read();
});

/** The page to which the query belongs. */
export const pageId = computed(() => place.value.page);
export const pageQuery = computed(() => place.value.query);

export interface PaneRect {
  readonly size: 'narrow' | 'wide' | 'hidden';
  /** Part of the page that is shown; default: all of it. */
  readonly part?: string | undefined;
  readonly left: string;
  readonly top: string;
  readonly width: string;
  readonly height: string;
}

/** Where the layout shows pages. */
export const paneRects = signal<ReadonlyMap<string, PaneRect>>(new Map());

/** Opens a page of its own, also where the layout shows it. */
export const openPage = (page: PageId): void => {
  location.hash = page;
};

const isInPane = (page: string): boolean => {
  const rect = currentPage.peek().id === 'layout' ? paneRects.peek().get(page) : undefined;
  return rect !== undefined && rect.size !== 'hidden';
};

/** A page in a pane of the shown layout stays there. */
export const goTo = (page: string, query: Readonly<Record<string, string>> = {}): void => {
  const search = new URLSearchParams(query).toString();
  const path = isInPane(page) ? `layout/${page}` : page;
  location.hash = search === '' ? path : `${path}?${search}`;
};

export const currentPage = computed(
  () => pages.find(({ id }) => id === place.value.shown) ?? pages[0],
);

const isLayout = computed(() => currentPage.value.id === 'layout');

/** Pages in front, as one text: dragging a pane changes none of them. */
const shown = computed(() =>
  isLayout.value ? ['layout', ...paneRects.value.keys()].join() : currentPage.value.id,
);

export const shownPages = computed(() => shown.value.split(','));

export const isShown = (page: string): boolean => shownPages.value.includes(page);

/** Where a page is shown in the layout. */
export const rectOf = (page: string): PaneRect | undefined =>
  isLayout.value ? paneRects.value.get(page) : undefined;
