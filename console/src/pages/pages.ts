import { computed } from '@preact/signals';
import type { ComponentType } from 'preact';
import { pageId } from '../state/route.ts';

/** What belongs together in the navigation, in its order; a group without pages is not shown. */
export const pageGroups = ['Bench', 'Gateway', 'Service'] as const;

export interface PageEntry {
  readonly id: string;
  readonly title: string;
  readonly group: (typeof pageGroups)[number];
  /** Alt and this digit open it. */
  readonly key: string;
  /** Loaded when it is first opened. */
  readonly load: () => Promise<ComponentType>;
}

/** The pages in the order of the navigation, group by group. */
export const pages: readonly PageEntry[] = [
  {
    id: 'overview',
    title: 'Overview',
    group: 'Bench',
    key: '1',
    load: async () => (await import('./overview/overview-page.tsx')).OverviewPage,
  },
  {
    id: 'trace',
    title: 'Trace',
    group: 'Bench',
    key: '2',
    load: async () => (await import('./trace/trace-page.tsx')).TracePage,
  },
  {
    id: 'signals',
    title: 'Signals',
    group: 'Bench',
    key: '3',
    load: async () => (await import('./signals/signals-page.tsx')).SignalsPage,
  },
  {
    id: 'send',
    title: 'Send',
    group: 'Bench',
    key: '4',
    load: async () => (await import('./send/send-page.tsx')).SendPage,
  },
  {
    id: 'files',
    title: 'Files and jobs',
    group: 'Bench',
    key: '5',
    load: async () => (await import('./files/files-page.tsx')).FilesPage,
  },
  {
    id: 'api',
    title: 'API',
    group: 'Service',
    key: '6',
    load: async () => (await import('./api/api-page.tsx')).ApiPage,
  },
];

const firstPage = pages[0] as PageEntry;

/** The page in front; the first one where the address names none. */
export const currentPage = computed(() => pages.find(({ id }) => id === pageId.value) ?? firstPage);
