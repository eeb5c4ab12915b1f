/** Inputs that take no text; what is pressed on them is meant for the page. */
const switches = 'input:is([type="radio"], [type="checkbox"], [type="button"], [type="submit"])';

/** Whether keys belong to what is being typed, or to a list that is searched by typing. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.matches(`input:not(${switches}), textarea, select`);
