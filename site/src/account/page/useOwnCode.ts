import { useState } from 'react';
import { type Trouble, troubleOf } from '../trouble';
import { useCode } from '../useCode';
import type { AccountWords } from '../words';

/** A deed that wants a tick and a code sent to the person's own account. */
export function useOwnCode(t: AccountWords, agreeFirst: string) {
  const code = useCode(t);
  const [pwd, setPwd] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const refuse = (reason: string, text: string) => setTrouble({ reason, text, seconds: 0 });
  const perform = async (deed: () => Promise<void>) => {
    if (pwd.length < 6) return refuse('code_empty', t.codeShort);
    if (!agreed) return refuse('agree', agreeFirst);
    setBusy(true);
    setTrouble(null);
    try {
      await deed();
    } catch (error) {
      setTrouble(troubleOf(error, t));
    } finally {
      setBusy(false);
    }
  };
  const send = () => {
    setTrouble(null);
    void code.send();
  };
  return {
    code,
    pwd,
    setPwd,
    agreed,
    setAgreed,
    busy,
    trouble: trouble ?? code.trouble,
    refuse,
    perform,
    send,
  };
}

export type OwnCode = ReturnType<typeof useOwnCode>;
