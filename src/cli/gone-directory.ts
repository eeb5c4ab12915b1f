export const goneDirectory = 'the current directory no longer exists';
