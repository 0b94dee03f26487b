/** Runs a few renderings at a time; what was asked for last, which is on the screen now, comes first. */
export class RenderQueue {
  #waiting: { run: () => Promise<void>; signal: AbortSignal }[] = [];
  #running = 0;
  #holding: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly limit: number) {}

  /** Begins nothing for so long, counted from the last call: what flies past is not worth a frame. */
  hold(milliseconds: number): void {
    if (this.#holding) clearTimeout(this.#holding);
    this.#holding = setTimeout(() => {
      this.#holding = null;
      this.#next();
    }, milliseconds);
  }

  add<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = () => work().then(resolve, reject);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#waiting.push({ run, signal });
      this.#next();
    });
  }

  #next(): void {
    while (this.#running < this.limit && !this.#holding) {
      const item = this.#waiting.pop();
      if (!item) return;
      if (item.signal.aborted) continue;
      this.#running += 1;
      void item.run().finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }
}

/** Keeps what was used last, up to a total weight. */
export class WeightedCache<T> {
  #items = new Map<string, { value: T; weight: number }>();
  #weight = 0;

  constructor(private readonly most: number) {}

  get(key: string): T | undefined {
    const item = this.#items.get(key);
    if (!item) return undefined;
    this.#items.delete(key);
    this.#items.set(key, item);
    return item.value;
  }

  set(key: string, value: T, weight: number): void {
    this.#drop(key);
    this.#items.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#items.keys()) {
      if (this.#weight <= this.most || oldest === key) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#weight -= this.#items.get(key)?.weight ?? 0;
    this.#items.delete(key);
  }
}
