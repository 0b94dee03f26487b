import { PenLine, Smartphone } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { rememberUpload } from '../../fields';
import type { Lang } from '../../workbench/contract';
import { HANDS, type Hand } from '../place/hands';
import { localDate } from '../place/scene';
import { type DateFormat, dated } from '../place/stampLook';
import type { Ink } from './ink';
import { Inks } from './Inks';
import { LookPicture } from './LookPicture';
import { Pad } from './Pad';
import { Phone } from './Phone';
import { INKS, type Look, type Role } from './types';
import { useLooks } from './useLooks';
import type { SignWords } from './words';

export type WayProps = {
  role: Role;
  lang: Lang;
  words: SignWords;
  upload(file: File): Promise<string>;
  /** What would be put on the page; null while that is nothing. */
  onLook(look: Look | null): void;
};

const FACES = Object.keys(HANDS) as Hand[];
const FORMATS: DateFormat[] = ['zh', 'iso', 'dots', 'chinese', 'en'];
const PICTURES = '.png,.jpg,.jpeg,.webp,.tif,.tiff,.bmp,.gif';

/** Tells the look of each drawing of a way. */
function useLook(look: Look | null, onLook: WayProps['onLook']): void {
  const told = JSON.stringify(look);
  useEffect(() => onLook(JSON.parse(told)), [told, onLook]);
}

export function DrawWay({ role, lang, words, onLook }: WayProps) {
  const [colour, setColour] = useState<string>(INKS[0]);
  const [pen, setPen] = useState(5);
  const [ink, setInk] = useState<Ink | null>(null);
  const [phone, setPhone] = useState(false);
  const id = useId();
  useLook(ink && { kind: 'drawn', role, ...ink, colour }, onLook);
  return (
    <>
      {phone ? (
        <Phone colour={colour} role={role} onInk={setInk} words={words} lang={lang} />
      ) : (
        <Pad colour={colour} pen={pen} onInk={setInk} words={words} />
      )}
      <div className="sign-row">
        <Inks colour={colour} onColour={setColour} words={words} />
        {!phone && (
          <span className="sign-pen">
            <label htmlFor={id}>{words.pen}</label>
            <input
              id={id}
              type="range"
              className="field-range"
              min={2}
              max={12}
              value={pen}
              onChange={(event) => setPen(Number(event.target.value))}
            />
          </span>
        )}
        <button
          type="button"
          className="btn btn-plain sign-elsewhere"
          aria-pressed={phone}
          onClick={() => {
            setInk(null);
            setPhone(!phone);
          }}
          data-testid="by-phone"
        >
          {phone ? <PenLine size={18} aria-hidden="true" /> : <Smartphone size={18} aria-hidden="true" />}
          {phone ? words.here : words.phone}
        </button>
      </div>
    </>
  );
}

