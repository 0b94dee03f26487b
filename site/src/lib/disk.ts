/** A small key-value shelf in IndexedDB; files survive a reload there. */
const NAME = 'papercrane';
const SHELF = 'shelf';

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(SHELF);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

async function ask<T>(mode: IDBTransactionMode, act: (shelf: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const base = await open();
  return new Promise((resolve, reject) => {
    const request = act(base.transaction(SHELF, mode).objectStore(SHELF));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export const putOnDisk = (key: string, value: unknown) => ask('readwrite', (shelf) => shelf.put(value, key));
export const getFromDisk = <T>(key: string) => ask<T | undefined>('readonly', (shelf) => shelf.get(key));
export const dropFromDisk = (key: string) => ask('readwrite', (shelf) => shelf.delete(key));
