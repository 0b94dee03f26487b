import type { Hand } from '../place/hands';
import type { DateFormat } from '../place/stampLook';

/** The options of the tool sign, as cluster/signing.py states them. */
export type SignSpot = { pages: string; x: number; y: number; height: number; angle: number };

export type Role = 'signature' | 'initials' | 'text';

export type DrawnLook = {
  kind: 'drawn';
  role: Role;
  strokes: number[][];
  width: number;
  height: number;
  colour: string;
};
export type TypedLook = { kind: 'typed'; role: Role; text: string; face: Hand; colour: string };
export type PictureLook = { kind: 'picture'; role: Role; file: string; clear: boolean };
export type DatedLook = { kind: 'dated'; day: string; format: DateFormat; face: Hand; colour: string };

export type Look = DrawnLook | TypedLook | PictureLook | DatedLook;
export type SignMark = Look & { spots: SignSpot[] };

export type CertificateOptions =
  | { how: 'none' }
  | {
      how: 'pkcs12';
      reason: string;
      place: string;
      visible: boolean;
      /** The document's own field that is signed; empty for a new one. */
      field?: string;
      block: { page: number; x: number; y: number; width: number };
    };

export type SignOptions = { marks: SignMark[]; certificate: CertificateOptions };

export const INKS = ['#14213d', '#1546b0', '#c8102e'] as const;
export const MOST_MARKS = 20;
