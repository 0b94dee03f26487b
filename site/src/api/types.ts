import type { Json } from '../workbench/contract';

export const STATUS = {
  CREATE: 1,
  PROCESSING: 2,
  SUCCESS: 3,
  FAIL: 4,
  TIMEOUT_FAIL: 5,
  ABNORMAL: 6,
  BE_QUEUING: 99,
} as const;

const TERMINAL: number[] = [STATUS.SUCCESS, STATUS.FAIL, STATUS.TIMEOUT_FAIL, STATUS.ABNORMAL];
export const hasEnded = (task: Task): boolean => TERMINAL.includes(task.status);

/** The task as it is shown next: its bar never runs backwards, also when another worker begins it again. */
export function onward(shown: Task | null, told: Task): Task {
  return shown && shown.progress > told.progress ? { ...told, progress: shown.progress } : told;
}

export type TaskProblem = { reason: string; msg: string; file?: string | number };

/** `locked`: it came with a password, which the API forgets when the task ends; `done`: its own part of the task has ended. */
export type TaskInput = {
  name: string;
  size: number;
  key: string;
  locked: boolean;
  done?: boolean;
  error: TaskProblem | null;
};

export type TaskOutput = {
  name: string;
  size: number;
  pages: number | null;
  kind: string;
  key: string;
  /** Index of the input it was made from; null when made from all. */
  input: number | null;
};

export type ReceiptLine = {
  kind: 'kept' | 'changed' | 'lost' | 'told';
  what?: string;
  text?: string | { zh: string; en: string };
  facts?: Record<string, Json>;
  /** Index of the input it is about; null when about all. */
  input?: number | null;
};

export type Task = {
  taskId: string;
  toolId: number;
  toolName: string;
  fileName: string;
  /** Those it was made with, without the passwords in them. */
  options: Json;
  status: number;
  progress: number;
  stage: string | null;
  queuePosition: number | null;
  error: TaskProblem | null;
  inputs: TaskInput[];
  outputs: TaskOutput[];
  receipt: ReceiptLine[];
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number | null;
  metrics: Record<string, Json>;
};

export type TaskRequest = {
  toolId: number;
  files: { key: string; name: string; password?: string | undefined }[];
  options: Json;
};

export type Grant = {
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken: string; expiration: string };
  region: string;
  endpoint: string;
  bucket: string;
  prefix: string;
  maxBytes: number;
};

export type UserRights = {
  allowed: boolean;
  restriction: 1 | 2 | 3 | null;
  remainingTries: number | null;
  maxDocuments: number;
  maxFileSize: number;
  maxPages: number;
};

export type Download = { url: string; name: string; size: number; expiresAt: number };
