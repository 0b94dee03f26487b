/** Trouble, as it stands in `data` of an answer: a stable reason and a sentence for people. */
export type ProblemData = {
  code: number;
  reason: string;
  msg: string;
  field?: string;
  file?: string | number;
  /** 1 too many documents for a non-member, 2 no free try left, 3 membership expired. */
  restriction?: 1 | 2 | 3;
  /** Where WeChat tells who pays (`openid_required`). */
  authorizeUrl?: string | null;
};

/** Refusals whose HTTP status is 5xx though the service is there and says what to do. */
const TOLD = new Set(['storage_full']);

/** The API cannot be reached or is being upgraded: the page shows the upgrade screen. */
export const isOutage = ({ code, reason }: ProblemData): boolean =>
  code === 0 || (code >= 500 && !TOLD.has(reason));

export class Problem extends Error {
  constructor(readonly data: ProblemData) {
    super(data.msg);
    this.name = 'Problem';
  }

  get unreachable(): boolean {
    return isOutage(this.data);
  }
}

export function problemOf(error: unknown): ProblemData {
  if (error instanceof Problem) return error.data;
  return { code: 0, reason: 'unreachable', msg: error instanceof Error ? error.message : String(error) };
}
