import { byTestId, setText } from './dom.js';
import { rememberedToken } from './remembered.js';

const form = byTestId('token-form');
const input = form.querySelector('input');
const note = form.querySelector('p');

/** Asks for the token while the service wants one, and says whether the last one was refused. */
export const showTokenForm = ({ state, error }) => {
  const wanted = state === 'token';
  const appears = wanted && form.hidden;
  form.hidden = !wanted;
  if (!wanted) return;
  // Whoever is typing elsewhere goes on typing there.
  if (appears && document.activeElement === document.body) input.focus();
  const refused = rememberedToken.get() !== null;
  form.dataset.tone = refused ? 'bad' : 'ask';
  const said = refused ? 'The service refused this token.' : `${error.message}.`;
  setText(note, `${said} ${error.nextStep}`);
};

/** Calls back when a token was entered; from then on all requests carry it. */
export const onTokenEntered = (listener) => {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    rememberedToken.set(input.value);
    input.value = '';
    listener();
  });
};
