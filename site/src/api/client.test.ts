import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { address, Client, eventsOf, type Problem } from './client';
import { STATUS, type Task } from './types';

const answers: (() => Response | Promise<Response>)[] = [];
const asked: { url: string; init: RequestInit }[] = [];

const reply =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status });
const good = (data: unknown) => reply({ code: 200, msg: '', data });

function stream(...chunks: string[]): () => Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  return () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

beforeEach(() => {
  answers.length = asked.length = 0;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    const answer = answers.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return answer();
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const client = new Client('en');
const problemIn = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('no problem'),
    (error: Problem) => error,
  );

describe('calls', () => {
  it('carry the site tag, the language and the token of the cookie', async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookieStore
    document.cookie = 'access_token=abc%3D';
    answers.push(good({ allowed: true }));
    expect(await client.rights(1)).toEqual({ allowed: true });
    expect(asked[0]?.url).toBe('/api/user/user/getUserRights?toolId=1');
    const headers = { 'Web-Tag': 'papercrane', 'Accept-Language': 'en', 'Access-Token': 'abc=' };
    expect(asked[0]?.init.headers).toMatchObject(headers);
  });

  it('introduce the visitor once, however many come first', async () => {
    // biome-ignore-start lint/suspicious/noDocumentCookie: jsdom has no cookieStore
    document.cookie = 'access_token=; max-age=0';
    let answer = () => {};
    answers.push(
      () =>
        new Promise((resolve) => {
          answer = () => {
            document.cookie = 'access_token=mine';
            resolve(good({ prefix: 'a/' })());
          };
        }),
      good({ prefix: 'b/' }),
      good({ prefix: 'c/' }),
    );
    // biome-ignore-end lint/suspicious/noDocumentCookie: as above
    const grants = [client.grant(1, 1), client.grant(1, 1), client.grant(1, 1)];
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    answer();
    await Promise.all(grants);
    const tokens = asked.map(({ init }) => (init.headers as Record<string, string>)['Access-Token']);
    expect(tokens).toEqual([undefined, 'mine', 'mine']);
  });

  it('go on when the first one was lost', async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookieStore
    document.cookie = 'access_token=; max-age=0';
    const [lost, next] = await Promise.all([problemIn(client.grant(1, 1)), problemIn(client.grant(1, 1))]);
    expect([lost.data.reason, next.data.reason]).toEqual(['unreachable', 'unreachable']);
    expect(asked).toHaveLength(2);
  });

  it('leave out what is not given', () => {
    expect(address('a/b', { x: 0, y: undefined })).toBe('/api/a/b?x=0');
    expect(address('a/b')).toBe('/api/a/b');
  });

  it('turn a refusal into a Problem', async () => {
    answers.push(
      reply({ code: 403, msg: 'No try left', data: { reason: 'restricted', restriction: 2 } }, 403),
    );
    const problem = await problemIn(client.createTask({ toolId: 1, files: [], options: {} }, 'k'));
    expect(problem.data).toEqual({ code: 403, reason: 'restricted', msg: 'No try left', restriction: 2 });
    expect(problem.unreachable).toBe(false);
    expect(asked[0]?.init.headers).toMatchObject({ 'Idempotency-Key': 'k' });
  });

  it('send a task that is done again only once', async () => {
    answers.push(good({ taskId: 't2', status: 99 }));
    expect(await client.retryCompress('t1', 'strong', 'k')).toMatchObject({ taskId: 't2' });
    expect(asked[0]?.url).toBe('/api/task/task/retryCompressTask?taskId=t1&level=strong');
    expect(asked[0]?.init.headers).toMatchObject({ 'Idempotency-Key': 'k' });
  });

  it.each([
    ['no network', undefined],
    ['a bad gateway', () => new Response('<html>', { status: 502 })],
    ['an answer that is no envelope', reply('hello')],
    ['an upgrade', reply({ code: 503, msg: '', data: null }, 503)],
  ])('show the upgrade screen on %s', async (_, answer) => {
    if (answer) answers.push(answer);
    expect((await problemIn(client.rights(1))).unreachable).toBe(true);
  });
});

it('cuts events that arrive in pieces', async () => {
  const body = stream('data: {"a"', ':1}\n\n: beat\n\nda', 'ta: 2\r\n\r\n')().body!;
  const events: string[] = [];
  for await (const data of eventsOf(body)) events.push(data);
  expect(events).toEqual(['{"a":1}', '2']);
});

describe('following a task', () => {
  const task = (status: number) => ({ taskId: 't', status }) as Task;
  const event = (status: number) => `data: ${JSON.stringify(task(status))}\n\n`;

  async function follow(): Promise<number[]> {
    const seen: number[] = [];
    await client.follow('t', ({ status }) => seen.push(status), new AbortController().signal);
    return seen;
  }

  it('tells each event and stops at the end', async () => {
    answers.push(stream(event(STATUS.BE_QUEUING), event(STATUS.PROCESSING) + event(STATUS.SUCCESS)));
    expect(await follow()).toEqual([STATUS.BE_QUEUING, STATUS.PROCESSING, STATUS.SUCCESS]);
    expect(asked).toHaveLength(1);
  });

  it('asks when the events break off', async () => {
    answers.push(stream(event(STATUS.PROCESSING)), good({ items: [task(STATUS.SUCCESS)], total: 1 }));
    expect(await follow()).toEqual([STATUS.PROCESSING, STATUS.SUCCESS]);
    expect(asked[1]?.url).toContain('getUserTasks?taskId=t');
  });

  it('ends with the Problem of a task that is gone', async () => {
    answers.push(reply({ code: 404, msg: 'gone', data: { reason: 'task_unknown' } }, 404));
    expect((await problemIn(follow())).data.reason).toBe('task_unknown');
  });
});
