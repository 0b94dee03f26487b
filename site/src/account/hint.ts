const FLAG = 'account';

/** The token this page sends, empty without one. Visitors who used a tool have one too. */
export function accessToken(): string {
  return /(?:^|; )access_token=([^;]*)/.exec(document.cookie)?.[1] ?? '';
}

function memory(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null; // storage is forbidden: the account lives as long as the page
  }
}

/** Whether the token may be an account's: who never signed in here is not asked about. */
export function mayBeSignedIn(): boolean {
  return accessToken() !== '' && memory()?.getItem(FLAG) === 'user';
}

/** Notes for the next page, and for its first paint (public/theme.js), that somebody signed in. */
export function noteSignedIn(signedIn: boolean): void {
  if (signedIn) memory()?.setItem(FLAG, 'user');
  else memory()?.removeItem(FLAG);
}
