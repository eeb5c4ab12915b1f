import { getBlob } from './api.js';
import { byTestId, element, setChildren, setText } from './dom.js';
import { formatBytes, formatCount } from './format.js';
import { showError, showNotice } from './notice.js';
import { rememberedToken } from './remembered.js';

const panel = byTestId('api');
const notice = byTestId('api-notice');
const limits = byTestId('limits');
const authentication = byTestId('authentication');
const forget = byTestId('forget-token');

const limit = ([name, value]) => {
  const isBytes = name.endsWith('_bytes');
  return [
    element('dt', {}, name.replace(/_bytes$/, '').replaceAll('_', ' ')),
    element('dd', {}, isBytes ? formatBytes(value) : formatCount(value)),
  ];
};

const authenticationWords = {
  none: 'Open to programs on this machine',
  token: 'Token required',
};

/** Shows the limits and security that the service publishes. */
export const showCapabilities = (capabilities) => {
  showNotice(notice, []);
  setChildren(limits, Object.entries(capabilities.limits).flatMap(limit));
  setText(authentication, authenticationWords[capabilities.security.authentication] ?? '');
  forget.hidden = rememberedToken.get() === null;
};

export const showCapabilitiesError = (error) => showError(notice, error);

const save = (blob, name) => {
  const address = URL.createObjectURL(blob);
  element('a', { href: address, download: name }).click();
  URL.revokeObjectURL(address);
};

/** A link cannot carry a token, so with one the console fetches the document and saves it. */
const onLink = async (event) => {
  const link = event.target.closest('a[data-file]');
  if (link === null || rememberedToken.get() === null) return;
  event.preventDefault();
  try {
    save(await getBlob(link.getAttribute('href')), link.dataset.file);
    showNotice(notice, []);
  } catch (error) {
    showError(notice, error);
  }
};

panel.addEventListener('click', onLink);

/** Calls back when the token of this tab was thrown away. */
export const onTokenForgotten = (listener) => {
  forget.addEventListener('click', () => {
    rememberedToken.forget();
    forget.hidden = true;
    listener();
  });
};
