import type { EditorName, ReviewName } from '../editors/facts';
import type { FieldSchema, Localised } from '../workbench/contract';
import raw from '../contract.json';

export type Accepted = { kind: string; extensions: string[]; mime: string[] };

export type ToolContract = {
  id: number;
  key: string;
  route: string;
  group: string;
  lane: string;
  takes: 'each' | 'all';
  multiple: boolean;
  least?: number;
  accepts: Accepted[];
  gives: string[];
  editor: EditorName | null;
  review: ReviewName | null;
  /** The API tells beforehand how large a result would be. */
  estimates: boolean;
  icon?: string;
  options: FieldSchema;
};

export type Rights = {
  documents: number;
  tries: number | null;
  bytes: number;
  pages: number;
  downloads: number | null;
};

export type Contract = {
  tools: ToolContract[];
  groups: { key: string; title: Localised }[];
  rights: Record<string, Rights> & { visitor: Rights };
  statuses: Record<string, number>;
  reasons: Record<string, Localised>;
  stages: Record<string, Localised>;
};

export const contract = raw as unknown as Contract;
