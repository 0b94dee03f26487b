/** The commonest passwords of the public lists, as far as the rules below do not see them: kept short, for bytes. */
const COMMON = new Set(
  (
    'password passw0rd password1 p@ssw0rd qwerty qwerty123 qwertyuiop qwer1234 1q2w3e4r 1qaz2wsx 1q2w3e qazwsx ' +
    'asdfgh asdf1234 zxcvbnm iloveyou admin admin123 welcome letmein monkey dragon football sunshine princess ' +
    'master abc123 abcd1234 a123456 a12345678 123abc 123qwe 5201314 woaini woaini1314 woaini520 123456a 1234qwer ' +
    'q123456 aa123456 asd123 zxc123 test123 000000 changeme secret pdf123'
  ).split(' '),
);

const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];

/** How hard a password is to guess: 0 too weak … 3 strong. Counts kinds and length, and knows the commonest. */
export function strengthOf(password: string): 0 | 1 | 2 | 3 {
  const letters = [...password];
  const kinds = KINDS.filter((kind) => kind.test(password)).length;
  if (letters.length < 6 || kinds < 2 || isGuessed(letters)) return 0;
  if (letters.length >= 14 && kinds >= 3) return 3;
  return letters.length >= 10 ? 2 : 1;
}

function isGuessed(letters: string[]): boolean {
  return COMMON.has(letters.join('').toLowerCase()) || new Set(letters).size < 4 || isRun(letters);
}

/** 123456, fedcba. */
function isRun(letters: string[]): boolean {
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1;
}
