/** Long enough for any browser to have begun with it. */
const keptMs = 60_000;

/** Hands a file to the browser to be saved. */
export const saveFile = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs);
};

/** `trace-20250314-024107.asc`: names of files that sort by time. */
export const stampedName = (title: string, extension: string, now = new Date()): string => {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  const stamp = local.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${title}-${stamp}.${extension}`;
};
