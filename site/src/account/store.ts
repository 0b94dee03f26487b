import type { MemberPackages, User } from './types';

export type AccountState =
  | { state: 'loading'; user: null }
  | { state: 'visitor'; user: null }
  | { state: 'user'; user: User };

export const LOADING: AccountState = { state: 'loading', user: null };
const VISITOR: AccountState = { state: 'visitor', user: null };

/** A value that tells when it changed. */
export class Watched<T> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: T) {}

  readonly get = (): T => this.value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  set(value: T): void {
    this.value = value;
    for (const listener of [...this.listeners]) listener();
  }
}

/** Who is signed in, as far as this page knows. */
export const account = new Watched<AccountState>(LOADING);

/** What may be bought, and until when the user is a member; null until it was asked for. */
export const memberPackages = new Watched<MemberPackages | null>(null);

export const accountOf = (user: User | null): AccountState => (user ? { state: 'user', user } : VISITOR);
