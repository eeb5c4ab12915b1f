import { rememberedTheme } from './remembered.js';

const themes = ['auto', 'light', 'dark'];

const apply = (theme) => {
  document.documentElement.dataset.theme = theme;
};

const recalled = rememberedTheme.get();
const initial = themes.includes(recalled) ? recalled : 'auto';
apply(initial);

for (const radio of document.querySelectorAll('input[name="theme"]')) {
  radio.checked = radio.value === initial;
  radio.addEventListener('change', () => {
    apply(radio.value);
    rememberedTheme.set(radio.value);
  });
}
