import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { account } from './store';
import type { User } from './types';
import { notePayStatus, noteToken, noteUser, reloadAccount, watchToken } from './watch';

const asked: string[] = [];
let user: Partial<User> | 401 | 'unreachable';

function answer(url: string): Response {
  if (!url.includes('getUser'))
    return Response.json({ code: 200, msg: '', data: { packages: [], membership: null } });
  if (user === 401)
    return Response.json({ code: 401, msg: '', data: { reason: 'unauthorized' } }, { status: 401 });
  return Response.json({ code: 200, msg: '', data: user });
}

function cookie(token: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookieStore
  document.cookie = token ? `access_token=${token}` : 'access_token=; max-age=0';
}

const userCalls = () => asked.filter((url) => url.includes('getUser')).length;
const me = { id: 'a', account: 'a***@b.c', payStatus: 1 } as User;

beforeEach(() => {
  asked.length = 0;
  user = me;
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    if (user === 'unreachable') throw new TypeError('Failed to fetch');
    return answer(url);
  });
});

afterEach(() => {
  localStorage.clear();
  cookie('');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('who is here', () => {
  it('is not asked when nobody ever signed in', async () => {
    cookie('visitor');
    expect(await reloadAccount()).toEqual({ state: 'visitor', user: null });
    expect(asked).toEqual([]);
  });

  it('is asked, with the packages, after a sign-in on this browser', async () => {
    cookie('mine');
    localStorage.setItem('account', 'user');
    expect(await reloadAccount()).toEqual({ state: 'user', user: me });
    expect(asked.some((url) => url.includes('getMemberPackage'))).toBe(true);
  });

  it('is nobody when the session has ended, and the next page does not ask', async () => {
    cookie('mine');
    localStorage.setItem('account', 'user');
    user = 401;
    expect((await reloadAccount()).state).toBe('visitor');
    expect(localStorage.getItem('account')).toBeNull();
    asked.length = 0;
    await reloadAccount();
    expect(asked).toEqual([]);
  });

  it('is nobody when the API is away, but the next page asks again', async () => {
    cookie('mine');
    localStorage.setItem('account', 'user');
    user = 'unreachable';
    expect((await reloadAccount()).state).toBe('visitor');
    asked.length = 0;
    await reloadAccount();
    expect(userCalls()).toBe(1);
  });
});

describe('another token', () => {
  it('is another person', async () => {
    cookie('one');
    noteUser(me);
    user = { ...me, id: 'b' };
    noteToken();
    expect(userCalls()).toBe(0);
    cookie('two');
    noteToken();
    await vi.waitFor(() => expect(account.get().user?.id).toBe('b'));
  });
});

describe('another tab', () => {
  it('tells that somebody signed in before its storage shows it here', async () => {
    cookie('mine');
    const others: { onmessage?: (event: { data: unknown }) => void; postMessage: () => void }[] = [];
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        postMessage = () => undefined;
        constructor() {
          others.push(this);
        }
      },
    );
    watchToken();
    expect(account.get().state).toBe('visitor');
    others[0]?.onmessage?.({ data: { signedIn: true } });
    await vi.waitFor(() => expect(account.get().user?.id).toBe('a'));
    expect(localStorage.getItem('account')).toBe('user');
  });
});

describe('a page that got no answer', () => {
  it('asks once more when it is looked at again', async () => {
    cookie('mine');
    localStorage.setItem('account', 'user');
    user = 'unreachable';
    watchToken();
    await vi.waitFor(() => expect(userCalls()).toBe(1));
    user = me;
    await vi.waitFor(() => {
      dispatchEvent(new Event('focus'));
      expect(account.get().user?.id).toBe('a');
    });
  });
});

describe('the status of the newest order', () => {
  it('reloads the user when it changed, and only then', async () => {
    cookie('one');
    noteUser(me);
    await notePayStatus(1);
    expect(userCalls()).toBe(0);
    user = { ...me, payStatus: 2 };
    await notePayStatus(2);
    expect(account.get().user?.payStatus).toBe(2);
  });

  it('says nothing to visitors', async () => {
    noteUser(null);
    await notePayStatus(2);
    expect(userCalls()).toBe(0);
  });
});
