import { Client } from '../../api/client';
import type { Lang } from '../../workbench/contract';
import type { Ink } from './ink';
import type { DrawnLook, PictureLook, TypedLook } from './types';

export type PadCode = { padId: string; url: string; svg: string; expiresAt: number };
export type PadState = 'WAITING' | 'OPEN' | 'DONE' | 'EXPIRED';

/** A look as an account keeps it: pictures with their pixels, as PNG in base64. */
export type KeptLook = DrawnLook | TypedLook | (Pick<PictureLook, 'kind' | 'role'> & { data: string });
export type KeptSignature = { id: string; look: KeptLook; createdAt: number };

/** The calls about signatures. */
export class SignCalls {
  private readonly client: Client;

  constructor(lang: Lang) {
    this.client = new Client(lang);
  }

  pad = () => this.client.get<PadCode>('sign/pad/getPad');
  checkPad = (padId: string) =>
    this.client.get<{ status: PadState; ink: Ink | null }>('sign/pad/checkPad', { padId });
  drawPad = (padId: string, ink: Ink | null, done: boolean) =>
    this.client.post<{ status: PadState }>('sign/pad/drawPad', { padId, ink, done });

  kept = () => this.client.get<{ items: KeptSignature[] }>('sign/saved/getSignatures');
  keep = (look: KeptLook) => this.client.post<KeptSignature>('sign/saved/saveSignature', { look });
  drop = (signatureId: string) => this.client.get<unknown>('sign/saved/deleteSignature', { signatureId });
}
