/** In Latin letters: Han characters are twice as wide. */
export const widthOf = (text: string): number =>
  [...text].reduce((width, char) => width + (char > 'ÿ' ? 2 : 1), 0);
