/** What to correct after a refusal and what a repeat does, by error code, as docs/errors says in English. */
interface Cure {
  readonly cure: string;
  readonly repeat: string;
}

/** What a repeat of a request does, as the Worker says it: in Russian, too, where the record of the request says it. */
export interface Repeat {
  readonly code: string | null;
  readonly repeat: string;
  readonly repeat_ru: string | null;
}

const [AFTER, WITH_KEY, NEW_KEY] = [
  "После исправления, с тем же ключом или токеном.",
  "С тем же ключом или токеном.",
  "С новым ключом или токеном.",
];
const UPSTREAM = "Исправьте то, что названо в сообщении.";

const curesInRussian: Readonly<Record<string, Cure>> = {
  INVALID_INPUT: { cure: "Исправьте поле, названное в details.", repeat: `${AFTER} Отказ его не израсходовал.` },
  AUTH_REQUIRED: { cure: "Отправьте ключ в этом заголовке.", repeat: "С ключом и тем же токеном." },
  INVALID_API_KEY: { cure: "Проверьте ключ; спросите своего менеджера.", repeat: "С действующим ключом и тем же токеном." },
  PERMISSION_DENIED: { cure: "Попросите это право или возьмите другой ключ.", repeat: "Когда право появится, с тем же токеном." },
  PRODUCT_NOT_FOUND: { cure: "Проверьте номер товара; в details названа позиция.", repeat: AFTER },
  PRODUCT_NOT_APPROVED: { cure: "Дождитесь одобрения или продавайте без этого товара.", repeat: "После одобрения, с тем же токеном." },
  CROSS_TENANT_ATTEMPT: { cure: "Продавайте свои товары.", repeat: AFTER },
  CONFIRMATION_REQUIRED: {
    cure: "Дайте человеку ссылку из сообщения: он подтвердит запрос ключом доступа.",
    repeat: "После подтверждения, с теми же данными и тем же токеном. Выполняется один раз.",
  },
  CONFIRMATION_REFUSED: { cure: "Спросите человека, почему и чего он хочет.", repeat: "С новым токеном, если человек об этом попросит." },
  CONFIRMATION_EXPIRED: { cure: "Спросите человека, нужно ли это ещё.", repeat: "С новым токеном: тогда человека спросят снова." },
  PAYMENT_NOT_FOUND: {
    cure: "Проверьте номер платежа; новый платёж появляется через несколько секунд.",
    repeat: "Сколько угодно: операция только читает.",
  },
  IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD: {
    cure: "Выясните, почему у двух заказов один токен. Так быть не должно.",
    repeat: "С новым токеном, если это новый заказ. Результат первого запроса остаётся у старого токена.",
  },
  PREVIOUS_ATTEMPT_FAILED: { cure: "Менять ничего не нужно.", repeat: NEW_KEY },
  OPERATION_IN_PROGRESS: { cure: "Подождите секунду-две.", repeat: "С тем же токеном: другой создал бы вторую ссылку." },
  SHORT_URL_UNAVAILABLE: { cure: "Менять ничего не нужно.", repeat: "С тем же токеном: заново создаётся только короткий адрес." },
  INTEGRATION_TIMEOUT: {
    cure: "Менять ничего не нужно. Если ссылка всё же создана, её адреса нет ни у кого из покупателей. Рублёвый платёж отменяется.",
    repeat: "С новым токеном. Для рублёвого платежа подойдёт и старый.",
  },
  INTEGRATION_UPSTREAM_ERROR: { cure: UPSTREAM, repeat: "С новым токеном. Для рублёвого платежа подойдёт и старый." },
  INTERNAL_ERROR: {
    cure: "Исправить это вы не можете. Если повторяется или в сообщении назван товар, сообщите поддержке номер запроса.",
    repeat: "С тем же токеном: сервис продолжит прерванное.",
  },
  invalid_input: { cure: UPSTREAM, repeat: `${AFTER} Отказ его не израсходовал.` },
  unauthorized: { cure: "Проверьте ключ; спросите своего менеджера.", repeat: "С действующим ключом и тем же idempotency_key." },
  forbidden: { cure: "Попросите это право или возьмите другой ключ.", repeat: "Когда право появится, с тем же ключом." },
  product_not_found: { cure: "Проверьте номер товара.", repeat: AFTER },
  product_not_approved: { cure: "Дождитесь одобрения.", repeat: "После одобрения, с тем же ключом." },
  product_data_corrupt: { cure: "Напишите в поддержку.", repeat: "Когда поддержка исправит данные, с тем же ключом." },
  mixed_environment: { cure: "Создайте один промокод для боевого режима и один для тестового.", repeat: AFTER },
  code_already_exists: {
    cure: "Выберите другой текст или подождите, пока этот освободится.",
    repeat: "С новым ключом. Со старым тот же текст можно пробовать ещё пять раз; потом отказ окончательный.",
  },
  idempotency_conflict: {
    cure: "Выясните, почему у двух запросов один ключ. Если валюта не должна меняться, укажите currency.",
    repeat: NEW_KEY,
  },
  short_url_unavailable: {
    cure: "Поддержка доделает ссылку вручную.",
    repeat: "Позже, с тем же ключом: тогда придёт ссылка. До этого повтор никуда не обращается.",
  },
  stripe_error: {
    cure: "Исправьте то, что названо в сообщении, если оно что-то называет.",
    repeat: `${WITH_KEY} Повтор продолжит с того, что уже создано. После шести одинаковых отказов подряд нужен новый ключ: об этом скажет сообщение.`,
  },
  internal_error: {
    cure: "Исправить это вы не можете. Если повторяется, сообщите поддержке номер запроса.",
    repeat: `${WITH_KEY} Повтор продолжит с того, что уже создано. После шести отказов подряд нужен новый ключ: об этом скажет сообщение.`,
  },
};

/** Where the processor or the bank is down, there is nothing to correct: the Worker says so by this beginning. */
const OUTAGE = /^No change is needed: the processor/;

/** What to correct, in Russian; as the Worker says it for an unknown code. */
export const cureInRussian = (code: string | null, cure: string): string =>
  OUTAGE.test(cure)
    ? "Менять ничего не нужно: платёжная система или банк не отвечает. Подождите несколько минут."
    : (curesInRussian[code ?? ""]?.cure ?? cure);

/** What a repeat does, in Russian: as the record of the request says it, else by the code; of an unknown code, as the Worker says it. */
export const repeatInRussian = ({ code, repeat, repeat_ru: said }: Repeat): string => said ?? curesInRussian[code ?? ""]?.repeat ?? repeat;
