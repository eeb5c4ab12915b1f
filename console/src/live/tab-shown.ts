import { signal } from '@preact/signals';

/** Whether this tab is in sight. */
export const isTabShown = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => {
  isTabShown.value = document.visibilityState === 'visible';
});
