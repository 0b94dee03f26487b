import { watchHeader } from './header';
import { openMembership } from './open';
import type { Restriction } from './types';
import { watchToken } from './watch';

const isRestriction = (value: unknown): value is Restriction => value === 1 || value === 2 || value === 3;

/** 1, 2 or 3, plain or as `{restriction}`. */
export function restrictionOf(detail: unknown): Restriction | undefined {
  const value = (detail as { restriction?: unknown } | null)?.restriction ?? detail;
  return isRestriction(value) ? value : undefined;
}

/** All of the account that runs before somebody asks for more. */
export function watchAccount(): void {
  watchHeader();
  watchToken();
  document.addEventListener('papercrane:restriction', (event) => {
    const restriction = restrictionOf((event as CustomEvent).detail);
    void openMembership(restriction ? { restriction } : {});
  });
}