/** 张三 as 张, Jane Doe as JD; what is written as initials already, such as OY or J.D., as it is. */
export const initialsOf = (name: string): string => {
  const whole = name.trim();
  if (!/^[\p{Script=Latin}\s.'-]+$/u.test(whole)) return [...whole][0] ?? '';
  if (whole.length <= 6 && whole === whole.toUpperCase()) return whole;
  return whole
    .split(/\s+/)
    .map(([first = '']) => first.toUpperCase())
    .join('');
};

export function TypeWay({ role, words, onLook }: WayProps) {
  const [name, setName] = useState('');
  const [face, setFace] = useState<Hand>(FACES[0]!);
  const [colour, setColour] = useState<string>(INKS[0]);
  const id = useId();
  const text = role === 'initials' ? initialsOf(name) : name.trim();
  const look = (each: Hand): Look => ({ kind: 'typed', role, text, face: each, colour });
  useLook(text ? look(face) : null, onLook);
  return (
    <>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          {words.name}
        </label>
        <input
          id={id}
          className="field-input"
          maxLength={60}
          placeholder={words.namePlaceholder}
          value={name}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          data-testid="sign-name"
        />
      </div>
      <Faces
        looks={FACES.map((each) => ({ ...look(each), text: text || words.signature }))}
        face={face}
        onFace={setFace}
        words={words}
      />
      <Inks colour={colour} onColour={setColour} words={words} />
    </>
  );
}

type FacesProps = { looks: Look[]; face: Hand; onFace(face: Hand): void; words: SignWords };

/** The words in each handwriting. */
function Faces({ looks, face, onFace, words }: FacesProps) {
  const artOf = useLooks(looks);
  return (
    <fieldset className="sign-faces">
      <legend className="field-label">{words.face}</legend>
      {looks.map((look, at) => {
        const each = FACES[at]!;
        return (
          <label key={each} data-chosen={each === face || undefined}>
            <input
              type="radio"
              className="field-hidden-input"
              name="sign-face"
              aria-label={FACE_NAMES[each]}
              checked={each === face}
              onChange={() => onFace(each)}
            />
            <LookPicture look={look} art={artOf(look)} height={44} most={150} />
          </label>
        );
      })}
    </fieldset>
  );
}

const FACE_NAMES: Record<Hand, string> = {
  'ma-shan-zheng': 'Ma Shan Zheng',
  'zhi-mang-xing': 'Zhi Mang Xing',
  'liu-jian-mao-cao': 'Liu Jian Mao Cao',
  'long-cang': 'Long Cang',
  caveat: 'Caveat',
  'dancing-script': 'Dancing Script',
};

export function PictureWay({ role, words, upload, onLook }: WayProps) {
  const [file, setFile] = useState('');
  const [clear, setClear] = useState(true);
  const [said, setSaid] = useState('');
  const look: Look = { kind: 'picture', role, file, clear };
  const artOf = useLooks([look]);
  useLook(file ? look : null, onLook);
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    setSaid(words.uploading);
    try {
      const key = await upload(chosen);
      rememberUpload(key, chosen);
      setFile(key);
      setSaid('');
    } catch {
      setSaid(words.uploadFailed);
    }
  };
  return (
    <>
      <div className="field-file">
        <label className="field-file-button">
          <input
            type="file"
            accept={PICTURES}
            className="field-hidden-input"
            onChange={(event) => void take(event.target.files?.[0])}
            data-testid="sign-picture"
          />
          {words.picture}
        </label>
        <span role="status">{said}</span>
      </div>
      {file ? (
        <div className="sign-shown">
          <LookPicture look={look} art={artOf(look)} height={120} most={500} />
        </div>
      ) : (
        <p className="field-hint">{words.pictureHint}</p>
      )}
      <label className="sign-check">
        <input type="checkbox" checked={clear} onChange={(event) => setClear(event.target.checked)} />
        {words.clearWhite}
      </label>
    </>
  );
}

export function DayWay({ lang, words, onLook }: WayProps) {
  const [day, setDay] = useState('');
  const [format, setFormat] = useState<DateFormat>(lang === 'zh' ? 'zh' : 'en');
  const [face, setFace] = useState<Hand>(lang === 'zh' ? 'ma-shan-zheng' : 'caveat');
  const [colour, setColour] = useState<string>(INKS[0]);
  const [dayId, formatId] = [useId(), useId()];
  const look = (each: Hand): Look => ({ kind: 'dated', day, format, face: each, colour });
  useLook(look(face), onLook);
  return (
    <>
      <div className="sign-row">
        <span className="field">
          <label className="field-label" htmlFor={dayId}>
            {words.day}
          </label>
          <input
            id={dayId}
            type="date"
            className="field-input field-date"
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
        </span>
        <span className="field">
          <label className="field-label" htmlFor={formatId}>
            {words.format}
          </label>
          <select
            id={formatId}
            className="field-input"
            value={format}
            onChange={(event) => setFormat(event.target.value as DateFormat)}
          >
            {FORMATS.map((each) => (
              <option key={each} value={each} lang="zh">
                {dated(day || localDate(), each)}
              </option>
            ))}
          </select>
        </span>
      </div>
      <p className="field-hint">{words.dayHint}</p>
      <Faces looks={FACES.map(look)} face={face} onFace={setFace} words={words} />
      <Inks colour={colour} onColour={setColour} words={words} />
    </>
  );
}
