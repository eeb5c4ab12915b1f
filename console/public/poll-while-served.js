const pollMs = 2000;

/**
 * Looks over and over while somebody looks here and the service answers. Tells `show(found)` or
 * `fail(error)`. The answer's `follow` takes every new view of the service; see `watchHealth`.
 */
export const pollWhileServed = ({ look, show, fail }) => {
  let isServed = false;
  let isAsking = false;
  let timer;

  const poll = async () => {
    if (isAsking || !isServed || document.visibilityState !== 'visible') return;
    clearTimeout(timer);
    isAsking = true;
    try {
      show(await look());
    } catch (error) {
      fail(error);
    }
    isAsking = false;
    timer = setTimeout(poll, pollMs);
  };

  document.addEventListener('visibilitychange', poll);
  return {
    follow: ({ error }) => {
      const wasServed = isServed;
      isServed = error === null;
      if (error) fail(error);
      else if (!wasServed) poll();
    },
  };
};
