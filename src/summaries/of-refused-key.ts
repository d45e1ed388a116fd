import { THE_ACCOUNT } from "./of-objects.ts";
import type { Summary } from "./words.ts";

/** Why a key was refused; `malformed`: it is no key of ours at all; `unknown`: it has the form of one. */
type Reason = "malformed" | "unknown" | "revoked" | "expired" | "partner_disabled" | "person_disabled";

const WHY: Readonly<Record<Reason, Summary>> = {
  malformed: {
    en: "it is no key. It is cut off, or quotes, blanks or another header's value came with it. Copy your key again.",
    ru: "это не ключ. Он обрезан, или вместе с ним пришли кавычки, пробелы или значение другого заголовка. Скопируйте ключ ещё раз.",
  },
  unknown: {
    en: "it looks like a key, and is none of ours. It is of another service, or has a wrong character. Check it, or make a new one.",
    ru: "он похож на ключ, но у нас такого нет. Он от другого сервиса, или в нём неверный знак. Проверьте его или создайте новый.",
  },
  revoked: { en: "it was revoked. Use another one, or make a new one.", ru: "он отозван. Используйте другой или создайте новый." },
  expired: { en: "it has expired. Make a new one.", ru: "его срок истёк. Создайте новый." },
  partner_disabled: THE_ACCOUNT,
  person_disabled: {
    en: "the person whom it belongs to is disabled, or has left. Use another one, or enable the person again.",
    ru: "его владелец отключён или ушёл. Используйте другой ключ или снова включите этого человека.",
  },
};

/** What support answers a partner whose key was refused. `hint`: the last characters of what was sent. */
export const summaryOfRefusedKey = (hint: string, reason: Reason): Summary => ({
  en: `The key …${hint} that you send is refused: ${WHY[reason].en}`,
  ru: `Ключ …${hint}, который вы отправляете, не принимается: ${WHY[reason].ru}`,
});
