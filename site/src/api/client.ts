import type { Lang } from '../lib/lang';
import { Problem } from './problem';
import { type Download, type Grant, hasEnded, type Task, type TaskRequest, type UserRights } from './types';

export { Problem, type ProblemData, problemOf } from './problem';

const HOST: string = import.meta.env.PUBLIC_API_HOST ?? '';
const POLL_EVERY = 1500;

/** Bytes by level. */
export type Sizes = Record<string, number>;

type Query = Record<string, string | number | undefined>;

function cookie(name: string): string | undefined {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`));
  return found && decodeURIComponent(found.slice(name.length + 1));
}

function headers(lang: Lang): Record<string, string> {
  const token = cookie('access_token');
  return { 'Web-Tag': 'papercrane', 'Accept-Language': lang, ...(token ? { 'Access-Token': token } : {}) };
}

export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${HOST}/api/${path}${search && `?${search}`}`;
}

function unreachable(): Problem {
  return new Problem({ code: 0, reason: 'unreachable', msg: '' });
}

/** The first call of a browser that nobody knows yet; its answer brings the cookie. */
let introduction: Promise<unknown> | null = null;

/** Two first calls at once would make two visitors, and what one of them uploads the other could not use. */
async function send(lang: Lang, url: string, init: RequestInit): Promise<Response> {
  while (introduction && !cookie('access_token')) await introduction;
  const unknown = !cookie('access_token');
  const sent = fetch(url, {
    credentials: HOST ? 'include' : 'same-origin',
    ...init,
    headers: { ...headers(lang), ...init.headers },
  });
  if (unknown) {
    const mine = sent
      .catch(() => undefined)
      .finally(() => {
        if (introduction === mine) introduction = null;
      });
    introduction = mine;
  }
  return sent;
}

async function request(lang: Lang, url: string, init: RequestInit): Promise<Response> {
  try {
    return await send(lang, url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw unreachable();
  }
}

/** Opens the envelope `{code, msg, data}`; anything but 200 is a Problem. */
async function open<T>(response: Response): Promise<T> {
  const envelope = await response.json().catch(() => null);
  if (typeof envelope?.code !== 'number') {
    throw new Problem({ code: response.ok ? 502 : response.status, reason: 'unreachable', msg: '' });
  }
  if (envelope.code === 200) return envelope.data as T;
  const data = envelope.data ?? {};
  throw new Problem({
    ...data,
    reason: data.reason ?? `code_${envelope.code}`,
    code: envelope.code,
    msg: envelope.msg,
  });
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Reads a stream chunk by chunk; not every browser lets `for await` do it. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield decoder.decode(read.value, { stream: true });
    }
  } finally {
    reader.releaseLock();
  }
}

const dataOf = (block: string) =>
  block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .join('\n');

/** Cuts a byte stream into the `data` of its Server-Sent Events. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunksOf(body)) {
    const blocks = (rest + chunk).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    yield* blocks.map(dataOf).filter(Boolean);
  }
}

export class Client {
  constructor(readonly lang: Lang) {}

  async get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    return open<T>(await request(this.lang, address(path, query), { signal: signal ?? null }));
  }

  rights(toolId: number): Promise<UserRights> {
    return this.get('user/user/getUserRights', { toolId });
  }

  /** With `prefix` the running grant is renewed, so that half-sent files keep their keys. */
  grant(files: number, bytes: number, prefix?: string): Promise<Grant> {
    return this.get('file/upload/getStsCredentials', { files, bytes, prefix });
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'Content-Type': 'application/json' };
    return open(
      await request(this.lang, address(path), { method: 'POST', headers, body: JSON.stringify(body) }),
    );
  }

  async retryCompress(
    taskId: string,
    level: string,
    idempotencyKey: string,
  ): Promise<{ taskId: string; status: number }> {
    const init = { headers: { 'Idempotency-Key': idempotencyKey } };
    return open(await request(this.lang, address('task/task/retryCompressTask', { taskId, level }), init));
  }

  async createTask(body: TaskRequest, idempotencyKey: string): Promise<{ taskId: string; status: number }> {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return open(await request(this.lang, address('task/task/createTask'), init));
  }

  /** Bytes of the result at each level, null where nobody knows; whatever fails tells nothing. */
  async estimate(toolId: number, file: TaskRequest['files'][number]): Promise<Sizes | null> {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ toolId, file }),
    };
    const told: { sizes: Sizes | null } = await open(
      await request(this.lang, address('task/task/estimate'), init),
    );
    return told.sizes;
  }

  async task(taskId: string, signal?: AbortSignal): Promise<Task> {
    const { items } = await this.get<{ items: Task[] }>('task/task/getUserTasks', { taskId }, signal);
    if (items[0]) return items[0];
    throw new Problem({ code: 404, reason: 'task_unknown', msg: '' });
  }

  deleteTask(taskId: string): Promise<unknown> {
    return this.get('task/task/deleteTask', { taskId });
  }

  download(taskId: string, index?: number): Promise<Download> {
    return this.get('file/download/getDownloadInfo', { taskId, index });
  }

  /** Tells every change of a task until it ends: by events, and by asking where events do not come through. */
  async follow(taskId: string, tell: (task: Task) => void, signal: AbortSignal): Promise<void> {
    let ended = false;
    const note = (task: Task) => {
      ended = hasEnded(task);
      tell(task);
    };
    while (!ended && !signal.aborted) {
      await this.listen(taskId, note, signal).catch((error) => refuseFatal(error));
      if (ended || signal.aborted) return;
      note(await this.task(taskId, signal).catch(async (error) => this.askAgain(taskId, error, signal)));
      if (!ended) await sleep(POLL_EVERY, signal);
    }
  }

  private async listen(taskId: string, note: (task: Task) => void, signal: AbortSignal): Promise<void> {
    const init = { headers: { Accept: 'text/event-stream' }, signal };
    const response = await request(this.lang, address('task/task/events', { taskId }), init);
    const streams = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!response.ok || !response.body || !streams) return void (await open(response));
    for await (const data of eventsOf(response.body)) note(JSON.parse(data) as Task);
  }

  /** One lost answer is no outage: the network may be back a moment later. */
  private async askAgain(taskId: string, error: unknown, signal: AbortSignal): Promise<Task> {
    refuseFatal(error);
    await sleep(2 * POLL_EVERY, signal);
    return this.task(taskId, signal);
  }
}

/** Only an answer that names a fault of the request ends the following; a broken stream does not. */
function refuseFatal(error: unknown): void {
  if (error instanceof Problem && !error.unreachable) throw error;
}
