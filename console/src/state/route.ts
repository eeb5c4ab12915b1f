import { computed, signal } from '@preact/signals';

/** `#trace?view=by-id` names the page `trace` and what it should show. */
const read = (): { page: string; query: URLSearchParams } => {
  const [page = '', search = ''] = location.hash.slice(1).split('?', 2);
  return { page, query: new URLSearchParams(search) };
};

const place = signal(read());
addEventListener('hashchange', () => {
  place.value = read();
});

export const pageId = computed(() => place.value.page);
export const pageQuery = computed(() => place.value.query);

export const goTo = (page: string, query: Readonly<Record<string, string>> = {}): void => {
  const search = new URLSearchParams(query).toString();
  location.hash = search === '' ? page : `${page}?${search}`;
};
